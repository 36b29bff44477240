"""How many bits an instruction of a machine takes at least, to tell its instructions, registers and constants apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import ceil, log2, prod
from typing import TYPE_CHECKING, Any

from vpo.machines.operands import Operands
from vpo.machines.pattern import OperandForm
from vpo.machines.registers import Classes
from vpo.rtl import Node
from vpo.text import RegisterVariable, Variable

if TYPE_CHECKING:
    from vpo.machines.machine import Machine


def encodings(machine: Machine) -> int:
    """Return how many instructions can be written, each with every register and constant that it takes.

    An instruction with three of 32 registers can be written in 32768 ways.  Labels and symbols get what is left in real
    encodings, so they count as one value.
    """
    counting = Counting(machine.classes, machine.recognizer.operands)
    return sum(counting.of(form.effects, form.operands) for form in machine.recognizer.alternatives if not form.pseudo)


def encoding_bits(machine: Machine) -> int:
    """Return the bits that tell these apart if all instructions have one size; else those of the largest."""
    return ceil(log2(max(1, encodings(machine))))


class Counting:
    """Counts the ways to write something, each operand once."""

    def __init__(self, classes: Classes, operands: Operands) -> None:
        self.classes, self.operands = classes, operands
        self.known: dict[str, int] = {}

    def of(self, pattern: Any, operands: Mapping[str, str]) -> int:
        """Return in how many ways the variables of a pattern can be bound."""
        found: dict[str, int] = {}
        for variable in variables_in(pattern):
            if isinstance(variable, RegisterVariable):
                found[variable.name] = self.registers(variable.cls)
            elif variable.name in operands:
                found[variable.name] = self.operand(operands[variable.name])
        return prod(found.values())

    def registers(self, cls: str) -> int:
        """Return how many registers a class has; 1 if another one that stands beside it names it."""
        known = self.classes.get(cls)
        return known.count if known else 1

    def operand(self, name: str) -> int:
        """Return in how many ways an operand can be written."""
        if name not in self.known:
            self.known[name] = 1  # of one that it is part of itself
            self.known[name] = sum(self._form(form) for form in self.operands[name])
        return self.known[name]

    def _form(self, form: OperandForm) -> int:
        if form.pattern is not None:
            return self.of(form.pattern, form.operands)
        if form.values:
            return len(form.values)
        return max(1, (form.high - form.low) // form.multiple + 1)


def variables_in(pattern: Any) -> Iterator[RegisterVariable | Variable]:
    """Yield the variables of a pattern, some more than once."""
    if isinstance(pattern, RegisterVariable | Variable):
        yield pattern
    elif isinstance(pattern, Node):
        yield from variables_in(pattern.__reduce__()[1])
    elif isinstance(pattern, Iterable) and not isinstance(pattern, str):
        for part in pattern:
            yield from variables_in(part)
