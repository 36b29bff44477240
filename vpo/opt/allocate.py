"""Register assignment: colour the interference graph, coalesce moves, spill what does not fit.

Chaitin's allocator with Briggs's optimistic colouring and conservative coalescing (TOPLAS 1994), George's test for
moves to and from hard registers.  Registers of one bank compete, whatever view names them.  A constant or address is
recomputed instead of spilled; a machine with memory operands uses the spill slot in place where that is legal.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from vpo.algebra import rebuild_effect
from vpo.analysis.cfg import build_cfg
from vpo.analysis.frequency import frequencies
from vpo.analysis.liveness import Access, Liveness, Numbering, compute_liveness
from vpo.expand.legalize import CannotExpress, Legalizer
from vpo.function import FrameSlot, Function
from vpo.machines.machine import Machine
from vpo.opt.frame.caller_saves import save_around_calls
from vpo.opt.frame.register_windows import can_be_leaf, insert_moves, kept_by_windows, move_into_window
from vpo.opt.frame.save_instructions import savable_registers
from vpo.opt.state import FunctionState
from vpo.rtl import BITS, Const, Effect, Expr, Half, Mem, Op, Register, Rtl, Set, Slot, Symbol, subexpressions

MAX_ROUNDS = 30
INFINITE = 1e30


def assign_registers(state: FunctionState) -> None:
    """Replace every pseudo-register by a hard register; the function becomes stage 'allocated'.

    Raises CannotExpress if even spilling does not make it fit.
    """
    function, machine = state.function, state.machine
    if machine.convention.windows is None:
        _assign(state)
    elif not (can_be_leaf(function) and _assign(state, kept_by_windows(machine), may_spill=False)):
        _assign(state, move_into_window(function, machine))
        with state.required():
            insert_moves(state)
    function.stage = "allocated"
    state.invalidate()


def _assign(state: FunctionState, reserved: frozenset[Register] = frozenset(), may_spill: bool = True) -> bool:
    """Assign registers other than those reserved; False if that would need spilling and may not."""
    function, machine = state.function, state.machine
    temporaries: set[Register] = set()
    weights = frequencies(function)
    for _ in range(MAX_ROUNDS):
        graph = Graph(function, machine, weights, temporaries, reserved)
        spilled = graph.colour()
        if spilled and not may_spill:
            return False
        if not spilled:
            graph.rewrite()
            _expand_moves(function, machine)
            if machine.convention.caller_saves:
                state.invalidate()
                with state.required():
                    save_around_calls(state, graph.results)
            return True
        spiller = Spiller(function, machine, temporaries)
        for register in spilled:
            spiller.spill(register)
    raise CannotExpress(f"{function.name[1:]} with so few registers", function.line)


def _expand_moves(function: Function, machine: Machine) -> None:
    """Replace RTLs that are instructions only with pseudo-registers."""
    for block in function.blocks:
        code = Legalizer(machine, function)
        for rtl in block.rtls:
            effect = rtl.single_set()
            if effect is None or machine.is_legal(rtl.effects):
                code.out.append(rtl)
                continue
            code.line, code.cause = rtl.lines[0], rtl.cause
            code.emit(effect)
        block.rtls = code.out


@dataclass(eq=False)
class Graph:
    """The interference graph of one function, by register number."""

    function: Function
    machine: Machine
    weights: list[float]
    temporaries: set[Register]
    reserved: frozenset[Register] = frozenset()
    adjacent: list[int] = field(default_factory=list)
    moves: list[tuple[float, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        cfg = build_cfg(self.function)
        self.liveness: Liveness = compute_liveness(self.function, cfg, self.machine)
        self.numbering: Numbering = self.liveness.numbering
        self.colours = {
            cls.name: [self._colour(r) for r in self.machine.allocable_in(cls.name) if r not in self.reserved]
            for cls in self.machine.classes.values()
        }
        registers = self.numbering.registers
        self.allowed = [self.colours[r.cls] for r in registers]  # a class may be only the first registers of its bank
        self.banks = [self.machine.classes[r.cls].bank for r in registers]
        self.hard = [not r.pseudo for r in registers]
        self.widths = [self.machine.classes[r.cls].width if r.pseudo else 1 for r in registers]
        self.wide = sum(1 << n for n, width in enumerate(self.widths) if width > 1)
        self.costs: dict[int, float] = defaultdict(float)
        self.adjacent = [0] * len(registers)
        self.alias = list(range(len(registers)))
        self.wishes: list[tuple[int, int]] = []  # pseudo-registers, and hard ones with which they cannot be merged
        self._bank_masks()
        self.results: dict[Rtl, int] = {}  # what calls set that is read behind them
        self.crossed: dict[int, float] = defaultdict(float)  # how often calls are made while a register is live
        convention = self.machine.convention
        self.savable = self.numbering.mask(tuple(savable_registers(self.machine))) if convention.caller_saves else 0
        self.hard_mask = sum(1 << n for n, hard in enumerate(self.hard) if hard)
        self._build()
        self.preferences: dict[int, list[int]] = defaultdict(list)

    def _colour(self, register: Register) -> int:
        """Return the number of a hard register, of the first part if it has several."""
        bank, index = self.machine.storage(register)[0]
        return self.numbering.number(Register(bank, index, self.machine.classes[bank].type))

    def _occupied(self, number: int, colour: int) -> int:
        """Return the bit set of the hard registers that a node of some colour takes up."""
        if self.widths[number] == 1:
            return 1 << colour
        first = self.numbering.registers[colour]
        return sum(
            1 << self.numbering.number(Register(first.cls, first.index + i, first.type)) for i in range(self.widths[number])
        )

    def _bank_masks(self) -> None:
        masks: dict[str, int] = defaultdict(int)
        for number, bank in enumerate(self.banks):
            masks[bank] |= 1 << number
        self.masks = masks

    def _build(self) -> None:
        adjacent = self.adjacent
        for index, block in enumerate(self.function.blocks):
            weight = self.weights[index]
            after = self.liveness.backward(index)
            for rtl, entry, live in zip(block.rtls, self.liveness.accesses[index], after, strict=True):
                changed = entry.sets | entry.clobbers
                if self.savable and rtl.call is not None:
                    changed = self._call(rtl, entry, live, weight)
                self._charge(self.costs, entry.uses, weight)
                self._charge(self.costs, entry.sets, weight)
                if not changed:
                    continue
                move = self._move_of(rtl)
                conflicts = live | changed
                if move is not None:
                    target, source = move
                    self.moves.append((weight, target, source))
                    conflicts &= ~(1 << source)
                else:
                    self._wish(rtl)
                mask = changed
                while mask:
                    low = mask & -mask
                    adjacent[low.bit_length() - 1] |= conflicts
                    mask ^= low
        for number in range(len(adjacent)):
            adjacent[number] &= self.masks[self.banks[number]] & ~(1 << number)
        for number in range(len(adjacent)):
            mask, bit = adjacent[number], 1 << number
            while mask:
                low = mask & -mask
                adjacent[low.bit_length() - 1] |= bit
                mask ^= low

    def _call(self, rtl: Rtl, entry: Access, live: int, weight: float) -> int:
        """Return what a call changes that no caller can save: of the scratch registers, those with results."""
        self.results[rtl] = entry.clobbers & live & self.hard_mask
        self._charge(self.crossed, live & ~entry.sets & ~self.hard_mask, weight)
        return entry.sets | (entry.clobbers & ~self.savable) | self.results[rtl]

    def _charge(self, costs: dict[int, float], mask: int, weight: float) -> None:
        while mask:
            low = mask & -mask
            costs[low.bit_length() - 1] += weight
            mask ^= low

    def _move_of(self, rtl: Rtl) -> tuple[int, int] | None:
        effect = rtl.single_set()
        if effect is None or not isinstance(effect.target, Register) or not isinstance(effect.source, Register):
            return None
        untracked = self.numbering.untracked
        if effect.target in untracked or effect.source in untracked:
            return None
        if self.numbering.is_pair(effect.target) or self.numbering.is_pair(effect.source):
            return None
        target, source = self.numbering.number(effect.target), self.numbering.number(effect.source)
        if self.banks[target] != self.banks[source] or self.widths[target] != self.widths[source]:
            return None
        return target, source

    def _wish(self, rtl: Rtl) -> None:
        """Note a move between a pseudo-register and a hard pair."""
        effect = rtl.single_set()
        if effect is None or not isinstance(effect.target, Register) or not isinstance(effect.source, Register):
            return
        for one, other in ((effect.target, effect.source), (effect.source, effect.target)):
            if one.pseudo and self.numbering.is_pair(other):
                self.wishes.append((self.numbering.number(one), self._colour(other)))

    # ---------------------------------------------------------------------------------------------- coalescing

    def find(self, number: int) -> int:
        """Return the node that a node has been merged into."""
        while self.alias[number] != number:
            self.alias[number] = self.alias[self.alias[number]]
            number = self.alias[number]
        return number

    def _degree(self, number: int) -> int:
        return self._weight(number, self.adjacent[number])

    def _weight(self, number: int, neighbours: int) -> int:
        """Return how many colours of a node some neighbours can take away."""
        return neighbours.bit_count() + ((neighbours & self.wide).bit_count() if self.widths[number] == 1 else 0)

    def _coalesce(self) -> None:
        """Merge the ends of moves, most frequent first, where that cannot make the graph harder to colour."""
        pending = sorted(self.moves, key=lambda m: -m[0])
        progress = True
        while progress:
            progress = False
            left = []
            for move in pending:
                a, b = self.find(move[1]), self.find(move[2])
                if a == b or self.adjacent[a] >> b & 1 or (self.hard[a] and self.hard[b]):
                    continue
                if self.hard[b]:
                    a, b = b, a
                if self._may_merge(a, b):
                    self._merge(a, b)
                    progress = True
                else:
                    left.append(move)
            pending = left
        for _, x, y in pending:
            a, b = self.find(x), self.find(y)
            self.preferences[a].append(b)
            self.preferences[b].append(a)
        for number, colour in self.wishes:
            self.preferences[self.find(number)].append(colour)

    def _may_merge(self, a: int, b: int) -> bool:
        allowed = self.allowed
        if self.hard[a]:
            if a not in allowed[b] or (self.savable >> a & 1 and self.crossed[b] and self.machine.convention.saved):
                return False  # (a register that callees preserve may be the better one)
            mask = self.adjacent[b] & ~self.adjacent[a]
            while mask:
                low = mask & -mask
                t = low.bit_length() - 1
                if self.hard[t]:
                    return False if t == a else self._harmless(t, a, mask)
                if self._degree(t) >= len(allowed[t]):
                    return False
                mask ^= low
            return True
        k = min(len(allowed[a]), len(allowed[b]))
        significant = 0
        both = self.adjacent[a] | self.adjacent[b]
        if self._weight(a, both) < k:
            return True
        mask = both
        common = self.adjacent[a] & self.adjacent[b]
        while mask:
            low = mask & -mask
            t = low.bit_length() - 1
            degree = self._degree(t) - (1 if common & low else 0)
            if self.hard[t] or degree >= len(allowed[t]):
                significant += self._weight(a, low)
                if significant >= k:
                    return False
            mask ^= low
        return True

    def _harmless(self, t: int, a: int, mask: int) -> bool:
        """Hard registers never conflict with one another; go on with the other neighbours."""
        del t
        rest = mask
        while rest:
            low = rest & -rest
            n = low.bit_length() - 1
            if not self.hard[n] and self._degree(n) >= len(self.allowed[n]):
                return False
            rest ^= low
        return True

    def _merge(self, a: int, b: int) -> None:
        """Merge node b into node a."""
        self.alias[b] = a
        if len(self.allowed[b]) < len(self.allowed[a]):
            self.allowed[a] = self.allowed[b]
        self.costs[a] += self.costs[b]
        self.crossed[a] += self.crossed[b]
        bit_a, bit_b = 1 << a, 1 << b
        mask = self.adjacent[b]
        self.adjacent[a] |= mask
        while mask:
            low = mask & -mask
            t = low.bit_length() - 1
            self.adjacent[t] = (self.adjacent[t] | bit_a) & ~bit_b
            mask ^= low

    # ------------------------------------------------------------------------------------------------ colouring

    def colour(self) -> list[Register]:
        """Colour the graph; returns the pseudo-registers that must be spilled instead (none: done)."""
        self._coalesce()
        registers = self.numbering.registers
        nodes = [n for n in range(len(registers)) if registers[n].pseudo and self.alias[n] == n and self.costs[n]]
        for n in nodes:
            if not self.allowed[n]:
                cls = registers[n].cls
                raise CannotExpress(f"any value in the registers '{cls}', of which none is allocable", self.function.line)
        self.result: dict[int, int] = {}
        spilled = self._select(self._simplify(nodes))
        if not spilled:
            return []
        chosen = set(spilled)
        return [registers[n] for n in range(len(registers)) if registers[n].pseudo and self.find(n) in chosen]

    def _simplify(self, nodes: list[int]) -> list[int]:
        """Order the nodes: removed one after another, the unconstrained first, else the cheapest to spill."""
        members: dict[int, list[int]] = defaultdict(list)
        for n in range(len(self.alias)):
            members[self.find(n)].append(n)
        registers = self.numbering.registers
        temporary = {self.find(self.numbering.number(r)) for r in self.temporaries if r in self.numbering.numbers}
        self.unspillable = temporary
        degree = {n: self._degree(n) for n in nodes}
        limit = {n: len(self.allowed[n]) for n in nodes}
        low = [n for n in nodes if degree[n] < limit[n]]
        remaining = set(nodes)
        stack: list[int] = []
        present = 0
        for n in nodes:
            present |= 1 << n
        while remaining:
            if low:
                n = low.pop()
                if n not in remaining:
                    continue
            else:
                n = min(
                    remaining,
                    key=lambda x: (INFINITE if x in temporary else self.costs[x] / max(degree[x], 1), x),
                )
            remaining.discard(n)
            present &= ~(1 << n)
            stack.append(n)
            mask = self.adjacent[n] & present
            while mask:
                bit = mask & -mask
                t = bit.bit_length() - 1
                before = degree[t]
                degree[t] = before - self._weight(t, 1 << n)
                if degree[t] < limit[t] <= before:
                    low.append(t)
                mask ^= bit
        del registers
        return stack

    def _select(self, stack: list[int]) -> list[int]:
        spilled = []
        while stack:
            n = stack.pop()
            taken = 0
            mask = self.adjacent[n]
            while mask:
                bit = mask & -mask
                t = bit.bit_length() - 1
                if self.hard[t]:
                    taken |= bit
                elif t in self.result:
                    taken |= self._occupied(t, self.result[t])
                mask ^= bit
            free = [c for c in self.allowed[n] if not self._occupied(n, c) & taken]
            if self.savable:
                free = self._cheapest(n, free)
            if not free:
                spilled.append(n)
                continue
            self.result[n] = self._prefer(n, free)
        return spilled

    def _cheapest(self, n: int, free: list[int]) -> list[int]:
        """Return the registers in which keeping a value costs least in saves and restores; none if memory costs less.

        A register that the callee saves costs one pair each time the function is called, once; any other, a pair each
        time it calls while the value is live.
        """
        if not self.crossed[n] or not free:
            return free
        used = set(self.result.values())
        costs = [2 * self.crossed[n] if self.savable >> c & 1 else 2.0 * (c not in used) for c in free]
        least = min(costs)
        if least > self.costs[n] and n not in self.unspillable:
            return []
        best = [c for c, cost in zip(free, costs, strict=True) if cost == least]
        return [c for c in best if not self.savable >> c & 1] or best

    def _prefer(self, n: int, free: list[int]) -> int:
        for other in self.preferences[n]:
            colour = other if self.hard[other] else self.result.get(other)
            if colour in free:
                return colour
        return free[0]

    def rewrite(self) -> None:
        """Put the chosen registers into the RTLs, and drop moves of a register to itself."""
        registers = self.numbering.registers
        mapping: dict[Expr, Expr] = {}
        for number, register in enumerate(registers):
            if not register.pseudo:
                continue
            root = self.find(number)
            colour = root if self.hard[root] else self.result.get(root)
            if colour is None:
                colour = self.allowed[number][0]  # never live: any register will do
            index = registers[colour].index // self.widths[number]
            mapping[register] = Register(register.cls, index, register.type)
        for block in self.function.blocks:
            kept = []
            for rtl in block.rtls:
                rtl.effects = tuple(rebuild_effect(e, mapping.get, targets=True) for e in rtl.effects)
                rtl.record = None
                effect = rtl.single_set()
                if effect is not None and self._is_same(effect.target, effect.source):
                    continue
                kept.append(rtl)
            block.rtls = kept

    def _is_same(self, target: Expr, source: Expr) -> bool:
        """Whether both are one register, if only as views of one type."""
        if target is source:
            return True
        both = isinstance(target, Register) and isinstance(source, Register) and target.type == source.type
        return both and self.machine.storage(target) == self.machine.storage(source)  # type: ignore[arg-type]


@dataclass(eq=False)
class Spiller:
    """Moves pseudo-registers to frame slots, or recomputes them."""

    function: Function
    machine: Machine
    temporaries: set[Register]

    def spill(self, register: Register) -> None:
        """Rewrite every RTL that mentions a register."""
        source = self._recomputable(register)
        slot = self._argument_cell(register) if source is None else None
        if source is None and slot is None:
            name = f".spill.{len(self.function.slots)}"
            size = BITS[register.type] // 8
            self.function.slots[name] = FrameSlot(name, "spill", size, size)
            slot = Mem(register.type, Op("+", self.machine.address_type, self.machine.stack_pointer, Slot(name)))
        for block in self.function.blocks:
            if any(register in rtl.uses or register in rtl.sets for rtl in block.rtls):
                block.rtls = self._rewrite(block.rtls, register, source, slot)

    def _recomputable(self, register: Register) -> Expr | None:
        """Return the one constant or address that a register ever holds, if so."""
        source = self._only_source(register)
        return source if source is not None and self._is_constant(source) else None

    def _only_source(self, register: Register) -> Expr | None:
        """Return the one expression that a register is ever set to, if so."""
        found: Expr | None = None
        for rtl in self.function.rtls():
            if register not in rtl.sets:
                continue
            effect = rtl.single_set()
            if effect is None or found not in (None, effect.source):
                return None
            found = effect.source
        return found

    def _argument_cell(self, register: Register) -> Mem | None:
        """Return the cell of the stack argument that a register holds and that nothing changes, if so."""
        cell = self._only_source(register)
        if not isinstance(cell, Mem) or cell.volatile or not isinstance(cell.address, Op):
            return None
        base, slot = cell.address.args
        if base is not self.machine.stack_pointer or not isinstance(slot, Slot):
            return None
        stores = (store for rtl in self.function.rtls() for store in rtl.stores)
        changed = any(slot in subexpressions(store.address) for store in stores)
        return cell if self.function.slots[slot.name].kind == "incoming" and not changed else None

    def _is_constant(self, source: Expr) -> bool:
        if isinstance(source, Const | Symbol | Half | Slot):
            return True
        return (
            isinstance(source, Op)
            and source.op == "+"
            and source.args[0] is self.machine.stack_pointer
            and isinstance(source.args[1], Slot)
        )

    def _rewrite(self, rtls: list[Rtl], register: Register, source: Expr | None, slot: Mem | None) -> list[Rtl]:
        code = Legalizer(self.machine, self.function)
        code.out = []
        for rtl in rtls:
            reads, writes = register in rtl.uses, register in rtl.sets
            if not (reads or writes):
                code.out.append(rtl)
                continue
            if writes and (source is not None or rtl.effects == (Set(register, slot),)):  # type: ignore[arg-type]
                continue
            code.line, code.cause = rtl.lines[0], "spill" if source is None else rtl.cause
            if self._in_place(rtl, register, slot or source):
                rtl.cause = code.cause
                code.out.append(rtl)
                continue
            before = self.function.pseudos
            temporary = self.function.pseudo(register.cls, register.type)
            if reads:
                code.emit(Set(temporary, source if source is not None else slot))  # type: ignore[arg-type]
            rtl.effects = self._replace(rtl.effects, register, temporary)
            rtl.record = None
            code.out.append(rtl)
            if writes and slot is not None:
                code.store(slot, temporary)
            for number in range(before + 1, self.function.pseudos + 1):
                for cls in self.machine.classes.values():
                    self.temporaries.add(Register(cls.name, number, cls.type, True))
        return code.out

    def _replace(self, effects: tuple[Effect, ...], old: Register, new: Expr) -> tuple[Effect, ...]:
        return tuple(rebuild_effect(e, lambda n: new if n is old else None, targets=True) for e in effects)

    def _in_place(self, rtl: Rtl, register: Register, value: Expr | None) -> bool:
        """Use the slot itself, or the value to recompute, as the operand, if the machine can."""
        new = []
        for effect in rtl.effects:
            changed = rebuild_effect(effect, lambda n: value if n is register else None)
            if isinstance(changed, Set) and changed.target is register and isinstance(value, Mem):
                changed = Set(value, changed.source)
            new.append(changed)
        effects = tuple(new)
        if any(register in e.uses for e in effects) or not self.machine.is_legal(effects):
            return False
        record, before = self.machine.recognize(effects), self.machine.recognize(rtl.effects)
        if record is None or before is None or not set(record.clobbers) <= set(before.clobbers):
            return False
        rtl.effects, rtl.record = effects, None
        return True
