"""Place the fewest counters from which the exact counts of every RTL and branch follow (`ease.counters.reconstruction`).

As much flows into each vertex of a flow graph as out of it.  So the counts of edges outside a spanning tree determine all
others, and a maximum spanning tree leaves the rarest edges outside (Knuth and Stevenson, "Optimal measurement points for
program frequency counts", 1973; Ball and Larus, "Optimally profiling and tracing programs", 1994).  A function whose address
is not taken gives one more equation: it is entered as often as the calls of it are executed.  Each equation saves the counter
of the heaviest class for which it can be solved.  The classes that need no counter form a basis of a matroid, so greedy
choice is optimal.

Counts are exact however deep in calls the program ends, since each activation counts the end (`ends` of `FunctionProbes`).
A run that ends by a fault, or is cut short, lacks what stays in registers: `ease.run.stepping` makes it again, exactly.

What a counter costs, and which of them stay in registers during loops, comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from math import inf
from typing import Any, cast

from ease.counters.flow_graph import CountedSegment, FlowGraph, execution_classes, flow_graph
from ease.counters.reconstruction import ONE, Combination, FunctionPlan, Plan, add, assumed_calls, solve
from ease.counters.weights import Weights, counted_weights, estimated_weights
from ease.host.translation.counting import FunctionProbes
from ease.model.results import Counts
from vpo.analysis.cfg import Cfg, annulled_slots, build_cfg, delay_slots, transfer_of
from vpo.analysis.dominators import Loop, dominators, natural_loops
from vpo.analysis.transfers import address_taken, callee_of, context_savers, fault_sites, may_end
from vpo.base.clock import timed
from vpo.base.kept import kept
from vpo.program import Program
from vpo.rtl import Branch, Call, Const, Jump, Mem, Op, Register, Rtl, Set, subexpressions
from vpo.rtl.function import Block, Function

# ----------------------------------------------------------------------------------------------------------------------
# Estimate what a counter at an edge costs, and choose the counters that stay in registers during loops.
#
# A counter in a loop can be a variable of the host function, 0 outside of the loop, which is added to the counter in memory
# when control leaves the loop.  That pays if the loop is left more rarely than the counter is incremented.  LLVM then computes
# the number of iterations from the final value of an induction variable where it can.  And a counter of one edge of a branch
# can be increased by the condition before the branch, so that LLVM remains free to select values instead of branching.


# What an increment costs relative to one in memory: in a register, by a condition, of a counter for the iterations of a loop.
IN_REGISTER, BY_CONDITION, ITERATION = 0.4, 0.5, 0.1
ROOM = 6  # counters in registers at one place: beyond that they end up on the stack
# For each RTL executed: what a counter in a register must save, and how often a function is called that shall be inlined.
RARE, OFTEN = 1e-5, 1e-3
ARM = 4  # RTLs that LLVM executes rather than to branch around them
COSTLY = ("/", "%", "/u", "%u", "SYS")  # operators that it does not execute in vain


class LoopCounters:
    """The loops of a function, with the weights of the edges of its flow graph."""

    def __init__(self, function: Function, graph: FlowGraph, weights: Weights, visible: bool = False) -> None:
        """Look at the loops of a function; counters that are to be `visible` stay in registers in innermost loops only."""
        self.visible = visible
        self.graph, self.often = graph, weights.edges[function.name]
        self.blocks = [(graph.block(tail), graph.block(head)) for tail, head in graph.edges]  # that each edge connects
        self.found: dict[int, Loop | None] = {}
        self.least = RARE * weights.total if weights.known else 0.0
        self.called_often = weights.known and self.often[-1] >= OFTEN * weights.total
        cfg = build_cfg(function)
        self.loops = natural_loops(cfg, dominators(cfg))
        self.exits = {loop.header: self._exits(loop) for loop in self.loops}
        self.iterations = {("blocks", loop.header) for loop in self.loops if _goes_by_induction(function, cfg, loop)}
        self.backs = {loop.header: loop.blocks for loop in self.loops}
        self.choices = _choices(function, cfg)

    def _exits(self, loop: Loop) -> float:
        """Return how often a loop is left, which is how often it is entered."""
        graph, total = self.graph, 0.0
        for edge in range(len(graph.segments), len(graph.edges)):
            tail, head = self.blocks[edge]
            if head in loop.blocks and tail not in loop.blocks:
                total += self.often[edge]
        return total

    def loop(self, edge: int) -> Loop | None:
        """Return the loop in which a counter at an edge stays in a register, None if there is none."""
        if edge not in self.found:
            self.found[edge] = self._loop(edge)
        return self.found[edge]

    def _loop(self, edge: int) -> Loop | None:
        tail, head = self.blocks[edge]
        around = [loop for loop in self.loops if tail in loop.blocks and head in loop.blocks]
        if self.visible:
            best = min(around, key=lambda loop: len(loop.blocks), default=None)
        else:
            best = min(around, key=lambda loop: (self.exits[loop.header], -len(loop.blocks)), default=None)
        place = self.graph.places[edge]
        if best is None or place is None or place[0] in ("ends", "resumed"):
            return None
        if self.exits[best.header] + self.least >= self.often[edge]:
            return None
        return best

    def keep(self, edges: Iterable[int]) -> dict[int, Loop]:
        """Return the loops in which counters at edges stay in registers; those that gain most, while there is room."""
        gains = {edge: self.often[edge] - self.exits[loop.header] for edge in edges if (loop := self.loop(edge)) is not None}
        crowd: dict[int, int] = {}
        result: dict[int, Loop] = {}
        for edge in sorted(gains, key=lambda edge: (-gains[edge], edge)):
            loop = self.loop(edge)
            if loop is not None and all(crowd.get(block, 0) < ROOM for block in loop.blocks):
                result[edge] = loop
                for block in loop.blocks:
                    crowd[block] = crowd.get(block, 0) + 1
        return result

    def choice(self, edge: int) -> int | None:
        """Return the block whose branch takes an edge, if the condition of the branch can increase the counter."""
        place = self.graph.places[edge]
        if place is not None and edge >= len(self.graph.segments):
            block: int = place[1] if place[0] == "taken" else place[1][0]
            if block in self.choices:
                return block
        return None

    def cost(self, edge: int) -> float:
        """Return the estimated cost of a counter at an edge."""
        loop, choice, weight = self.loop(edge), self.choice(edge), self.often[edge]
        if choice is not None:
            weight = self._weight(choice)
        if loop is None:
            return weight
        if choice is not None:
            return self.exits[loop.header] + BY_CONDITION * weight
        return self.exits[loop.header] + weight * (
            ITERATION if self._begins_iteration(edge) else IN_REGISTER + self._is_back(edge)
        )

    def _begins_iteration(self, edge: int) -> bool:
        """True if an edge begins an iteration of a loop with an induction variable."""
        return self.graph.places[edge] in self.iterations

    def _is_back(self, edge: int) -> bool:
        """True if an edge leads back to the header of a loop, where code would hide the induction variable from LLVM."""
        tail, head = self.blocks[edge]
        return edge >= len(self.graph.segments) and tail in self.backs.get(head, ())

    def _weight(self, block: int) -> float:
        return max(o for o, s in zip(self.often, self.graph.segments, strict=False) if s.block == block)


def _goes_by_induction(function: Function, cfg: Cfg, loop: Loop) -> bool:
    """True if a loop ends when a register reaches a value, and each iteration adds the same amount to the register."""
    stepped: set[Register] = set()
    changed: set[Register] = set()
    for number in loop.blocks:
        for rtl in function.blocks[number].rtls:
            for effect in rtl.effects:
                target = effect.target if isinstance(effect, Set) else None
                if isinstance(effect, Set) and isinstance(target, Register):
                    (stepped if _is_step(effect) and target not in stepped else changed).add(target)
    leaving = [number for number in loop.blocks if not loop.blocks.issuperset(cfg.successors[number])]
    return any(not (stepped - changed).isdisjoint(_decisive(function.blocks[number])) for number in leaving)


def _is_step(effect: Set) -> bool:
    source = effect.source
    return isinstance(source, Op) and source.op in "+-" and source.args[0] is effect.target and type(source.args[1]) is Const


def _decisive(block: Block) -> set[Register]:
    """Return the registers on which the branch at the end of a block depends."""
    result: set[Register] = set()
    for rtl in reversed(block.rtls):
        for effect in rtl.effects:
            if isinstance(effect, Branch) or (
                isinstance(effect, Set) and effect.target.type in "CG" and effect.target in result
            ):
                result.update(effect.uses)
    return result


def _choices(function: Function, cfg: Cfg) -> set[int]:
    """Return the blocks whose branch skips so little that LLVM can do without it."""
    delayed = function.stage == "final"
    arms = {
        number
        for number, block in enumerate(function.blocks)
        if len(cfg.predecessors[number]) == len(cfg.successors[number]) == 1 and _is_arm(block, delayed)
    }
    result = set()
    for number, block in enumerate(function.blocks):
        rtl = transfer_of(block, delayed)
        if rtl is not None and isinstance(rtl.transfer, Branch) and not rtl.annuls and len(cfg.successors[number]) == 2:
            ends = [cfg.successors[successor][0] if successor in arms else successor for successor in cfg.successors[number]]
            if ends[0] == ends[1]:
                result.add(number)
    return result


def _is_arm(block: Block, delayed: bool) -> bool:
    transfer = transfer_of(block, delayed)
    rtls = [rtl for rtl in block.rtls if rtl is not transfer]
    return len(rtls) <= ARM and all(map(_is_harmless, rtls)) and (transfer is None or isinstance(transfer.transfer, Jump))


def _is_harmless(rtl: Rtl) -> bool:
    """True if an RTL only computes registers and cannot fault, so that it may be executed without need."""
    return all(
        isinstance(effect, Set)
        and isinstance(effect.target, Register)
        and not any(isinstance(e, Mem) or (isinstance(e, Op) and e.op in COSTLY) for e in subexpressions(effect.source))
        for effect in rtl.effects
    )


# ----------------------------------------------------------------------------------------------------------------------
# The plan.


# ----------------------------------------------------------------------------------------------- what to count


@timed("placing counters")
def plan_counters(program: Program, weights: Counts | None = None, precise: bool = False, visible: bool = False) -> Plan:
    """Place the fewest counters where they cost least.

    `weights` are the counts of an earlier run, in place of estimates.  Counters in loops may stay in registers until control
    leaves the loop; they are lost if a fault or a limit ends the run before.  `precise` counts are not lost: counters are in
    memory, and calls that have not returned are counted, which costs time.  `visible` ones are lost for one innermost loop at
    most, so that they can be looked at while the program runs.

    The last plans are kept with the program, for runs on other inputs.

    Raises ValueError for weights that are of another program.
    """
    known = _plans(program)
    weighed, plan = known.get((precise, visible), (None, None))
    if plan is None or weighed != weights:
        plan = _place_counters(program, weights, precise, visible)
        known[precise, visible] = weights, plan
    return plan


@kept
def _plans(program: Program) -> dict[tuple[bool, bool], tuple[Counts | None, Plan]]:
    """Return the plans of a program that were made: the last one that is precise, or visible, and by which weights."""
    return {}


def _place_counters(program: Program, weights: Counts | None, precise: bool, visible: bool) -> Plan:
    analyses = _analyse(program, weights, not precise, visible)
    inferred = solve(_entry_equations(program, analyses, precise), _costs_of_chords(analyses.values()))
    without = {chord for chord, _, _ in inferred}
    counted: dict[int, int] = {}
    probes: dict[str, FunctionProbes] = {}
    functions: dict[str, FunctionPlan] = {}
    counters = 0  # those of a function follow one another, so that its code need know the first one only
    for name, analysis in analyses.items():
        chords = [chord for chord in analysis.chords.values() if chord not in without]
        counted.update(zip(chords, count(counters), strict=False))
        counters += len(chords)
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

    For precise counts, calls that are only assumed (`ease.counters.reconstruction`) are added.
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
