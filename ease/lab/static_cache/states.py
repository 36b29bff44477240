"""Compute abstract states of an LRU cache: the lines that must, and those that may, be in it before each node.

The age of a line is the number of other lines of its set used after it; a cache holds the lines younger than its number of
ways.  M. Alt, C. Ferdinand, F. Martin, R. Wilhelm, "Cache Behavior Prediction by Abstract Interpretation" (SAS 1996);
F. Mueller, D. Whalley, "Fast Instruction Cache Analysis via Static Cache Simulation" (SS 1995).  Where they copy functions
for each call, a call here has an abstract transfer function, made of what its callee touches and leaves.

Sets of lines, which functions and loops fetch, and in which scopes a line stays, come first.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import and_, or_
from typing import NamedTuple

from cache_sim.config import Cache
from ease.lab.static_cache.graph import Graph, Loop, Node

# ----------------------------------------------------------------------------------------------------------------------
# Represent sets of lines as integers: one bit for each line that a program can fetch.


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


# ----------------------------------------------------------------------------------------------------------------------
# The states.


Ages = tuple[int, ...]  # at index k: the lines of age k or less


class State(NamedTuple):
    """`must` has lines by the upper bound of their age, `may` by the lower bound."""

    must: Ages
    may: Ages

    def joined(self, other: State) -> State:
        """Return the state that holds where two states meet."""
        return State(tuple(map(and_, self.must, other.must)), tuple(map(or_, self.may, other.may)))

    def used(self, bit: int, rivals: int) -> State:
        """Return the state after a use of a line."""
        return State(_used(self.must, bit, rivals, False), _used(self.may, bit, rivals, True))


def empty(ways: int) -> State:
    """Return the state of an empty cache."""
    return State((0,) * ways, (0,) * ways)


def _used(ages: Ages, bit: int, rivals: int, equal_ones: bool) -> Ages:
    """Return bounds of age after a line becomes the youngest of its set.

    Younger lines age by 1.  For lower bounds, lines with the same bound age, too: the line used and another one cannot both
    have that age.
    """
    result = list(ages)
    younger = 0
    for age, lines in enumerate(ages):
        there = bool(lines & bit)
        if not there or equal_ones:
            result[age] = lines & ~rivals | younger & rivals | bit
        if there:
            break
        younger = lines
    return tuple(result)


class CallEffect:
    """The effect of a call on lines: those that its callees cannot touch, and an upper bound for those that they can."""

    def __init__(self, lines: Lines, some: int, every: int) -> None:
        self.some = some
        self.older: dict[int, int] = {}  # by a number: lines that so many others of their set may come before
        self.old_enough = [0] * lines.ways  # at index k: lines that no more than k others must have come before
        for members in lines.sets:
            touched, demanded = (some & members).bit_count(), (every & members).bit_count()
            for others, group in ((touched, members & ~some), (touched - 1, members & some)):
                if group and others < lines.ways:
                    self.older[others] = self.older.get(others, 0) | group
            for age in range(demanded, lines.ways):
                self.old_enough[age] |= members

    def on(self, before: State, behind: State) -> State:
        """Return the state after the call, given `behind`, the state at all returns of its callees."""
        must, may = [], []
        for age, left in enumerate(behind.must):
            kept = left
            for others, lines in self.older.items():
                if others <= age:
                    kept |= before.must[age - others] & lines
            must.append(kept)
        for age, left in enumerate(behind.may):
            may.append((before.may[age] & self.old_enough[age] & ~self.some | self.some) & left)
        return State(tuple(must), tuple(may))


class States:
    """The solution: `before[function][node]` is the state before a node, None if control does not come there."""

    def __init__(self, graphs: Mapping[str, Graph], lines: Lines, touched: Touched, entry: str) -> None:
        self.graphs, self.lines, self.touched = graphs, lines, touched
        self.before: dict[str, list[State | None]] = {name: [None] * len(graph.nodes) for name, graph in graphs.items()}
        self.left: dict[str, State] = {}  # by function, where it returns
        self.effects: dict[tuple[str, ...], CallEffect] = {}
        self.calls: dict[str, list[tuple[str, int]]] = {name: [] for name in graphs}
        for name, graph in graphs.items():
            for number, node in enumerate(graph.nodes):
                for callee in node.callees or ():
                    self.calls[callee].append((name, number))
        self.functions: deque[str] = deque()  # with nodes that wait, the one that has waited longest first
        self.waiting: dict[str, list[int]] = {name: [] for name in graphs}  # heaps of nodes
        self.queued: set[tuple[str, int]] = set()
        self._arrive(entry, 0, empty(lines.ways))
        self._solve()

    def _solve(self) -> None:
        """Process nodes whose states have changed until none is left.

        The order is by function: all calls in a function are processed before its callees, which are then entered once.
        """
        while self.functions:
            name = self.functions.popleft()
            waiting = self.waiting[name]
            while waiting:
                number = heapq.heappop(waiting)
                self.queued.remove((name, number))
                state = self.before[name][number]
                assert state is not None
                self._follow(name, self.graphs[name].nodes[number], state)

    def _follow(self, name: str, node: Node, state: State) -> None:
        """Carry the state behind a node to its successors."""
        for run in node.runs:
            state = state.used(self.lines.bits[run.line], self.lines.rivals[run.line])
        if node.callees is not None:
            for callee in node.callees:
                self._arrive(callee, 0, state)
            behind = self._behind(node.callees)
            if behind is None:
                return
            state = self._effect(node).on(state, behind)
        if node.returns:
            self._return(name, state)
        for successor in node.successors:
            self._arrive(name, successor, state)

    def _arrive(self, name: str, number: int, state: State) -> None:
        """Join a state into the state before a node."""
        old = self.before[name][number]
        new = state if old is None else old.joined(state)
        if new != old:
            self.before[name][number] = new
            self._wait(name, number)

    def _return(self, name: str, state: State) -> None:
        """Join a state into the return state of a function; if that changes, its callers are processed again."""
        old = self.left.get(name)
        new = state if old is None else old.joined(state)
        if new != old:
            self.left[name] = new
            for caller, number in self.calls[name]:
                if self.before[caller][number] is not None:
                    self._wait(caller, number)

    def _wait(self, name: str, number: int) -> None:
        if (name, number) in self.queued:
            return
        self.queued.add((name, number))
        if not self.waiting[name]:
            self.functions.append(name)
        heapq.heappush(self.waiting[name], number)

    def _behind(self, callees: tuple[str, ...]) -> State | None:
        """Return the join of the return states of some functions, None if none returns."""
        found = None
        for callee in callees:
            state = self.left.get(callee)
            if state is not None:
                found = state if found is None else found.joined(state)
        return found

    def _effect(self, node: Node) -> CallEffect:
        assert node.callees is not None
        effect = self.effects.get(node.callees)
        if effect is None:
            effect = self.effects[node.callees] = CallEffect(self.lines, *self.touched.by_call(node))
        return effect
