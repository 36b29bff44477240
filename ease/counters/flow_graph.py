"""Build the flow graph of a function for counters, and the execution classes of its edges.

Two blocks are in one execution class if one dominates the other, the other always follows before the first runs again, and
no loop contains only one of them: EC = (DOM and AS) - DIFFLOOPS.  In a flow graph closed by an edge from its end to its start
this means: every cycle through one block goes through the other (cycle equivalence).  The code compares cycles; it needs no
natural loops, so it also serves irreducible flow (`execution_classes`).  Edges have classes, too: a branch may be taken as
often as some class of blocks is executed.

Segments are counted, not blocks: a block is cut behind each call or system call from which the program may never come back
(`vpo.analysis.transfers.may_end`), and behind setjmp.  An edge leads from there to the end of the graph, and to behind setjmp
from the end.  So counts are exact however deep in calls the program ends, and wherever longjmp goes.

A jump table that several blocks jump by is a vertex of its own, between these blocks and its targets.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from vpo.analysis.cfg import OUTSIDE, Segment, segments, transfer_of
from vpo.analysis.transfers import JumpTable, callee_of, fault_sites, is_exit, shared_tables
from vpo.program import Program
from vpo.rtl import Branch, IndirectJump, Jump, Return, Rtl
from vpo.rtl.function import Block, Function

# ------------------------------------------------------------------------------------------------ the graph


@dataclass(frozen=True, slots=True)
class CountedSegment:
    """RTLs [first, end) of a block, executed equally often.

    `ends`: the program may end at the last of them, or longjmp leave the function.  `resumes`: it may go on behind them.

    Slots that a branch annuls are counted from its outcomes, and belong to the segment before them.
    """

    block: int
    first: int
    end: int
    ends: bool = False
    resumes: bool = False


Place = tuple[str, Any]  # a mapping of `FunctionProbes` and a key in it: where host code can count


@dataclass(slots=True)
class FlowGraph:
    """Segments and edges between them.

    Vertex 2i is the head of segment i, 2i+1 its tail, the next one the end of the function; then come the tables that
    blocks share.  `edges[i]` for i less than the number of segments is segment i itself; then come the edges of control flow,
    and last the one from the end to the start.  `places[i]` is where edge i can be counted; nothing ever goes over an edge
    that has none, before the run is cut short.  `taken[b]` is the edge of the branch of block b when taken.
    """

    segments: list[CountedSegment]
    edges: list[tuple[int, int]]
    places: list[Place | None]
    taken: dict[int, int] = field(default_factory=dict)
    tables: list[JumpTable] = field(default_factory=list)

    @property
    def end(self) -> int:
        """The vertex where the function ends."""
        return 2 * len(self.segments)

    @property
    def vertices(self) -> int:
        """How many vertices there are."""
        return self.end + 1 + len(self.tables)

    def block(self, vertex: int) -> int:
        """Return the block of a vertex, OUTSIDE for the end, the number of the table for one of these."""
        return self.segments[vertex // 2].block if vertex < self.end else OUTSIDE + self.end - vertex

    def flow(self) -> range:
        """Return the edges of control flow, without the one that closes the graph."""
        return range(len(self.segments), len(self.edges) - 1)


def split(program: Program, function: Function, ending: set[str], saving: Container[str]) -> list[CountedSegment]:
    """Cut the blocks of a function behind each RTL at which the program may end."""
    found = []
    sites = fault_sites(program)
    for number, block in enumerate(function.blocks):
        first = 0
        faults = sites.ends(function, block) if sites is not None else set()
        for segment in segments(program.machine, function, block):
            for cut in sorted(end for end in faults if segment.first < end < segment.end):
                found.append(CountedSegment(number, first, cut, ends=True))
                first = cut
            ends, resumes = _may_end(program, block, segment, ending), _may_resume(program, block, segment, saving)
            ends |= segment.end in faults
            if ends or resumes or segment.end == len(block.rtls):
                found.append(CountedSegment(number, first, segment.end, ends, resumes))
                first = segment.end
        if not block.rtls:
            found.append(CountedSegment(number, 0, 0))
    return found


def _may_end(program: Program, block: Block, segment: Segment, ending: set[str]) -> bool:
    """Whether the program may end at the end of a segment."""
    call = block.rtls[segment.call].call if segment.call >= 0 else None
    if call is not None and callee_of(program, call) in ending:
        return True
    return segment.system_call and any(is_exit(program, block, index) for index in range(segment.first, segment.end))


def _may_resume(program: Program, block: Block, segment: Segment, saving: Container[str]) -> bool:
    """Whether longjmp may go on behind a segment, since it calls setjmp."""
    call = block.rtls[segment.call].call if segment.call >= 0 else None
    return call is not None and callee_of(program, call) in saving


def flow_graph(program: Program, function: Function, ending: set[str], saving: Container[str] = ()) -> FlowGraph:
    """Build the graph of a function, closed by an edge from the end to the start.

    Calls of the functions `ending` may not come back, those of the functions `saving` more than once.

    Only what control can reach has edges; what cannot reach the end gets an edge to it.
    """
    found = split(program, function, ending, saving)
    tables = shared_tables(function)
    places: list[Place | None] = [("inner", (s.block, s.first)) if s.first else ("blocks", s.block) for s in found]
    graph = FlowGraph(found, [(2 * i, 2 * i + 1) for i in range(len(found))], places, tables=list(tables.values()))
    heads: dict[int, int] = {}
    for number, segment in enumerate(found):
        heads.setdefault(segment.block, 2 * number)
    heads |= {table.number: graph.end + 1 + i for i, table in enumerate(graph.tables)}
    labels = {block.label: number for number, block in enumerate(function.blocks)}
    out: dict[int, list[tuple[int, Place | None]]] = {}
    for number, segment in enumerate(found):
        block = segment.block
        targets: list[tuple[int, Place | None]] = [(2 * number + 2, None)]
        if segment.end == len(function.blocks[block].rtls):
            rtl = transfer_of(function.blocks[block], function.stage == "final")
            targets = [(heads.get(to, graph.end), place) for to, place in _targets(rtl, block, labels, tables)]
        if segment.ends and graph.end not in dict(targets):
            targets.append((graph.end, ("ends", (block, segment.end - 1))))
        out[2 * number] = targets
    for table in graph.tables:
        onward = dict.fromkeys(labels[label] for label in table.labels)
        out[heads[table.number]] = [(heads[to], ("edges", (table.number, to))) for to in onward]
    _close(graph, out)
    return graph


def _targets(
    rtl: Rtl | None, block: int, labels: Mapping[str, int], tables: Mapping[tuple[str, ...], JumpTable]
) -> list[tuple[int, Place]]:
    """Return the successors of a block, each with the place where its edge is counted; a number out of range is the end."""
    match rtl.transfer if rtl is not None else None:
        case Jump(label=label):
            following = [labels[label]]
        case Branch(label=label):
            return [(block + 1, ("edges", (block, block + 1))), (labels[label], ("taken", block))]
        case IndirectJump(labels=names) if names in tables:
            following = [tables[names].number]
        case IndirectJump(labels=names):
            following = list(dict.fromkeys(labels[name] for name in names))
        case Return():
            following = [OUTSIDE]
        case _:
            following = [block + 1]
    return [(to, ("edges", (block, to))) for to in following]


def _close(graph: FlowGraph, out: Mapping[int, list[tuple[int, Place | None]]]) -> None:
    """Add the edges out of each segment and table, and edges to the end until what control can reach is strongly connected."""
    onward = {vertex: {target for target, _ in targets} for vertex, targets in out.items()}
    reached = _closure([0], lambda v: onward.get(v, ()))
    back: dict[int, list[int]] = {}
    for vertex, targets in onward.items():
        for target in targets:
            back.setdefault(target, []).append(vertex)
    ending = _closure([graph.end], lambda v: back.get(v, ()))
    for vertex in out:
        if vertex not in reached:
            continue
        tail = vertex + (vertex < graph.end)
        for target, place in out[vertex]:
            if place is not None and place[0] == "taken":
                graph.taken[place[1]] = len(graph.edges)
            graph.edges.append((tail, target))
            graph.places.append(place)
        if vertex not in ending:
            graph.edges.append((tail, graph.end))
            graph.places.append(None)
        if vertex < graph.end and graph.segments[vertex // 2].resumes:
            segment = graph.segments[vertex // 2]
            graph.edges.append((graph.end, tail))
            graph.places.append(("resumed", (segment.block, segment.end - 1)))
    graph.edges.append((graph.end, 0))
    graph.places.append(("edges", (OUTSIDE, 0)))


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
    touching: list[list[int]] = [[] for _ in range(graph.vertices)]
    flow = range(len(graph.segments), len(graph.edges))
    present = {graph.edges[i][0] for i in flow} | {graph.edges[i][1] for i in flow}
    for i, (tail, head) in enumerate(graph.edges):
        if tail in present and head in present:
            touching[tail].append(i)
            touching[head].append(i)
    up: dict[int, int] = {graph.end: -1}
    order = [graph.end]
    cover = [0] * graph.vertices
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
