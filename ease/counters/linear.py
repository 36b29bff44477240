"""Solve linear equations between integers without fractions."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

Combination = dict[int, int]  # unknowns, numbered from 0, or constants, numbered below 0, and what to multiply them by


def add(total: Combination, other: Combination, times: int) -> None:
    """Add a multiple of one combination to another."""
    for key, amount in other.items():
        new = total.get(key, 0) + times * amount
        if new:
            total[key] = new
        else:
            total.pop(key, None)


def solve(rows: list[Combination], weights: Sequence[float]) -> list[tuple[int, int, Combination]]:
    """Solve equations for the heaviest unknowns for which they can be solved.

    Return, for each of these, a divisor and the combination of lighter unknowns to divide; the lightest come first.  The
    leading columns of an echelon form do not depend on how it was found.
    """
    order = sorted(range(len(weights)), key=lambda unknown: (weights[unknown], unknown))
    rank = [0] * len(order)
    for position, unknown in enumerate(order):
        rank[unknown] = position
    leading: dict[int, Combination] = {}
    for row in rows:
        reduced = row
        while any(unknown >= 0 for unknown in reduced):
            lead = max((unknown for unknown in reduced if unknown >= 0), key=rank.__getitem__)
            if lead not in leading:
                leading[lead] = reduced
                break
            reduced = _eliminate(reduced, leading[lead], lead)
    result = []
    for unknown in sorted(leading, key=rank.__getitem__):
        row = leading[unknown]
        result.append((unknown, -row[unknown], {other: amount for other, amount in row.items() if other != unknown}))
    return result


def _eliminate(row: Combination, other: Combination, unknown: int) -> Combination:
    """Return a combination of two, in smallest integers, in which an unknown has the factor 0."""
    shared = gcd(row[unknown], other[unknown])
    result = {key: amount * (other[unknown] // shared) for key, amount in row.items()}
    add(result, other, -row[unknown] // shared)
    divisor = gcd(*result.values()) if result else 1
    return {key: amount // divisor for key, amount in result.items()}
