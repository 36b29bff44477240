"""Colouring: the nodes get registers in the order that `simplification` found.

A node that would be the first in a register which has to be saved gets it at once only if it is worth that alone.  The others
wait: in the end some of them may be, together, or others have paid.
"""

from __future__ import annotations

from collections import defaultdict

from vpo.analysis.liveness import bits
from vpo.opt.frame.save_instructions import has_block_saves, pushes_several
from vpo.opt.registers.interference import MEMORY, Graph
from vpo.opt.registers.simplification import NEVER, Simplifier
from vpo.rtl import Register

# ----------------------------------------------------------------------------------------------------------------------
# What registers cost that must be saved: at entry and exit if callers rely on them, around calls if callees do not keep them.
#
# Costs count instructions and references to memory, as often as they are executed for each time the function is entered.


class SaveCosts:
    """The prices of registers; `used` grows as they are chosen.  Those that are `free`, such as a window's, cost nothing.

    Others are saved `often` times for each time the function is entered: less than once if some ways have no need of them.
    """

    def __init__(self, graph: Graph, free: frozenset[Register], often: float = 1.0) -> None:
        self.graph, self.often = graph, often
        convention = graph.machine.convention
        self.preserved = graph.preserved & ~graph.numbering.mask(tuple(r for r in graph.registers if r in free))
        used = 0
        for accesses in graph.liveness.accesses:
            for entry in accesses:
                used |= entry.sets | entry.clobbers  # the link register by calls, others by code that names them
        self.used = used & self.preserved
        saved = [r for r in convention.saved if r not in free]
        self.together = pushes_several(graph.machine) or has_block_saves(saved, graph.machine)
        self.masked = convention.save_with == "mask"

    def price(self, node: int, occupied: int) -> float:
        """Return what it costs to keep a node in some hard registers."""
        graph = self.graph
        if not occupied & (graph.savable | self.preserved & ~self.used):
            return 0.0
        around_calls = 2 * MEMORY * graph.crossed.get(node, 0.0) if graph.savable & occupied else 0.0
        new = (occupied & self.preserved & ~self.used).bit_count()
        return around_calls + (self._at_entry(new) if new else 0)

    def _at_entry(self, count: int) -> float:
        """Return what it costs to save and restore some more registers: a reference each if one instruction saves them all."""
        if self.masked:
            return 2 * count
        if self.together:
            return self.often * (2 * count + (0 if self.used else 2))
        return self.often * 2 * MEMORY * count


# ----------------------------------------------------------------------------------------------------------------------


