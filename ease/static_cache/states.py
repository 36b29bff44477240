"""Compute abstract states of an LRU cache: the lines that must, and those that may, be in it before each node.

The age of a line is the number of other lines of its set used after it; a cache holds the lines younger than its number of
ways.  M. Alt, C. Ferdinand, F. Martin, R. Wilhelm, "Cache Behavior Prediction by Abstract Interpretation" (SAS 1996);
F. Mueller, D. Whalley, "Fast Instruction Cache Analysis via Static Cache Simulation" (SS 1995).  Where they copy functions
for each call, a call here has an abstract transfer function, made of what its callee touches and leaves.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Mapping
from operator import and_, or_
from typing import NamedTuple

from ease.static_cache.graph import Graph, Node
from ease.static_cache.line_sets import Lines, Touched

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
