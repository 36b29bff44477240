"""Loading and storing values of C types."""

from __future__ import annotations

from vpo import il
from vpo.algebra import binary, mem, set_, unary
from vpo.base.errors import CannotExpress
from vpo.expand.builder import Builder
from vpo.expand.soften import load_converted
from vpo.expand.words import Values, Words, letter
from vpo.il.data_model import ANY
from vpo.lower.narrow_cells import load_part
from vpo.rtl import Const, Expr, Mem, Register, Set


class Accesses:
    """Emits accesses of memory at address expressions."""

    def __init__(self, builder: Builder, values: Values) -> None:
        self.builder, self.code, self.values = builder, builder.code, values

    def load(self, address: Expr, type_: il.Type, volatile: bool = False, effective: str = ANY) -> Words:
        """Load a value of a type."""
        values, cell = self.values, self._cell(address, type_, volatile, effective)
        if type_.is_float:
            return [self.load_float(cell, type_)]
        if type_.size < values.word_size:
            return [self._load_extended(values.extension(type_), cell)]
        words: Words = []
        for word in self._words(cell, values.count(type_)):
            target = values.fresh(type_)
            self.code.load(target, word)
            words.append(target)
        return words

    def load_float(self, cell: Mem, type_: il.Type) -> Register:
        """Load a floating value from a cell."""
        target = self.values.fresh(type_)
        if cell.type == "F" and target.type == "D":
            load_converted(self.code, target, cell)
        else:
            self.code.load(target, cell)
        return target

    def _load_extended(self, op: str, cell: Mem) -> Register:
        """Return a register with a narrow cell, extended by `op` ('sx' or 'zx')."""
        target = self.code.fresh(self.code.integer)
        for candidate in self.code.cell(cell):
            if self.code.attempt(set_(target, unary(op, target.type, candidate))):
                return target
        address = self.code.address_register(cell.address)
        effect = set_(target, unary(op, target.type, cell.at(address)))
        if not (self.code.expand(effect) or load_part(self.code, target, op, cell)):
            raise CannotExpress("`{}`", self.code.line, effect)
        return target

    def store(self, address: Expr, words: Words, type_: il.Type, volatile: bool = False, effective: str = ANY) -> None:
        """Store a value of a type."""
        cell = self._cell(address, type_, volatile, effective)
        if type_.is_float:
            value = words[0]
            if cell.type == "F" and value.type == "D":
                value = unary("cvt", "F", value)
            self.code.store(cell, value)
        elif self.values.count(type_) == 1:
            self.code.store(cell, words[0])
        else:
            for word, part in zip(words, self._words(cell, len(words)), strict=True):
                self.code.store(part, word)

    def _cell(self, address: Expr, type_: il.Type, volatile: bool, effective: str) -> Mem:
        """Return the cell of a value, or of the first word of one of several words."""
        kind = self.code.word if self.values.count(type_) > 1 else letter(type_)
        return Mem(kind, address, volatile, effective)

    def _words(self, cell: Mem, count: int) -> list[Mem]:
        """Return the words of a cell, by address."""
        addresses = [binary("+", cell.address, Const(i * self.values.word_size)) for i in range(count)]
        return [Mem(self.code.word, address, cell.volatile, cell.effective) for address in addresses]

    # ------------------------------------------------------------------------------------------- floating values

    def bits_of_float(self, value: Expr, type_: il.Type) -> Words:
        """Move a floating value's bits into integer words, through memory."""
        slot = self.builder.scratch_slot(type_.size, type_.size)
        self.store(slot, [value], type_)
        return self.load(slot, il.Type("U", type_.size))

    def float_of_bits(self, words: Words, type_: il.Type) -> Words:
        """Make a floating value of its bits, through memory."""
        slot = self.builder.scratch_slot(type_.size, type_.size)
        self.store(slot, words, il.Type("U", type_.size))
        return self.load(slot, type_)

    def rounded(self, word: Expr, type_: il.Type) -> Expr:
        """Round a single-precision result that is held as a double."""
        if type_.size == 4 and word.type == "D":
            slot = self.builder.scratch_slot(4, 4)
            self.store(slot, [word], type_)
            return self.load(slot, type_)[0]
        return word


