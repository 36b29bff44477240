"""Partial redundancy elimination by value numbers, on SSA form.

    PC=r[t9]==0,L3;                        PC=r[t9]==0,L3;
L2: r[t1]=r[t8]+r[t7];                 L2: r[t1]=r[t8]+r[t7];
    PC=L4;                         =>      PC=L4;
L3: ...                                L3: ...  r[t3]=r[t8]+r[t7];
L4: r[t2]=r[t8]+r[t7];                 L4: r[t2]=PHI(L2:r[t1],L3:r[t3]);

What a block computes at a join of control, and some ways into it have computed already, is computed at the ends of the
others instead, if these are executed more rarely than the block.  Its operands are translated through the phis of the block:
on each way they have other values.  Loads are values like others, as long as nothing changes what they read.  What a loop
loads or stores may be what it loads in its next round, at an address that is a step on: it stays in a register meanwhile.

L4: r[t1.2]=PHI(L3:r[t1.1],L4:r[t1.3]);                   L4: r[t1.2]=PHI(L3:r[t1.1],L4:r[t1.3]);
    r[t2]=L[r[t1.2]];                                         r[t2]=PHI(L3:r[t5],L4:r[t3]);
    r[t3]=L[r[t1.2]+4];                             =>        r[t3]=L[r[t1.2]+4];
    r[t1.3]=r[t1.2]+4;                                        r[t1.3]=r[t1.2]+4;

After Briggs and Cooper, "Effective Partial Redundancy Elimination" (1994), and VanDrunen and Hosking, "Value-Based Partial
Redundancy Elimination" (2004); insertions are chosen by frequency, as Cai and Xue, "Optimal and Efficient Speculation-Based
Partial Redundancy Elimination" (2003), but never made where the block does not follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from vpo.algebra import CONSTANTS, rebuild_effect
from vpo.analysis.alias import is_opaque
from vpo.analysis.cfg import end_of, jumps_computed
from vpo.analysis.dominators import dominance_intervals, is_within
from vpo.analysis.induction import LinearForm
from vpo.analysis.liveness import Liveness
from vpo.analysis.ssa import Definition, defining_blocks
from vpo.analysis.value_numbers import ValueNumbers
from vpo.opt.loops.loop_variables import Room, calls_in, named_in, tied
from vpo.opt.loops.motion import may_fault
from vpo.opt.ssa.eliminate_redundancies import Home, home_of
from vpo.opt.ssa.memory_bits import Users
from vpo.opt.ssa.propagate_constants import substituted
from vpo.opt.state import ALIASES, CFG, DOMINATORS, FREQUENCIES, LIVENESS, LOOPS, MEMORY_SSA, FunctionState
from vpo.rtl import Effect, Expr, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Block, Phi

MANY = 12  # registers
MARGIN = 0.99  # of a block's frequency that insertions may have


def eliminate_partial_redundancies(state: FunctionState) -> None:
    """Compute at the ends of some predecessors what others have computed already."""
    if state.function.stage == "ssa":
        _Insertion(state).run()


@dataclass
class _Way:
    """A way into the block: the predecessor, what the computation is there, and the register that holds it if there is one."""

    number: int
    effect: Set
    value: Expr | None
    holder: Register | None
    carried: bool = False  # from one round of a loop to the next


Access = tuple[LinearForm, str, str, str]  # its address, the type of the cell, the class of the register, how it is extended


def _with(user: Rtl | Phi, register: Register, value: Expr) -> Set | None:
    """Return the only effect of an RTL with a value in the place of a register; None if it has others, or cannot have it."""
    effects = substituted(user.effects, register, value) if isinstance(user, Rtl) else None
    effect = effects[0] if effects is not None and len(effects) == 1 else None
    return effect if isinstance(effect, Set) else None


class _Insertion:
    """The work on one function; `holders` are the registers that hold values, and where they are defined."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.machine, self.blocks = state, state.machine, state.function.blocks
        self.cfg, self.frequencies = state.get(CFG), state.get(FREQUENCIES)
        self.memory = state.get(MEMORY_SSA)
        self.values = ValueNumbers(state.function, self.cfg, state.machine, self.memory)
        self.intervals = dominance_intervals(state.get(DOMINATORS))
        self.homes, self.aliases = defining_blocks(state.function), state.get(ALIASES)
        self.users = Users(state)
        self.stands_for: dict[Register, Phi | Register] = {}  # of the block: what holds the same as its registers
        self.holders: dict[Home, list[Register]] = {}
        for register in self.homes:
            self._note(register)

    @cached_property
    def liveness(self) -> Liveness:
        """What is live of hard registers, which stays as it is."""
        return self.state.get(LIVENESS)

    def _note(self, register: Register) -> None:
        value = self.values.values.get(register)
        if value is not None:
            self.holders.setdefault(home_of(value, register), []).append(register)

    def run(self) -> None:
        """Look at each join, so that what was inserted for one is known at the next."""
        for number in self.cfg.reverse_postorder():
            ways = self.cfg.predecessors[number]
            if len(ways) > 1 and number and not any(jumps_computed(self.blocks[way]) for way in ways):
                self._improve(number)

    def _improve(self, number: int) -> None:
        block = self.blocks[number]
        self.stands_for = {phi.target: phi for phi in block.phis}
        ends = False  # whether control may not come back before the next RTL
        for rtl in list(block.rtls):
            effect = rtl.single_set
            if effect is not None and isinstance(effect.target, Register) and effect.target.pseudo:
                if isinstance(effect.source, Register):
                    if effect.source.pseudo:
                        self.stands_for[effect.target] = effect.source
                elif isinstance(effect.source, CONSTANTS):
                    continue  # costs no more than to keep it: motion does what is worth it
                elif rtl in self.values.places and not (ends and may_fault(effect.source, self.aliases)):
                    self._try(number, block, rtl, effect)
            ends |= is_opaque(rtl)

    def _try(self, number: int, block: Block, rtl: Rtl, effect: Set) -> None:
        """Replace one RTL by a phi if that pays."""
        assert isinstance(effect.target, Register)
        if not all(self._comes_from_before(r, number) for r in effect.uses) or not self._reads_from_before(rtl, effect):
            return
        ways = [self._way(way, effect) for way in self.cfg.predecessors[number]]
        missing = [way for way in ways if way.holder is None]
        others = {way.holder for way in ways if way.holder not in (None, effect.target)}
        if len(missing) == len(ways) or not (missing or others):
            return
        if len(missing) > 1 and others:
            return
        cost = sum(self.frequencies[way.number] for way in missing)
        if cost > self.frequencies[number] * MARGIN:
            return
        if any(way.carried for way in ways) and not self._has_room(number, effect.target):
            return
        if missing and not effect.memory and any(self._is_copied(number, block, effect.target, way) for way in ways):
            return
        shifts = isinstance(effect.source, Op) and effect.source.op == "<<"
        folded = shifts and self._has_many(effect.target) and self._is_folded(effect.target, effect.source)
        if folded and not self._leads_to_more(effect.target, ways):
            return
        self._replace(block, rtl, effect.target, ways)

    def _is_copied(self, number: int, block: Block, target: Register, way: _Way) -> bool:
        """Whether a value is wanted when that of the loop's next round is computed: one is copied, which costs the same."""
        holder = way.holder
        if holder is None or holder is target or self.homes[holder] != number:
            return False
        made = next((place for place, rtl in enumerate(block.rtls) if holder in rtl.sets), -1)
        return not self.users.of(target) <= {*block.rtls[: made + 1]}

    def _has_many(self, register: Register) -> bool:
        """Whether there are many registers: an address takes one, base and index take two."""
        return len(self.machine.allocable_in(register.cls)) >= MANY

    def _is_folded(self, register: Register, source: Expr, depth: int = 2) -> bool:
        """Whether all that use a register can compute it themselves, as part of an address: then it costs nothing."""
        for user in self.users.of(register):
            if not isinstance(user, Rtl) or (effects := substituted(user.effects, register, source)) is None:
                return False
            if (user.loads or user.stores) and self.machine.is_legal(effects):
                continue
            sum_ = effects[0] if len(effects) == 1 else None
            if not isinstance(sum_, Set) or not isinstance(sum_.target, Register) or sum_.memory or not depth:
                return False
            if not sum_.target.pseudo or not self._is_folded(sum_.target, sum_.source, depth - 1):
                return False
        return True

    def _leads_to_more(self, register: Register, ways: list[_Way]) -> bool:
        """Whether what uses a register is known on a way, too: an address, at which a value is carried."""
        for user in self.users.of(register):
            for way in ways:
                if way.holder is None or isinstance(self.values.values.get(way.holder), CONSTANTS):
                    continue
                effect = _with(user, register, way.holder)
                if effect is None or effect.memory or not isinstance(effect.target, Register):
                    continue
                value = self._known(effect, 0)
                if value is not None and self._leads_to_loads(effect.target, value, way):
                    return True
        return False

    def _known(self, effect: Set, number: int) -> Expr | None:
        """Return the value of a computation at the end of a block, if something computes it."""
        key = self.values.key(effect, lambda cell: self.memory.clobber_at_end(number, cell))
        return key if key is None or isinstance(key, Expr) else self.values.table.get(key)

    def _leads_to_loads(self, address: Register, value: Expr, way: _Way) -> bool:
        """Whether a way knows what is loaded at an address with a value, or more is computed of the address."""
        holder = next(iter(self.holders.get(home_of(value, address), ())), None)
        for user in self.users.of(address):
            effect = _with(user, address, holder) if holder is not None else None
            if effect is None or not isinstance(user, Rtl) or not (user.loads or user.stores):
                return True
            if user.loads and isinstance(effect.target, Register):
                carried = self._carried(way.number, effect.source, effect.target)
                if carried is not None or self._known(effect, way.number) is not None:
                    return True
        return False

    def _has_room(self, number: int, target: Register) -> bool:
        """Whether the loop with a header can keep one more register, like another one."""
        state, cls = self.state, self.machine.classes[target.cls]
        loop = next((loop for loop in state.get(LOOPS) if loop.header == number), None)
        if loop is None:
            return False
        calls, named = calls_in(self.blocks, loop), named_in(state.function, loop)
        return Room(self.machine, state.get(LIVENESS), loop, calls, named).has(cls.bank, cls.width)

    def _comes_from_before(self, register: Register, number: int) -> bool:
        """Whether a register is set before a block, or at its head."""
        origin = self._origin(register)
        return isinstance(origin, Phi) or self.homes.get(origin) != number

    def _origin(self, register: Register) -> Phi | Register:
        """Return what a register of the block is a copy of."""
        origin: Phi | Register = register
        while isinstance(origin, Register) and origin in self.stands_for:
            origin = self.stands_for[origin]
        return origin

    def _reads_from_before(self, rtl: Rtl, effect: Set) -> bool:
        """Whether no memory that an RTL reads changes between the head of its block and the RTL."""
        home = self.values.places[rtl][0]
        return all(not isinstance(c, Rtl) or self.values.places[c][0] != home
                   for c in (self.values.clobber(rtl, cell) for cell in effect.source.memory))  # fmt: skip

    def _way(self, number: int, effect: Set) -> _Way:
        """Translate a computation to the end of a predecessor, and look who holds its value there."""
        label = self.blocks[number].label

        def translate(node: Expr) -> Expr | None:
            origin = self._origin(node) if type(node) is Register else None
            return origin.sources[label] if isinstance(origin, Phi) else origin

        there = rebuild_effect(effect, translate)
        assert isinstance(there, Set)
        assert isinstance(effect.target, Register)

        def clobber(cell: Mem) -> Definition:
            return self.memory.clobber_at_end(number, cell)

        key = self.values.key(there, clobber)
        value = key if isinstance(key, Expr) else self.values.table.get(key) if key is not None else None
        for register in self.holders.get(home_of(value, effect.target), ()) if value is not None else ():
            if is_within(self.intervals, self.homes[register], number):
                return _Way(number, there, value, register)
        carried = self._carried(number, there.source, effect.target) if effect.memory else None
        return _Way(number, there, value, carried, carried is not None)

    @cached_property
    def accesses(self) -> dict[Access, list[tuple[Rtl, Register]]]:
        """The loads and stores of registers that are numbered, with what they load or store."""
        found: dict[Access, list[tuple[Rtl, Register]]] = {}
        for rtl in self.values.places:
            effect = rtl.single_set
            if effect is None or not (rtl.loads or rtl.stores):
                continue
            register, cell = (effect.source, effect.target) if rtl.stores else (effect.target, effect.source)
            if isinstance(register, Register) and register.pseudo and (access := self._access(cell, register.cls)) is not None:
                found.setdefault(access, []).append((rtl, register))
        return found

    def _access(self, node: Expr, cls: str) -> Access | None:
        """Return how a register of a class is loaded, or stored; None if that is no plain access."""
        cell, how = (node.args[0], node.op) if isinstance(node, Op) and node.op in ("sx", "zx") else (node, "")
        form = self.aliases.form(cell.address) if isinstance(cell, Mem) and not cell.volatile else None
        return None if form is None else (form, cell.type, cls, how)

    def _carried(self, number: int, load: Expr, target: Register) -> Register | None:
        """Return the register that holds at the end of a block what has been loaded or stored at the address of a load."""
        access = self._access(load, target.cls)
        if access is None or access not in self.accesses:
            return None
        last = self.memory.clobber_at_end(number, load.memory[0])
        for rtl, register in self.accesses[access]:
            leaves = rtl if rtl.stores else self.values.clobber(rtl, rtl.loads[0])
            if leaves is last and is_within(self.intervals, self.values.places[rtl][0], number):
                return register
        return None

    def _insertion(self, way: _Way, target: Register, rtl: Rtl) -> list[Rtl]:
        """Return RTLs that compute at the end of a predecessor what `rtl` does; none if there is no place for them."""
        if len(self.cfg.successors[way.number]) != 1:
            return []
        source, function = way.effect.source, self.state.function
        new = function.pseudo(target.cls, target.type)
        found: list[tuple[Effect, ...]] = [(Set(new, source),)]
        if not self.machine.is_legal(found[0]):  # an instruction with two addresses, perhaps
            ways = (way for way in tied(new, source) if all(map(self.machine.is_legal, way)))
            found = next(ways, [])
        clobbers = tuple({register for effects in found for register in self.machine.may_clobber(effects)})
        if clobbers and self.liveness.numbering.mask(clobbers) & self.liveness.live_out[way.number]:
            return []
        return [Rtl(effects, rtl.lines, rtl.cause) for effects in found]

    def _replace(self, block: Block, rtl: Rtl, target: Register, ways: list[_Way]) -> None:
        """Insert what is missing, and make a phi of it, as one change."""
        contents: dict[Block, list[Rtl]] = {}
        joined = self.state.function.pseudo(target.cls, target.type)
        sources: dict[str, Register] = {}
        inserted: list[tuple[Register, _Way]] = []
        for way in ways:
            before = self.blocks[way.number]
            register = joined if way.holder is target else way.holder
            if register is None:
                new = self._insertion(way, target, rtl)
                if not new:
                    return
                end = end_of(before)
                contents[before] = [*before.rtls[:end], *new, *before.rtls[end:]]
                (register,) = new[-1].sets
                inserted.append((register, way))
            sources[before.label] = register
        phi = Phi(joined, sources, rtl.lines, rtl.cause)
        copy = Rtl((Set(target, joined),), rtl.lines, rtl.cause)
        contents[block] = [copy if other is rtl else other for other in contents.get(block, block.rtls)]
        if self.state.change(contents, phis={block: [*block.phis, phi]}):
            self.stands_for[joined], self.stands_for[target] = phi, joined
            for register, way in inserted:
                self._define(register, way.number, way.value if way.value is not None else register)
            self._define(joined, self.cfg.labels[block.label], self.values.values[target])

    def _define(self, register: Register, number: int, value: Expr) -> None:
        self.homes[register], self.values.values[register] = number, value
        self._note(register)
