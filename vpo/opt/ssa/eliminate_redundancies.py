"""Global elimination of redundant computations, copies and loads by value numbers, on SSA form.

    r[t1]=r[t9]+r[t8];              r[t1]=r[t9]+r[t8];
    PC=r[t7]==0,L3;                 PC=r[t7]==0,L3;
L2: r[t2]=r[t8]+r[t9];      =>  L2: r[t2]=r[t1];            (which is dead as soon as r[t1] is read instead)
    L[r[t2]]=r[t6];                 L[r[t1]]=r[t6];

What loads the bits that a store wrote from a register of another kind takes them from there, if an instruction does that:

    D[r[2]+.t]=f[t1];   r[t2]=Q[r[2]+.t];      =>      D[r[2]+.t]=f[t1];   r[t2]=bitsQ(f[t1]);

What stores the value of a cell which the same block has stored stores what was stored there, so that the cell may be needless:

    F[r[4]+.t]=cvtF(f[t1]);   f[t2]=cvtD(F[r[4]+.t]);   F[r[t3]]=cvtF(f[t2]);      =>      ...   F[r[t3]]=cvtF(f[t1]);

What computes a value that a register holds already, wherever control came from, becomes a copy of that register, and the
register is read instead of others with its value.  So does a constant less a value of which a register holds the opposite.
Value numbers: `vpo/analysis/value_numbers.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

from vpo.algebra import CONSTANTS, binary, rebuild, unary
from vpo.analysis.dominators import dominator_tree
from vpo.analysis.liveness import Liveness
from vpo.analysis.value_numbers import ValueNumbers
from vpo.analysis.value_ranges import ValueRanges
from vpo.opt.ssa.propagate_constants import substituted
from vpo.opt.state import CFG, DOMINATORS, LIVENESS, MEMORY_SSA, ROUTINE_CALLS, VALUE_RANGES, FunctionState
from vpo.rtl import BITS, FLOAT_TYPES, INTEGER_TYPES, Cell, Const, Effect, Expr, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Block, Phi

Home = tuple[Expr, str, str]  # a value, and the class and type of a register that can hold it


def home_of(value: Expr, register: Register) -> Home:
    """Return what tells the registers apart that could hold a value: those of one class and type are as good."""
    return value, register.cls, register.type


def _loaded(source: Expr) -> tuple[Mem | None, str]:
    """Return the cell that an expression loads, and how it is extended."""
    extension = source.op if type(source) is Op and source.op in ("sx", "zx") else ""
    cell = source.args[0] if type(source) is Op and extension else source
    return (cell, extension) if type(cell) is Mem and cell.type in BITS else (None, "")


def _bits_as(stored: Set, type_: str, shift: int) -> Expr | None:
    """Return what a store wrote from a register, as a cell of a type has it that begins at a bit of what was written.

    None if that is nothing new, as where both are of the same size and hold numbers of the same kind.
    """
    source, old = stored.source, stored.target.type
    register = source.args[0] if type(source) is Op and source.op == "tr" else source
    if type(register) is not Register or not register.pseudo:
        return None
    if BITS[type_] < BITS[old]:
        if register.type in FLOAT_TYPES or type_ in FLOAT_TYPES or BITS.get(register.type, 0) < BITS[old]:
            return None
        return unary("tr", type_, binary(">>u", register, Const(shift)) if shift else register)
    if register.type == old:
        return unary("bits", type_, register) if type_ != old else None
    if register.type in FLOAT_TYPES or old in FLOAT_TYPES or BITS.get(register.type, 0) <= BITS[old]:
        return None
    low = unary("tr", old, register)
    return low if type_ == old else unary("bits", type_, low)


def _extended(extension: str, type_: str, bits: Expr) -> Expr:
    """Return bits, extended: the highest of a register are only shifted."""
    match bits:
        case Op(op="tr", type=part, args=(Op(op=">>u", type=whole, args=(register, Const(value=by) as shift)),)):
            if whole == type_ and by + BITS[part] == BITS[whole]:
                return binary(">>" if extension == "sx" else ">>u", register, shift)
    return unary(extension, type_, bits)


def _is_undone(extension: Op, part: Op) -> bool:
    """Whether taking a part of what was extended gives what was there before: the same bits, whatever they mean."""
    (cell,) = extension.args
    if extension.op in ("sx", "zx"):
        return part.op == "tr" and part.type == cell.type
    exact = cell.type in FLOAT_TYPES and extension.type in FLOAT_TYPES and BITS[cell.type] < BITS[extension.type]
    return extension.op == part.op == "cvt" and part.type == cell.type and exact


def eliminate_redundancies(state: FunctionState) -> None:
    """Compute nothing twice on one way through the function."""
    if state.function.stage == "ssa":
        _Elimination(state).run()


class _Elimination:
    """A walk of the dominator tree; `leaders` are the registers that hold values wherever the walk is."""

    def __init__(self, state: FunctionState) -> None:
        self.state = state
        self.cfg = state.get(CFG)
        self.values = ValueNumbers(state.function, self.cfg, state.machine, state.get(MEMORY_SSA), state.get(ROUTINE_CALLS))
        self.blocks = state.function.blocks
        self.children = dominator_tree(state.get(DOMINATORS))
        self.leaders: dict[Home, Register] = {}
        self._sets: set[Expr] = set()  # the registers that the block has set
        self._loads: dict[Register, tuple[Rtl, Op, Mem]] = {}  # those that it has loaded, extended, with how and from where
        self._liveness: Liveness | None = None
        self._ranges: ValueRanges | None = None

    @property
    def ranges(self) -> ValueRanges:
        """In which ranges registers are, which stays as it is: each holds the same, however it is computed."""
        if self._ranges is None:
            self._ranges = self.state.get(VALUE_RANGES)
        return self._ranges

    @property
    def liveness(self) -> Liveness:
        """What is live of hard registers, which stays as it is."""
        if self._liveness is None:
            self._liveness = self.state.get(LIVENESS)
        return self._liveness

    def run(self) -> None:
        """Walk the tree; leave behind what a block made known with it."""
        made: list[Home] = []
        work: list[tuple[int, int | None]] = [(0, None)]
        while work:
            number, mark = work.pop()
            if mark is None:
                work.append((number, len(made)))
                made += self._improve(number)
                work += [(child, None) for child in reversed(self.children[number])]
            else:
                for home in made[mark:]:
                    del self.leaders[home]
                del made[mark:]

    def _improve(self, number: int) -> list[Home]:
        block = self.blocks[number]
        made: list[Home] = []
        self._improve_phis(block, made)
        self._sets, self._loads = set(), {}
        for rtl in list(block.rtls):
            self._take_from_store(block, number, rtl)
            self._read_leaders(block, rtl)
            self._store_what_was_stored(block, rtl)
            self._sets.update(rtl.sets)
            single = rtl.single_set
            if single is not None and (rtl in self.values.routines or not isinstance(single.source, Register | Const)):
                self._use_leader(block, rtl, single.target, single.source)
            self._note(rtl.sets, made)
        for successor in self.cfg.successors[number]:
            self._improve_sources(block, self.blocks[successor])
        return made

    def _take_from_store(self, block: Block, number: int, rtl: Rtl) -> None:
        """Let an RTL that loads what a store wrote from another kind of register, or a part of one, take it from there."""
        effect = rtl.single_set
        cell, extension = _loaded(effect.source) if effect is not None else (None, "")
        if effect is None or cell is None or type(effect.target) is not Register or cell.volatile:
            return
        store = self.values.last_change(rtl, cell)
        stored = store.single_set if type(store) is Rtl else None
        if stored is None or type(stored.target) is not Mem or stored.target.volatile:
            return
        place = self._place_in(stored.target, cell)
        bits = _bits_as(stored, cell.type, place) if place is not None else None
        if bits is None:
            return
        source = _extended(extension, effect.target.type, bits) if extension else bits
        register = bits.args[0] if type(bits) is Op and bits.op == "tr" else None
        if type(register) is Register and register.type == effect.target.type and self._are_same(source, register, number):
            source = register
        effects, machine = (Set(effect.target, source),), self.state.machine
        if source.type == effect.target.type and machine.is_legal(effects) and not machine.may_clobber(effects):
            self.state.replace(block, rtl, effects)

    def _are_same(self, source: Expr, register: Register, number: int) -> bool:
        """Whether an extension in a block is what it extends a part of."""
        return self.ranges.of(source, number, register.type) == self.ranges.of(register, number, register.type)

    def _store_what_was_stored(self, block: Block, rtl: Rtl) -> None:
        """Let a store of a part of a register that was loaded from a cell store what was stored there; note loads.

        The cell had the same part of the register that was stored.  That is set in the block, too, and nothing else reads
        the one that was loaded, so that one of them is kept, and not for long.
        """
        effect = rtl.single_set
        if effect is None or type(effect.source) is not Op or len(effect.source.args) != 1:
            return
        (operand,) = effect.source.args
        if type(effect.target) is Register and type(operand) is Mem and not operand.volatile:
            self._loads[effect.target] = rtl, effect.source, operand
        if type(operand) is not Register or operand not in self._loads or type(effect.target) is not Mem:
            return
        load, extension, cell = self._loads[operand]
        store = self.values.last_change(load, cell)
        stored = store.single_set if type(store) is Rtl else None
        if stored is None or type(stored.source) is not Op or type(stored.target) is not Mem:
            return
        kept = stored.source.args[0]
        types = {effect.target.type, stored.target.type, cell.type}
        if len(types) > 1 or effect.source.op != stored.source.op or not _is_undone(extension, effect.source):
            return
        as_stored = kept in self._sets and kept.type == operand.type and self._place_in(stored.target, cell) == 0
        if as_stored and self._is_read_once(operand):
            self.state.replace(block, rtl, (Set(effect.target, stored.source),))

    def _is_read_once(self, register: Register) -> bool:
        """Whether only one RTL, and no phi, reads a register."""
        phis = [phi for block in self.blocks for phi in block.phis if register in phi.sources.values()]
        return not phis and sum(register in rtl.uses for rtl in self.state.function.rtls()) == 1

    def _place_in(self, whole: Mem, part: Mem) -> int | None:
        """Return at which bit of a cell another one begins, whatever their types; None if it is not within."""
        value, last = self.values.value_of, (BITS.get(whole.type, 0) - BITS[part.type]) // 8
        one, other = rebuild(whole.address, value), rebuild(part.address, value)
        places = (by for by in range(last + 1) if (binary("+", one, Const(by)) if by else one) is other)
        distance = next(places, None)
        if distance is None:
            return None
        return 8 * (last - distance if self.state.machine.big_endian else distance)

    def _use_leader(self, block: Block, rtl: Rtl, target: Cell, source: Expr) -> None:
        """Make a copy of an RTL that computes what a register holds, or a constant of one that always computes this."""
        if type(target) is not Register:
            return
        leader = self.leader(target)
        value = self.values.values.get(target)
        known = leader if leader is not None else value if type(value) is Const and target.type in INTEGER_TYPES else None
        if known is None:
            match source if target.type in INTEGER_TYPES else None:
                case Op(op="-") as difference:
                    self._negate(block, rtl, target, difference, "")
                case Op(op="sx" | "zx" as extension, args=(Op(op="-") as difference,)):
                    self._negate(block, rtl, target, difference, extension)
            return
        call = self.values.routines.get(rtl)
        if call is None:
            self.state.replace(block, rtl, (Set(target, known),))
            return
        copy = Rtl((Set(target, known),), rtl.lines, rtl.cause)
        gone = set(call.rtls[:-1])
        self.state.change({block: [copy if other is rtl else other for other in block.rtls if other not in gone]})

    def _negate(self, block: Block, rtl: Rtl, target: Register, difference: Op, extension: str) -> None:
        """Let an RTL that computes a constant less a value negate a register that holds the value less the constant."""
        value = rebuild(difference, self.values.value_of)
        if type(value) is not Op or value.op != "-" or type(value.args[0]) is not Const:
            return
        held = binary("+", value.args[1], Const(-value.args[0].value), value.type)
        key = unary(extension, target.type, held) if extension else held
        known = self.values.table.get((key, target.type))
        register = self.leaders.get(home_of(known, target)) if known is not None else None
        if register is not None:
            negated = unary("neg", value.type, unary("tr", value.type, register) if extension else register)
            effects = (Set(target, unary(extension, target.type, negated) if extension else negated),)
            if self.state.machine.is_legal(effects) and not self.state.machine.may_clobber(effects):
                self.state.replace(block, rtl, effects)

    def leader(self, register: Register) -> Register | None:
        """Return another register that holds the value of one."""
        value = self.values.values.get(register)
        leader = self.leaders.get(home_of(value, register)) if value is not None else None
        return leader if leader is not register else None

    def _note(self, targets: Iterable[Register], made: list[Home]) -> None:
        """Let registers lead where none does."""
        for target in targets:
            value = self.values.values.get(target)
            if value is not None and (home := home_of(value, target)) not in self.leaders:
                self.leaders[home] = target
                made.append(home)

    def _improve_phis(self, block: Block, made: list[Home]) -> None:
        """Make copies of phis whose values registers hold, where a copy changes nothing that is live."""
        copies = [
            (phi, leader)
            for phi in block.phis
            if (leader := self.leader(phi.target)) and not self._harms(block, (Set(phi.target, leader),))
        ]
        if copies:
            rtls = [Rtl((Set(phi.target, leader),), phi.lines, phi.cause) for phi, leader in copies]
            gone = {id(phi) for phi, _ in copies}
            self.state.change({block: [*rtls, *block.rtls]}, phis={block: [p for p in block.phis if id(p) not in gone]})
        for phi in block.phis:
            self._note([phi.target], made)

    def _harms(self, block: Block, effects: tuple[Effect, ...]) -> bool:
        """Whether an RTL at the head of a block would change beside what is live there."""
        clobbers = self.state.machine.clobbers(effects)
        live = self.liveness.live_in[self.cfg.labels[block.label]] if clobbers else 0
        return bool(live) and bool(self.liveness.numbering.mask(clobbers) & live)

    def _read_leaders(self, block: Block, rtl: Rtl) -> None:
        """Let an RTL read the first registers that hold the values of those that it reads."""
        for register in rtl.uses:
            if register.pseudo and (leader := self.leader(register)):
                effects = substituted(rtl.effects, register, leader)
                if effects is not None:
                    self.state.replace(block, rtl, effects)

    def _improve_sources(self, block: Block, successor: Block) -> None:
        """Let the phis of a successor take the first registers that hold the values."""
        phis = [self._with_leader(phi, block.label) for phi in successor.phis]
        if any(new is not old for new, old in zip(phis, successor.phis, strict=True)):
            self.state.change({}, phis={successor: phis})

    def _with_leader(self, phi: Phi, label: str) -> Phi:
        source = phi.sources[label]
        leader = self.leader(source)
        if leader is None or isinstance(self.values.values.get(source), CONSTANTS):
            return phi  # what a constant is put into needs no other register to hold it
        return Phi(phi.target, {**phi.sources, label: leader}, phi.lines, phi.cause)
