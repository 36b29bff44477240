"""Reading the RTLs that stand in a description, with the place of what is wrong in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vpo.base.suggestions import suggested
from vpo.machines.match.pattern import OperandForm, collect
from vpo.machines.match.record import PIECE
from vpo.machines.read.registers import MOST_REGISTERS, Classes
from vpo.machines.read.source import DescriptionError, Map, NoSuchRegister, Place, text_place
from vpo.rtl import BITS, FLOAT_TYPES, RELATIONS, SHIFTS, Branch, Effect, Mem, Node, Op, Register, Set, Slot, Variable
from vpo.text import TextError, parse_effects, parse_expression_pattern, parse_pattern

# ----------------------------------------------------------------------------------------------------------------------
# The types within an RTL of a description: an operation has operands of one type, and its result has that type.


CONVERSIONS = "write cvtD, cvtF, cvtL to convert numbers, sxL, zxL, trW for widths, bitsL, bitsF for the bits"


def type_problem(effect: Any) -> str:
    """Return what is wrong with the types of an effect, '' if nothing is; variables that are operands may have any type."""
    for node in _operations(effect):
        problem = _operation(node)
        if problem:
            return problem
    return _assignment(effect) if isinstance(effect, Set) else ""


def _operations(node: Any) -> Iterator[Op]:
    match node:
        case Set():
            yield from _operations(node.target)
            yield from _operations(node.source)
        case Branch():
            yield from _operations(node.condition)
        case Mem():
            yield from _operations(node.address)
        case Op():
            for argument in node.args:
                yield from _operations(argument)
            yield node


def _of_one_type(node: Op) -> tuple[Any, ...]:
    """Return those operands of an operator that have one type."""
    return node.args[1:] if node.op == "SEL" else node.args[:1] if node.op in SHIFTS else node.args


def mixed_types(effects: tuple[Any, ...], bound: Mapping[str, str], operands: Mapping[str, Sequence[OperandForm]]) -> str:
    """Return what is wrong with the types of operands that an instruction is `bound` to, '' if some form of each fits."""
    for node in (node for effect in effects for node in _operations(effect)):
        parts = _of_one_type(node) if len(node.args) > 1 else ()
        types = list(dict.fromkeys(part.type for part in parts if part.type))
        for part in parts if types else ():
            forms = operands.get(bound.get(part.name, ""), ()) if isinstance(part, Variable) else ()
            known = {"" if form.pattern is None else form.pattern.type for form in forms}
            if known and known.isdisjoint({"", types[0]}):
                said = f"{types[0]} and {' or '.join(sorted(known))} (operand '{part.name}')"
                return f"`{node.op}` of types {said}: operands have one type; {CONVERSIONS}"
    return ""


def _operation(node: Op) -> str:
    operands = _of_one_type(node)
    types = list(dict.fromkeys(argument.type for argument in operands if argument.type))
    if len(operands) > 1 and len(types) > 1:
        return f"`{node.op}` of types {' and '.join(types)}: operands have one type; {CONVERSIONS}"
    return ""


def _assignment(effect: Set) -> str:
    """Return what is wrong with setting a target of one type to a source of another; stores may leave high bits out."""
    target, source = effect.target.type, effect.source.type
    compares = isinstance(effect.source, Op) and effect.source.op in (*RELATIONS, "?")
    if not source or not target or source == target or compares:
        return ""
    both = (target, source)
    if all(type_ in BITS and type_ not in FLOAT_TYPES for type_ in both) and isinstance(effect.target, Mem):
        return "" if BITS[target] < BITS[source] else f"{BITS[source]} bits into a cell of {BITS[target]}: {CONVERSIONS}"
    return f"a value of type {source} set to one of type {target}: {CONVERSIONS}"


# ----------------------------------------------------------------------------------------------------------------------


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
        effects = parse_effects(expand_ranges(rtl, place), cells(classes), keep=True)
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


# ----------------------------------------------------------------------------------------------------------------------
# The variables of a pattern: what each stands for, and the texts that mention them.


def pattern_variables(pattern: Any) -> list[tuple[str, str, str]]:
    """Return (name, kind, type) of the variables of an expression or of a tuple of effects."""
    found: dict[str, tuple[str, str, str]] = {}
    for part in pattern if isinstance(pattern, tuple) else (pattern,):
        collect(part, "", found)
    return list(found.values())


def bind_operands(spec: Map, known: set[str], pattern: Any, names: set[str], operands: dict[str, str]) -> set[str]:
    """Find which operand each variable of a pattern is; returns all variables."""
    variables = pattern_variables(pattern)
    found = {name for name, _, _ in variables}
    for name, kind, _ in variables:
        if kind != "operand":
            continue
        operand = spec.get(name, name)
        if name in known or not isinstance(operand, str) or operand not in names:
            raise DescriptionError(_place(spec, name), _unknown(spec, name, operand, names, known))
        operands[name] = operand
    for key in spec:
        if key not in known and key not in found:
            hint = suggested(key, known | found)
            raise DescriptionError(
                spec.key_places[key],
                f"'{key}' is neither a key ({', '.join(sorted(known))}) nor a variable of the pattern "
                f"({', '.join(sorted(found)) or 'it has none'}){hint}",
            )
    return found


def _place(spec: Map, name: str) -> Place:
    return spec.where(name) if name in spec else spec.where("rtl")


def _unknown(spec: Map, name: str, operand: Any, names: set[str], known: set[str]) -> str:
    """Say what is wrong with a variable that is no operand."""
    if name in known:
        return f"'{name}' has a meaning of its own as a key: call the variable something else"
    if f"u{name}" in spec or f"u{name}" in names:
        return (
            f"'u{name}' after an operator is read as the unsigned operator and '{name}': "
            "call the variable something that does not begin with u"
        )
    if not isinstance(operand, str | int):
        return f"'{name}' is the name of an operand here: define it under `operands:`, and write `{name}: THAT_NAME`"
    hint = suggested(str(operand), names)
    return f"'{operand}' is not an operand: say what '{name}' is, as in `{name}: imm`{hint}"


def check_template(template: str, variables: set[str], place: Place) -> None:
    """Reject a `$name` that the pattern does not bind."""
    for name in (first or second for first, second in PIECE.findall(template)):
        if name and name not in variables:
            known = ", ".join(sorted(variables)) or "none"
            raise DescriptionError(place, f"'${name}' in '{template}' is not bound by the pattern (variables: {known})")
