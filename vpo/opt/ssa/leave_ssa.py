"""Leave SSA form: versions become registers again, and phis become copies at the ends of predecessors.

    before                                      after
    L1: r[t1.1]=0;                              L1: r[t1]=0;
    L2: r[t1.2]=PHI(L1:r[t1.1],L2:r[t1.3]);     L2: r[t1]=r[t1]+1;
        r[t1.3]=r[t1.2]+1;                          PC=r[t1]<9,L2;
        PC=r[t1.3]<9,L2;

Registers whose live ranges do not intersect form classes that share a name, as far as they are wanted to: first all
versions of one register, which undoes what constructing SSA form did; then, for those that cannot be put back as a whole,
what instructions tie together, the target and the sources of each phi.  A tie that cannot be had gets a copy before the
instruction.  A source of a phi in another class is copied on the edge; an edge that is critical is split; at computed jumps,
whose edges cannot be, the value passes through a new register.  The copies of an edge are parallel: where they form a
cycle, one value waits in a new register.  So neither copies that are lost nor swaps go wrong.

Boissinot et al., "Revisiting Out-of-SSA Translation for Correctness, Code Quality, and Efficiency" (2009); the test of
classes is Budimlic et al., "Fast Copy Coalescing and Live-Range Identification" (2002).
"""

from __future__ import annotations

from bisect import bisect, insort
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice, takewhile

from vpo.analysis.cfg import jumps_computed, transfer_of
from vpo.analysis.liveness import forget_numbering
from vpo.analysis.ssa import DefUse, Place
from vpo.machines.machine import Machine
from vpo.opt.ssa.construct_ssa import rename
from vpo.opt.state import LIVENESS, FunctionState
from vpo.rtl import Branch, Jump, Register, Rtl, Set, tie
from vpo.rtl.function import Block, Function, Phi


@dataclass(frozen=True, slots=True)
class Copy:
    """One of some parallel copies; it has the provenance of the phi."""

    target: Register
    source: Register
    phi: Phi


def leave_ssa(state: FunctionState) -> None:
    """Leave SSA form: versions become registers again, phis copies on edges."""
    function, machine = state.function, state.machine
    if function.stage != "ssa":
        return
    liveness = state.get(LIVENESS)  # of hard registers, which stays as it is
    classes = _Classes(function, machine)
    classes.coalesce()
    names = classes.names()
    numbering = liveness.numbering
    hard = sum(1 << number for number, register in enumerate(numbering.registers) if not register.pseudo)
    wanted = [set(numbering.members(live & hard)) for live in liveness.live_out]
    copies = _Copies(function, machine, classes.values, names, wanted)
    for block in function.blocks:
        block.rtls = [_named(rtl, names) for rtl in block.rtls]
    copies.insert()
    for block in function.blocks:
        block.phis = []
    function.stage = "pseudo"
    forget_numbering(function)
    state.invalidate()


def _named(rtl: Rtl, names: dict[Register, Register]) -> Rtl:
    sets = {register: names.get(register, register) for register in rtl.sets if register.pseudo}
    uses = {register: names.get(register, register.origin) for register in rtl.uses if register.pseudo}
    for register in sets:  # the undefined part of a register set in part
        uses |= {use: sets[register] for use in uses if use not in names and use.origin is register.origin}
    if all(old is new for renaming in (uses, sets) for old, new in renaming.items()):
        return rtl
    return rename(rtl, uses, sets)


