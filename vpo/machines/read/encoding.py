"""Encodings of instructions: fields, from which sizes, ranges of constants and the reach of branches follow.

    ADDI: {rtl: "r[dst]=r[src1]+src2;", encoding: "opcode:10 dst:5 src1:5 src2:s12", asm: "addi $dst,$src1,$src2"}

A field is a name and a number of bits.  Variables of the pattern have a field each; other fields are of the opcode.  `s` or
`u` before the number make a constant of the variable, signed or not, `*4` behind it one of multiples of 4; of a label they
are the reach.

    ADD: {rtl: "r[dst]=r[src1]+r[src2];", encoding: "0000000 src2:5 src1:5 000 dst:5 0110011", asm: "add $dst,$src1,$src2"}

Where the bits of the opcode are given, the most significant first, encodings are exact: two instructions with a word in common
are a mistake.  `dst:5!0,2` leaves numbers out; a variable may have several fields then, and `to:6@4` says that this one has
its number's bits from 4 on.  `encoding: ADD` is a special case of ADD.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, gcd, log2, prod
from typing import Any

from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.machines.match.recognizer import Recognizer
from vpo.machines.read.operands import Operands
from vpo.machines.read.registers import Classes
from vpo.machines.read.source import DescriptionError, Map, Place, Seq, text
from vpo.rtl import Node
from vpo.text import RegisterVariable, Variable

# ----------------------------------------------------------------------------------------------------------------------
# How many bits an instruction of a machine takes at least, to tell its instructions, registers and constants apart.


def encodings(recognizer: Recognizer, classes: Classes) -> int:
    """Return how many instructions can be written, each with every register and constant that it takes.

    An instruction with three of 32 registers can be written in 32768 ways.  Labels and symbols get what is left in real
    encodings, so they count as one value.
    """
    counting = Counting(classes, recognizer.operands)
    return sum(counting.of(form.effects, form.operands) for form in recognizer.alternatives if not form.pseudo)


def encoding_bits(recognizer: Recognizer, classes: Classes) -> int:
    """Return the bits that tell these apart if all instructions have one size; else those of the largest."""
    return ceil(log2(max(1, encodings(recognizer, classes))))


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
            by_place: dict[Place, int] = {}  # a form that follows from another, without its number, is encoded as that
            for form in self.operands[name]:
                by_place[form.place] = max(by_place.get(form.place, 0), self._form(form))
            self.known[name] = sum(by_place.values())
        return self.known[name]

    def largest(self, name: str) -> int:
        """Return in how many ways that form of an operand can be written that has most of them."""
        return max((self._form(form) for form in self.operands[name]), default=0)

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


FIELD = re.compile(r"([a-z]\w*):([su]?)(\d{1,2})(?:\*(\d{1,3}))?(?:@(\d{1,2}))?(?:!(\d+(?:,\d+)*))?")
OPCODE = "0"  # the name of fields of the opcode whose bits are given
SPECIAL = re.compile(r"[A-Z][A-Z0-9_.]*")  # an instruction, of which another is a special case


@dataclass(frozen=True, slots=True)
class Field:
    """Some bits of an instruction; `sign` is s, u or nothing, `multiple` what its numbers are counted in."""

    name: str
    bits: int
    sign: str = ""
    multiple: int = 1
    without: tuple[int, ...] = ()  # numbers that are not of this instruction
    value: int = 0  # of the opcode's bits, if they are given
    low: int | None = None  # which bit of the variable's number is the lowest here, if that is said

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
    place = form.where("encoding")
    result = _fields(text(form, "encoding"), place)
    bits = sum(field.bits for field in result)
    if bits % 8:
        raise DescriptionError(place, f"the fields have {bits} bits, which is no number of bytes")
    return result


def _fields(encoding: str, place: Place) -> list[Field]:
    result: list[Field] = []
    words = encoding.split()
    exact = any(not word.strip("01") for word in words)
    if words[:1] and SPECIAL.fullmatch(words[0]):
        return result
    for word in words:
        if exact and not word.strip("01"):
            result.append(Field(OPCODE, len(word), value=int(word, 2)))
            continue
        match = FIELD.fullmatch(word)
        if match is None or not int(match[3]) or match[4] == "0" or (match[4] and not match[2]):
            expected = (
                "name:bits, in small letters, as in opcode:7, src2:s12, target:s12*2 or dst:5!0,"
                " or the opcode's bits, as in 0110011"
            )
            raise DescriptionError(place, f"'{word}' is no field: expected {expected}")
        if match[1] in (field.name for field in result) and not exact:
            raise DescriptionError(place, f"there are two fields '{match[1]}'")
        without = tuple(map(int, match[6].split(","))) if match[6] else ()
        if any(number >> int(match[3]) for number in without):
            raise DescriptionError(place, f"'{word}': a number that the field cannot hold")
        low = int(match[5]) if match[5] else None
        result.append(Field(match[1], int(match[3]), match[2], int(match[4] or 1), without, low=low))
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
    place, given = form.where("encoding"), form["encoding"]
    texts = [re.sub(r"\$\{\w+\}", "0", str(one)) for one in (given if isinstance(given, Seq) else [given])]
    for field in [field for one in texts for field in _fields(one, place) if field.sign]:
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

    What a `when:` speaks of, here or in an operand, may be less than it seems, so it is not counted, and what it says by
    another field, as `b == a + 1`, needs no field.  Raises DescriptionError.
    """
    classes = _classes(alternative.effects)
    when = text(form, "when")
    told = () if re.search(r"\b(or|if|not)\b", when) else re.findall(r"(?:^|\band) *(\w+) == (?=[a-z_])", when)
    for variable, kind, _ in alternative.variables:
        if variable in told:
            continue
        if variable not in alternative.encoding:
            message = f"instruction {name}: the encoding has no field '{variable}'"
            raise DescriptionError(form.where("encoding"), message)
        if re.search(rf"\b{variable}\b", when):
            continue
        if kind == "label":
            ways = _distances(alternative.reach)
        elif kind == "operand":
            operand = alternative.operands[variable]
            conditional = any(each.condition for each in counting.operands[operand])
            count = counting.largest if OPCODE in alternative.encoding else counting.operand  # forms may share a word
            ways = 0 if conditional else count(operand)
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
    for form in distinct(alternatives):
        if form.encoding:
            variables = {name for name, _, _ in form.variables}
            taken += 2.0 ** -sum(bits for name, bits in form.encoding.items() if name not in variables)
    if taken > 1:
        share = f"{100 * taken:.0f} % of what there is"
        raise DescriptionError(place, f"the encodings do not fit: their opcodes would take {share}")


