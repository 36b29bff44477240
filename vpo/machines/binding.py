"""The variables of a pattern: what each stands for, and the texts that mention them."""

from __future__ import annotations

from typing import Any

from vpo.machines.nearest import nearest
from vpo.machines.pattern import collect
from vpo.machines.record import PIECE
from vpo.machines.source import DescriptionError, Map, Place


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
            near = nearest(key, known | found)
            hint = f"; did you mean '{near}'?" if near else ""
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
    near = nearest(str(operand), names)
    hint = f"; did you mean '{near}'?" if near else ""
    return f"'{operand}' is not an operand: say what '{name}' is, as in `{name}: imm`{hint}"


def check_template(template: str, variables: set[str], place: Place) -> None:
    """Reject a `$name` that the pattern does not bind."""
    for name in (first or second for first, second in PIECE.findall(template)):
        if name not in variables:
            known = ", ".join(sorted(variables)) or "none"
            raise DescriptionError(place, f"'${name}' in '{template}' is not bound by the pattern (variables: {known})")
