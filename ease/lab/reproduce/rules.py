"""Rules of shape: comparisons of figures, as data, which hold of a paper's figures and are asked of today's."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import Any

Figures = Mapping[str, Mapping[str, float]]  # by row and column
EACH = "each row"
QUOTED = re.compile(r'"([^"]*)"')
_ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
_COMPARISONS: dict[type, Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
}


class RuleError(Exception):
    """A rule that cannot be read."""


class Missing(Exception):
    """A figure that a rule asks for and that there is not."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: `text` compares figures; `says` is the same in words; `because` tells why today's differ, where they do.

    A name in quotes is a row of the column `of`, a column of the row `of`, or `row | column`; with `of` EACH it is a column,
    and the rule is asked of every row.  `largest()`, `smallest()`, `middle()` are of a column, `least("a", "b")` of some;
    `agree()` is the share of pairs of rows that stand in the paper's order.  `stated`: the paper says so without figures.
    `shown`: the exhibit whose experiment shows the cause.
    """

    text: str
    says: str
    of: str = ""
    because: str = ""
    shown: str = ""
    stated: bool = False

    def holds(self, figures: Figures, paper: Figures) -> bool:
        """Return whether the rule holds of figures.

        Raises Missing for figures that there are not, RuleError for a rule that cannot be read.
        """
        if self.of == EACH:
            return bool(figures) and not self.failing(figures, paper)
        return bool(_Reading(self, figures, paper).value())

    def failing(self, figures: Figures, paper: Figures) -> list[str]:
        """Return the rows of which a rule for each row does not hold."""
        return [row for row in figures if not _Reading(self, figures, paper, row).value()]

    def seen(self, figures: Figures, paper: Figures) -> str:
        """Return the rule with the figures in the places of their names."""
        if self.of == EACH:
            failing = self.failing(figures, paper)
            return f"not for {', '.join(failing)}" if failing else "for all rows"
        reading = _Reading(self, figures, paper)
        text = QUOTED.sub(lambda found: shown(reading.figure(found[1])), self.text)
        for name, call in _OF_COLUMNS.items():
            text = text.replace(f"{name}()", shown(call(reading)) if f"{name}()" in text else "")
        return text


def shown(value: float) -> str:
    """Return a figure as text."""
    if value == round(value):
        return f"{value:,.0f}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}" if abs(value) < 10 else f"{value:.1f}"


class _Reading:
    """Evaluates a rule over figures, with the row that it is asked of, if it is one for each row."""

    def __init__(self, rule: Rule, figures: Figures, paper: Figures, row: str = "") -> None:
        self.rule, self.figures, self.paper, self.row = rule, figures, paper, row

    def value(self) -> Any:
        try:
            return self._of(ast.parse(self.rule.text, mode="eval").body)
        except SyntaxError as error:
            raise RuleError(f"'{self.rule.text}': {error.msg}") from None
        except ZeroDivisionError:
            raise Missing("a figure that is not 0") from None

    def _of(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=str(name)):
                return self.figure(name)
            case ast.Constant(value=int() | float() as number):
                return number
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._of(operand)
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _ARITHMETIC:
                return _ARITHMETIC[type(sign)](self._of(left), self._of(right))
            case ast.BoolOp(op=ast.And(), values=values):
                return all(self._of(value) for value in values)
            case ast.Compare(left=left, ops=signs, comparators=others) if all(type(sign) in _COMPARISONS for sign in signs):
                values = [self._of(each) for each in (left, *others)]
                return all(_COMPARISONS[type(sign)](a, b) for sign, a, b in zip(signs, values, values[1:], strict=False))
            case ast.Call(func=ast.Name(id=name), args=[]) if name in _OF_COLUMNS:
                return _OF_COLUMNS[name](self)
            case ast.Call(func=ast.Name(id="least"), args=arguments):
                return min(self._of(each) for each in arguments)
            case ast.Call(func=ast.Name(id="most"), args=arguments):
                return max(self._of(each) for each in arguments)
        raise RuleError(f"'{self.rule.text}': '{ast.unparse(node)}' is nothing that a rule can say")

    def figure(self, name: str) -> float:
        row, bar, column = (part.strip() for part in name.partition("|"))
        of = self.rule.of
        places = [(row, column)] if bar else [(self.row, name)] if of == EACH else [(name, of), (of, name)]
        for row, column in places:
            if column in self.figures.get(row, {}):
                return self.figures[row][column]
        raise Missing(name)

    def column(self) -> list[float]:
        found = [columns[self.rule.of] for columns in self.figures.values() if self.rule.of in columns]
        if not found:
            raise Missing(self.rule.of)
        return found

    def agree(self) -> float:
        of = self.rule.of
        rows = [row for row in self.figures if of in self.figures[row] and of in self.paper.get(row, {})]
        pairs = [
            (self.figures[a][of] - self.figures[b][of]) * (self.paper[a][of] - self.paper[b][of])
            for a, b in combinations(rows, 2)
            if self.paper[a][of] != self.paper[b][of]
        ]
        if not pairs:
            raise Missing(of)
        return sum(pair > 0 for pair in pairs) / len(pairs)


_OF_COLUMNS: dict[str, Callable[[_Reading], float]] = {
    "largest": lambda reading: max(reading.column()),
    "smallest": lambda reading: min(reading.column()),
    "middle": lambda reading: median(reading.column()),
    "agree": _Reading.agree,
}