class Selection:
    """Chooses a colour for each node; `colours` has them, `spilled` the nodes that get none."""

    def __init__(self, graph: Graph, nodes: Simplifier, prices: SaveCosts) -> None:
        self.graph, self.nodes, self.prices = graph, nodes, prices
        self.colours: dict[int, int] = {}
        self.holders = [1 << number if hard else 0 for number, hard in enumerate(graph.hard)]  # by colour: nodes, and itself
        self.spilled: list[int] = []
        self.wishes: dict[int, list[int]] = defaultdict(list)  # nodes, and hard registers, that moves connect with each

    def run(self) -> None:
        """Colour the nodes, the last of the order first."""
        order = self.nodes.run()
        self._wish()
        waiting = []
        for node in reversed(order):
            free = self._free(node)
            if not free:
                self.spilled.append(node)
            elif not self._colour(node, free):
                waiting.append(node)
        if waiting:
            self._second_chance(waiting)

    def colour_of(self, number: int) -> int:
        """Return the colour of a pseudo-register: any if it is never live."""
        root = self.nodes.find(number)
        return root if self.graph.hard[root] else self.colours.get(root, self.graph.allowed[number][0])

    def _wish(self) -> None:
        for move in sorted(self.graph.moves, key=lambda move: -move.weight):
            a, b = self.nodes.find(move.target), self.nodes.find(move.source)
            if a != b:
                self.wishes[a].append(b)
                self.wishes[b].append(a)
        for node, colour in self.graph.wishes:
            self.wishes[self.nodes.find(node)].append(colour)

    def _free(self, node: int) -> list[int]:
        """Return the colours that no neighbour has."""
        graph, adjacent = self.graph, self.graph.adjacent[node]
        if graph.widths[node] == 1:
            return [c for c in graph.allowed[node] if not adjacent & self.holders[c]]
        return [
            c for c in graph.allowed[node] if not any(adjacent & self.holders[part] for part in bits(graph.occupied(node, c)))
        ]

    def _price(self, node: int, colour: int) -> float:
        return self.prices.price(node, self.graph.occupied(node, colour))

    def _worth(self, node: int) -> float:
        """Return what a node costs in memory."""
        return NEVER if self.nodes.unspillable >> node & 1 else self.graph.costs[node]

    def _colour(self, node: int, free: list[int]) -> bool:
        """Give a node the best of the cheapest colours if it is worth that."""
        crossing = self.graph.savable if self.graph.crossed.get(node) else 0
        dear = crossing | (self.prices.preserved & ~self.prices.used)
        gratis = [c for c in free if not dear >> c & 1] if self.graph.widths[node] == 1 else []
        if gratis:
            self._give(node, self._wanted(node, gratis))
            return True
        prices = [self._price(node, c) for c in free]
        least = min(prices)
        if least and least > self._worth(node):
            return False
        self._give(node, self._wanted(node, [c for c, price in zip(free, prices, strict=True) if price == least]))
        return True

    def _give(self, node: int, colour: int) -> None:
        self.colours[node] = colour
        occupied = self.graph.occupied(node, colour)
        self.prices.used |= occupied & self.prices.preserved
        for part in bits(occupied):
            self.holders[part] |= 1 << node

    def _wanted(self, node: int, free: list[int]) -> int:
        for other in self.wishes.get(node, ()):
            colour = other if self.graph.hard[other] else self.colours.get(other)
            if colour in free:
                return colour
        outlived = [c for c in free if not self.graph.savable >> c & 1] if self.graph.crossed.get(node) else []
        return (outlived or free)[0]

    def _second_chance(self, waiting: list[int]) -> None:
        """Colour those that others have paid for, or that are worth a register together."""
        waiting.sort(key=lambda node: -self._worth(node))
        while waiting:
            waiting = [node for node in waiting if not self._colour_later(node)]
            group = self._group(waiting)
            if not group:
                break
            colour, members = group
            for node in members:
                self._give(node, colour)
            waiting = [node for node in waiting if node not in members]
        self.spilled += waiting

    def _colour_later(self, node: int) -> bool:
        free = self._free(node)
        return bool(free) and self._colour(node, free)

    def _group(self, waiting: list[int]) -> tuple[int, list[int]] | None:
        """Return a register, and nodes that can share it and are worth its price."""
        tried: set[int] = set()
        for first in waiting:
            for colour in self._free(first):
                if colour in tried:
                    continue
                tried.add(colour)
                members = self._sharing(colour, waiting)
                if sum(self._worth(node) for node in members) >= self._price(first, colour):
                    return colour, members
        return None

    def _sharing(self, colour: int, waiting: list[int]) -> list[int]:
        """Return nodes that do not interfere and can all have one colour that must be saved only once."""
        graph, members, together = self.graph, [], 0
        for node in waiting:
            lost = graph.savable >> colour & 1 and graph.crossed.get(node)
            if self._worth(node) > 0 and not lost and not graph.adjacent[node] & together and colour in self._free(node):
                members.append(node)
                together |= 1 << node
        return members

    def registers_in_memory(self) -> list[list[Register]]:
        """Return the pseudo-registers that get no colour, those that would have shared one together."""
        groups: dict[int, list[Register]] = {node: [] for node in self.spilled}
        for number, register in enumerate(self.graph.registers):
            root = self.nodes.find(number)
            if register.pseudo and root in groups:
                groups[root].append(register)
        return list(groups.values())