class _Classes:
    """Registers that are to share a name: classes in which no live ranges intersect."""

    def __init__(self, function: Function, machine: Machine) -> None:
        self.function, self.machine = function, machine
        self.values = DefUse(function)
        self.members: dict[Register, list[Register]] = {}  # by each of them; in the order of definitions
        self.versions: dict[Register, list[Register]] = {}  # by origin
        for register in sorted(self.values.definitions, key=self.values.order):
            self.members[register] = [register]
            self.versions.setdefault(register.origin, []).append(register)

    def coalesce(self) -> None:
        """Form the classes, and insert the copies that ties need."""
        apart = False
        for members in self.versions.values():
            if len(members) > 1:
                apart |= not self._unite(members)
        if apart:
            self._coalesce_ties()
        for block in self.function.blocks:
            for phi in block.phis:
                for source in phi.sources.values():
                    self._merge(phi.target, source)

    def _unite(self, members: list[Register]) -> bool:
        """Make registers, in the order of their definitions, one class if no two intersect."""
        open_: list[Register] = []  # those that dominate each other and the next one
        for register in members:
            place = self.values.definitions[register]
            while open_ and not self.values.dominates(self.values.definitions[open_[-1]], place):
                if self.values.definitions[open_[-1]] == place:
                    return False
                open_.pop()
            if open_ and self.values.intersect(open_[-1], register):
                return False
            open_.append(register)
        for register in members:
            self.members[register] = members
        return True

    def _merge(self, a: Register, b: Register) -> bool:
        """Make the classes of two registers one if no two members intersect; an undefined register fits everywhere."""
        if a not in self.members or b not in self.members or self.members[a] is self.members[b]:
            return a.cls == b.cls
        few, many = sorted((self.members[a], self.members[b]), key=len)
        if a.cls != b.cls or any(self._meets(register, many) for register in few):
            return False
        for register in few:
            insort(many, register, key=self.values.order)
            self.members[register] = many
        return True

    def _meets(self, register: Register, members: list[Register]) -> bool:
        """Whether a register intersects a class: the last member that dominates it, or one that it dominates."""
        values, place = self.values, self.values.definitions[register]
        position = bisect(members, values.order(register), key=values.order)
        for number in range(position - 1, -1, -1):
            above = values.definitions[members[number]]
            if above == place or values.dominates(above, place):
                if values.intersect(members[number], register):
                    return True
                break
        below = takewhile(lambda r: values.dominates(place, values.definitions[r]), islice(members, position, None))
        return any(values.intersect(register, other) for other in below)

    def _coalesce_ties(self) -> None:
        """Merge what instructions tie together, in the order of the dominator tree, so that what they set is still alone."""
        order = sorted(range(len(self.function.blocks)), key=lambda number: self.values.intervals[number][0])
        for number in order:
            block = self.function.blocks[number]
            rtls: list[Rtl] = []
            for position, rtl in enumerate(block.rtls):
                if self.machine.must_tie(rtl.effects):
                    rtl = self._tie(rtl, Place(number, position), rtls)
                rtls.append(rtl)
            block.rtls = rtls

    def _tie(self, rtl: Rtl, place: Place, before: list[Rtl]) -> Rtl:
        """Merge what an RTL sets with what it must read in the same place; append copies where that cannot be."""
        renaming: dict[Register, Register] = {}
        for effect, tied in zip(rtl.effects, tie(rtl.effects), strict=True):
            if tied is effect or type(effect) is not Set or type(tied) is not Set:
                continue
            target, source = effect.target, tied.target
            assert type(target) is Register
            assert type(source) is Register
            if not self._merge(target, source):
                renaming[source] = copy = self._copy_of(source, place)
                self._merge(target, copy)
                before.append(Rtl((Set(copy, source),), rtl.lines, rtl.cause))
        return rename(rtl, renaming, {}) if renaming else rtl

    def _copy_of(self, register: Register, place: Place) -> Register:
        """Return a new version of a register: it is defined right before a place and used there."""
        origin = register.origin
        number = 1 + max(version.version for version in self.versions[origin])
        copy = Register(origin.cls, origin.index, origin.type, True, number)
        self.versions[origin].append(copy)
        self.values.definitions[copy] = Place(place.block, place.position - 0.5)
        self.values.uses[copy] = [place]
        self.members[copy] = [copy]
        return copy

    def names(self) -> dict[Register, Register]:
        """Return the register that each value is to be in: the origin of one of a class, as long as there are any left."""
        names: dict[Register, Register] = {}
        taken: set[Register] = set()
        for register, members in self.members.items():
            if register in names:
                continue
            name = next((m.origin for m in members if m.origin not in taken), None)
            name = name or self.function.pseudo(register.cls, register.type)
            taken.add(name)
            names.update(dict.fromkeys(members, name))
        return names


