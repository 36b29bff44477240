"""Where arguments and results travel, as the machine's calling convention says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from vpo import il
from vpo.machines.machine import Convention, Machine
from vpo.rtl import BITS, Register


@dataclass(frozen=True, slots=True)
class Place:
    """One argument or result: word registers in memory order, or one floating register, or stack bytes, or a mix.

    `offset` is the distance of stack words from the first stack argument; `on_stack` how many words lie there.
    """

    registers: tuple[Register, ...] = ()
    offset: int = 0
    on_stack: int = 0
    floating: bool = False
    reference: bool = False  # an aggregate passed by address
    size: int = 0
    align: int = 1


class Assigner:
    """Hands out places for the arguments of one call, left to right."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.convention: Convention = machine.convention
        self.integers = list(self.convention.arguments.get("integer", ()))
        self.floats = list(self.convention.arguments.get("float", ()))
        self.next_integer = self.next_float = 0
        self.offset = 0

    def words(self, size: int) -> int:
        """Return how many words hold `size` bytes."""
        return -(-size // self.convention.word)

    def view(self, register: Register, type_: str) -> Register:
        """Return the view of a floating register that holds a type."""
        values = self.machine.options["values"]
        cls = values.get(type_) or values.get("D")
        return Register(cls, register.index, self.machine.classes[cls].type)

    def scalar(self, type_: il.Type, named: bool = True) -> Place:
        """Place one scalar argument."""
        floating = type_.is_float and named
        if floating and self.convention.positional:
            place = self._in_words(type_.size, type_.size, named)
            if place.on_stack or self.next_integer > len(self.floats):
                return place
            return self._floating(self.floats[self.next_integer - 1], type_)
        if floating and self.next_float < len(self.floats):
            self.next_float += 1
            return self._floating(self.floats[self.next_float - 1], type_)
        place = self._in_words(max(type_.size, 1), type_.size, named)
        if type_.is_float and not place.on_stack:
            return as_value(self.machine, place)
        return place

    def _floating(self, register: Register, type_: il.Type) -> Place:
        return Place((self.view(register, "F" if type_.size == 4 else "D"),), floating=True, size=type_.size)

    def _in_words(self, size: int, align: int, named: bool) -> Place:
        count = self.words(size)
        pairs = self.convention.align_pairs
        aligned = count == 2 and (align > self.convention.word or pairs == "every")
        if aligned and (pairs in ("always", "every") or (pairs == "variadic" and not named)):
            self.next_integer += self.next_integer % 2
        carriers = self.integers if named or self.convention.variadic_registers else []
        registers = tuple(carriers[self.next_integer : self.next_integer + count])
        self.next_integer += len(registers)
        if self.convention.grows_up:  # the cell of a later register has the lower address
            registers = registers[::-1]
        left = count - len(registers)
        if left == 0:
            return Place(registers, size=size)
        if not registers and aligned and pairs != "never":
            even = max(align, 2 * self.convention.word)
            self.offset = -(-self.offset // even) * even
        place = Place(registers, self.offset, left, size=size, align=align)
        self.offset += left * self.convention.word
        return place

    def aggregate(self, size: int, align: int, named: bool = True) -> Place:
        """Place an aggregate argument."""
        if self.convention.aggregates == "reference":
            if self.words(size) <= self.convention.aggregate_words:
                return self._in_words(size, align, named)
            pointer = self._in_words(self.machine.model.sizes["pointer"], 1, named)
            return Place(pointer.registers, pointer.offset, pointer.on_stack, reference=True, size=size, align=align)
        place = Place((), self.offset, self.words(size), size=size, align=align)
        self.offset += self.words(size) * self.convention.word
        return place


def result_place(machine: Machine, type_: il.Type) -> Place:
    """Return where a function leaves a scalar result."""
    convention = machine.convention
    if type_.is_float and convention.results.get("float"):
        register = Assigner(machine).view(convention.results["float"][0], "F" if type_.size == 4 else "D")
        return Place((register,), floating=True, size=type_.size)
    if type_.kind == "P" and convention.results.get("address"):
        return Place(convention.results["address"][:1], size=type_.size)
    count = -(-type_.size // convention.word)
    place = Place(tuple(convention.results["integer"][:count]), size=type_.size)
    return as_value(machine, place) if type_.is_float else place


def as_value(machine: Machine, place: Place) -> Place:
    """Return a floating value's place in integer registers as the one floating register that they make up, if they do."""
    name = machine.options["values"].get("F" if place.size == 4 else "D")
    if name is None:
        return place
    cls = machine.classes[name]
    storage = tuple(part for register in place.registers for part in machine.storage(register))
    register = Register(name, storage[0][1] // cls.width, cls.type)
    if BITS[cls.type] != 8 * place.size or machine.storage(register) != storage:
        return place
    return replace(place, registers=(register,), floating=True)


def aggregate_in_registers(machine: Machine, size: int) -> bool:
    """Whether an aggregate result of `size` bytes travels in integer registers."""
    return 0 < -(-size // machine.convention.word) <= machine.convention.aggregate_result_words


def system_call_registers(machine: Machine) -> tuple[Register, Any]:
    """Return the result register and the argument registers of the machine's system call.

    Raises LookupError if no instruction has SYS.
    """
    for alternative in machine.options["recognizer"].alternatives:
        for effect in alternative.effects:
            source = getattr(effect, "source", None)
            if getattr(source, "op", None) == "SYS":
                return effect.target, source
    raise LookupError("system calls")
