"""Place the fewest counters from which the exact counts of every RTL and branch follow (`ease.counters.reconstruction`).

As much flows into each vertex of a flow graph as out of it.  So the counts of edges outside a spanning tree determine all
others, and a maximum spanning tree leaves the rarest edges outside (Knuth and Stevenson, "Optimal measurement points for
program frequency counts", 1973; Ball and Larus, "Optimally profiling and tracing programs", 1994).  A function whose address
is not taken gives one more equation: it is entered as often as the calls of it are executed.  Each equation saves the counter
of the heaviest class for which it can be solved.  The classes that need no counter form a basis of a matroid, so greedy
choice is optimal.

Counts are exact however deep in calls the program ends, since each activation counts the end (`ends` of `FunctionProbes`).
Only the counts of a run that ends by a fault, or is cut short, may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import Any, cast

from ease.counters.flow_graph import CountedSegment, FlowGraph, execution_classes, flow_graph
from ease.counters.loop_counters import LoopCounters
from ease.counters.reconstruction import ONE, Combination, FunctionPlan, Plan, add, assumed_calls, solve
from ease.counters.weights import counted_weights, estimated_weights
from ease.host.translation.counting import FunctionProbes
from ease.model.results import Counts
from vpo.analysis.call_graph import address_taken, callee_of, context_savers, may_end
from vpo.analysis.cfg import annulled_slots, delay_slots
from vpo.analysis.fault_sites import fault_sites
from vpo.program import Program
from vpo.rtl import Call, Rtl
from vpo.rtl.function import Function

# ----------------------------------------------------------------------------------------------- what to count


def plan_counters(program: Program, weights: Counts | None = None, precise: bool = False, visible: bool = False) -> Plan:
    """Place the fewest counters where they cost least.

    `weights` are the counts of an earlier run, in place of estimates.  Counters in loops may stay in registers until control
    leaves the loop; they are lost if a fault or a limit ends the run before.  `precise` counts are not lost: counters are in
    memory, and calls that have not returned are counted, which costs time.  `visible` ones are lost for one innermost loop at
    most, so that they can be looked at while the program runs.

    Raises ValueError for weights that are of another program.
    """
    analyses = _analyse(program, weights, not precise, visible)
    inferred = solve(_entry_equations(program, analyses, precise), _costs_of_chords(analyses.values()))
    without = {chord for chord, _, _ in inferred}
    counted: dict[int, int] = {}
    for analysis in analyses.values():
        for chord in analysis.chords.values():
            if chord not in without:
                counted[chord] = len(counted)
    probes: dict[str, FunctionProbes] = {}
    functions: dict[str, FunctionPlan] = {}
    counters = len(counted)
    for name, analysis in analyses.items():
        moves = _window_moves(program, analysis.function)
        traps = {place: counters + number for number, place in enumerate(moves)}
        counters += len(traps)
        calls = (
            {place: counters + number for number, place in enumerate(_calls(program, analysis.function))} if precise else {}
        )
        counters += len(calls)
        functions[name] = analysis.plan(traps, calls)
        idle = weights is not None and not any(weights.rtls[name])
        probes[name] = replace(analysis.probes(counted, traps, idle), calls=calls, precise=precise, visible=visible)
    return Plan(probes, functions, counters, counted, inferred)


def _analyse(program: Program, counts: Counts | None, in_registers: bool, visible: bool) -> dict[str, _Analysis]:
    ending, saving = may_end(program), context_savers(program)
    graphs = {name: flow_graph(program, function, ending, saving) for name, function in program.functions.items()}
    weights = estimated_weights(program, graphs) if counts is None else counted_weights(program, graphs, counts)
    analyses: dict[str, _Analysis] = {}
    first = 0
    for name, function in program.functions.items():
        often = weights.edges[name]
        loops = LoopCounters(function, graphs[name], weights, visible) if in_registers else None
        analyses[name] = _Analysis(function, graphs[name], often, first, loops)
        first += len(analyses[name].chords)
    return analyses


def _window_moves(program: Program, function: Function) -> list[tuple[int, int]]:
    """Return (index of the block, index in it) of the RTLs that move the register window."""
    if program.machine.convention.windows is None:
        return []
    return [
        (number, index)
        for number, block in enumerate(function.blocks)
        for index, rtl in enumerate(block.rtls)
        if program.machine.window_move(rtl.effects)
    ]


def _calls(program: Program, function: Function) -> list[tuple[int, int]]:
    """Return (index of the block, index in it of the last delay slot) of all calls, also those of handlers of faults."""
    sites = fault_sites(program)
    faults: list[tuple[int, int]] = []
    for number, block in enumerate(function.blocks):
        if sites is not None:
            faults += [(number, end - 1) for end in sites.ends(function, block)]
    calls = [
        (number, index + delay_slots(program.machine, function, rtl))
        for number, block in enumerate(function.blocks)
        for index, rtl in enumerate(block.rtls)
        if rtl.call is not None
    ]
    return list(dict.fromkeys(sorted([*calls, *faults])))


class _Analysis:
    """The spanning tree of a function; its chords are numbered from `first`, and `often` has the weights of edges."""

    def __init__(
        self, function: Function, graph: FlowGraph, often: Sequence[float], first: int, loops: LoopCounters | None
    ) -> None:
        self.function, self.graph, self.often, self.loops = function, graph, often, loops
        self.classes = execution_classes(graph)
        self.closing: int = self.classes[-1]  # type: ignore[assignment]  # control can reach it
        self.edges: dict[int, int] = {}  # where each class is counted, if it is
        best: dict[int, tuple[bool, float]] = {}
        for edge, cls in enumerate(self.classes):
            if cls is not None:
                rank = self._rank(edge)
                if cls not in best or rank < best[cls]:
                    self.edges[cls], best[cls] = edge, rank
        self.costs = {cls: cost for cls, (_, cost) in best.items()}
        outside = self._outside_tree()
        self.never = [cls for cls in outside if graph.places[self.edges[cls]] is None]
        self.chords = {cls: first + i for i, cls in enumerate(c for c in outside if c not in self.never)}
        flow = _Conservation(graph, self.classes, outside)
        self.derived: list[tuple[int, list[int], list[int]]] = [(cls, [], []) for cls in self.never] + flow.derived

    def _rank(self, edge: int) -> tuple[bool, float]:
        """Return the key that orders the edges of a class, the cheapest place first, and the cost of that place."""
        if self.graph.places[edge] is None:
            return True, inf
        if self.loops is None:
            return True, self.often[edge]
        return self.loops.choice(edge) is None, self.loops.cost(edge)

    def _outside_tree(self) -> list[int]:
        """Return the classes that a maximum spanning tree leaves out, in order."""
        trees = list(range(self.graph.vertices))

        def root(vertex: int) -> int:
            while trees[vertex] != vertex:
                trees[vertex] = vertex = trees[trees[vertex]]
            return vertex

        for edge, cls in enumerate(self.classes):  # at most one edge of a class can be outside
            if cls is not None and self.edges[cls] != edge:
                tail, head = self.graph.edges[edge]
                trees[root(tail)] = root(head)
        outside = []
        for cls, edge in sorted(self.edges.items(), key=lambda item: (-self.costs[item[0]], item[1])):
            tail, head = (root(vertex) for vertex in self.graph.edges[edge])
            if tail == head:
                outside.append(cls)
            trees[tail] = head
        return sorted(outside)

    def vectors(self) -> dict[int, Combination]:
        """Return each class as a combination of chords."""
        result: dict[int, Combination] = {cls: {chord: 1} for cls, chord in self.chords.items()}
        for cls, plus, minus in self.derived:
            total: Combination = {}
            for other in plus:
                add(total, result[other], 1)
            for other in minus:
                add(total, result[other], -1)
            result[cls] = total
        return result

    def calls(self) -> Iterator[tuple[Rtl, int | None]]:
        """List the RTL of each call with the class that it is executed as often as."""
        for segment, cls in zip(self.graph.segments, self.classes, strict=False):
            for rtl in self.function.blocks[segment.block].rtls[segment.first : segment.end]:
                if rtl.call is not None:
                    yield rtl, cls

    def plan(self, traps: dict[tuple[int, int], int], calls: dict[tuple[int, int], int]) -> FunctionPlan:
        """Return how counts follow from those of chords."""
        starts = self.function.block_starts()
        taken = {block: cls for block, edge in self.graph.taken.items() if (cls := self.classes[edge]) is not None}
        segments: list[tuple[int, int, int | None]] = []
        for segment, cls in zip(self.graph.segments, self.classes, strict=False):
            begin, end = starts[segment.block] + segment.first, starts[segment.block] + segment.end
            slots = self._annulled(segment)
            segments.append((begin, end - slots, cls))
            if slots:  # executed as often as the branch is taken
                segments.append((end - slots, end, taken.get(segment.block)))
        by_position = {starts[block] + index: counter for (block, index), counter in traps.items()}
        blocks = len(self.function.blocks)
        return FunctionPlan(self.chords, self.derived, segments, taken, blocks, by_position, self.graph, self.edges, calls)

    def _annulled(self, segment: CountedSegment) -> int:
        block = self.function.blocks[segment.block]
        return annulled_slots(block) if segment.end == len(block.rtls) else 0

    def probes(self, counted: dict[int, int], traps: dict[tuple[int, int], int], idle: bool) -> FunctionProbes:
        """Return what the host code has to do; `counted` maps chords to counters, `idle` is what an earlier run tells."""
        groups: dict[str, Any] = {"blocks": {}, "inner": {}, "taken": {}, "edges": {}, "ends": {}, "resumed": {}}
        kept: dict[int, frozenset[int]] = {}
        choices: set[int] = set()
        counters = {self.edges[cls]: counted[chord] for cls, chord in self.chords.items() if chord in counted}
        for edge, counter in counters.items():
            place = self.graph.places[edge]
            assert place is not None
            groups[place[0]][place[1]] = counter
        if self.loops is not None:
            kept = {counters[edge]: loop.blocks for edge, loop in self.loops.keep(counters).items()}
            choices = {choice for edge in counters if (choice := self.loops.choice(edge)) is not None}
        eager = self.loops is not None and self.loops.called_often
        unwinding = frozenset((s.block, s.end - 1) for s in self.graph.segments if s.ends)
        return FunctionProbes(
            **groups, traps=traps, unwinding=unwinding, kept=kept, choices=frozenset(choices), eager=eager, idle=idle
        )


# ---------------------------------------------------------------------------------------------- how counts follow


class _Conservation:
    """Computes counts from others: as much flows into each vertex as out of it."""

    def __init__(self, graph: FlowGraph, classes: Sequence[int | None], known: Iterable[int]) -> None:
        self.equations: list[dict[int, int]] = [{} for _ in range(graph.vertices)]
        for (tail, head), cls in zip(graph.edges, classes, strict=True):
            if cls is not None:
                self._add(head, cls, 1)
                self._add(tail, cls, -1)
        self.mentions: dict[int, list[dict[int, int]]] = {}
        for equation in self.equations:
            for cls in equation:
                self.mentions.setdefault(cls, []).append(equation)
        self.known: set[int] = set(known)
        self.derived: list[tuple[int, list[int], list[int]]] = []
        self._work(self.equations)

    def _add(self, vertex: int, cls: int, amount: int) -> None:
        equation = self.equations[vertex]
        equation[cls] = equation.get(cls, 0) + amount
        if not equation[cls]:
            del equation[cls]

    def _work(self, equations: Iterable[dict[int, int]]) -> None:
        pending = list(equations)[::-1]
        while pending:
            equation = pending.pop()
            unknown = [cls for cls in equation if cls not in self.known]
            if len(unknown) == 1 and abs(equation[unknown[0]]) == 1:
                cls = unknown[0]
                sides: dict[int, list[int]] = {1: [], -1: []}
                for other, amount in equation.items():
                    if other != cls:
                        sides[1 if amount * equation[cls] < 0 else -1] += [other] * abs(amount)
                self.derived.append((cls, sides[1], sides[-1]))
                self.known.add(cls)
                pending += self.mentions[cls]


def _entry_equations(program: Program, analyses: dict[str, _Analysis], precise: bool) -> list[Combination]:
    """Return combinations that are 0: the entries of a function minus its calls, if all its calls are known.

    For precise counts, calls that are only assumed (`ease.counters.cut_short`) are added.
    """
    indirect = set(address_taken(program)) | _called_by_faulting_rtls(program, analyses)
    rows: dict[str, Combination] = {
        name: {assumed_calls(number): 1} if precise else {} for number, name in enumerate(analyses) if name not in indirect
    }
    if program.entry in rows:
        rows[program.entry][ONE] = -1
    for name, analysis in analyses.items():
        vectors = analysis.vectors()
        if name in rows:
            add(rows[name], vectors[analysis.closing], 1)
        for rtl, cls in analysis.calls():
            row = rows.get(callee_of(program, cast(Call, rtl.call)))
            if row is not None and cls is not None:
                add(row, vectors[cls], -1)
    return list(rows.values())


def _called_by_faulting_rtls(program: Program, analyses: dict[str, _Analysis]) -> set[str]:
    """Return the functions that are entered less often than the calls of them are executed, since a call may fault."""
    sites = fault_sites(program)
    if sites is None:
        return set()
    calls = (rtl for analysis in analyses.values() for rtl, _ in analysis.calls())
    return {callee_of(program, cast(Call, rtl.call)) for rtl in calls if sites.may_fault(rtl)}


def _costs_of_chords(analyses: Iterable[_Analysis]) -> list[float]:
    return [analysis.costs[cls] for analysis in analyses for cls in analysis.chords]
