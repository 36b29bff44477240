"""Counters per execution class, and the exact counts of every RTL and branch that follow from them.

Blocks belong to one execution class, EC = (DOM and AS) - DIFFLOOPS, if one dominates the other, the other always
succeeds it (before the first can run again), and no loop holds only one of them.  For a flow graph closed by an edge
from its end to its start that is to say: every cycle through one block goes through the other (cycle equivalence).
Cycles are compared here, which needs no natural loops and so also serves irreducible flow (`execution_classes`).
Edges are in classes too: a branch taken as often as some class of blocks executes needs no counter of its own, nor
does one that conservation of flow leaves only one value.

The unit that is counted is the segment: a block, cut behind each call or system call from which the program may never
come back (`may_end`).  From there an edge leads to the end of the graph, so counts are exact however deep in calls
the program ends.  Only a run that ends by a fault or a limit has counts that may be off by one for each activation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ease.host.flow import INDIRECT, address_taken, callee_of, delay_slots
from ease.host.translate import FunctionProbes
from ease.results import Counts
from vpo.cfg import annulled_slots, frequencies, transfer_of
from vpo.function import Block, Function
from vpo.program import Program
from vpo.rtl import Branch, Const, IndirectJump, Jump, Op, Register, Return, Rtl, Set

EXITS = ("exit", "exit_group")  # system calls that end the program

# ------------------------------------------------------------------------------------ who may never come back


def may_end(program: Program) -> set[str]:
    """Return the functions in which, or below which, the program can end; INDIRECT if an indirect call can."""
    callees = {name: _callees(program, function) for name, function in program.functions.items()}
    ending = {name for name, function in program.functions.items() if _exits(program, function)}
    taken = set(address_taken(program))
    changed = True
    while changed:
        new = {name for name, called in callees.items() if called & ending} | ending
        if taken & new:
            new.add(INDIRECT)
        changed = new != ending
        ending = new
    return ending


def _callees(program: Program, function: Function) -> set[str]:
    return {callee_of(program, call) for rtl in function.rtls() if (call := rtl.call) is not None}


def _exits(program: Program, function: Function) -> bool:
    return any(is_exit(program, block, index) for block in function.blocks for index in range(len(block.rtls)))


def is_exit(program: Program, block: Block, index: int) -> bool:
    """Whether an RTL is a system call that ends the program, as far as its block tells."""
    for effect in block.rtls[index].effects:
        source = effect.source if isinstance(effect, Set) else None
        if isinstance(source, Op) and source.op == "SYS":
            number = source.args[0]
            if isinstance(number, Register):
                number = _value_before(program, block, index, number) or number
            if not isinstance(number, Const) or program.machine.syscalls.get(number.value) in EXITS:
                return True
    return False


def _value_before(program: Program, block: Block, index: int, register: Register) -> Const | None:
    """Return the constant that a register holds before an RTL, if its block tells."""
    machine = program.machine
    places = set(machine.storage(register))
    for rtl in reversed(block.rtls[:index]):
        if rtl.call is not None or any(not places.isdisjoint(machine.storage(r)) for r in machine.record(rtl).clobbers):
            return None
        for effect in rtl.effects:
            target = effect.target if isinstance(effect, Set) else None
            if isinstance(target, Register) and not places.isdisjoint(machine.storage(target)):
                known = isinstance(effect, Set) and target is register and isinstance(effect.source, Const)
                return effect.source if known else None  # type: ignore[union-attr, return-value]
    return None


# ------------------------------------------------------------------------------------------------ the graph


@dataclass(frozen=True, slots=True)
class Segment:
    """RTLs [first, end) of a block; the program may end at the last of them if `ends`."""

    block: int
    first: int
    end: int
    ends: bool = False


@dataclass(slots=True)
class FlowGraph:
    """Segments and edges between them.

    Vertex 2i is the head of segment i, 2i+1 its tail, the last one the end of the function.  `edges[i]` for i less
    than the number of segments is segment i itself; then come the edges of control flow, and last the one from the
    end to the start.  `taken[b]` is the edge of the branch of block b when taken.
    """

    segments: list[Segment]
    edges: list[tuple[int, int]]
    taken: dict[int, int] = field(default_factory=dict)

    @property
    def end(self) -> int:
        """The vertex where the function ends."""
        return 2 * len(self.segments)


def split(program: Program, function: Function, ending: set[str]) -> list[Segment]:
    """Cut the blocks of a function behind everything that may not come back."""
    segments = []
    for number, block in enumerate(function.blocks):
        first = 0
        for end, ends in _units(program, function, block, ending):
            if ends and end < len(block.rtls):
                segments.append(Segment(number, first, end, True))
                first = end
            elif end >= len(block.rtls):
                segments.append(Segment(number, first, len(block.rtls), ends))
        if not block.rtls:
            segments.append(Segment(number, 0, 0))
    return segments


def _units(program: Program, function: Function, block: Block, ending: set[str]) -> Iterator[tuple[int, bool]]:
    """Yield for each RTL, with those in its delay slots, where it ends and whether the program may end there."""
    index = 0
    while index < len(block.rtls):
        rtl = block.rtls[index]
        end = index + 1 + delay_slots(program.machine, function, rtl)
        call = rtl.call
        ends = call is not None and callee_of(program, call) in ending
        ends = ends or any(is_exit(program, block, i) for i in range(index, min(end, len(block.rtls))))
        yield end, ends
        index = end


def flow_graph(program: Program, function: Function, ending: set[str]) -> FlowGraph:
    """Build the graph of a function, closed by an edge from the end to the start.

    Only what control can reach has edges; what cannot reach the end gets an edge to it.
    """
    segments = split(program, function, ending)
    heads: dict[int, int] = {}
    for number, segment in enumerate(segments):
        heads.setdefault(segment.block, number)
    labels = {block.label: heads[number] for number, block in enumerate(function.blocks)}
    end = 2 * len(segments)
    out: list[list[tuple[int, bool]]] = []
    for number, segment in enumerate(segments):
        targets = [(2 * number + 2, False)]  # the next segment, or the end
        if segment.end == len(function.blocks[segment.block].rtls):
            rtl = transfer_of(function.blocks[segment.block], function.stage == "final")
            targets = _targets(rtl, 2 * number + 2, labels, end)
        out.append([*targets, (end, False)] if segment.ends else targets)
    return _close(segments, out, end)


def _targets(rtl: Rtl | None, following: int, labels: dict[str, int], end: int) -> list[tuple[int, bool]]:
    """Return the vertices after a block, and which one is reached by a branch taken."""
    match rtl.transfer if rtl is not None else None:
        case Jump(label=label):
            return [(2 * labels[label], False)]
        case Branch(label=label):
            return [(following, False), (2 * labels[label], True)]
        case IndirectJump(labels=names):
            return [(2 * target, False) for target in dict.fromkeys(labels[name] for name in names)]
        case Return():
            return [(end, False)]
    return [(following, False)]


def _close(segments: list[Segment], out: list[list[tuple[int, bool]]], end: int) -> FlowGraph:
    """Make the graph of what is reachable strongly connected."""
    onward = [{target for target, _ in targets} for targets in out]
    reached = _closure([0], lambda v: onward[v // 2] if v < end else ())
    back: dict[int, list[int]] = {}
    for number, targets in enumerate(onward):
        for target in targets:
            back.setdefault(target, []).append(2 * number)
    ending = _closure([end], lambda v: back.get(v, ()))
    graph = FlowGraph(segments, [(2 * i, 2 * i + 1) for i in range(len(segments))])
    for number, segment in enumerate(segments):
        if 2 * number not in reached:
            continue
        for target, is_taken in out[number]:
            if is_taken:
                graph.taken[segment.block] = len(graph.edges)
            graph.edges.append((2 * number + 1, target))
        if 2 * number not in ending:
            graph.edges.append((2 * number + 1, end))
    graph.edges.append((end, 0))
    return graph


def _closure(start: Iterable[int], onward: Callable[[int], Iterable[int]]) -> set[int]:
    seen = set(start)
    stack = list(seen)
    while stack:
        for vertex in onward(stack.pop()):
            if vertex not in seen:
                seen.add(vertex)
                stack.append(vertex)
    return seen


# ------------------------------------------------------------------------------------------ execution classes


def execution_classes(graph: FlowGraph) -> list[int | None]:
    """Return the class of each edge, None for what control cannot reach: equal numbers execute equally often.

    Two edges are in the same cycles of a strongly connected graph just if they are when directions are ignored
    (Johnson, Pearson and Pingali, "The Program Structure Tree", 1994), and that is so just if the same edges outside
    a spanning tree close a cycle over both.  Each such edge is one bit of an integer here.
    """
    touching: list[list[int]] = [[] for _ in range(graph.end + 1)]
    flow = range(len(graph.segments), len(graph.edges))
    present = {graph.edges[i][0] for i in flow} | {graph.edges[i][1] for i in flow}
    for i, (tail, head) in enumerate(graph.edges):
        if tail in present and head in present:
            touching[tail].append(i)
            touching[head].append(i)
    up: dict[int, int] = {graph.end: -1}
    order = [graph.end]
    cover = [0] * (graph.end + 1)
    marks: dict[int, int] = {}
    for vertex in order:
        for i in touching[vertex]:
            tail, head = graph.edges[i]
            other = head if tail == vertex else tail
            if other not in up:
                up[other] = i
                order.append(other)
            elif i != up[vertex] and i not in marks and up[other] != i:
                marks[i] = 1 << len(marks)
                cover[tail] ^= marks[i]
                cover[head] ^= marks[i]
    for vertex in reversed(order[1:]):
        i = up[vertex]
        tail, head = graph.edges[i]
        marks[i] = cover[vertex]
        cover[head if tail == vertex else tail] ^= cover[vertex]
    numbers: dict[int, int] = {}
    return [numbers.setdefault(marks[i], len(numbers)) if i in marks else None for i in range(len(graph.edges))]


# ----------------------------------------------------------------------------------------------- what to count


@dataclass(frozen=True, slots=True)
class FunctionPlan:
    """How the counts of a function follow from counters.

    Classes in `counted` have a counter; `derived` lists, in the order in which they can be worked out, others with
    the classes to add and to subtract.  `segments` has (first RTL, one past the last, class) over the whole function,
    `taken` the class of the taken edge for the block of each branch, `traps` the counter of each RTL that moves the
    register window.
    """

    counted: dict[int, int]
    derived: list[tuple[int, list[int], list[int]]]
    segments: list[tuple[int, int, int | None]]
    taken: dict[int, int]
    blocks: int
    traps: dict[int, int]


@dataclass(frozen=True, slots=True)
class Plan:
    """The counters of a program: where the host code increments them and what they tell."""

    probes: dict[str, FunctionProbes]
    functions: dict[str, FunctionPlan]
    counters: int


def plan_counters(program: Program) -> Plan:
    """Place one counter for each execution class of blocks, and for the branches that no class tells of."""
    ending = may_end(program)
    probes: dict[str, FunctionProbes] = {}
    functions: dict[str, FunctionPlan] = {}
    counters = 0
    for name, function in program.functions.items():
        plan, probes[name] = _plan_function(program, function, ending, counters)
        functions[name] = plan
        counters += len(plan.counted) + len(plan.traps)
    return Plan(probes, functions, counters)


def _plan_function(program: Program, function: Function, ending: set[str], first: int) -> tuple[FunctionPlan, FunctionProbes]:
    graph = flow_graph(program, function, ending)
    classes = execution_classes(graph)
    counted: dict[int, int] = {}
    blocks: dict[int, int] = {}
    inner: dict[tuple[int, int], int] = {}
    for segment, cls in zip(graph.segments, classes, strict=False):
        if cls is not None and cls not in counted:
            counted[cls] = first + len(counted)
            if segment.first:
                inner[segment.block, segment.first] = counted[cls]
            else:
                blocks[segment.block] = counted[cls]
    taken = {block: cls for block, edge in graph.taken.items() if (cls := classes[edge]) is not None}
    flow = _Conservation(graph, classes, counted)
    probes: dict[int, int] = {}
    often = frequencies(function) if any(cls not in flow.known for cls in taken.values()) else []
    for number in sorted(taken, key=lambda block: (often[block] if often else 0, block)):
        if taken[number] not in flow.known:
            counted[taken[number]] = probes[number] = first + len(counted)
            flow.learn(taken[number])
    starts = [0]
    for item in function.blocks:
        starts.append(starts[-1] + len(item.rtls))
    segments: list[tuple[int, int, int | None]] = []
    for segment, cls in zip(graph.segments, classes, strict=False):
        begin, end = starts[segment.block] + segment.first, starts[segment.block] + segment.end
        block = function.blocks[segment.block]
        slots = annulled_slots(block) if segment.end == len(block.rtls) else 0
        segments.append((begin, end - slots, cls))
        if slots:  # executed as often as the branch is taken
            segments.append((end - slots, end, taken.get(segment.block)))
    traps: dict[tuple[int, int], int] = {}
    for place in _window_moves(program, function):
        traps[place] = first + len(counted) + len(traps)
    by_position = {starts[block] + index: counter for (block, index), counter in traps.items()}
    plan = FunctionPlan(counted, flow.derived, segments, taken, len(function.blocks), by_position)
    return plan, FunctionProbes(blocks, probes, inner, traps)


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


class _Conservation:
    """What follows from some counts because as much flows into each vertex as out of it."""

    def __init__(self, graph: FlowGraph, classes: Sequence[int | None], known: Iterable[int]) -> None:
        self.equations: list[dict[int, int]] = [{} for _ in range(graph.end + 1)]
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

    def learn(self, cls: int) -> None:
        """Take one more class as known."""
        self.known.add(cls)
        self._work(self.mentions.get(cls, ()))

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


# ------------------------------------------------------------------------------------------------ back to counts


def reconstruct(plan: Plan, counters: Sequence[int], partial: bool = False) -> Counts:
    """Return how often each RTL was executed and each branch taken.

    Exact unless the run was cut short (`partial`), when no count is let fall below 0.
    """
    rtls: dict[str, list[int]] = {}
    taken: dict[str, list[int]] = {}
    traps: dict[str, dict[int, int]] = {}
    for name, function in plan.functions.items():
        values = {cls: counters[counter] for cls, counter in function.counted.items()}
        for cls, plus, minus in function.derived:
            value = sum(values[c] for c in plus) - sum(values[c] for c in minus)
            values[cls] = max(value, 0) if partial else value
        counts: list[int] = []
        for first, end, segment_class in function.segments:
            counts += [0 if segment_class is None else values[segment_class]] * (end - first)
        rtls[name] = counts
        taken[name] = [values[function.taken[b]] if b in function.taken else 0 for b in range(function.blocks)]
        traps[name] = {position: counters[counter] for position, counter in function.traps.items()}
    return Counts(rtls, taken, traps)
