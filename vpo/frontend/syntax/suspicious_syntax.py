"""Warnings about what is written: operators that are easily mixed up, assignments as conditions, ifs that end too early."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from vpo.frontend.syntax.expression_nodes import Assignment, BinaryOp, Coord, Node
from vpo.frontend.syntax.lexer import END
from vpo.frontend.syntax.statement_nodes import EmptyStatement, If
from vpo.frontend.syntax.stream import Stream

_COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!="))
_SUMS = frozenset(("+", "-"))
# Operators, and those that had better stand in parentheses among their operands.
_MIXED = {
    "||": frozenset(("&&",)),
    "<<": _SUMS,
    ">>": _SUMS,
    "|": _COMPARISONS | _SUMS | {"&", "^"},
    "^": _COMPARISONS | _SUMS | {"&"},
    "&": _COMPARISONS | _SUMS,
    "==": _COMPARISONS,
    "!=": _COMPARISONS,
} | {operator: _COMPARISONS - {"==", "!="} for operator in ("<", ">", "<=", ">=")}


def check_operand(s: Stream, operator: str, operand: Node) -> None:
    """Warn of an operand just read, without parentheses, of an operator that it is easily mixed up with."""
    if operator in ("&&", "||"):
        check_condition(s, operand)
    if type(operand) is not BinaryOp or operand is s.in_parentheses or operand.op not in _MIXED.get(operator, ()):
        return
    if operator in _COMPARISONS and operand.op in _COMPARISONS - {"==", "!="} and operator not in ("==", "!="):
        message = "comparisons like 'X<=Y<=Z' do not have their mathematical meaning"
    else:
        message = f"suggest parentheses around '{operand.op}' in operand of '{operator}'"
    s.report.warning(operand.coord, "parentheses", message)


def check_condition(s: Stream, condition: Node) -> None:
    """Warn of an assignment, just read, as a condition."""
    if type(condition) is Assignment and condition.op == "=" and condition is not s.in_parentheses:
        s.report.warning(condition.coord, "parentheses", "suggest parentheses around assignment used as truth value")


def check_if(s: Stream, found: If, place: Coord, otherwise: Coord | None) -> None:
    """Warn of an else that may belong to another if, and of bodies that are a semicolon alone."""
    inner = found.iftrue
    if type(inner) is If and inner.iffalse is not None and found.iffalse is None:
        s.report.warning(place, "parentheses", "suggest explicit braces to avoid ambiguous 'else'")
    if type(inner) is EmptyStatement and found.iffalse is None:
        s.report.warning(inner.coord, "empty-body", "suggest braces around empty body in an 'if' statement")
    if type(found.iffalse) is EmptyStatement:
        s.report.warning(otherwise, "empty-body", "suggest braces around empty body in an 'else' statement")



# ----------------------------------------------------------------------------------------------------------------------
# Warnings about statements that look as if an `if` or a loop before them guarded them.


_ENDS = frozenset(("}", ";", "else", "case", "default", END))


def check_indentation(s: Stream, at: int, start: int, starts_block: bool) -> None:
    """Warn if the statement behind a body without braces stands in the body's column, or on its line.

    The body, which begins at the position `start`, has just been read; `at` is the position of the word that guards it.
    As in gcc, what macros put there has no layout.
    """
    if starts_block or s.kinds[s.at] in _ENDS or "misleading-indentation" not in s.report.wanted:
        return
    word, guard, body, behind = s.kinds[at], s.place(at), s.place(start), s.coord()
    if not guard.file == body.file == behind.file:
        return
    if body.line == guard.line:
        is_first = at == 0 or s.place(at - 1).line != guard.line
        is_misleading = is_first and behind.line == body.line and (behind.column or 0) > (body.column or 0)
    else:
        in_line = behind.column == body.column and (guard.column or 0) < (body.column or 0)
        is_misleading = in_line and behind.line > body.line
    if is_misleading and _are_written(s, at, start, s.at):
        note = (behind, f"this statement is indented as if it were guarded by the '{word}'")
        s.report.warning(guard, "misleading-indentation", f"this '{word}' clause does not guard...", note)


def _are_written(s: Stream, *positions: int) -> bool:
    """True if the file has the tokens at these positions in their places, or cannot be read; else macros made them."""
    lines: list[str] = []
    with suppress(OSError):
        lines = Path(s.place(positions[0]).file).read_text(encoding="utf-8-sig", errors="replace").split("\n")
    for at in positions:
        place = s.place(at)
        if lines and not "".join(lines[place.line - 1 : place.line]).startswith(s.texts[at], (place.column or 1) - 1):
            return False
    return True
