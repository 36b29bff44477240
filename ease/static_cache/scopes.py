"""Find scopes: parts of a program during which a line stays in the cache, because its set has room for all its lines there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ease.static_cache.graph import Graph, Loop
from ease.static_cache.line_sets import Lines
from ease.static_cache.touched import Touched


@dataclass(frozen=True, slots=True)
class Whole:
    """The scope of a whole run."""


@dataclass(frozen=True, slots=True)
class Called:
    """The scope of a call, from the call to its return; `site` is the number of the instruction that calls."""

    site: int


Scope = Whole | Loop | Called


class Scopes:
    """Finds the largest scopes in which a cache set evicts no line."""

    def __init__(self, graphs: Mapping[str, Graph], lines: Lines, touched: Touched, entry: str) -> None:
        self.graphs, self.lines = graphs, lines
        self.crowded = {name: lines.crowded(touched.some[name]) for name in graphs}
        self.entry = entry
        self.inside: dict[tuple[str, int], list[tuple[Loop, int]]] = {}  # by node: loops, outer ones first, what is crowded
        for name, graph in graphs.items():
            for loop, nodes in reversed(graph.loops.items()):
                crowded = lines.crowded(touched.by_nodes(name, nodes))
                for number in nodes:
                    self.inside.setdefault((name, number), []).append((loop, crowded))
        self.calls: dict[str, list[tuple[str, int]]] = {name: [] for name in graphs}
        for name, graph in graphs.items():
            for number, node in enumerate(graph.nodes):
                for callee in node.callees or ():
                    self.calls[callee].append((name, number))
        self.known: dict[tuple[str, int], tuple[Scope, ...]] = {}

    def of(self, name: str, node: int, line: int) -> tuple[Scope, ...]:
        """Return scopes of which one is active whenever a node of a function uses a line; none if no scopes cover all uses.

        The line misses at most once from the beginning of such a scope to its end.
        """
        bit, rivals = self.lines.bits[line], self.lines.rivals[line]
        if not self.crowded[self.entry] & bit:
            return (Whole(),)
        own = tuple(loop for loop, crowded in self.inside.get((name, node), ()) if not crowded & bit)[:1]
        if self.crowded[name] & bit:
            return own
        key = name, rivals
        if key not in self.known:
            self.known[key] = tuple(dict.fromkeys(self._around(name, bit, {name})))
        found = self.known[key]
        every_call = {Called(self.graphs[caller].nodes[number].call) for caller, number in self.calls[name]}
        return found if own or set(found) != every_call else ()

    def _around(self, name: str, bit: int, seen: set[str]) -> Iterator[Scope]:
        """Yield the scopes around all calls of a function that itself evicts no line of the set.

        `seen` functions are on the path of calls: a scope around those calls is around this one, too.
        """
        for caller, number in self.calls[name]:
            if not self.crowded[caller] & bit:
                if caller not in seen:
                    seen.add(caller)
                    yield from self._around(caller, bit, seen)
                continue
            loops = (loop for loop, crowded in self.inside.get((caller, number), ()) if not crowded & bit)
            yield next(loops, Called(self.graphs[caller].nodes[number].call))
