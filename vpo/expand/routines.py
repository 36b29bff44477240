"""Calls of the run-time library: operations that a machine has no instruction for, and long copies of blocks."""

from __future__ import annotations

from vpo import il
from vpo.base.errors import CannotExpress
from vpo.expand.accesses import BlockCopies
from vpo.expand.argument_passing import Assigner
from vpo.expand.linkage import Linkage, Move
from vpo.expand.words import Words
from vpo.il.routine_names import routine_of
from vpo.rtl import Const, Expr, Symbol


class Routines:
    """Emits calls of routines."""

    def __init__(self, linkage: Linkage, copies: BlockCopies) -> None:
        self.linkage, self.copies = linkage, copies
        self.code, self.values, self.machine = linkage.code, linkage.values, linkage.machine
        self.code.routine = self.operator

    def operator(self, op: str, a: Expr, b: Expr) -> Expr | None:
        """Return the result of an operator on words, by a call; None if there is no such routine."""
        word = self.values.word_type
        if self.code.derived is None or not self.code.derived.may_call(op):
            return None
        return self.call(routine_of(op, 4), [(word, [a]), (word, [b])], word)[0]

    def call(self, name: str, arguments: list[tuple[il.Type, Words]], result: il.Type) -> Words:
        """Call a routine; returns its result."""
        if self.code.function.name == "_" + name:
            raise CannotExpress(f"operation that {name} stands for", self.code.line)
        assigner = Assigner(self.machine)
        moves: list[Move] = []
        for type_, words in arguments:
            place = assigner.scalar(type_)
            if type_.is_float and place.registers and not place.floating:
                moves.append((place, None, self.linkage.accesses.bits_of_float(words[0], type_)))
            else:
                moves.append((place, type_, words))
        registers = self.linkage.place_arguments(moves, assigner.offset)
        self.linkage.call(Symbol("_" + name), registers, result)
        return self.linkage.result(result)

    def copy(self, target: Expr, source: Expr, size: int, align: int) -> None:
        """Copy a block: by moves if they are few, else by memcpy."""
        if not self.copies.is_long(size, align):
            self.copies.moves(target, source, size, align)
            return
        pointer, count = self.values.pointer, il.Type("U", self.machine.model.sizes["long"])
        to: Words = [self.code.address_register(target)]
        where: Words = [self.code.address_register(source)]
        self.call("memcpy", [(pointer, to), (pointer, where), (count, [Const(size)])], pointer)
