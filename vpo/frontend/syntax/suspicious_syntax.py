"""Warnings about what is written: operators that are easily mixed up, assignments as conditions, ifs that end too early."""

from __future__ import annotations

from vpo.frontend.syntax.nodes import Assignment, BinaryOp, Coord, Expression
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


def check_operand(s: Stream, operator: str, operand: Expression) -> None:
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


def check_condition(s: Stream, condition: Expression) -> None:
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
