"""Expanding returns: the result into its registers or to the address that the caller passed, and the return."""

from __future__ import annotations

from vpo import il
from vpo.expand.aggregates import Aggregates
from vpo.expand.argument_passing import result_place
from vpo.expand.builder import Builder
from vpo.expand.evaluation import Evaluation
from vpo.expand.linkage import Linkage
from vpo.expand.parameters import Parameters, result_in_registers
from vpo.expand.routines import Routines
from vpo.rtl import Register


class Returns:
    """Emits the returns of a function."""

    def __init__(
        self,
        source: il.Function,
        builder: Builder,
        evaluation: Evaluation,
        linkage: Linkage,
        routines: Routines,
        aggregates: Aggregates,
        parameters: Parameters,
    ) -> None:
        self.source, self.builder, self.code, self.machine = source, builder, builder.code, builder.machine
        self.evaluation, self.linkage, self.routines = evaluation, linkage, routines
        self.aggregates, self.parameters = aggregates, parameters

    def leave(self, value: il.Expr | il.Block | None) -> None:
        """Expand a return; the caller begins the next block."""
        registers: tuple[Register, ...] = ()
        if isinstance(value, il.Block):
            registers = self._aggregate(value)
        elif value is not None:
            registers = self._scalar(value)
        convention = self.machine.convention
        hidden = self.parameters.has_hidden_result
        self.linkage.return_(convention.hidden.return_ if hidden else convention.return_, registers)

    def _scalar(self, value: il.Expr) -> tuple[Register, ...]:
        """Put a scalar into its registers, which are returned."""
        type_ = self.source.result or value.type
        words = self.evaluation.casting.convert(self.evaluation.value(value), value.type, type_)
        place = result_place(self.machine, type_, self.source.variadic)
        if type_.is_float and not place.floating:
            words = self.linkage.accesses.bits_of_float(words[0], type_)
        with self.code.because("argument"):
            self.linkage.into_registers(place.registers, words)
        return place.registers

    def _aggregate(self, block: il.Block) -> tuple[Register, ...]:
        """Put an aggregate where the caller wants it; returns the registers that tell."""
        place = result_in_registers(self.source, self.builder)
        address = self.evaluation.pointer(block.address)
        if place is not None:
            words = self.aggregates.load(address, block.align, place)
            with self.code.because("argument"):
                self.linkage.into_registers(place.registers, words)
            return place.registers
        hidden = self.parameters.hidden
        assert hidden is not None
        if self.parameters.result is None:
            self.routines.copy(hidden, address, block.size, block.align)
        results = self.machine.convention.results
        register = (results.get("address") or results["integer"])[0]
        self.code.move(register, hidden)
        return (register,)
