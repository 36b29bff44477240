"""Compute exact counts for runs that were cut short.

The place of control in each activation is known: the fault, or a call that has not returned.  Each activation is assumed to
go from there to its end on a shortest path.  With that, as much flows into each vertex of the flow graphs as out of it,
counts follow as for a complete run, and the assumed part is subtracted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ease.counters.flow_graph import FlowGraph
from vpo.analysis.cfg import annulled_slots, delay_slots
from vpo.analysis.transfers import callee_of
from vpo.program import Program
from vpo.system.faults import Fault


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
