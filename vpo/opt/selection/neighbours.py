"""Compute the addresses of objects that lie side by side from one register, on SSA form, where that saves instructions.

    L4: r[t1]=HI[_a]; r[t2]=r[t1]+LO[_a];             L4: r[t9]=HI[_group.zero]; r[t8]=r[t9]+LO[_group.zero];
        ... L[r[t2]] ...                                  r[t2]=r[t8]+4;
    L5: r[t3]=HI[_b]; r[t4]=r[t3]+LO[_b];        =>       ... L[r[t2]] ...
        ... L[r[t4]] ...                              L5: r[t4]=r[t8]+8;
                                                          ... L[r[t4]] ...

`vpo/build/neighbours.py` has put the objects into a group, and `fold-addresses` makes the distances displacements.  The
address of the group is computed where every way to its users goes through, in front of loops, if it saves more than it costs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from vpo.algebra import binary, rebuild, set_, substitute_in
from vpo.analysis.cfg import end_of
from vpo.analysis.dominators import Loop, dominates
from vpo.opt.loops.loop_variables import across_calls, calls_in
from vpo.opt.selection.addresses import CONSTANT, SAVED, high_halves, is_form, joined, literal_of, share_within_objects
from vpo.opt.state import CFG, DOMINATORS, LIVENESS, FunctionState
from vpo.rtl import Const, Expr, Half, Mem, Op, Register, Rtl, Symbol

ROUNDS = 8  # registers for one group
RESERVE = 1  # registers for what lives within a block only
READ = 1.0  # the cost of an address that is read from a literal pool, and may be so again where registers are few
SPLIT = 0.8  # of how often a register is used that finds no place: it may have one for a while


@dataclass(frozen=True, slots=True, eq=False)
class _Address:
    """A register with an address in a group, where it is computed, and what computing it from the group's saves."""

    register: Register
    distance: int
    rtl: Rtl
    block: int
    gain: float


def share_addresses(state: FunctionState) -> None:
    """Compute addresses within objects, and within groups of objects, from each other, where that saves instructions."""
    if state.function.stage == "ssa":
        if state.facts.places:
            _Sharing(state).run()
        share_within_objects(state)


