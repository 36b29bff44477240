"""Reading the RTLs that stand in a description, with the place of what is wrong in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from vpo.machines.registers import MOST_REGISTERS, Classes
from vpo.machines.rtl_types import type_problem
from vpo.machines.schema import text_place
from vpo.machines.source import DescriptionError, NoSuchRegister, Place
from vpo.rtl import Effect, Mem, Node, Register, Slot
from vpo.text import TextError, parse_effects, parse_expression_pattern, parse_pattern

_EFFECT = re.compile(r"[^;]+;")
_RANGE = re.compile(r"\[(\d{1,6})\.\.(\d{1,6})\]")


def read_effects(
    rtl: str, place: Place, classes: Classes, what: str = "", slots: bool = False
) -> tuple[tuple[Any, ...], bool]:
    """Read the pattern of an instruction, and whether it ends in `...`; `what` begins the messages; `slots` may stand in it.

    Raises DescriptionError.
    """
    try:
        effects, repeated = parse_pattern(expand_ranges(rtl, place), cells(classes))
    except TextError as error:
        raise DescriptionError(text_place(place, error), what + error.message) from None
    _check(effects, place, classes, what, slots)
    return effects, repeated


def read_expression(rtl: str, place: Place, classes: Classes, what: str = "") -> Any:
    """Read the pattern of an operand.

    Raises DescriptionError.
    """
    try:
        pattern = parse_expression_pattern(rtl, cells(classes))
    except TextError as error:
        raise DescriptionError(text_place(place, error), what + error.message) from None
    _check((pattern,), place, classes, what)
    return pattern


def read_instruction(rtl: str, place: Place, classes: Classes, what: str = "") -> tuple[Effect, ...]:
    """Read an RTL without variables.

    Raises DescriptionError.
    """
    try:
        effects = parse_effects(expand_ranges(rtl, place), cells(classes))
    except TextError as error:
        raise DescriptionError(text_place(place, error), what + error.message) from None
    _check(effects, place, classes, what)
    return effects


def expand_ranges(rtl: str, place: Place) -> str:
    """Write out effects that stand for one of each of a range of registers: `r[8..15]=r[24..31];`.

    Raises DescriptionError if the ranges of an effect differ in length.
    """
    if ".." not in rtl:
        return rtl
    return _EFFECT.sub(lambda match: " ".join(_each(match.group(), place)), rtl)


def _each(effect: str, place: Place) -> list[str]:
    ranges = [range(int(low), int(high) + 1) for low, high in _RANGE.findall(effect)]
    if not ranges:
        return [effect]
    if len({len(numbers) for numbers in ranges}) > 1 or not ranges[0] or len(ranges[0]) > MOST_REGISTERS:
        raise DescriptionError(place, f"'{effect.strip()}': the ranges are not of one length")
    result = []
    for index in range(len(ranges[0])):
        numbers = iter(ranges)
        result.append(_RANGE.sub(lambda _: f"[{next(numbers)[index]}]", effect).strip())  # noqa: B023
    return result


def cells(classes: Classes) -> dict[str, str]:
    """Return register classes and their types, as RTL text needs them."""
    return {name: cls.type for name, cls in classes.items()}


def _check(nodes: tuple[Any, ...], place: Place, classes: Classes, what: str, slots: bool = False) -> None:
    for node in nodes:
        if problem := type_problem(node):
            raise DescriptionError(place, what + problem)
        for part in _parts(node):
            if type(part) is Register and not part.pseudo and part.index >= classes[part.cls].count:
                count = classes[part.cls].count
                raise NoSuchRegister(place, f"{what}'{part!r}': class {part.cls} has only {count} registers")
            problem = _problem(part)
            if problem and not (slots and type(part) is Slot):
                raise DescriptionError(place, what + problem)


def _problem(node: Node) -> str:
    """Return why a node cannot stand in a description (or nothing if it can)."""
    match node:
        case Slot():
            return f"the frame slot '{node.name}' cannot stand here: use an operand with `slots: true`"
        case Register() if node.pseudo:
            return f"the pseudo-register '{node!r}' cannot stand here: write r[name] for any register"
        case Mem() if node.volatile:
            return "a pattern says nothing about volatile cells: leave out the V"
        case Mem() if node.effective:
            return f"a pattern says nothing about the types of C: leave out {{{node.effective}}}"
    return ""


def _parts(node: Any) -> Iterator[Node]:
    """Yield a node and everything in it."""
    yield node
    parts: list[Any] = [*getattr(node, "args", ()), *getattr(node, "arguments", ()), *getattr(node, "results", ())]
    parts += [getattr(node, key, None) for key in ("target", "source", "address", "of", "condition")]
    for part in parts:
        if isinstance(part, Node):
            yield from _parts(part)
