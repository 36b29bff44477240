"""The grammar of statements (C11, 6.8)."""

from __future__ import annotations

from collections.abc import Callable

from vpo.frontend.syntax import statement_nodes
from vpo.frontend.syntax.lexer import END, NAME
from vpo.frontend.syntax.nodes import BlockItem, Compound, Expression, Statement
from vpo.frontend.syntax.parse_attributes import assembly, attributes, skip_attributes
from vpo.frontend.syntax.parse_declarations import declaration
from vpo.frontend.syntax.parse_expressions import conditional, expression
from vpo.frontend.syntax.stream import BadSyntax, Stream, starts_declaration
from vpo.frontend.syntax.suspicious_syntax import check_condition, check_if


def compound(s: Stream) -> Compound:
    """Read a block."""
    with s.scope():
        return body(s)


def body(s: Stream) -> Compound:
    """Read a block in a scope that is open already."""
    place = s.coord()
    s.expect("{")
    while s.accept("__label__"):
        s.declare_label(s.name())
        while s.accept(","):
            s.declare_label(s.name())
        s.expect(";")
    found: list[BlockItem] = []
    outer = s.start
    while not s.accept("}"):
        if s.kinds[s.at] == END:
            s.missing("'}'")
        s.start = s.at
        try:
            _item(s, found)
        except BadSyntax:
            s.skip(s.at, inside=True)
    s.start = outer
    return Compound(found, place)


def _item(s: Stream, found: list[BlockItem]) -> None:
    if starts_declaration(s):
        found += declaration(s)
        return
    if s.kinds[s.at] == "[":
        begin = s.at
        attributes(s)
        if starts_declaration(s):
            s.at = begin
            found += declaration(s)
            return
    found.append(statement(s))


def statement(s: Stream) -> BlockItem:
    """Read a statement."""
    kind = s.kinds[s.at]
    if kind == "[":
        skip_attributes(s)
        kind = s.kinds[s.at]
    if kind == NAME and s.kinds[s.at + 1] == ":":
        return _label(s)
    special = _STATEMENTS.get(kind)
    if special is not None:
        return special(s)
    found = expression(s)
    s.expect(";")
    return found


def _labelled(s: Stream) -> BlockItem:
    """Read the statement behind a label; there may be none before the end of a block, or before a declaration."""
    place = s.coord()
    s.expect(":")
    skip_attributes(s)
    if s.kinds[s.at] == "}" or starts_declaration(s):
        return statement_nodes.EmptyStatement(place)
    return statement(s)


def _label(s: Stream) -> statement_nodes.Label:
    place = s.coord()
    return statement_nodes.Label(s.label(s.name()), _labelled(s), place)


def _case(s: Stream) -> statement_nodes.Case:
    place = s.coord()
    s.at += 1
    value, last = conditional(s), None
    if s.kinds[s.at] == "...":
        s.at += 1
        last = conditional(s)
    return statement_nodes.Case(value, last, _labelled(s), place)


def _default(s: Stream) -> statement_nodes.Default:
    place = s.coord()
    s.at += 1
    return statement_nodes.Default(_labelled(s), place)


def _empty(s: Stream) -> statement_nodes.EmptyStatement:
    place = s.coord()
    s.at += 1
    return statement_nodes.EmptyStatement(place)


def _condition(s: Stream) -> Expression:
    s.expect("(")
    found = expression(s)
    check_condition(s, found)
    s.expect(")")
    return found


def _if(s: Stream) -> statement_nodes.If:
    place = s.coord()
    s.at += 1
    condition, then, otherwise = _condition(s), statement(s), s.coord()
    found = statement_nodes.If(condition, then, statement(s) if s.accept("else") else None, place)
    check_if(s, found, place, otherwise)
    return found


def _switch(s: Stream) -> statement_nodes.Switch:
    place = s.coord()
    s.at += 1
    s.expect("(")
    value = expression(s)
    s.expect(")")
    return statement_nodes.Switch(value, statement(s), place)


def _while(s: Stream) -> statement_nodes.While:
    place = s.coord()
    s.at += 1
    condition = _condition(s)
    return statement_nodes.While(condition, statement(s), place)


def _do(s: Stream) -> statement_nodes.DoWhile:
    place = s.coord()
    s.at += 1
    repeated = statement(s)
    s.expect("while")
    condition = _condition(s)
    s.expect(";")
    return statement_nodes.DoWhile(condition, repeated, place)


_TAGGED = frozenset(("enum", "struct", "union"))


def _for(s: Stream) -> statement_nodes.For:
    place = s.coord()
    s.at += 1
    s.expect("(")
    with s.scope():
        first: Expression | statement_nodes.DeclList | None = None
        if starts_declaration(s):
            if s.standard.edition < 1999:
                s.report.error(s.coord(), "'for' loop initial declarations are only allowed since C99")
            first = statement_nodes.DeclList(declaration(s), place)
        else:
            first = _until(s, ";")
        condition, begin = _until(s, ";"), s.at
        following = _until(s, ")")
        declares = not _TAGGED.isdisjoint(s.kinds[begin : s.at])
        return statement_nodes.For(first, condition, following, statement(s), place, declares)


def _until(s: Stream, end: str) -> Expression | None:
    """Read an expression that may be missing, and the token behind it."""
    found = expression(s) if s.kinds[s.at] != end else None
    s.expect(end)
    return found


def _goto(s: Stream) -> statement_nodes.Goto | statement_nodes.ComputedGoto:
    place = s.coord()
    s.at += 1
    found = (
        statement_nodes.ComputedGoto(expression(s), place) if s.accept("*") else statement_nodes.Goto(s.label(s.name()), place)
    )
    s.expect(";")
    return found


def _leave(s: Stream) -> statement_nodes.Break | statement_nodes.Continue:
    """Read a break or continue."""
    place, cls = s.coord(), statement_nodes.Break if s.kinds[s.at] == "break" else statement_nodes.Continue
    s.at += 1
    s.expect(";")
    return cls(place)


def _return(s: Stream) -> statement_nodes.Return:
    place = s.coord()
    s.at += 1
    return statement_nodes.Return(_until(s, ";"), place)


_STATEMENTS: dict[str, Callable[[Stream], Statement]] = {
    "{": compound, ";": _empty, "if": _if, "switch": _switch, "case": _case, "default": _default, "while": _while, "do": _do,
    "for": _for, "goto": _goto, "break": _leave, "continue": _leave, "return": _return, "asm": assembly,
}  # fmt: skip
