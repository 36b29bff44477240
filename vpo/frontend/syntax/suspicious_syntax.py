"""Warnings about what is written: operators that are easily mixed up, assignments as conditions, ifs that end too early."""

from __future__ import annotations

from vpo.frontend.syntax.nodes import Assignment, BinaryOp, Constant, Coord, Expression, UnaryOp
from vpo.frontend.syntax.statement_nodes import EmptyStatement, If
from vpo.frontend.syntax.stream import Stream

_COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!="))
_TRUTHS = _COMPARISONS | {"&&", "||", "!"}
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
        s.report.warning(operand.coord, "parentheses:order")
    else:
        s.report.warning(operand.coord, "parentheses:operand", operand.op, operator)


def is_bare_not(s: Stream, operand: Expression) -> bool:
    """Return whether an operand just read is one `!` without parentheses around it."""
    if type(operand) is not UnaryOp or operand.op != "!" or operand is s.in_parentheses:
        return False
    return type(operand.expr) is not UnaryOp or operand.expr.op != "!"


def may_be_negated(operator: str, right: Expression) -> bool:
    """Return whether this is a comparison that a `!` on its left may be meant for: the right side is no truth value, too."""
    is_zero = operator in ("==", "!=") and isinstance(right, Constant) and right.value == "0"
    is_truth = isinstance(right, UnaryOp | BinaryOp) and right.op in _TRUTHS
    return operator in _COMPARISONS and not is_zero and not is_truth


def check_condition(s: Stream, condition: Expression) -> None:
    """Warn of an assignment, just read, as a condition."""
    if type(condition) is Assignment and condition.op == "=" and condition is not s.in_parentheses:
        s.report.warning(condition.coord, "parentheses")


def check_if(s: Stream, found: If, place: Coord, otherwise: Coord | None) -> None:
    """Warn of an else that may belong to another if, and of bodies that are a semicolon alone."""
    inner = found.iftrue
    if type(inner) is If and inner.iffalse is not None and found.iffalse is None:
        s.report.warning(place, "parentheses:else")
    if type(inner) is EmptyStatement and found.iffalse is None:
        s.report.warning(inner.coord, "empty-body")
    if type(found.iffalse) is EmptyStatement:
        s.report.warning(otherwise, "empty-body:else")
