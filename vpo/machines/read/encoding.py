"""Encodings of instructions: fields, from which sizes, ranges of constants and the reach of branches follow.

    ADDI: {rtl: "r[dst]=r[src1]+src2;", encoding: "opcode:10 dst:5 src1:5 src2:s12", asm: "addi $dst,$src1,$src2"}

A field is a name and a number of bits.  Variables of the pattern have a field each; other fields are of the opcode.  `s` or
`u` before the number make a constant of the variable, signed or not, `*4` behind it one of multiples of 4; of a label they
are the reach.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil, gcd, log2, prod
from typing import TYPE_CHECKING, Any

from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.machines.read.operands import Operands
from vpo.machines.read.registers import Classes
from vpo.machines.read.source import DescriptionError, Map, Place, Seq, text
from vpo.rtl import Node
from vpo.text import RegisterVariable, Variable

if TYPE_CHECKING:
    from vpo.machines.machine import Machine


# ----------------------------------------------------------------------------------------------------------------------
# How many bits an instruction of a machine takes at least, to tell its instructions, registers and constants apart.


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


# ----------------------------------------------------------------------------------------------------------------------


FIELD = re.compile(r"([a-z]\w*):([su]?)(\d{1,2})(?:\*(\d{1,3}))?")


@dataclass(frozen=True, slots=True)
class Field:
    """Some bits of an instruction; `sign` is s, u or nothing, `multiple` what its numbers are counted in."""

    name: str
    bits: int
    sign: str
    multiple: int

    @property
    def range(self) -> tuple[int, int]:
        """The least and the greatest number."""
        half = 1 << (self.bits - 1)
        low, high = (-half, half - 1) if self.sign == "s" else (0, 2 * half - 1)
        return low * self.multiple, high * self.multiple

    @property
    def operand(self) -> str:
        """The name of the operand that a constant in this field is."""
        return f"{self.sign}{self.bits}" + (f"_by_{self.multiple}" if self.multiple > 1 else "")


def fields_of(form: Map) -> list[Field]:
    """Return the fields of a form of an instruction; none if it has no `encoding:`.

    Raises DescriptionError.
    """
    result: list[Field] = []
    place = form.where("encoding")
    for word in text(form, "encoding").split():
        match = FIELD.fullmatch(word)
        if match is None or not int(match[3]) or match[4] == "0" or (match[4] and not match[2]):
            expected = "name:bits, as in opcode:7, src2:s12 or target:s12*2"
            raise DescriptionError(place, f"'{word}' is no field: expected {expected}")
        if match[1] in (field.name for field in result):
            raise DescriptionError(place, f"there are two fields '{match[1]}'")
        result.append(Field(match[1], int(match[3]), match[2], int(match[4] or 1)))
    bits = sum(field.bits for field in result)
    if bits % 8:
        raise DescriptionError(place, f"the fields have {bits} bits, which is no number of bytes")
    return result


def add_what_follows(description: Map) -> None:
    """Write into a merged description the ranges of constants and the reach of branches that follow from encodings.

    Raises DescriptionError.
    """
    instructions, operands = description.get("instructions"), description.get("operands")
    if not isinstance(instructions, Map) or not isinstance(operands, Map):
        return  # which is told when the machine is built
    for spec in instructions.values():
        for form in spec if isinstance(spec, Seq) else [spec]:
            if isinstance(form, Map) and "encoding" in form:
                _add(form, operands)


def _add(form: Map, operands: Map) -> None:
    place = form.where("encoding")
    for field in [field for field in fields_of(form) if field.sign]:
        low, high = field.range
        if re.search(rf"PC=(?:[^;]*,)?{field.name};", text(form, "rtl")):
            reach = Seq(place)
            reach += [low, high]
            reach.places = [place, place]
            _state(form, "reach", reach, place, field)
            continue
        operand = Map(place)
        for key, value in (("constant", f"{low}..{high}"), ("multiple", field.multiple), ("mode", "IMMED")):
            operand.put(key, value, place, place)
        _state(form, field.name, field.operand, place, field)
        _state(operands, field.operand, operand, place, field)


def _state(mapping: Map, key: str, value: object, place: Place, field: Field) -> None:
    if key not in mapping:
        mapping.put(key, value, place, place)
    elif mapping[key] != value:
        raise DescriptionError(mapping.key_places[key], f"'{key}' follows from the field '{field.name}' of the encoding")


def check_fields(form: Map, name: str, alternative: Alternative, counting: Counting) -> None:
    """Reject an encoding whose fields do not tell apart what the variables of the pattern stand for.

    What a `when:` speaks of may be less than it seems, so it is not counted.  Raises DescriptionError.
    """
    classes = _classes(alternative.effects)
    for variable, kind, _ in alternative.variables:
        if variable not in alternative.encoding:
            message = f"instruction {name}: the encoding has no field '{variable}'"
            raise DescriptionError(form.where("encoding"), message)
        if re.search(rf"\b{variable}\b", text(form, "when")):
            continue
        if kind == "label":
            ways = _distances(alternative.reach)
        elif kind == "operand":
            ways = counting.operand(alternative.operands[variable])
        else:
            ways = counting.registers(classes[variable])
        bits = alternative.encoding[variable]
        if ways > 1 << bits:
            message = f"instruction {name}: the field '{variable}' needs {(ways - 1).bit_length()} bits and has {bits}"
            raise DescriptionError(form.where("encoding"), message)


def _classes(pattern: Any) -> dict[str, str]:
    """Return the class of each register variable of a pattern."""
    return {v.name: v.cls for v in variables_in(pattern) if isinstance(v, RegisterVariable)}


def _distances(reach: tuple[int, int] | None) -> int:
    low, high = reach or (0, 0)
    return (high - low) // (gcd(low, high) or 1) + 1


def check_room(alternatives: Iterable[Alternative], place: Place) -> None:
    """Reject encodings that have too few bits for opcodes to tell all instructions apart (Kraft's inequality).

    Raises DescriptionError.
    """
    taken = 0.0
    for form in alternatives:
        if form.encoding:
            variables = {name for name, _, _ in form.variables}
            taken += 2.0 ** -sum(bits for name, bits in form.encoding.items() if name not in variables)
    if taken > 1:
        share = f"{100 * taken:.0f} % of what there is"
        raise DescriptionError(place, f"the encodings do not fit: their opcodes would take {share}")
