"""The grammar of `asm`: statements, names behind declarators, and what stands at file scope."""

from __future__ import annotations

from vpo.frontend.syntax.lexer import NAME, STRING
from vpo.frontend.syntax.parse_expressions import expression, string
from vpo.frontend.syntax.statement_nodes import Assembly, AssemblyOperand
from vpo.frontend.syntax.stream import Stream

_QUALIFIERS = frozenset(("volatile", "inline", "goto", "const"))


def assembly_name(s: Stream) -> str:
    """Read `asm("name")` behind a declarator, if it is there; return the name."""
    if not s.accept("asm"):
        return ""
    s.expect("(")
    name = _text(s)
    s.expect(")")
    return name


def assembly(s: Stream) -> Assembly:
    """Read an asm statement, with its semicolon."""
    place = s.coord()
    s.at += 1
    while s.kinds[s.at] in _QUALIFIERS:
        s.at += 1
    s.expect("(")
    text = _text(s)
    parts: list[list[AssemblyOperand]] = []
    while s.accept(":"):
        parts.append(_operands(s))
    s.expect(")")
    s.expect(";")
    outputs, inputs = [*parts, [], []][:2]
    return Assembly(text, outputs, inputs, place)


def _operands(s: Stream) -> list[AssemblyOperand]:
    """Read operands; of clobbers and labels, which say nothing here, none are returned."""
    found: list[AssemblyOperand] = []
    while s.kinds[s.at] not in (":", ")"):
        name = ""
        if s.accept("["):
            name = s.name()
            s.expect("]")
        if s.kinds[s.at] == NAME:
            s.at += 1
        else:
            place, constraint = s.coord(), _text(s)
            if s.accept("("):
                found.append(AssemblyOperand(name, constraint, expression(s), place))
                s.expect(")")
        if not s.accept(",") and s.kinds[s.at] not in (":", ")"):
            s.missing("')'")
    return found


def _text(s: Stream) -> str:
    if s.kinds[s.at] != STRING:
        s.missing("string")
    return "".join(part for part in string(s).value.split('"')[1::2])
