"""Iterated register coalescing: in which order to colour the nodes, and which of them are to share a register.

Nodes with fewer neighbours than colours are taken out of the graph, since a colour will be left for them, whatever the others
get.  The ends of moves are merged where that cannot make the graph harder to colour, by the tests of Briggs and of George,
the more often executed moves first; as the graph becomes smaller, more of them pass.  If nothing is left but nodes with many
neighbours, one that is cheap in memory is taken out and may get no colour, as Briggs has it.
George and Appel, "Iterated Register Coalescing" (TOPLAS 18(3), 1996).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from heapq import heapify, heappop, heappush

from vpo.analysis.liveness import bits
from vpo.opt.registers.interference import Graph, Move

NEVER = 1e30  # the cost of keeping in memory what was made to be in a register
FINISHED, WAITING, READY = range(3)  # what is known of a move: nothing to do, nothing to do now, worth a try


class Simplifier:
    """Merges and orders the nodes of a graph.  `unspillable` are the nodes that must get a register."""

    def __init__(self, graph: Graph, unspillable: int) -> None:
        self.graph, self.adjacent, self.allowed = graph, graph.adjacent, graph.allowed
        self.unspillable = unspillable
        count = len(graph.registers)
        self.alias = list(range(count))
        self.present = graph.mentioned & ~graph.hard_mask  # the nodes that are still in the graph
        self.high = 0  # of these, the nodes that may be left without a colour
        self.at_limit = 0  # of these, the nodes that have just as many neighbours as colours (others may be in it, too)
        self.degree = [0] * count
        self.stack: list[int] = []
        self.moves = [move for move in graph.moves if move.target != move.source]
        self.states = [WAITING] * len(self.moves)
        self.concerned = 0  # the nodes that have moves
        self.moves_of: dict[int, list[int]] = defaultdict(list)
        self.ready: list[tuple[float, int]] = []
        self.free: list[int] = []  # nodes of low degree that no move concerns
        self.moved: set[int] = set()  # nodes of low degree that some move may merge
        self.freezing: list[tuple[float, int]] = []
        self.spilling: list[tuple[float, int]] | None = None  # the nodes of high degree, once one has to be chosen

    def run(self) -> list[int]:
        """Return the nodes in the order in which they are to be coloured, the last first."""
        self._start()
        while self.present:
            if self.free:
                self._take_out(self.free.pop())
            elif self.ready:
                self._try(heappop(self.ready)[1])
            elif self.moved:
                self._freeze_cheapest()
            else:
                self._choose_for_memory()
        return self.stack

    def find(self, node: int) -> int:
        """Return the node that a node has been merged into."""
        alias = self.alias
        while alias[node] != node:
            alias[node] = alias[alias[node]]
            node = alias[node]
        return node

    def is_low(self, node: int) -> bool:
        """Whether a colour is left for a node whatever its neighbours get."""
        return self.degree[node] < len(self.allowed[node])

    def _see_limit(self, node: int) -> None:
        if self.degree[node] <= len(self.allowed[node]):
            self.at_limit |= 1 << node
        else:
            self.at_limit &= ~(1 << node)

    # ------------------------------------------------------------------------------------------------- worklists

    def _start(self) -> None:
        for number, move in enumerate(self.moves):
            for node in (move.target, move.source):
                self.moves_of[node].append(number)
                self.concerned |= 1 << node
            self._make_ready(number)
        there = self.present | self.graph.hard_mask
        for node in bits(self.present):
            self.degree[node] = self.graph.weight(node, self.adjacent[node] & there)
        for node in bits(self.present):
            if self.is_low(node):
                self._enlist(node)
            else:
                self.high |= 1 << node
                self._see_limit(node)

    def _make_ready(self, number: int) -> None:
        self.states[number] = READY
        heappush(self.ready, (-self.moves[number].weight, number))

    def _active(self, node: int) -> Iterator[int]:
        """Yield the moves that may yet merge a node with another."""
        return (number for number in self.moves_of.get(node, ()) if self.states[number] != FINISHED)

    def _enlist(self, node: int) -> None:
        """Put a node of low degree where it belongs."""
        weight = sum(self.moves[number].weight for number in self._active(node))
        if weight:
            self.moved.add(node)
            heappush(self.freezing, (weight, node))
        else:
            self.moved.discard(node)
            self.free.append(node)

    def _take_out(self, node: int) -> None:
        bit = 1 << node
        if not self.present & bit:
            return
        self.present ^= bit
        self.high &= ~bit
        self.stack.append(node)
        for other in bits(self.adjacent[node] & self.present):
            self._lower(other, node)

    def _lower(self, node: int, gone: int) -> None:
        """Lower the degree of a node that has lost a neighbour."""
        before, widths, colours = self.degree[node], self.graph.widths, len(self.allowed[node])
        self.degree[node] = after = before - (2 if widths[gone] > 1 and widths[node] == 1 else 1)
        if after <= colours < before:
            self.at_limit |= 1 << node
        if after < colours <= before:
            self.high &= ~(1 << node)
            for other in bits((self.adjacent[node] | 1 << node) & self.present & self.concerned):
                self._retry(other)
            self._enlist(node)

    def _retry(self, node: int) -> None:
        for number in self.moves_of.get(node, ()):
            if self.states[number] == WAITING:
                self._make_ready(number)

    def _finish(self, number: int) -> None:
        """Have done with a move; its ends may be free of moves now."""
        self.states[number] = FINISHED
        move = self.moves[number]
        for node in {self.find(move.target), self.find(move.source)}:
            if self.present >> node & 1 and self.is_low(node) and not any(self._active(node)):
                self._enlist(node)

    def _freeze_cheapest(self) -> None:
        """Give up the moves of the node that gains least by them."""
        _, node = heappop(self.freezing)
        if node in self.moved:
            self._freeze(node)
            self._enlist(node)

    def _freeze(self, node: int) -> None:
        for number in list(self._active(node)):
            self._finish(number)

    def _choose_for_memory(self) -> None:
        """Take out a node that is cheap in memory and has many neighbours."""
        if self.spilling is None:
            self.spilling = [(self._badness(node), node) for node in bits(self.present)]
            heapify(self.spilling)
        while True:
            known, node = heappop(self.spilling)
            if not self.present >> node & 1:
                continue
            badness = self._badness(node)
            if badness <= known or not self.spilling or badness <= self.spilling[0][0]:
                break
            heappush(self.spilling, (badness, node))
        self._freeze(node)
        self._take_out(node)

    def _badness(self, node: int) -> float:
        """Return the cost over the degree squared, as in Bernstein et al., "Spill Code Minimization Techniques" (1989)."""
        cost = NEVER if self.unspillable >> node & 1 else self.graph.costs[node]
        return cost / max(self.degree[node], 1) ** 2

    # --------------------------------------------------------------------------------------------------- merging

    def _try(self, number: int) -> None:
        """Merge the ends of a move if that is safe."""
        if self.states[number] != READY:
            return
        move, hard = self.moves[number], self.graph.hard
        a, b = self.find(move.target), self.find(move.source)
        if hard[b] or not (hard[a] or self.degree[b] <= self.degree[a]):
            a, b = b, a
        if a == b or hard[b] or self.adjacent[a] >> b & 1 or (hard[a] and not self._fits(a, b)):
            self._finish(number)
        elif self._is_safe(a, b):
            self._merge(a, b, move)
            self._finish(number)
        else:
            self.states[number] = WAITING

    def _fits(self, register: int, node: int) -> bool:
        """Whether a node may be in a hard register; not in one to be saved around calls if another might be better."""
        graph = self.graph
        lost = graph.savable >> register & 1 and graph.crossed.get(node) and graph.machine.convention.saved
        return register in self.allowed[node] and not lost

    def _is_safe(self, a: int, b: int) -> bool:
        if self.graph.hard[a]:
            return self._by_george(a, b)
        return self._by_george(a, b) or self._by_george(b, a) or self._by_briggs(a, b)

    def _by_george(self, a: int, b: int) -> bool:
        """Whether each neighbour of `b` is one of `a`, too, or of low degree."""
        if not self.graph.hard[a] and len(self.allowed[b]) < len(self.allowed[a]):
            return False
        return not self.adjacent[b] & ~self.adjacent[a] & self.high

    def _by_briggs(self, a: int, b: int) -> bool:
        """Whether the merged node has fewer neighbours of high degree than colours."""
        graph, adjacent = self.graph, self.adjacent
        colours = min(len(self.allowed[a]), len(self.allowed[b]))
        high = graph.weight(a, (adjacent[a] | adjacent[b]) & (graph.hard_mask | self.high))
        if high < colours:
            return True
        losing = adjacent[a] & adjacent[b] & self.high & self.at_limit  # these lose a neighbour
        return high - graph.weight(a, losing) < colours

    def _merge(self, a: int, b: int, move: Move) -> None:
        """Merge node b into node a."""
        graph, adjacent = self.graph, self.adjacent
        self.alias[b] = a
        if len(self.allowed[b]) < len(self.allowed[a]):
            self.allowed[a] = self.allowed[b]
        graph.costs[a] += graph.costs[b] - move.weight * (graph.loads[move.source] + graph.stores[move.target])
        graph.crossed[a] += graph.crossed[b]
        if self.unspillable >> b & 1:
            self.unspillable |= 1 << a
        self.moves_of[a] += self.moves_of[b]
        bit_a, bit_b = 1 << a, 1 << b
        self.present &= ~bit_b
        self.high &= ~bit_b
        self.concerned |= bit_a
        self.moved.discard(b)
        new, common = adjacent[b] & ~adjacent[a], adjacent[b] & adjacent[a]
        adjacent[a] |= new
        for t in bits(new):
            adjacent[t] = (adjacent[t] | bit_a) & ~bit_b
        for t in bits(common):
            adjacent[t] &= ~bit_b
        if not graph.hard[a]:
            self._after_merging(a)
        for t in bits(common & self.present):
            self._lower(t, b)

    def _after_merging(self, node: int) -> None:
        self.degree[node] = self.graph.weight(node, self.adjacent[node] & (self.present | self.graph.hard_mask))
        if self.is_low(node):
            self.high &= ~(1 << node)
            self._enlist(node)
            return
        self.high |= 1 << node
        self._see_limit(node)
        self.moved.discard(node)
        if self.spilling is not None:
            heappush(self.spilling, (self._badness(node), node))
