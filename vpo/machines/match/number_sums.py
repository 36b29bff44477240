"""Numbers that patterns compute of others: `(r[s]>>un)|(r[s]<<(32-n))`, a pair of cells at c and c+4.

RTLs have the number only.  So a variable that stands nowhere else is solved for, and what stands in several places must agree.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vpo.algebra.building import displace
from vpo.rtl import Const, Op
from vpo.text import Variable


@dataclass(frozen=True, slots=True)
class Sum:
    """A number: `factors` of variables, and what is added to them."""

    factors: Mapping[str, int]
    constant: int

    def plus(self, other: Sum, factor: int = 1) -> Sum:
        """Return the sum with a multiple of another one."""
        names = dict.fromkeys((*self.factors, *other.factors))
        factors = {name: self.factors.get(name, 0) + factor * other.factors.get(name, 0) for name in names}
        return Sum({name: number for name, number in factors.items() if number}, self.constant + factor * other.constant)


def sum_of(node: Any, numbers: Container[str]) -> Sum | None:
    """Return a pattern as a sum of variables that stand for numbers; None if it is none."""
    match node:
        case Const():
            return Sum({}, node.value)
        case Variable() if node.name in numbers:
            return Sum({node.name: 1}, 0)
        case Op(op="+" | "-", args=(a, b), type=""):
            left, right = sum_of(a, numbers), sum_of(b, numbers)
            return left.plus(right, 1 if node.op == "+" else -1) if left is not None and right is not None else None
        case Op(op="neg" | "not", args=(a,), type=""):
            inner = sum_of(a, numbers)
            return Sum({}, -1 if node.op == "not" else 0).plus(inner, -1) if inner is not None else None
    return None


def _sums(node: Any, numbers: Container[str], alone: set[str]) -> Iterator[Sum]:
    """Yield the numbers that a pattern computes; the variables that stand for themselves go to `alone`."""
    found = sum_of(node, numbers) if isinstance(node, Op) else None
    if found is not None:
        yield found
    elif isinstance(node, Variable):
        alone.add(node.name)
    else:
        parts = (getattr(node, key, None) for key in ("target", "source", "condition", "address", "of"))
        for part in (*getattr(node, "args", ()), *parts):
            if part is not None:
                yield from _sums(part, numbers, alone)


def summed_in(patterns: Iterable[Any], numbers: Container[str]) -> frozenset[str]:
    """Return the variables of which patterns compute numbers, if all can be solved for; else none."""
    alone: set[str] = set()
    found = [(each, "") for pattern in patterns for each in _sums(pattern, numbers, alone)]
    if not found or len(list(solution(found, alone))) < len(found):
        return frozenset()
    return frozenset(name for each, _ in found for name in each.factors)


def solution(sums: Iterable[tuple[Sum, str]], known: Iterable[str]) -> Iterator[tuple[Sum, str, str]]:
    """Yield sums, what they are called, and the variable that each tells ('': none), as far as one follows from another."""
    known, left = set(known), list(sums)
    while left:
        ready = next((each for each in left if _tells(each[0], known)), None)
        if ready is None:
            return
        unknown = ready[0].factors.keys() - known
        yield *ready, "".join(unknown)
        known.update(unknown)
        left.remove(ready)


def _tells(found: Sum, known: Container[str]) -> bool:
    """Whether a sum tells one variable that is not known, or none."""
    unknown = [factor for name, factor in found.factors.items() if name not in known]
    return not unknown or (len(unknown) == 1 and abs(unknown[0]) == 1)


def number_minus(node: Any, amount: int) -> Any:
    """Return a number, symbol or slot less an amount; None for other nodes."""
    return Const(node.value - amount) if type(node) is Const else displace(node, -amount)