# ----------------------------------------------------------------------------------------------------------------------
# Copying blocks of memory where they are: by moves one after the other, or in a loop.


INLINE_COPY = 16  # longer copies take more moves than a call or a loop


class BlockCopies:
    """Emits copies of blocks."""

    def __init__(self, builder: Builder, values: Values, accesses: Accesses) -> None:
        self.builder, self.code, self.values, self.accesses = builder, builder.code, values, accesses

    def is_long(self, size: int, align: int) -> bool:
        """Whether a copy is not worth writing out."""
        return size > INLINE_COPY * self._step(align)

    def _step(self, align: int) -> int:
        """Return how many bytes a move may carry."""
        return min(self.builder.machine.model.access_size(align), self.values.word_size)

    def copy(self, target: Expr, source: Expr, size: int, align: int) -> None:
        """Copy a block, in a loop if it is long."""
        if self.is_long(size, align):
            self._loop(target, source, size, align)
        else:
            self.moves(target, source, size, align)

    def moves(self, target: Expr, source: Expr, size: int, align: int) -> None:
        """Copy a block by moves one after the other, or by instructions that move several words.

        They are of words whatever the alignment where accesses work at any address.
        """
        align = min(self.builder.alignment(each, size, align) for each in (target, source))
        step, offset = self._step(self.values.word_size if self.builder.machine.misaligned else align), 0
        with self.code.because("variable"):
            capabilities = self.builder.machine.capabilities
            if step == self.values.word_size and size >= 2 * step and (capabilities.block_copies or capabilities.pairs):
                target, source = self.code.address_register(target), self.code.address_register(source)
                while count := self._several(target, source, offset, (size - offset) // step):
                    offset += count * step
            while offset < size:
                while step > size - offset:
                    step //= 2
                unit = il.Type("U", step)
                words = self.accesses.load(binary("+", source, Const(offset)), unit)
                self.accesses.store(binary("+", target, Const(offset)), words, unit)
                offset += step

    def _several(self, target: Expr, source: Expr, offset: int, words: int) -> int:
        """Copy as many words as one instruction copies, or two through a pair of registers; return how many."""
        size, letter = self.values.word_size, self.code.word
        to, from_ = ([mem(letter, binary("+", a, Const(offset + n * size))) for n in range(words)] for a in (target, source))
        if self.builder.machine.capabilities.block_copies:
            for count in range(words, 1, -1):
                if self.code.attempt(*map(Set, to[:count], from_[:count])):
                    return count
        if words < 2:
            return 0
        pair = [self.code.fresh(self.code.integer) for _ in range(2)]
        loads, stores = tuple(map(Set, pair, from_)), tuple(map(Set, to, pair))
        # also with the registers exchanged: nobody knows yet which comes first, and block instructions ask for an order
        ways = loads, stores, tuple(map(Set, reversed(pair), from_)), tuple(map(Set, to, reversed(pair)))
        if not all(map(self.builder.machine.is_legal, ways)):
            return 0
        self.code.append(loads)
        self.code.append(stores)
        return 2

    def _loop(self, target: Expr, source: Expr, size: int, align: int) -> None:
        """Copy whole steps in a loop, and the rest behind it."""
        step = self._step(align)
        start = self.code.address_register(source)
        end = self.code.operate("+", start, Const(size - size % step), self.code.address)
        from_, to = self.code.copy(start), self.code.copy(self.code.address_register(target))
        top, unit = self.builder.function.label(), il.Type("U", step)
        self.builder.start_block(top)
        self.accesses.store(to, self.accesses.load(from_, unit), unit)
        for pointer in (from_, to):
            self.code.emit(set_(pointer, binary("+", pointer, Const(step))))
        self.code.branch("!=", from_, end, top)
        self.builder.start_block()
        self.moves(to, from_, size % step, align)
