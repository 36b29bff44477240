"""The interference graph: which registers cannot share one, the moves between them, and what keeping none of them costs.

Nodes are the numbers of registers (`vpo.analysis.liveness.Numbering`), hard ones among them; sets of nodes are bit sets.
Registers of one bank compete, whatever view names them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace

from vpo.analysis.cfg import Cfg
from vpo.analysis.liveness import Access, Liveness, Numbering, access, bits, compute_liveness, numbering_of
from vpo.machines.machine import Machine
from vpo.opt.frame.save_instructions import savable_registers
from vpo.opt.registers.recomputation import Recipe, Recipes, harmful
from vpo.rtl import Register, Return, Rtl
from vpo.rtl.function import Function

MEMORY = 2  # the cost of a load or a store: an instruction and a reference to memory


@dataclass(frozen=True, slots=True)
class Move:
    """A move between two nodes, and how often it is executed."""

    weight: float
    target: int
    source: int


@dataclass(eq=False)
class Graph:
    """The interference graph of one function.  `reserved` are registers that are not to be assigned."""

    function: Function
    machine: Machine
    cfg: Cfg
    weights: list[float]
    reserved: frozenset[Register] = frozenset()
    moves: list[Move] = field(default_factory=list)
    wishes: list[tuple[int, int]] = field(default_factory=list)  # pseudo-registers, and hard ones that they are moved to
    results: dict[Rtl, int] = field(default_factory=dict)  # what calls set that is read behind them

    def __post_init__(self) -> None:
        machine = self.machine
        self.liveness: Liveness = compute_liveness(self.function, self.cfg, machine, instead=self._returns())
        self.numbering: Numbering = self.liveness.numbering
        colours = {
            cls.name: [self.colour_of(r) for r in machine.allocable_in(cls.name) if r not in self.reserved]
            for cls in machine.classes.values()
        }
        convention = machine.convention
        self.preserved = self.numbering.mask(convention.preserved)
        self.savable = self.numbering.mask(tuple(savable_registers(machine))) if convention.caller_saves else 0
        self.recipes: dict[Register, Recipe] = Recipes(self.function, machine).find()
        assignable = [r for registers in machine.allocable.values() for r in registers if r not in self.reserved]
        self.assignable = self.numbering.mask(tuple(assignable))
        registers = self.registers = self.numbering.registers  # none is numbered from here on
        self.allowed = [colours[r.cls] for r in registers]  # a class may be only the first registers of its bank
        self.banks = [machine.classes[r.cls].bank for r in registers]
        self.hard = [not r.pseudo for r in registers]
        self.widths = [machine.classes[r.cls].width if r.pseudo else 1 for r in registers]
        self.wide = sum(1 << n for n, width in enumerate(self.widths) if width > 1)
        self.hard_mask = sum(1 << n for n, hard in enumerate(self.hard) if hard)
        self.adjacent = [0] * len(registers)
        self.costs = [0.0] * len(registers)  # of keeping a node in memory, or computing it anew
        self.crossed: dict[int, float] = defaultdict(float)  # how often calls are made while a node is live
        self.mentioned = 0
        self._build()

    def colour_of(self, register: Register) -> int:
        """Return the number of a hard register, of the first part if it has several."""
        bank, index = self.machine.storage(register)[0]
        return self.numbering.number(Register(bank, index, self.machine.classes[bank].type))

    def occupied(self, number: int, colour: int) -> int:
        """Return the bit set of the hard registers that a node of some colour takes up."""
        if self.widths[number] == 1:
            return 1 << colour
        first = self.registers[colour]
        return sum(
            1 << self.numbering.number(Register(first.cls, first.index + i, first.type)) for i in range(self.widths[number])
        )

    def weight(self, number: int, neighbours: int) -> int:
        """Return how many colours of a node some neighbours can take away."""
        return neighbours.bit_count() + ((neighbours & self.wide).bit_count() if self.widths[number] == 1 else 0)

    # ------------------------------------------------------------------------------------------------- building

    def _returns(self) -> dict[Rtl, Access]:
        """Return what returns read that nothing restores: the link register is saved if the function changes it."""
        link, numbering = self.machine.convention.link, numbering_of(self.function, self.machine)
        if link is None or link in self.reserved or self.machine.convention.windows is not None:
            return {}
        returns = [rtl for rtl in self.function.rtls() if type(rtl.transfer) is Return]
        entries = {rtl: access(rtl, numbering) for rtl in returns}
        mask = numbering.mask((link,))
        return {rtl: replace(entry, uses=entry.uses & ~mask) for rtl, entry in entries.items()}

    def _build(self) -> None:
        afters = [self.liveness.backward(index) for index in range(len(self.function.blocks))]
        for block, accesses, after in zip(self.function.blocks, self.liveness.accesses, afters, strict=True):
            if self.recipes:
                for register in harmful(self.recipes, block.rtls, accesses, after):
                    del self.recipes[register]
        self.loads = [float(MEMORY)] * len(self.registers)  # what a use costs of a node that has no register
        self.stores = [float(MEMORY)] * len(self.registers)  # what setting it costs
        for register, recipe in self.recipes.items():
            number = self.numbering.number(register)
            self.loads[number], self.stores[number] = recipe.cost, -1.0
        for index, after in enumerate(afters):
            self._add_block(index, after)
        self._make_symmetric()

    def _add_block(self, index: int, after: list[int]) -> None:
        adjacent, weight, hard = self.adjacent, self.weights[index], self.hard_mask
        for rtl, entry, live in zip(self.function.blocks[index].rtls, self.liveness.accesses[index], after, strict=True):
            changed = entry.sets | entry.clobbers
            if self.savable and rtl.call is not None:
                changed = self._call(rtl, entry, live, weight)
            if used := entry.uses & ~hard:
                for n in bits(used):
                    self.costs[n] += self.loads[n] * weight
            if copied := self._recomputable(rtl):
                self.costs[self.numbering.number(copied)] -= weight  # the copy goes
            if written := entry.sets & ~hard:
                for n in bits(written):
                    self.costs[n] += self.stores[n] * weight
            self.mentioned |= entry.uses | entry.sets
            if not changed:
                continue
            conflicts = live | changed
            move = self._move_of(rtl)
            if move is not None:
                self.moves.append(Move(weight, *move))
                conflicts &= ~(1 << move[1])
            for n in bits(changed):
                adjacent[n] |= conflicts

    def _recomputable(self, rtl: Rtl) -> Register | None:
        """Return the register that an RTL copies if it can be computed anew."""
        effect = rtl.single_set if self.recipes else None
        source = effect.source if effect is not None and type(effect.target) is Register else None
        return source if type(source) is Register and source in self.recipes else None

    def _make_symmetric(self) -> None:
        """Complete the graph; hard registers that nobody gets are no neighbours, since they take no colour away."""
        masks: dict[str, int] = defaultdict(int)
        for number, bank in enumerate(self.banks):
            if not self.hard[number] or self.assignable >> number & 1:
                masks[bank] |= 1 << number
        adjacent = self.adjacent
        for number in range(len(adjacent)):
            adjacent[number] &= masks[self.banks[number]] & ~(1 << number)
        for number in range(len(adjacent)):
            bit = 1 << number
            for other in bits(adjacent[number]):
                adjacent[other] |= bit

    def _call(self, rtl: Rtl, entry: Access, live: int, weight: float) -> int:
        """Return what a call changes that no caller can save: of the scratch registers, those with results."""
        self.results[rtl] = entry.clobbers & live & self.hard_mask
        for n in bits(live & ~entry.sets & ~self.hard_mask):
            self.crossed[n] += weight
        return entry.sets | (entry.clobbers & ~self.savable) | self.results[rtl]

    def _move_of(self, rtl: Rtl) -> tuple[int, int] | None:
        """Return target and source of a move between nodes that may be one; note one to or from a hard pair as a wish."""
        effect = rtl.single_set
        if effect is None or type(effect.target) is not Register or type(effect.source) is not Register:
            return None
        numbering, pair = self.numbering, self.numbering.is_pair
        if pair(effect.target) or pair(effect.source):
            for one, other in ((effect.target, effect.source), (effect.source, effect.target)):
                if one.pseudo and pair(other):
                    self.wishes.append((numbering.number(one), self.colour_of(other)))
            return None
        if effect.target in numbering.untracked or effect.source in numbering.untracked:
            return None
        target, source = numbering.number(effect.target), numbering.number(effect.source)
        if self.banks[target] != self.banks[source] or self.widths[target] != self.widths[source]:
            return None
        return target, source
