"""Where values are that the machine keeps in registers and on the stack: RTL expressions."""

from __future__ import annotations

from ease.tools.values import Value
from vpo import il
from vpo.algebra import binary
from vpo.expand.argument_passing import Assigner
from vpo.machines.machine import Machine
from vpo.rtl import BITS, Const, Expr, Mem, Register


def registers_of(machine: Machine) -> dict[str, Register]:
    """Return the registers that tools can look at, by the names that assembly gives them, without `%` and the like."""
    found: dict[str, Register] = {}
    for cls in machine.classes.values():
        if cls.width == 1 and cls.type not in "CG":
            for index in range(cls.count):
                register = Register(cls.name, index, cls.type)
                name = cls.names[index].lstrip("%$") if index < len(cls.names) else repr(register)
                found.setdefault(name, register)
    return found


class Lookups:
    """The values of one machine that are looked at where a call is made."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.registers = machine, registers_of(machine)
        self.word = il.Type("I", BITS[machine.address_type] // 8)

    def expression(self, value: Value) -> Expr | None:
        """Return the place of a value at the begin or end of a function or anywhere; None if it is no such value."""
        match value.name:
            case "register":
                return self.registers[str(value.detail)]
            case "parameter":
                return self._parameter(int(value.detail))
            case "RETURNED":
                return self.machine.convention.results["integer"][0]
        return None

    def _parameter(self, number: int) -> Expr:
        """Return a parameter of a function whose parameters are words, at its begin."""
        assigner, convention = Assigner(self.machine), self.machine.convention
        place = [assigner.scalar(self.word) for _ in range(number + 1)][-1]
        if place.registers:
            return place.registers[0]
        distance = convention.first_argument + abs(convention.pushed) + place.offset
        pointer, offset = self.machine.stack_pointer, convention.offset(distance, self.word.size)
        return Mem(self.machine.address_type, binary("+", pointer, Const(offset)))
