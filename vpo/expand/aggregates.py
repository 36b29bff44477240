"""Aggregates that travel in registers: loading their words, and putting them together again."""

from __future__ import annotations

from vpo import il
from vpo.algebra import binary
from vpo.expand.accesses import Accesses
from vpo.expand.argument_passing import Place
from vpo.expand.builder import Builder
from vpo.expand.locals import Locals
from vpo.expand.routines import Routines
from vpo.expand.words import Values, Words
from vpo.rtl import Const, Expr, Mem


class Aggregates:
    """Emits moves of aggregates between memory and words."""

    def __init__(self, builder: Builder, values: Values, accesses: Accesses, variables: Locals, routines: Routines) -> None:
        self.builder, self.code, self.values = builder, builder.code, values
        self.accesses, self.locals, self.routines = accesses, variables, routines

    def load(self, address: Expr, align: int, place: Place) -> Words:
        """Load what travels in the registers of a place; a short word goes through an aligned copy."""
        if place.members:
            return [self.accesses.load(binary("+", address, Const(at)), type_)[0] for at, type_ in place.members]
        count, word_size = len(place.registers), self.values.word_size
        if place.size % word_size or self.builder.machine.model.access_size(align) < word_size:
            copy = self.builder.scratch_slot(count * word_size, word_size)
            self.routines.copy(binary("+", copy, Const(place.lead)), address, place.size, align)
            address = copy
        words: Words = []
        for i in range(count):
            target = self.code.fresh(self.code.integer)
            self.code.load(target, Mem(self.code.word, binary("+", address, Const(i * word_size))))
            words.append(target)
        return words

    def store(self, address: Expr, words: Words, place: Place) -> None:
        """Store what came in the registers of a place to an aggregate, a short word through an aligned copy."""
        if place.members:
            for word, (at, type_) in zip(words, place.members, strict=True):
                self.accesses.store(binary("+", address, Const(at)), [word], type_)
            return
        word_size, where = self.values.word_size, address
        if place.size % word_size:
            where = self.builder.scratch_slot(len(words) * word_size, word_size)
        for i, word in enumerate(words):
            self.code.store(Mem(self.code.word, binary("+", where, Const(i * word_size))), word)
        if where is not address:
            self.routines.copy(address, binary("+", where, Const(place.lead)), place.size, 1)

    def aligned(self, aggregate: il.Local) -> Expr:
        """Return the address of an aggregate in the frame, which can be stored to in words from now on."""
        slot = self.locals.slot(aggregate)
        slot.align = max(slot.align, self.values.word_size)
        return self.locals.address(aggregate)
