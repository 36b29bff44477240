"""Colour the interference graph: in which order, which nodes share a register (iterated coalescing), and which they get."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush

from vpo.analysis.liveness import bits
from vpo.opt.frame.save_instructions import push_sizes, saves_together, saving_costs
from vpo.opt.registers.exchanges import MOVE, Exchanges
from vpo.opt.registers.interference import MEMORY, Graph, Move
from vpo.opt.registers.short_forms import ShortForms
from vpo.rtl import Op, Register, Set

# ----------------------------------------------------------------------------------------------------------------------
# Iterated register coalescing: in which order to colour the nodes, and which of them are to share a register.
#
# Nodes with fewer neighbours than colours are taken out of the graph, since a colour will be left for them, whatever the
# others get.  The ends of moves are merged where that cannot make the graph harder to colour, by the tests of Briggs and of
# George, the more often executed moves first; as the graph becomes smaller, more of them pass.  If nothing is left but nodes
# with many neighbours, one that is cheap in memory is taken out and may get no colour, as Briggs has it. George and Appel,
# "Iterated Register Coalescing" (TOPLAS 18(3), 1996).


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


# ----------------------------------------------------------------------------------------------------------------------
# Colouring: the nodes get registers in the order that `simplification` found.
#
# A node that would be the first in a register which has to be saved gets it at once only if it is worth that alone.  The
# others wait: in the end some of them may be, together, or others have paid.


# ----------------------------------------------------------------------------------------------------------------------
# What registers cost that must be saved: at entry and exit if callers rely on them, around calls if callees do not keep them.
#
# Costs count instructions and references to memory, as often as they are executed for each time the function is entered.


class SaveCosts:
    """The prices of registers; `used` grows as they are chosen.  Those that are `free`, such as a window's, cost nothing.

    Others are saved `often` times for each time the function is entered: less than once if some ways have no need of them.
    """

    def __init__(self, graph: Graph, free: frozenset[Register], often: float = 1.0, small: bool = False) -> None:
        self.graph, self.often, self.small = graph, often, small
        convention = graph.machine.convention
        self.preserved = graph.preserved & ~graph.numbering.mask(tuple(r for r in graph.registers if r in free))
        used = 0
        for accesses in graph.liveness.accesses:
            for entry in accesses:
                used |= entry.sets | entry.clobbers  # the link register by calls, others by code that names them
        self.used = used & self.preserved
        saved = [r for r in convention.saved if r not in free]
        self.together = saves_together(saved, graph.machine)
        self.masked = convention.save_with == "mask"
        self.alone = saving_costs(graph.machine)

    def price(self, node: int, occupied: int) -> float:
        """Return what it costs to keep a node in some hard registers."""
        graph = self.graph
        if not occupied & (graph.savable | self.preserved & ~self.used):
            return 0.0
        around_calls = 2 * MEMORY * graph.crossed.get(node, 0.0) if graph.savable & occupied else 0.0
        new = occupied & self.preserved & ~self.used
        return around_calls + (self._at_entry(new) if new else 0)

    def bytes_of(self, colours: Iterable[int]) -> int:
        """Return about how many bytes it takes to save registers of which some may be the first to be saved."""
        new = {colour for colour in colours if self.preserved & ~self.used & 1 << colour}
        if not new or (self.together and self.used):
            return 0
        return 2 * MOVE * (1 if self.together else len(new))

    def _at_entry(self, new: int) -> float:
        """Return what it costs to save and restore some more registers: a reference each if one instruction saves them all."""
        if self.masked:
            return 2 * new.bit_count()
        if self.together:
            return self.often * (2 * new.bit_count() + (0 if self.used else 2))
        return self.often * sum(self.alone.get(self.graph.banks[number], 2 * MEMORY) for number in bits(new))


# ----------------------------------------------------------------------------------------------------------------------


class Selection:
    """Chooses a colour for each node; `colours` has them, `spilled` the nodes that get none."""

    def __init__(self, graph: Graph, nodes: Simplifier, prices: SaveCosts) -> None:
        self.graph, self.nodes, self.prices = graph, nodes, prices
        self.colours: dict[int, int] = {}
        self.holders = [1 << number if hard else 0 for number, hard in enumerate(graph.hard)]  # by colour: nodes, and itself
        self.spilled: list[int] = []
        self.wishes: dict[int, list[int]] = defaultdict(list)  # nodes, and hard registers, that moves connect with each
        self.gaining: set[int] = set()  # nodes of instructions that are short in some registers, the `short` ones
        self.short: set[int] = set()
        self.forms: list[tuple[tuple[int, ...], int]] = []

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
        if self.prices.small and self.short and not self.spilled:
            exchanges = Exchanges(self.graph, self.colours, self.holders, self.short, self.prices.bytes_of)
            exchanges.note(self.forms, self._pairs())
            exchanges.run()
            self.prices.used |= sum(1 << colour for colour in set(self.colours.values())) & self.prices.preserved
        self._shorten_saves()

    def colour_of(self, number: int) -> int:
        """Return the colour of a pseudo-register: any if it is never live."""
        root = self.nodes.find(number)
        return root if self.graph.hard[root] else self.colours.get(root, self.graph.allowed[number][0])

    def _wish(self) -> None:
        for move in sorted(self.graph.moves, key=lambda move: -move.weight):
            self._wish_for_one(move.target, move.source)
        for node, colour in self.graph.wishes:
            self.wishes[self.nodes.find(node)].append(colour)
        if self.graph.machine.short_registers:
            self._wish_for_short_forms()
        if self.graph.machine.capabilities.pairs:
            self._wish_to_step()

    def _wish_to_step(self) -> None:
        """Wish for the register of an address for what a step makes of it, so that one instruction may access and step."""
        numbering = self.graph.numbering
        rtls = [*self.graph.function.rtls()]
        addresses = {cell.address for rtl in rtls for cell in (*rtl.loads, *rtl.stores)}
        for rtl in rtls:
            match rtl.single_set:
                case Set(target=Register() as new, source=Op(op="+", args=(Register() as old, _))) if old in addresses:
                    kept = any(each in numbering.untracked or numbering.is_pair(each) for each in (new, old))
                    if new.cls == old.cls and not kept:
                        self._wish_for_one(numbering.number(new), numbering.number(old))

    def _wish_for_one(self, one: int, other: int) -> None:
        """Wish for one register for two."""
        a, b = self.nodes.find(one), self.nodes.find(other)
        if a != b:
            self.wishes[a].append(b)
            self.wishes[b].append(a)

    def _wish_for_short_forms(self) -> None:
        graph, number = self.graph, self.graph.numbering.number
        forms = ShortForms(graph.machine)
        for rtl in graph.function.rtls():
            forms.add(rtl)
        self.forms = [(tuple(self.nodes.find(number(r)) for r in registers), saving) for registers, saving in forms.forms]
        self.gaining = {node for nodes, _ in self.forms for node in nodes}
        for pair in forms.pairs:
            self._wish_for_one(*map(number, pair))
        self.short = {
            graph.colour_of(register)
            for bank, indices in graph.machine.short_registers.items()
            for register in graph.machine.allocable[bank]
            if register.index in indices
        }

    def _pairs(self) -> list[tuple[int, int]]:
        """Return the nodes, also hard registers, that had better share a register."""
        hard, wishes = self.graph.hard, self.wishes.items()
        return [(node, other) for node, others in wishes for other in others if hard[other] or node < other]

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
        best = outlived or free
        if self.short:
            wanted = node in self.gaining
            return next((c for c in best if (c in self.short) == wanted), best[0])
        return best[0]

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

    def _shorten_saves(self) -> None:
        """Exchange registers whose pushes are long for those whose are short, where nobody has these."""
        graph = self.graph
        sizes = {graph.colour_of(register): size for register, size in push_sizes(graph.machine).items()}
        used = self.prices.used & self.prices.preserved & ~graph.mentioned
        for colour in sorted((c for c in bits(used) if c in sizes), key=lambda c: -sizes[c]):
            nodes = self.holders[colour] & ~graph.hard_mask
            for other, size in sizes.items():
                taken = self.prices.used >> other & 1 or graph.banks[other] != graph.banks[colour]
                if size < sizes[colour] and not taken and all(self._may_have(node, other) for node in bits(nodes)):
                    self._move_to(other, colour, nodes)
                    break

    def _may_have(self, node: int, colour: int) -> bool:
        graph = self.graph
        return graph.widths[node] == 1 and colour in graph.allowed[node] and not graph.adjacent[node] & self.holders[colour]

    def _move_to(self, other: int, colour: int, nodes: int) -> None:
        """Give nodes another colour, which nobody has."""
        self.colours.update(dict.fromkeys(bits(nodes), other))
        self.holders[other] |= nodes
        self.holders[colour] &= ~nodes
        self.prices.used ^= 1 << colour | 1 << other

    def registers_in_memory(self) -> list[list[Register]]:
        """Return the pseudo-registers that get no colour, those that would have shared one together."""
        groups: dict[int, list[Register]] = {node: [] for node in self.spilled}
        for number, register in enumerate(self.graph.registers):
            root = self.nodes.find(number)
            if register.pseudo and root in groups:
                groups[root].append(register)
        return list(groups.values())
