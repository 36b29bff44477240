"""Weigh the edges of flow graphs: how often control takes them, guessed from the code alone or as an earlier run counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ease.counters.flow_graph import FlowGraph
from ease.model.results import Counts
from vpo.analysis.cfg import OUTSIDE
from vpo.analysis.estimated_flow import Flow, estimated_flow
from vpo.analysis.frequency import RARELY, TRIP_COUNT
from vpo.analysis.transfers import INDIRECT, callee_of
from vpo.program import Program
from vpo.rtl.function import Function


@dataclass(frozen=True, slots=True)
class Weights:
    """How often control takes the edges of each function's flow graph, and how many RTLs are executed in all.

    `known`: the weights are those of an earlier run, so that what was rare there may be taken to be rare.
    """

    edges: dict[str, list[float]]
    total: float
    known: bool


def estimated_weights(program: Program, graphs: Mapping[str, FlowGraph]) -> Weights:
    """Estimate how often each edge is taken."""
    flows = {name: estimated_flow(function) for name, function in program.functions.items()}
    entries = _estimated_entries(program, flows)
    edges: dict[str, list[float]] = {}
    total = 0.0
    for name, function in program.functions.items():
        edges[name] = [entries[name] * weight for weight in [*_weights(graphs[name], *flows[name], {}), 1.0]]
        total += entries[name] * sum(o * len(b.rtls) for o, b in zip(flows[name][0], function.blocks, strict=True))
    return Weights(edges, total, known=False)


def counted_weights(program: Program, graphs: Mapping[str, FlowGraph], counts: Counts) -> Weights:
    """Return how often control took each edge in an earlier run, as exactly as its counts tell.

    Raises ValueError for counts of another program.
    """
    _check(program, counts)
    edges = {name: _counted_edges(function, graphs[name], counts) for name, function in program.functions.items()}
    return Weights(edges, counts.instructions, known=True)


def _check(program: Program, counts: Counts) -> None:
    for name, function in program.functions.items():
        shape = (len(function.rtls()), len(function.blocks))
        if (len(counts.rtls.get(name, ())), len(counts.taken.get(name, ()))) != shape:
            raise ValueError(f"the counts to go by are of another program: {name} is not the same there")


def _counted_edges(function: Function, graph: FlowGraph, counts: Counts) -> list[float]:
    rtls, taken = counts.rtls[function.name], counts.taken[function.name]
    blocks = [0.0] * (len(function.blocks) + 1)
    end = len(rtls)
    for number in range(len(function.blocks) - 1, -1, -1):
        size = len(function.blocks[number].rtls)
        end -= size
        blocks[number] = rtls[end] if size else blocks[number + 1]  # an empty block falls into the next
    edges = {}
    for number in graph.flow():
        source, target = map(graph.block, graph.edges[number])
        if source > OUTSIDE and target > OUTSIDE:
            edges[source, target] = min(blocks[source], blocks[target])
    for number in graph.taken:
        edges[number, number + 1] = max(blocks[number] - taken[number], 0)
    return [*_weights(graph, blocks, edges, {number: float(taken[number]) for number in graph.taken}), blocks[0]]


def _weights(
    graph: FlowGraph, blocks: list[float], edges: Mapping[tuple[int, int], float], taken: Mapping[int, float]
) -> list[float]:
    """Extend the weights of blocks and of edges between blocks to a flow graph, without the edge that closes it."""
    branches = {edge: block for block, edge in graph.taken.items()}
    visits = dict(enumerate(blocks)) | {table.number: sum(blocks[b] for b in table.blocks) for table in graph.tables}
    result = [blocks[segment.block] for segment in graph.segments]
    for number in graph.flow():
        place, (source, target) = graph.places[number], map(graph.block, graph.edges[number])
        if place is not None and place[0] == "resumed":
            weight = RARELY * visits[target]
        elif place is None or place[0] == "ends":
            weight = RARELY * visits[source] if target == OUTSIDE else visits[source]
        elif number in branches and branches[number] in taken:
            weight = taken[branches[number]]
        elif target == OUTSIDE:
            weight = visits[source]
        else:
            weight = edges[source, target] if source > OUTSIDE and target > OUTSIDE else min(visits[source], visits[target])
        result.append(weight)
    return result


def _estimated_entries(program: Program, flows: Mapping[str, Flow]) -> dict[str, float]:
    """Estimate how often each function is entered, along calls from the start; recursion counts as ten activations."""
    calls = {name: _calls(program, function, flows[name][0]) for name, function in program.functions.items()}
    order = _callers_first(program.entry, calls)
    position = {name: number for number, name in enumerate(order)}
    entries = dict.fromkeys(program.functions, RARELY)
    entries[program.entry] = 1.0
    recursive = {callee for name in order for callee in calls[name] if position[callee] <= position[name]}
    for name in order:
        if name in recursive:
            entries[name] *= TRIP_COUNT
        for callee, times in calls[name].items():
            if position[callee] > position[name]:
                entries[callee] += entries[name] * times
    return entries


def _calls(program: Program, function: Function, often: list[float]) -> dict[str, float]:
    """Return how often a function calls each other one directly in one activation."""
    result: dict[str, float] = {}
    for number, block in enumerate(function.blocks):
        for rtl in block.rtls:
            if rtl.call is not None:
                callee = callee_of(program, rtl.call)
                result[callee] = result.get(callee, 0.0) + often[number]
    result.pop(INDIRECT, None)
    return result


def _callers_first(entry: str, calls: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Return the functions so that callers come before callees, except in recursion."""
    order: list[str] = []
    seen: set[str] = set()
    for start in (entry, *calls):
        if start in seen:
            continue
        seen.add(start)
        stack = [(start, iter(calls[start]))]
        while stack:
            name, callees = stack[-1]
            new = next((callee for callee in callees if callee not in seen), None)
            if new is None:
                order.append(name)
                stack.pop()
            else:
                seen.add(new)
                stack.append((new, iter(calls[new])))
    return order[::-1]
