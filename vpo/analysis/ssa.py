"""SSA form: definitions, uses and live ranges of registers, and memory as one variable."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from vpo.analysis.alias import Aliases, is_opaque
from vpo.analysis.cfg import Cfg, build_cfg
from vpo.analysis.dominators import dominance_frontiers, dominance_intervals, dominator_tree, dominators, is_within
from vpo.analysis.store_index import StoreIndex
from vpo.rtl import Mem, Register, Rtl
from vpo.rtl.function import Function

# ----------------------------------------------------------------------------------------------------------------------
# Definitions, uses and live ranges of a function in SSA form.
#
# A pseudo-register has one definition: an RTL or a phi.  Version 0 may have none, and is undefined then: any value will do.
# A phi uses its sources at the ends of the predecessors.  Hard registers are not looked at.


AT_PHIS = -1.0  # the position of phis, before the first RTL of a block


class Place(NamedTuple):
    """A place in a function: the index of a block and that of an RTL in it; what is put between two RTLs is at a half."""

    block: int
    position: float


def defining_blocks(function: Function) -> dict[Register, int]:
    """Return the block that defines each pseudo-register."""
    blocks: dict[Register, int] = {}
    for number, block in enumerate(function.blocks):
        for phi in block.phis:
            blocks[phi.target] = number
        for rtl in block.rtls:
            for register in rtl.sets:
                if register.pseudo:
                    blocks[register] = number
    return blocks


class DefUse:
    """Where each pseudo-register of a function in SSA form is defined and used, and which live ranges intersect."""

    def __init__(self, function: Function) -> None:
        self.cfg: Cfg = build_cfg(function)
        self.intervals = dominance_intervals(dominators(self.cfg))
        self.definitions: dict[Register, Place] = {}
        self.uses: dict[Register, list[Place]] = {}
        for number, block in enumerate(function.blocks):
            for phi in block.phis:
                self.definitions[phi.target] = Place(number, AT_PHIS)
                for label, source in phi.sources.items():
                    index = self.cfg.labels[label]
                    self.uses.setdefault(source, []).append(Place(index, len(function.blocks[index].rtls)))
            for position, rtl in enumerate(block.rtls):
                for register in rtl.uses:
                    if register.pseudo:
                        self.uses.setdefault(register, []).append(Place(number, position))
                for register in rtl.sets:
                    if register.pseudo:
                        self.definitions[register] = Place(number, position)
        self._live_out: dict[Register, set[int]] = {}
        self._last_use: dict[tuple[Register, int], float] = {}

    def order(self, register: Register) -> tuple[int, float]:
        """Return a key: definitions that dominate others come before them."""
        place = self.definitions[register]
        return self.intervals[place.block][0], place.position

    def dominates(self, a: Place, b: Place) -> bool:
        """Whether every way to b goes through a before."""
        if a.block == b.block:
            return a.position < b.position
        return is_within(self.intervals, a.block, b.block)

    def live_out(self, register: Register) -> set[int]:
        """Return the blocks at whose end a defined register is live; a source of a phi is so in the predecessor only."""
        known = self._live_out.get(register)
        if known is not None:
            return known
        live = self._live_out[register] = set()
        home = self.definitions[register]
        entered: set[int] = set()
        for use in self.uses.get(register, ()):
            self._last_use[register, use.block] = max(use.position, self._last_use.get((register, use.block), AT_PHIS))
            work = [use.block] if use.block != home.block else []
            while work:
                block = work.pop()
                if block not in entered:
                    entered.add(block)
                    live.update(self.cfg.predecessors[block])
                    work += [p for p in self.cfg.predecessors[block] if p != home.block]
        return live

    def is_live_after(self, register: Register, place: Place) -> bool:
        """Whether a register, whose definition dominates a place, is used after it."""
        if place.block in self.live_out(register):
            return True
        return self._last_use.get((register, place.block), AT_PHIS) > place.position

    def intersect(self, a: Register, b: Register) -> bool:
        """Whether two registers hold values at the same time; a's definition comes before b's in `order`."""
        home, place = self.definitions[a], self.definitions[b]
        return home == place or (self.dominates(home, place) and self.is_live_after(a, place))


# ----------------------------------------------------------------------------------------------------------------------
# Memory SSA: memory as one variable in SSA form, and for each reference the nearest definition that may change its cell.
#
# Definitions are RTLs that store, call, call the system or refer to volatile cells, and memory phis at the iterated dominance
# frontiers of these.  After LLVM's MemorySSA (Novillo, "Memory SSA - A Unified Approach for Sparsely Representing Memory
# Operations", GCC Summit 2007): there is one variable, and a walker skips the definitions that do not concern a cell.


STEPS = 400  # definitions and phis that one search looks at, or passes by, before it gives up
FEW = 8  # definitions that it looks at one after another before it asks which of a block may concern the cell


@dataclass(eq=False, frozen=True)
class MemoryPhi:
    """Memory at the head of a block where different definitions meet: one from each predecessor, by block index."""

    block: int
    sources: dict[int, Definition] = field(default_factory=dict)


class Entry:
    """Memory as it is when the function is entered."""

    def __repr__(self) -> str:
        return "<memory at entry>"


ENTRY = Entry()
Definition = Rtl | MemoryPhi | Entry  # compare with `is`
Arrival = tuple[MemoryPhi, bool]  # of a search at a phi, and whether registers hold the same values still
Sources = dict[Arrival, list[Definition | Arrival]]


def defines_memory(rtl: Rtl) -> bool:
    """Whether an RTL may change memory, or must stay in order with all that do."""
    return rtl.acts and (bool(rtl.stores) or is_opaque(rtl) or any(cell.volatile for cell in rtl.loads))


class MemorySsa:
    """Definitions of memory in one function; blocks that cannot be reached have none."""

    def __init__(self, function: Function, cfg: Cfg, idom: dict[int, int], aliases: Aliases) -> None:
        self.aliases = aliases
        self.intervals = dominance_intervals(idom)
        self.entering: dict[int, Definition] = {}  # by block: memory at its head
        self.leaving: dict[int, Definition] = {}  # by block: memory at its end
        self.before: dict[Rtl, Definition] = {}  # by definition: the one before it
        self.positions: list[list[int]] = []  # of definitions, by block
        self.definitions: list[list[Rtl]] = []
        self._blocks: dict[Rtl, int] = {}  # of definitions
        for number, block in enumerate(function.blocks):
            places, found = list[int](), list[Rtl]()
            for position, rtl in enumerate(block.rtls):
                if rtl.acts and defines_memory(rtl):
                    places.append(position)
                    found.append(rtl)
                    self._blocks[rtl] = number
            self.positions.append(places)
            self.definitions.append(found)
        self._indices: dict[int, StoreIndex] = {}  # by block
        self._homes = defining_blocks(function) if function.stage == "ssa" else {}
        self.clobbers: dict[Mem, dict[Arrival, Definition]] = {}  # what searches have found out
        self._rename(cfg, idom, _joins(self.definitions, dominance_frontiers(cfg, idom)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MemorySsa):
            return NotImplemented
        return self._outline() == other._outline() and self.aliases == other.aliases

    __hash__ = None  # type: ignore[assignment]

    def _outline(self) -> tuple[object, ...]:
        joins = [index for index, entering in sorted(self.entering.items()) if isinstance(entering, MemoryPhi)]
        return self.positions, [[id(rtl) for rtl in rtls] for rtls in self.definitions], joins

    def _rename(self, cfg: Cfg, idom: dict[int, int], joins: set[int]) -> None:
        """Find the definitions at heads and ends of blocks, along the dominator tree."""
        children = dominator_tree(idom)
        work = [0]
        while work:
            block = work.pop()
            memory: Definition = ENTRY if block == 0 else self.leaving[idom[block]]
            self.entering[block] = memory = MemoryPhi(block) if block in joins else memory
            for rtl in self.definitions[block]:
                self.before[rtl] = memory
                memory = rtl
            self.leaving[block] = memory
            work += children[block]
        for join in joins:
            phi = self.entering[join]
            assert isinstance(phi, MemoryPhi)
            phi.sources.update((p, self.leaving[p]) for p in cfg.predecessors[join] if p in self.leaving)
            if join == 0:
                phi.sources[-1] = ENTRY

    # ------------------------------------------------------------------------------------------------------ queries

    def reaching(self, block: int, position: int) -> Definition:
        """Return the definition of memory just before the RTL at a position of a block, whatever it changes."""
        index = bisect_left(self.positions[block], position)
        return self.definitions[block][index - 1] if index else self.entering[block]

    def clobber(self, block: int, position: int, cell: Mem) -> Definition:
        """Return the nearest definition before an RTL that may change a cell, whose address has its value there.

        Memory in the address of a cell is a cell of its own.
        """
        return self._search(self.reaching(block, position), cell)

    def clobber_at_end(self, block: int, cell: Mem) -> Definition:
        """Return the nearest definition before the end of a block that may change a cell."""
        return self._search(self.leaving[block], cell)

    def _search(self, definition: Definition, cell: Mem) -> Definition:
        if definition is ENTRY or self.aliases.is_constant(cell):
            return ENTRY
        return _Search(self, cell).run(definition, self.is_steady(cell, None))

    def nearest(self, definition: Rtl, cell: Mem) -> tuple[Definition, int]:
        """Return the nearest of a block's definitions from one on upwards that may change a cell, and how many it passes by.

        If none may, it is the definition that enters the block.
        """
        block = self._blocks[definition]
        index = self._indices.get(block)
        if index is None:
            index = self._indices[block] = StoreIndex(self.definitions[block], self.aliases)
        place = index.places[definition]
        found = index.last(place, cell)
        return self.definitions[block][found] if found >= 0 else self.entering[block], place - found

    def above(self, definition: Rtl, number: int) -> Rtl:
        """Return the definition that is so many above one in its block."""
        block = self._blocks[definition]
        return self.definitions[block][self._indices[block].places[definition] - number]

    def is_steady(self, cell: Mem, phi: MemoryPhi | None) -> bool:
        """Whether the registers in the address of a cell hold the same values wherever a search comes to beyond a phi.

        They do if they are defined once, in blocks that strictly dominate the phi's: no cycle leads through these again.
        """
        roots = self.aliases.roots(cell)
        if roots is None:
            return False
        homes = self._homes
        for root in roots:
            if root not in homes or (phi is not None and not self._strictly_dominates(homes[root], phi.block)):
                return False
        return True

    def may_be_all(self, source: Definition | Arrival, phi: MemoryPhi) -> bool:
        """Whether the source of a phi may be that of all ways to it: an RTL must dominate the phi, else others meet there."""
        return type(source) is not Rtl or self._strictly_dominates(self._blocks[source], phi.block)

    def _strictly_dominates(self, a: int, b: int) -> bool:
        return a != b and is_within(self.intervals, a, b)


class _Search:
    """One search upward for the definition that may change a cell.

    It gathers the phis to which ways without such a definition lead, and assumes that each is the one definition to which
    its sources lead until two differ; so cycles of phis are looked through, too.
    """

    def __init__(self, memory: MemorySsa, cell: Mem) -> None:
        self.memory, self.cell = memory, cell
        self.known = memory.clobbers.setdefault(cell, {})
        self.left = STEPS

    def run(self, definition: Definition, steady: bool) -> Definition:
        """Return the definition, or one above it, that may change the cell; `steady` is as `same_values` of aliases."""
        found = self._skip(definition, steady)
        if isinstance(found, tuple) and found not in self.known:
            self.known.update(_solve(self._explore(found), self.known))
        return self.known[found] if isinstance(found, tuple) else found

    def _skip(self, definition: Definition, steady: bool) -> Definition | Arrival:
        """Go up to an RTL that may change the cell, a phi or the entry."""
        looked = 0
        while type(definition) is Rtl:
            looked += 1
            if looked > FEW:
                found, passed = self.memory.nearest(definition, self.cell)
                if passed > self.left:
                    found, self.left = self.memory.above(definition, self.left), -1
                    return found
                self.left -= passed
                definition = found
                if type(definition) is not Rtl:
                    break
            self.left -= 1
            if self.left < 0 or self.memory.aliases.may_change(definition, self.cell, steady):
                return definition
            definition = self.memory.before[definition]
        if isinstance(definition, MemoryPhi):
            return definition, steady and self.memory.is_steady(self.cell, definition)
        return definition

    def _explore(self, start: Arrival) -> Sources:
        """Return the phis to which ways lead up from one, with what their sources lead to."""
        sources: Sources = {}
        work = [start]
        while work:
            phi, steady = arrival = work.pop()
            if arrival in sources or arrival in self.known or (self.left < 0 and sources):
                continue
            self.left -= 1
            found = sources[arrival] = [self._skip(source, steady) for source in phi.sources.values()]
            if all(self.memory.may_be_all(source, phi) for source in found):
                work += [source for source in found if isinstance(source, tuple)]
        return sources


def _solve(sources: Sources, known: Mapping[Arrival, Definition]) -> dict[Arrival, Definition]:
    """Return the definition to which all ways up from each phi lead, or the phi where several meet."""
    meeting: set[Arrival] = set()
    while True:
        values, found = _spread(sources, known, meeting)
        if not found:
            return {arrival: values.get(arrival, arrival[0]) for arrival in sources}
        meeting |= found


def _spread(
    sources: Sources, known: Mapping[Arrival, Definition], meeting: set[Arrival]
) -> tuple[dict[Arrival, Definition], set[Arrival]]:
    """Give each phi the first definition that one of its sources has; return them, and the phis whose sources have others."""
    values: dict[Arrival, Definition] = {arrival: arrival[0] for arrival in meeting}
    users: dict[Arrival, list[Arrival]] = {}
    work: list[tuple[Arrival, Definition]] = []
    found: set[Arrival] = set()
    for arrival, each in sources.items():
        for source in each:
            if not isinstance(source, tuple):
                work.append((arrival, source))
            elif source in meeting or source not in sources:
                work.append((arrival, known.get(source, source[0])))
            elif source != arrival:
                users.setdefault(source, []).append(arrival)
    while work:
        arrival, value = work.pop()
        if arrival not in values:
            values[arrival] = value
            work += [(user, value) for user in users.get(arrival, ())]
        elif values[arrival] is not value and arrival not in meeting:
            found.add(arrival)
    return values, found


def _joins(definitions: list[list[Rtl]], frontiers: dict[int, set[int]]) -> set[int]:
    """Return the iterated dominance frontier of the blocks that define memory."""
    work = [block for block in frontiers if definitions[block]]
    joins: set[int] = set()
    while work:
        new = frontiers[work.pop()] - joins
        joins |= new
        work += new
    return joins
