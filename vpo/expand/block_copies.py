"""Copying blocks of memory where they are: by moves one after the other, or in a loop."""

from __future__ import annotations

from vpo import il
from vpo.algebra import binary, mem, set_
from vpo.expand.accesses import Accesses
from vpo.expand.builder import Builder
from vpo.expand.words import Values
from vpo.rtl import Const, Expr, Set

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
        """Copy a block by moves one after the other, or by instructions that move several words."""
        step, offset = self._step(align), 0
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
