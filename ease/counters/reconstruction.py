"""Compute the counts of all RTLs and branches from counters that were placed for it; of runs that were cut short, too.

Plans are data, and nothing of the compiler is imported here, so that a program that is run again begins at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd
from typing import TYPE_CHECKING

from ease.model.results import Counts

if TYPE_CHECKING:
    from ease.counters.cut_short import Assumed, Completion
    from ease.counters.flow_graph import FlowGraph
    from ease.host.translation.counting import FunctionProbes


# ----------------------------------------------------------------------------------------------------------------------
# Solve linear equations between integers without fractions.


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


# ----------------------------------------------------------------------------------------------------------------------
# From counters to the counts of all RTLs and branches.


ONE = -1  # stands for the number 1 in a combination of chords; what is less stands for calls that are only assumed


@dataclass(frozen=True, slots=True)
class FunctionPlan:
    """How the counts of a function follow from those of its chords, the classes outside the spanning tree.

    `chords` maps each chord to its number in the program.  `derived` lists the other classes in the order of computation,
    each with the classes to add and to subtract.  `segments` has (first RTL, one past the last, class) over the whole
    function.  `taken` has the class of the taken edge, by the block of the branch, and `traps` the counter of each RTL that
    moves the register window.  `edges` has the edge of the graph at which a class is counted.  `calls` has the counters of
    calls that have not returned.
    """

    chords: dict[int, int]
    derived: list[tuple[int, list[int], list[int]]]
    segments: list[tuple[int, int, int | None]]
    taken: dict[int, int]
    blocks: int
    traps: dict[int, int]
    graph: FlowGraph | None  # None in a plan that only tells counts
    edges: dict[int, int]
    calls: dict[tuple[int, int], int]


@dataclass(frozen=True, slots=True)
class Plan:
    """The counters of a program: where host code increments them, and what follows from them.

    `counted` maps chords to their counters.  `inferred` lists the other chords in the order of computation, each with a
    divisor and the combination to divide.
    """

    probes: dict[str, FunctionProbes]
    functions: dict[str, FunctionPlan]
    counters: int
    counted: dict[int, int]
    inferred: list[tuple[int, int, Combination]]

    def all_of(self, counters: Sequence[int]) -> list[int]:
        """Return all counters of a run of which some may be missing at the end: it did not come to have them."""
        return [*counters, *[0] * (self.counters - len(counters))]


def assumed_calls(number: int) -> int:
    """Return what stands for the calls of a function that are only assumed in a linear combination."""
    return ONE - 1 - number


def only_counts(plan: Plan) -> Plan:
    """Return what `reconstruct` needs of a plan for runs that come to their end."""
    return replace(plan, probes={}, functions={name: replace(f, graph=None) for name, f in plan.functions.items()})


def reconstruct(
    plan: Plan, counters: Sequence[int], partial: bool = False, completion: Completion | None = None, began: bool = True
) -> Counts:
    """Return how often each RTL was executed and each branch taken.

    The counts are exact unless the run was cut short (`partial`) and there is no `completion`; then none is below 0.
    All are 0 of a run that never `began`.
    """
    partial = partial and began
    chords = {chord: counters[counter] for chord, counter in plan.counted.items()}
    chords[ONE] = int(began)
    for number, (name, function) in enumerate(plan.functions.items()):
        chords[assumed_calls(number)] = 0
        if completion is not None:
            chords[assumed_calls(number)] = completion.calls.get(name, 0)
            edges = completion.assumed[name].edges
            for cls, chord in function.chords.items():
                if chord in chords:
                    chords[chord] += edges.get(function.edges[cls], 0)
    for chord, divisor, combination in plan.inferred:
        value = sum(amount * chords[other] for other, amount in combination.items()) // divisor
        chords[chord] = max(value, 0) if partial else value
    rtls: dict[str, list[int]] = {}
    taken: dict[str, list[int]] = {}
    traps: dict[str, dict[int, int]] = {}
    for name, function in plan.functions.items():
        assumed = completion.assumed[name] if completion is not None else None
        values = _values(function, chords, partial, assumed)
        counts: list[int] = []
        for first, end, segment_class in function.segments:
            counts += [0 if segment_class is None else values[segment_class]] * (end - first)
        branches = [values[function.taken[b]] if b in function.taken else 0 for b in range(function.blocks)]
        rtls[name] = counts if assumed is None else [a - b for a, b in zip(counts, assumed.rtls, strict=True)]
        taken[name] = branches if assumed is None else [a - b for a, b in zip(branches, assumed.taken, strict=True)]
        traps[name] = {position: counters[counter] for position, counter in function.traps.items()}
    return Counts(rtls, taken, traps, exact=not partial)


def _values(function: FunctionPlan, chords: dict[int, int], partial: bool, assumed: Assumed | None) -> dict[int, int]:
    """Return how often each class was executed."""
    values = {cls: chords[chord] for cls, chord in function.chords.items()}
    for cls, plus, minus in function.derived:
        value = sum(values[c] for c in plus) - sum(values[c] for c in minus)
        if assumed is not None and not plus and not minus:  # never, unless control is assumed to go there
            value = assumed.edges.get(function.edges[cls], 0)
        values[cls] = max(value, 0) if partial else value
    return values
