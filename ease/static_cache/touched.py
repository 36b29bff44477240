"""Find the lines that functions and loops fetch, including what they call: lines that may be touched, and lines that must."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from ease.static_cache.graph import Graph, Node
from ease.static_cache.line_sets import Lines


class Touched:
    """The lines touched by each function until it returns: `some` has those of any path, `every` those of all paths."""

    def __init__(self, graphs: Mapping[str, Graph], lines: Lines) -> None:
        self.graphs = graphs
        self.everything = (1 << len(lines.numbers)) - 1
        self.own = {
            name: [_union(lines.bits[run.line] for run in node.runs) for node in graph.nodes] for name, graph in graphs.items()
        }
        self.some = dict.fromkeys(graphs, 0)
        self.every = dict.fromkeys(graphs, self.everything)  # what never returns keeps it
        _settle(self.some, lambda name: self.by_nodes(name, range(len(graphs[name].nodes))))
        _settle(self.every, lambda name: self.on_every_path(name, range(len(graphs[name].nodes)), 0))

    def by_call(self, node: Node) -> tuple[int, int]:
        """Return the lines that a call may touch, and those that it must touch before it returns."""
        callees = node.callees or ()
        return _union(self.some[name] for name in callees), self.common(self.every[name] for name in callees)

    def by_nodes(self, name: str, nodes: Iterable[int]) -> int:
        """Return the lines that some nodes of a function, and what they call, may touch."""
        graph = self.graphs[name]
        return _union(self.own[name][n] | self.by_call(graph.nodes[n])[0] for n in nodes)

    def on_every_path(self, name: str, nodes: Collection[int], start: int) -> int:
        """Return the lines touched on every path from a start node until control leaves some nodes of a function.

        A path may come back to the start.  If control never leaves, the result has all lines.
        """
        graph = self.graphs[name].nodes
        before = {start: 0}
        waiting = [start]
        left = self.everything
        while waiting:
            number = waiting.pop()
            node = graph[number]
            after = before[number] | self.own[name][number]
            if node.callees is not None:
                after |= self.by_call(node)[1]
            if node.returns:
                left &= after
            for successor in node.successors:
                if successor not in nodes:
                    left &= after
                elif before.get(successor, self.everything) & after != before.get(successor):
                    before[successor] = before.get(successor, self.everything) & after
                    waiting.append(successor)
        return left

    def common(self, sets: Iterable[int]) -> int:
        """Return the intersection of sets of lines."""
        result = self.everything
        for lines in sets:
            result &= lines
        return result


def _settle(known: dict[str, int], find: Callable[[str], int]) -> None:
    """Compute the value of each function again until nothing changes."""
    changed = True
    while changed:
        changed = False
        for name in reversed(known):
            found = find(name)
            changed |= found != known[name]
            known[name] = found


def _union(sets: Iterable[int]) -> int:
    result = 0
    for lines in sets:
        result |= lines
    return result