@dataclass
class _Copies:
    """The copies that phis become: on edges, and at the heads of blocks behind computed jumps."""

    function: Function
    machine: Machine
    values: DefUse
    names: dict[Register, Register]
    wanted: list[set[Register]]  # by block: the hard registers that are live at its end
    edges: dict[tuple[int, int], list[Copy]] = field(default_factory=dict)

    def insert(self) -> None:
        """Insert all of them."""
        blocks = list(self.function.blocks)
        for number, block in enumerate(blocks):
            heads = [copy for phi in block.phis if (copy := self._plan(phi, number))]
            block.rtls = [*self._sequence(heads), *block.rtls]
        splits: dict[Block, Block] = {}
        for (source, target), copies in self.edges.items():
            self._insert_on_edge(blocks, source, target, self._sequence(copies), splits)
        if splits:
            self.function.blocks = [b for block in self.function.blocks for b in (block, splits.get(block)) if b]

    def _plan(self, phi: Phi, number: int) -> Copy | None:
        """Note the copies of a phi on edges; return the one to make at the head of its block."""
        target = self.names[phi.target]
        sources = [(self.values.cfg.labels[label], self.names.get(s)) for label, s in phi.sources.items()]
        differing = [(index, name) for index, name in sources if name is not None and name is not target]
        through = target
        if any(jumps_computed(self.function.blocks[index]) for index, _ in differing):
            through = self.function.pseudo(target.cls, target.type)
            differing = [(index, name) for index, name in sources if name is not None]
        for index, name in differing:
            self.edges.setdefault((index, number), []).append(Copy(through, name, phi))
        return Copy(target, through, phi) if through is not target else None

    def _insert_on_edge(
        self, blocks: list[Block], source: int, target: int, rtls: list[Rtl], splits: dict[Block, Block]
    ) -> None:
        """Insert RTLs at the end of the block that an edge leaves, or into a new one on the edge."""
        block, label = blocks[source], blocks[target].label
        last = transfer_of(block)
        if last is None or type(last.transfer) is not Branch:
            end = self._place(block, len(block.rtls) - (last is not None), rtls, self.wanted[source])
            block.rtls[end:end] = rtls
            return
        new = Block(self.function.label(), rtls)
        if target == source + 1:
            splits[block] = new
        else:
            rtls.append(Rtl((Jump(label),), rtls[-1].lines, "control"))
            self.function.blocks.append(new)
        if last.transfer.label == label:
            effects = [Branch(e.condition, new.label) if type(e) is Branch else e for e in last.effects]
            block.rtls[-1] = Rtl(effects, last.lines, last.cause)

    def _place(self, block: Block, end: int, copies: list[Rtl], wanted: set[Register]) -> int:
        """Return where copies are made: at the end of a block, or before what sets a condition code that they change."""
        changed = {register for copy in copies for register in self.machine.clobbers(copy.effects)}
        read = {register for copy in copies for register in copy.uses}
        written = {register for copy in copies for register in copy.sets}
        place, wanted = end, wanted & changed
        while wanted and place:
            place -= 1
            rtl = block.rtls[place]
            if rtl.call is not None or not read.isdisjoint(rtl.sets) or not written.isdisjoint((*rtl.uses, *rtl.sets)):
                return end
            wanted = (wanted - set(rtl.sets)) | (changed & set(rtl.uses))
        return end if wanted else place

    def _sequence(self, copies: list[Copy]) -> list[Rtl]:
        """Put parallel copies in an order in which none overwrites what another one still reads."""
        result: list[Rtl] = []
        pending = {copy.target: copy for copy in copies}
        readers = Counter(copy.source for copy in copies)
        free = [target for target in pending if not readers[target]]
        while pending:
            if not free:  # only cycles are left: put one value aside
                copy = next(iter(pending.values()))
                aside = self.function.pseudo(copy.source.cls, copy.source.type)
                result.append(_move(aside, copy.source, copy.phi))
                pending[copy.target] = Copy(copy.target, aside, copy.phi)
                free.append(copy.source)
                continue
            copy = pending.pop(free.pop())
            result.append(_move(copy.target, copy.source, copy.phi))
            readers[copy.source] -= 1
            if copy.source in pending and not readers[copy.source]:
                free.append(copy.source)
        return result


def _move(target: Register, source: Register, phi: Phi) -> Rtl:
    return Rtl((Set(target, source),), phi.lines, phi.cause)
