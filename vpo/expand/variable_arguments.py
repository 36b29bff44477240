"""Expanding `va_start` and `va_arg`."""

from __future__ import annotations

from vpo import il
from vpo.expand.builder import Builder
from vpo.expand.evaluation import Evaluation
from vpo.expand.linkage import Linkage
from vpo.expand.parameters import VARIADIC, Parameters
from vpo.expand.routines import Routines
from vpo.rtl import Const, Expr


class VariableArguments:
    """Emits accesses of variable arguments through a va_list, which is the address of the next one."""

    def __init__(
        self, builder: Builder, evaluation: Evaluation, linkage: Linkage, routines: Routines, parameters: Parameters
    ) -> None:
        self.builder, self.code, self.machine = builder, builder.code, builder.machine
        self.evaluation, self.values, self.accesses = evaluation, evaluation.values, evaluation.accesses
        self.linkage, self.routines, self.parameters = linkage, routines, parameters

    def start(self, statement: il.VaStart) -> None:
        """Store the address of the first variable argument."""
        first = self.code.address_register(self.builder.in_frame(VARIADIC, self.parameters.variadic_offset))
        self.accesses.store(self.evaluation.pointer(statement.address), [first], self.values.pointer)

    def next(self, statement: il.VaArg) -> None:
        """Advance a va_list over one argument, and store the address of that."""
        convention, pointer, word_size = self.machine.convention, self.values.pointer, self.values.word_size
        where = self.evaluation.pointer(statement.address)
        current: Expr = self.accesses.load(where, pointer)[0]
        by_reference = self._by_reference(statement)
        size = pointer.size if by_reference else _size(statement)
        align = convention.argument_alignment(statement.align) if statement.type is None else size
        room = self.values.words_in(size) * word_size
        if convention.align_pairs == "every" and room > word_size:
            align = 2 * word_size
        if convention.grows_up:  # a va_list is the end of the next argument
            current = self._moved(current, -room)
        if align > word_size and convention.align_pairs != "never" and not by_reference:
            current = self._moved(current, 0 if convention.grows_up else align - 1)
            current = self.code.operate("&", current, Const(-align), self.code.address)
        self.accesses.store(where, [self._moved(current, 0 if convention.grows_up else room)], pointer)
        if align > word_size and self.linkage.at_odd_words(size) and not by_reference:
            aligned = self.builder.scratch_slot(room, align)
            self.routines.copy(aligned, current, room, word_size)
            current = self.code.address_register(aligned)
        self.evaluation.locals.set(statement.result, [self._within(statement, current, size, by_reference)])

    def _within(self, statement: il.VaArg, word: Expr, size: int, by_reference: bool) -> Expr:
        """Return the address of an argument, given that of its first word."""
        lead = self.machine.convention.lead(size)
        if statement.type is None and lead:
            word = self._moved(word, lead)
        if by_reference:
            return self.accesses.load(self.code.reg(word, self.code.address), self.values.pointer)[0]
        if statement.type is not None and self.machine.big_endian and size < self.values.word_size:
            return self._moved(word, self.values.word_size - size)  # at the end of its word
        return word

    def _by_reference(self, statement: il.VaArg) -> bool:
        """Whether an argument is an aggregate passed by its address."""
        convention = self.machine.convention
        large = self.values.words_in(statement.size) > convention.aggregate_words
        return statement.type is None and convention.aggregates == "reference" and large

    def _moved(self, address: Expr, distance: int) -> Expr:
        return self.code.operate("+", address, Const(distance), self.code.address)


def _size(statement: il.VaArg) -> int:
    return statement.size if statement.type is None else statement.type.size