class _Sharing:
    """The addresses of one function that lie in groups, and the RTLs that use each register."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.blocks, self.machine = state, state.function.blocks, state.machine
        self.places = state.facts.places
        self.users: dict[Register, list[Rtl]] = defaultdict(list)  # of registers with addresses

    def run(self) -> None:
        """Share what pays, in each group."""
        found = self._candidates()
        if not found:
            return
        state = self.state
        self.dominators, self.weights = state.get(DOMINATORS), state.weights()
        self.order = state.get(CFG).reverse_postorder()
        for group, addresses in self._found(found).items():
            for _ in range(ROUNDS):
                block, net = self._best(addresses)
                chosen = [address for address in addresses if dominates(self.dominators, block, address.block)]
                if net <= 0 or net <= SPLIT * self._displaced(block, chosen):
                    break
                if not self._share(group, block, chosen):
                    return
                addresses = [address for address in addresses if address not in chosen]

    def _candidates(self) -> list[tuple[int, Rtl, Register, Symbol]]:
        """Return the registers that are given addresses in groups, if there are several of one group."""
        highs = high_halves(self.blocks)
        found: list[tuple[int, Rtl, Register, Symbol]] = []
        groups: list[str] = []
        for number, block in enumerate(self.blocks):
            for rtl in block.rtls:
                effect = rtl.single_set
                if effect is None or not isinstance(effect.target, Register) or isinstance(effect.source, Register | Const):
                    continue
                source = effect.source
                symbol = joined(source, highs) if isinstance(source, Op) else literal_of(source) or source
                if isinstance(symbol, Symbol) and symbol.name in self.places:
                    found.append((number, rtl, effect.target, symbol))
                    groups.append(self.places[symbol.name][0])
        return found if len(groups) > len(set(groups)) else []

    def _found(self, candidates: Sequence[tuple[int, Rtl, Register, Symbol]]) -> dict[str, list[_Address]]:
        """Return the addresses in each group that cost less if they are computed from the group's."""
        found: dict[str, list[_Address]] = defaultdict(list)
        registers = {register for _, _, register, _ in candidates}
        for block in self.blocks:
            for rtl in block.rtls:
                for register in rtl.uses:
                    if register in registers:
                        self.users[register].append(rtl)
        self.in_phis = {source for block in self.blocks for phi in block.phis for source in phi.sources.values()}
        for number, rtl, register, symbol in candidates:
            effect = rtl.single_set
            assert effect is not None
            group, place = self.places[symbol.name]
            distance = place + symbol.offset
            gain = self._cost(register, effect.source) - self._cost_from(register, distance)
            if gain > 0 and number in self.dominators:
                found[group].append(_Address(register, distance, rtl, number, gain * self.weights[number]))
        return found

    def _cost(self, register: Register, source: Expr) -> float:
        """Return how many instructions an address costs, as it is computed."""
        if not isinstance(source, Op):
            return READ if isinstance(source, Mem) else CONSTANT
        return 1.0 if self._all_fold(register, source) else 2.0

    def _cost_from(self, register: Register, distance: int) -> float:
        """Return how many instructions an address costs that is computed from another register."""
        base = Register(register.cls, 1, register.type, True)
        source = binary("+", base, Const(distance))
        if not distance or (isinstance(source, Op) and self._all_fold(register, source)):
            return 0.0
        return 1.0 if self.machine.is_legal((set_(Register(register.cls, 2, register.type, True), source),)) else CONSTANT

    def _all_fold(self, register: Register, source: Op) -> bool:
        """Whether all that use an address can compute it themselves."""
        if register in self.in_phis or not register.pseudo:
            return False
        for rtl in self.users[register]:
            effects = tuple(substitute_in(e, {register: source}) for e in rtl.effects)
            in_cells = any(register in cell.address.uses for cell in (*rtl.loads, *rtl.stores))
            if not in_cells or not is_form(effects, self.machine):
                return False
        return True

    def _best(self, addresses: Sequence[_Address]) -> tuple[int, float]:
        """Return the block in which the group's address saves most, the last of such, and how much; 0 if it saves nothing."""
        gains: dict[int, float] = defaultdict(float)
        counts: dict[int, int] = defaultdict(int)
        for address in addresses:
            gains[address.block] += address.gain
            counts[address.block] += 1
        calls = {number: any(rtl.call is not None for rtl in self.blocks[number].rtls) for number in self.order}
        for number in reversed(self.order):
            parent = self.dominators[number]
            if parent != number and counts[number]:
                gains[parent] += gains[number]
                counts[parent] += counts[number]
                calls[parent] |= calls[number]
        best, most = self.order[0], 0.0
        for number in self.order:
            if counts[number] > 1:
                net = gains[number] - self.weights[number] * (CONSTANT + SAVED * calls[number])
                if net > 0 and net >= most:
                    best, most = number, net
        return best, most

    def _displaced(self, block: int, chosen: Sequence[_Address]) -> float:
        """Return how often the register is used in whose place the group's address is, from a block to some addresses."""
        between, work = {block}, [address.block for address in chosen]
        while work:
            number = work.pop()
            if number not in between:
                between.add(number)
                work += self.state.get(CFG).predecessors[number]
        liveness, machine = self.state.get(LIVENESS), self.machine
        calls = calls_in(self.blocks, Loop(block, frozenset(between)))
        bank = machine.classes[chosen[0].register.cls].bank
        surviving = [r for r in machine.allocable[bank] if r not in machine.convention.scratch]
        sets = {liveness.live_in[number]: len(machine.allocable[bank]) - RESERVE for number in between}
        sets.update(dict.fromkeys(across_calls(liveness, calls), len(surviving)))
        gone, used = {address.register for address in chosen}, self._used()
        worst = 0.0
        for live, room in sets.items():
            taking = [r for r in liveness.numbering.members(live) if r.pseudo and r not in gone]
            taking = [r for r in taking if machine.classes[r.cls].bank == bank]
            if len(taking) >= room:
                worst = max(worst, sorted(used[r] for r in taking)[len(taking) - room])
        return worst

    def _used(self) -> dict[Register, float]:
        """Return how often each register is used and set."""
        used: dict[Register, float] = defaultdict(float)
        for block, weight in zip(self.blocks, self.weights, strict=True):
            for rtl in block.rtls:
                for register in (*rtl.uses, *rtl.sets):
                    used[register] += weight
        return used

    def _share(self, group: str, number: int, chosen: Sequence[_Address]) -> bool:
        """Compute a group's address in a block, and others from it."""
        block = self.blocks[number]
        computed = self._computed(group, chosen[0])
        if computed is None:
            return False
        base, rtls = computed
        own = {address.rtl for address in chosen}
        place = next((place for place, rtl in enumerate(block.rtls) if rtl in own), end_of(block))
        if not self.state.insert(block, place, rtls):
            return False
        for address in chosen:
            source = binary("+", base, Const(address.distance))
            self.state.replace(self.blocks[address.block], address.rtl, (set_(address.register, source),))
        return True

    def _computed(self, group: str, like: _Address) -> tuple[Register, list[Rtl]] | None:
        """Return a register, and what computes a group's address into it, as another address is computed."""
        effect = like.rtl.single_set
        assert effect is not None
        symbol = Symbol(group)
        cls = self.machine.values.address if not like.register.pseudo else like.register.cls
        base = self.state.function.pseudo(cls, like.register.type)
        rtls: list[Rtl] = []
        if isinstance(effect.source, Op):
            high = self.state.function.pseudo(cls, like.register.type)
            rtls.append(Rtl((set_(high, Half("HI", symbol)),), like.rtl.lines, like.rtl.cause))
            source: Expr = binary("+", high, Half("LO", symbol))
        else:
            source = rebuild(effect.source, lambda node: symbol if isinstance(node, Symbol) else None)
        rtls.append(Rtl((set_(base, source),), like.rtl.lines, like.rtl.cause))
        legal = all(self.machine.is_legal(rtl.effects) and not self.machine.may_clobber(rtl.effects) for rtl in rtls)
        return (base, rtls) if legal else None
