"""Loading and storing values of C types."""

from __future__ import annotations

from vpo import il
from vpo.algebra import binary, set_, unary
from vpo.effective_types import ANY
from vpo.expand import subwords
from vpo.expand.builder import Builder
from vpo.expand.cannot_express import CannotExpress
from vpo.expand.float_operations import load_converted
from vpo.expand.words import Values, Words, letter
from vpo.rtl import Const, Expr, Mem, Register


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
        if not (self.code.expand(effect) or subwords.load(self.code, target, op, cell)):
            raise CannotExpress(f"`{effect!r}`", self.code.line)
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
