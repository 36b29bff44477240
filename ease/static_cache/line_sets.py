"""Represent sets of lines as integers: one bit for each line that a program can fetch."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from cache_sim.config import Cache
from ease.static_cache.graph import Graph, Loop, Node


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a program in a cache.

    `numbers` are their addresses divided by the line size, in order, and `bits` the bit of each.  `rivals` has for each line
    all lines of its cache set, and `sets` has each of these once.  `ways` is the associativity, at most the size of the
    largest set.
    """

    numbers: tuple[int, ...]
    bits: dict[int, int]
    rivals: dict[int, int]
    sets: tuple[int, ...]
    ways: int

    def crowded(self, touched: int) -> int:
        """Return the lines in cache sets that have more touched lines than ways."""
        return sum(members for members in self.sets if (members & touched).bit_count() > self.ways)

    def members(self, lines: int) -> Iterator[int]:
        """Yield the numbers of the lines whose bits are set."""
        return (number for number in self.numbers if self.bits[number] & lines)


def lines_of(numbers: Iterable[int], cache: Cache) -> Lines:
    """Return the lines of graphs, arranged by the sets of a cache."""
    ordered = tuple(sorted(set(numbers)))
    bits = {number: 1 << index for index, number in enumerate(ordered)}
    members: dict[int, int] = {}
    for number in ordered:
        members[number % cache.sets] = members.get(number % cache.sets, 0) | bits[number]
    rivals = {number: members[number % cache.sets] for number in ordered}
    most = max((lines.bit_count() for lines in members.values()), default=1)
    return Lines(ordered, bits, rivals, tuple(members.values()), min(cache.ways, most))


# ----------------------------------------------------------------------------------------------------------------------
# Find the lines that functions and loops fetch, including what they call: lines that may be touched, and lines that must.


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


# ----------------------------------------------------------------------------------------------------------------------
# Find scopes: parts of a program during which a line stays in the cache, because its set has room for all its lines there.


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