# ----------------------------------------------------------------------------------------------------------------------
# Exact encodings, whose opcodes are given bit by bit.


@dataclass(frozen=True, slots=True)
class Code:
    """The words that an instruction is encoded in: bits that are fixed, and numbers that some fields have not."""

    bits: int
    mask: int
    value: int
    without: tuple[tuple[int, int, tuple[int, ...]], ...]  # shift and mask of a field, numbers
    fields: tuple[Field, ...] = dataclasses.field(default=(), compare=False)  # as they stand, the most significant first

    def common(self, other: Code, little: bool) -> int | None:
        """Return the fixed bits of a word that begins both; None if there is none."""
        mine, theirs = self._beginning(other, little), other._beginning(self, little)
        if (mine.value ^ theirs.value) & mine.mask & theirs.mask:
            return None
        value, mask = mine.value | theirs.value, mine.mask | theirs.mask
        for shift, field, numbers in (*mine.without, *theirs.without):
            if mask >> shift & field == field and value >> shift & field in numbers:
                return None
        return value

    def _beginning(self, other: Code, little: bool) -> Code:
        """Return as many bits as another one has: the low ones come first on little-endian machines."""
        more = max(0, self.bits - other.bits)
        if little or not more:
            low = (1 << (self.bits - more)) - 1
            kept = tuple(each for each in self.without if each[0] + each[1].bit_length() <= self.bits - more)
            return Code(self.bits - more, self.mask & low, self.value & low, kept)
        kept = tuple((shift - more, field, numbers) for shift, field, numbers in self.without if shift >= more)
        return Code(self.bits - more, self.mask >> more, self.value >> more, kept)

    def contains(self, other: Code) -> bool:
        """Whether all words of another one are this one's."""
        same = self.bits == other.bits and self.mask & ~other.mask == 0 and (self.value ^ other.value) & self.mask == 0
        return same and all(part in other.without or other.mask >> part[0] & part[1] == part[1] for part in self.without)

    @property
    def share(self) -> Fraction:
        """The share of all words of this length."""
        free = self.bits - self.mask.bit_count()
        result = Fraction(1 << free, 1 << self.bits)
        for _, mask, numbers in self.without:
            result *= Fraction(mask + 1 - len(numbers), mask + 1)
        return result


def code_of(fields: Iterable[Field]) -> Code | None:
    """Return the exact encoding that fields are; None if they do not give the bits of the opcode."""
    bits = mask = value = 0
    without: list[tuple[int, int, tuple[int, ...]]] = []
    fields = tuple(fields)
    for field in fields:
        ones = (1 << field.bits) - 1
        without = [(shift + field.bits, wide, numbers) for shift, wide, numbers in without]
        bits, mask, value = bits + field.bits, mask << field.bits, value << field.bits
        if field.name == OPCODE:
            mask, value = mask | ones, value | field.value
        elif field.without:
            without.append((0, ones, field.without))
    return Code(bits, mask, value, tuple(without), fields) if mask else None


def distinct(alternatives: Iterable[Alternative]) -> list[Alternative]:
    """Return the forms with encodings, without those that another form of the same instruction is encoded as."""
    result: list[Alternative] = []
    for form in alternatives:
        code = form.code
        others = [] if code is None else [other for other in result if other.name == form.name and other.code is not None]
        if form.encoding and not any(other.code.contains(code) for other in others):
            result = [other for other in result if other not in others or not code.contains(other.code)]
            result.append(form)
    return result


def check_collisions(alternatives: Iterable[Alternative], little: bool) -> None:
    """Reject two instructions that a word may be encoded as.

    Raises DescriptionError.
    """
    known: list[tuple[Code, Alternative]] = []
    for form in alternatives:
        if form.code is None:
            continue
        for code, other in known:
            word = form.code.common(code, little) if other.name != form.name else None
            if word is not None:
                digits = min(form.code.bits, code.bits) // 4
                message = f"instruction {form.name}: 0x{word:0{digits}x} is {other.name}, too ({other.place})"
                raise DescriptionError(form.place, message)
        known.append((form.code, form))


def code_space(alternatives: Iterable[Alternative]) -> Fraction:
    """Return the share of all that can be encoded which instructions take whose encodings are exact."""
    return sum((form.code.share for form in distinct(alternatives) if form.code is not None), Fraction(0))
