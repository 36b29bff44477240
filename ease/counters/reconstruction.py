"""Compute the counts of all RTLs and branches from counters that were placed for it; of runs that were cut short, too.

Plans are data, and nothing of the compiler is imported here, so that a program that is run again begins at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd
from typing import TYPE_CHECKING

from ease.counters.flow_graph import FlowGraph
from ease.model.results import Counts
from vpo.analysis.cfg import annulled_slots, delay_slots
from vpo.analysis.transfers import callee_of
from vpo.program import Program
from vpo.system.faults import Fault

if TYPE_CHECKING:
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


def assumed_calls(number: int) -> int:
    """Return what stands for the calls of a function that are only assumed in a linear combination."""
    return ONE - 1 - number


def only_counts(plan: Plan) -> Plan:
    """Return what `reconstruct` needs of a plan for runs that come to their end."""
    return replace(plan, probes={}, functions={name: replace(f, graph=None) for name, f in plan.functions.items()})


def reconstruct(plan: Plan, counters: Sequence[int], partial: bool = False, completion: Completion | None = None) -> Counts:
    """Return how often each RTL was executed and each branch taken.

    The counts are exact unless the run was cut short (`partial`) and there is no `completion`; then none is below 0.
    """
    chords = {chord: counters[counter] for chord, counter in plan.counted.items()}
    chords[ONE] = 1
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


# ----------------------------------------------------------------------------------------------------------------------
# Compute exact counts for runs that were cut short.
#
# The place of control in each activation is known: the fault, or a call that has not returned.  Each activation is assumed to
# go from there to its end on a shortest path.  With that, as much flows into each vertex of the flow graphs as out of it,
# counts follow as for a complete run, and the assumed part is subtracted.


@dataclass(slots=True)
class Assumed:
    """The assumed rest of a function's activations: traversals of edges, RTLs, and branches taken, by block."""

    rtls: list[int]
    taken: list[int]
    edges: dict[int, int] = field(default_factory=dict)


class Completion:
    """The assumed rest of all activations of a program; `calls` counts the calls in it by callee."""

    def __init__(self, program: Program, graphs: Mapping[str, FlowGraph]) -> None:
        self.program, self.graphs = program, graphs
        self.calls: dict[str, int] = {}
        self.assumed = {name: Assumed([0] * len(f.rtls()), [0] * len(f.blocks)) for name, f in program.functions.items()}

    def stop_in(self, name: str, position: int, after: bool = False) -> None:
        """Record that the run stopped in a function before the RTL at a position, or after it."""
        block, index = self._place(name, position)
        self._add(name, block, index, index + after, 1)

    def is_in(self, name: str, place: tuple[int, int], fault: Fault) -> bool:
        """True if a call, as `call_under_way` has it, contains the RTL at which a fault happened."""
        if fault.function != name or fault.rtl is None:
            return False
        block, index = self._place(name, fault.rtl)
        function = self.program.functions[name]
        return place == (block, index + delay_slots(self.program.machine, function, function.blocks[block].rtls[index]))

    def _place(self, name: str, position: int) -> tuple[int, int]:
        """Return the block of an RTL, and its index there."""
        for block, item in enumerate(self.program.functions[name].blocks):
            if position < len(item.rtls):
                return block, position
            position -= len(item.rtls)
        return 0, 0  # a function without RTLs

    def call_under_way(self, name: str, place: tuple[int, int], times: int) -> None:
        """Record that a call at a place (block, index of its last RTL) has not returned in a number of activations."""
        self._add(name, place[0], place[1], place[1] + 1, times)

    def _add(self, name: str, block: int, at: int, done: int, times: int) -> None:
        """Complete activations that are at an RTL of a block: those before it are executed, or the RTL as well."""
        graph = self.graphs[name]
        number = next(n for n, s in enumerate(graph.segments) if s.block == block and s.first <= at < max(s.end, s.first + 1))
        start, end = 2 * number + 1, graph.segments[number].end
        if end == len(self.program.functions[name].blocks[block].rtls):
            slots = annulled_slots(self.program.functions[name].blocks[block])
            if slots and at >= end - slots:  # on the way to the target
                start = graph.edges[graph.taken[block]][1]
            else:
                end -= slots
        self._skip(name, block, graph.segments[number].first, done, end, times)
        for edge in _shortest_path(graph, start):
            self._go(name, edge, times)

    def _go(self, name: str, edge: int, times: int) -> None:
        """Assume that control takes an edge."""
        graph, assumed = self.graphs[name], self.assumed[name]
        blocks = self.program.functions[name].blocks
        assumed.edges[edge] = assumed.edges.get(edge, 0) + times
        if edge < len(graph.segments):
            segment = graph.segments[edge]
            rtls = blocks[segment.block].rtls
            end = segment.end - (annulled_slots(blocks[segment.block]) if segment.end == len(rtls) else 0)
            self._skip(name, segment.block, segment.first, segment.first, end, times)
            return
        block = graph.block(graph.edges[edge][0])
        if graph.taken.get(block) == edge:
            assumed.taken[block] += times
            end = len(blocks[block].rtls)
            self._skip(name, block, end, end - annulled_slots(blocks[block]), end, times)

    def _skip(self, name: str, block: int, first: int, start: int, end: int, times: int) -> None:
        """Assume that RTLs [start, end) of a block are executed, and calls from `first` on whose delay slots come later."""
        function, assumed = self.program.functions[name], self.assumed[name]
        before = function.block_starts()[block]
        for index in range(start, end):
            assumed.rtls[before + index] += times
        for index in range(first, end):
            rtl = function.blocks[block].rtls[index]
            if rtl.call is not None and index + delay_slots(self.program.machine, function, rtl) >= start:
                callee = callee_of(self.program, rtl.call)
                self.calls[callee] = self.calls.get(callee, 0) + times


def _shortest_path(graph: FlowGraph, start: int) -> list[int]:
    """Return the edges of a shortest path from a vertex to the end."""
    onward: dict[int, list[int]] = {}
    for edge, (tail, _) in enumerate(graph.edges):
        onward.setdefault(tail, []).append(edge)
    paths: dict[int, list[int]] = {start: []}
    for vertex in (order := [start]):
        for edge in onward.get(vertex, ()) if vertex != graph.end else ():
            head = graph.edges[edge][1]
            if head not in paths:
                paths[head] = [*paths[vertex], edge]
                order.append(head)
    return paths[graph.end]
