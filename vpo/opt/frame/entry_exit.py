"""Entry and exit: lay out the frame, save and restore registers, turn slots into numbers.

From the stack pointer on, against the direction in which the stack grows: outgoing arguments, cells for registers put away,
spill slots, saved registers, locals (small ones first); saved registers come last where they are pushed.  Incoming stack
arguments lie beyond the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

from vpo.algebra import binary, rebuild_effect
from vpo.analysis.liveness import Liveness, access
from vpo.base.errors import CannotExpress, FrameTooLarge
from vpo.machines.machine import Machine
from vpo.opt.frame.callee_saves import free_at_entry, save_registers
from vpo.opt.frame.lazy_code_motion import Edge, insert_on_edges, live_on, tables_differ
from vpo.opt.frame.regions import Paths, edges_across, entry_of, hands_out_frame, pays, returns, users_of_frame
from vpo.opt.frame.register_windows import fold_results, insert_moves, preserved_by_window, remove_moves
from vpo.opt.frame.save_instructions import (
    Scavenger,
    free_registers,
    join_saves,
    pop_before,
    push_at_entry,
    save_cell_offset,
    scavenger,
)
from vpo.opt.state import CFG, LIVENESS, FunctionState
from vpo.rtl import BITS, Const, Effect, Expr, Half, Mem, Register, Return, Rtl, Set, Slot, expressions_read, subexpressions
from vpo.rtl.function import FAR, Block, FrameSlot, Function

# ----------------------------------------------------------------------------------------------------------------------
# RTLs whose offset from the stack pointer, known once the frame is laid out, is too large for one instruction.
#
# They are made from several, with registers that are free there.  Where too few are, others are put away meanwhile, in cells
# of the frame near the stack pointer (as LLVM's register scavenger does with its emergency slots).


MOST_PUT_AWAY = 2
PUT_AWAY = ".away"  # how the names of the cells begin


def cells_needed(state: FunctionState) -> int:
    """Return how many registers must be put away, in a frame that is laid out, for an RTL that will not be legal."""
    offsets = slot_offsets(state)
    needed = 0
    live = _LiveAfter(state)
    for index, block in enumerate(state.function.blocks):
        for position, rtl in enumerate(block.rtls):
            effects = tuple(with_offsets(effect, offsets, state.machine) for effect in rtl.effects)
            if len(effects) == 1 and effects != rtl.effects and not state.machine.is_legal(effects):
                made = _Maker(state, rtl, effects, live.after(index, position))
                needed = max(needed, next((n for n in range(MOST_PUT_AWAY) if made.code(n, rehearsed=True)), MOST_PUT_AWAY))
    return needed


def reserve_cells(state: FunctionState, count: int) -> None:
    """Add the cells for registers that are put away to a frame, which must be laid out again."""
    size = BITS[state.machine.address_type] // 8
    for number in range(count):
        name = f"{PUT_AWAY}{number}"
        state.function.slots[name] = FrameSlot(name, "away", size, size)


def slot_offsets(state: FunctionState) -> dict[str, int]:
    """Return the offsets of the slots of a frame that is laid out."""
    return {slot.name: slot.offset or 0 for slot in state.function.slots.values()}


def with_offsets(effect: Effect, offsets: Mapping[str, int], machine: Machine) -> Effect:
    """Return an effect with numbers in the places of slots."""

    def replace(node: Expr) -> Expr | None:
        if type(node) is Slot:
            return Const(offsets[node.name] + node.offset)
        if type(node) is Half and type(node.of) is Slot:
            number = offsets[node.of.name] + node.of.offset
            return Half(node.which, Const(number)) if node.is_literal else Const(machine.half(node.which, number))
        return None

    return rebuild_effect(effect, replace)


def make_legal(state: FunctionState) -> None:
    """Rewrite the RTLs of a framed function that became illegal because an offset is too large."""
    live = _LiveAfter(state)
    for index, block in enumerate(state.function.blocks):
        moved = 0  # how much further down RTLs of the block stand than when its registers were looked at
        for position, rtl in enumerate(list(block.rtls)):
            if not state.machine.is_legal(rtl.effects):
                made = _legal(state, rtl, live.after(index, position))
                state.splice(block, position + moved, position + moved + 1, made)
                moved += len(made) - 1


def _legal(state: FunctionState, rtl: Rtl, live: list[Register]) -> list[Rtl]:
    """Return legal RTLs that do what an RTL does, behind which some registers are live.

    Raises CannotExpress.
    """
    if rtl.single_set is None:
        raise CannotExpress(f"`{rtl!r}` with so large a frame", rtl.lines[0])
    maker = _Maker(state, rtl, rtl.effects, live)
    cells = sum(name.startswith(PUT_AWAY) for name in state.function.slots)
    made = next((made for count in range(cells + 1) if (made := maker.code(count)) is not None), None)
    if made is None:
        raise CannotExpress("move to or from the frame with no register free", rtl.lines[0])
    return made


class _LiveAfter:
    """Which registers are live behind RTLs of a function, as it is when somebody asks for the first time.

    Making RTLs legal leaves that as it is: what takes the place of an RTL has its registers, free ones, and puts others away.
    """

    def __init__(self, state: FunctionState) -> None:
        self.state = state
        self.liveness: Liveness | None = None
        self.index, self.live = -1, list[int]()  # of the block that was asked for last

    def after(self, index: int, position: int) -> list[Register]:
        """Return the registers live behind an RTL of a block."""
        if self.liveness is None:
            self.liveness = self.state.get(LIVENESS)
        if index != self.index:
            self.index, self.live = index, self.liveness.backward(index)
        return self.liveness.numbering.members(self.live[position])


class _Maker:
    """Makes legal RTLs in the place of one with a single effect."""

    def __init__(self, state: FunctionState, rtl: Rtl, effects: tuple[Effect, ...], live: list[Register]) -> None:
        self.state, self.machine, self.rtl, self.effect = state, state.machine, rtl, effects[0]
        self.free = free_registers(self.machine, (*rtl.uses, *rtl.sets, *live))

    def code(self, count: int, rehearsed: bool = False) -> list[Rtl] | None:
        """Return the RTLs, putting so many registers away; None if that does not do.

        When it is `rehearsed`, there are no cells yet.
        """
        cells = [0 if rehearsed else self.state.function.slots[f"{PUT_AWAY}{n}"].offset or 0 for n in range(count)]
        for away in combinations(self._others(), count):
            code = scavenger(self.state.function, self.machine, (*self.free, *away), self.rtl.lines[0], self.rtl.cause)
            code.laid_out = True
            saved = [Mem(r.type, self._at(offset)) for r, offset in zip(away, cells, strict=True)]
            if not all(code.attempt(Set(cell, register), cause="spill") for cell, register in zip(saved, away, strict=True)):
                continue
            if self._emits(code) and all(
                code.attempt(Set(register, cell), cause="spill") for cell, register in zip(saved, away, strict=True)
            ):
                return code.out
        return None

    def _at(self, offset: int) -> Expr:
        return binary("+", self.machine.stack_pointer, Const(offset))

    def _others(self) -> list[Register]:
        """Return the registers that may be put away: those that an address may be computed in."""
        used = {*self.rtl.uses, *self.rtl.sets, *self.free}
        return [r for r in self.machine.allocable.get(self.machine.values.address, ()) if r not in used]

    def _emits(self, code: Scavenger) -> bool:
        """Emit the effect; a load may compute its address in the register that it sets."""
        before = len(code.out)
        try:
            code.emit(self.effect)
            return True
        except CannotExpress:
            del code.out[before:]
        match self.effect:
            case Set(target=Register() as target, source=Mem() as cell) if self._holds_addresses(target):
                try:
                    code.depth = 0
                    code.emit(Set(target, cell.address))
                except CannotExpress:
                    return False
                return code.attempt(Set(target, cell.at(target)))
        return False

    def _holds_addresses(self, register: Register) -> bool:
        return register.cls == self.machine.values.address and register not in self.rtl.uses


# ----------------------------------------------------------------------------------------------------------------------
# The frame.


LARGEST = (1 << 31) - 1  # bytes of a frame: signed offsets within the 4 GiB of a program tell no more
MOST_STEPS = 64  # of the largest size in which the stack pointer is moved
ORDER = {"away": -1, "spill": 0, "save": 1, "local": 2}


def insert_entry_and_exit(state: FunctionState) -> None:
    """Complete a function with its entry and exit code; it becomes stage 'framed'.

    Raises CannotExpress if an offset cannot be reached, FrameTooLarge.
    """
    function, machine = state.function, state.machine
    _drop_unused(function)
    size = function.outgoing + sum(slot.size for slot in function.slots.values())
    if size > LARGEST:
        raise FrameTooLarge(size, LARGEST, function.line)
    with state.required():
        windowed = remove_moves(state)
    masked = save_registers(state, preserved_by_window(machine) if windowed else frozenset())
    at_entry = {slot.name: slot.offset for slot in function.slots.values()}
    pushed = _saved_at_entry(state)
    lay_out(function, machine, windowed, pushed)
    if count := cells_needed(state):
        for name, offset in at_entry.items():
            function.slots[name].offset = offset
        reserve_cells(state, count)
        lay_out(function, machine, windowed, pushed)
    _replace_slots(state)
    if windowed:
        with state.required():
            insert_moves(state, _code(function, machine, free_at_entry(machine), function.line, "linkage"))
        fold_results(state)
    elif function.frame:
        _move_stack_pointer(state)
    if machine.convention.enter:
        with state.required():
            _save_by_mask(state, masked)
    join_saves(state)
    with state.required():
        make_legal(state)
    state.reach("framed")


def _drop_unused(function: Function) -> None:
    """Forget local slots that no RTL names any more, as what was there is in registers."""
    if any(slot.kind == "local" for slot in function.slots.values()):
        roots = {root for rtl in function.rtls() for effect in rtl.effects for root in expressions_read(effect)}
        named = {node.name for root in roots for node in subexpressions(root) if type(node) is Slot}
        for name in [name for name, slot in function.slots.items() if slot.kind == "local" and name not in named]:
            del function.slots[name]


def lay_out(function: Function, machine: Machine, windowed: bool = False, ending: frozenset[str] = frozenset()) -> None:
    """Give every slot its offset from the stack pointer, some at the end of the frame, and the function its frame size."""
    convention = machine.convention
    word, align = convention.word, _frame_alignment(function, machine)
    distance = used = max(-(-function.outgoing // word) * word, convention.reserved)
    incoming = [s for s in function.slots.values() if s.kind == "incoming"]
    slots = [s for s in function.slots.values() if s.kind != "incoming"]
    for slot in sorted(slots, key=lambda slot: _from_the_end(slot) if slot.name in ending else _nearness(slot)):
        distance = convention.aligned(distance, slot.size, max(1, min(slot.align, align)))
        slot.offset = convention.offset(distance, slot.size)
        distance += slot.size
    # an incoming slot on this side of the entry stack pointer (saved variable arguments) is part of the frame, and so is a
    # return address that lies there
    distance += max([0, *(-(s.offset or 0) for s in incoming)])
    pushed = convention.pushed % align
    # what a call pushes must not leave the callee's stack pointer off its alignment
    needed = windowed or function.outgoing or distance > used
    needed = needed or (pushed and _calls(function))
    if needed:
        distance += convention.below
    function.frame = -(-(distance + pushed) // align) * align - pushed if needed else 0
    _move_to_the_end([s for s in slots if s.name in ending], function.frame - distance)
    for slot in incoming:
        assert slot.offset is not None
        slot.offset = convention.offset(slot.offset + function.frame, slot.size)


def _frame_alignment(function: Function, machine: Machine) -> int:
    """Return what the frame's size is a multiple of: where registers are pushed, less than elsewhere if nobody is called."""
    convention = machine.convention
    if convention.save_with != "push" or _calls(function):
        return convention.stack_align
    return min(convention.stack_align, max([convention.word, *(slot.align for slot in function.slots.values())]))


def _calls(function: Function) -> bool:
    return any(rtl.call is not None for rtl in function.rtls())


def _move_to_the_end(slots: list[FrameSlot], room: int) -> None:
    """Leave no room between saved registers and the end of the frame, but for those that must be aligned."""
    for slot in slots:
        assert slot.offset is not None
        slot.offset += room if room % slot.align == 0 else 0


def _nearness(slot: FrameSlot) -> tuple[int, bool, int]:
    """Order slots by how near to the stack pointer they should lie."""
    return ORDER[slot.kind], slot.name.startswith(FAR), slot.size if slot.kind == "local" else slot.align


def _from_the_end(slot: FrameSlot) -> tuple[int, bool, int]:
    """Order slots that lie beyond all others, the smallest last."""
    return len(ORDER), False, -slot.size


def _saved_at_entry(state: FunctionState) -> frozenset[str]:
    """Return the cells of the registers that are saved where the frame is made, if they may be pushed there."""
    function = state.function
    if state.machine.convention.save_with != "push":
        return frozenset()
    region = _blocks_with_frame(state)
    entry = entry_of(region, state.get(CFG)) if region else 0
    saves = [rtl for rtl in function.blocks[entry].rtls if rtl.cause == "save"] if entry is not None else []
    effects = [effect for rtl in saves for effect in rtl.effects]
    nodes = [node for effect in effects for root in expressions_read(effect) for node in subexpressions(root)]
    return frozenset(node.name for node in nodes if type(node) is Slot and function.slots[node.name].kind == "save")


def _replace_slots(state: FunctionState) -> None:
    """Put numbers in the places of slots; an RTL may not be legal then, until `make_legal` has seen it."""
    offsets = slot_offsets(state)
    with state.required():
        for block in state.function.blocks:
            for rtl in block.rtls:
                effects = tuple(with_offsets(effect, offsets, state.machine) for effect in rtl.effects)
                if effects != rtl.effects:
                    state.replace(block, rtl, effects)


def _move_stack_pointer(state: FunctionState) -> None:
    """Make room for the frame at entry and give it up before every return, or around the part that needs it."""
    function, machine = state.function, state.machine
    pushes = machine.convention.save_with == "push"
    grown = function.frame if machine.convention.grows_up else -function.frame
    returning = [block for block in function.blocks if _gives_up_frame(block, machine)]
    region = _region(state, grown)
    if region is not None:
        inside = [block for index, block in enumerate(function.blocks) if region.blocks >> index & 1]
        returning = [block for block in returning if block in inside]
        with state.required():
            insert_on_edges(state, state.get(CFG), region.code)
    entry = region.entry if region is not None else function.blocks[0]
    if entry is not None:
        pool = free_at_entry(machine) if region is None else region.free
        code = _code(function, machine, pool, entry.rtls[0].lines[0] if region is not None else function.line, "linkage")
        pushed, count = push_at_entry(state, entry) if pushes else (0, 0)
        if pushed < function.frame:
            _step(code, grown + pushed)
        with state.required():
            state.insert(entry, count, code.out)
    for block in returning:
        last = block.rtls[-1]
        pool = free_registers(machine, (*last.uses, *machine.convention.saved))
        code = _code(function, machine, pool, last.lines[0], "linkage")
        popped, count = pop_before(block, state) if pushes else (0, 1)
        if popped < function.frame:
            _step(code, -grown - popped)
        with state.required():
            state.insert(block, len(block.rtls) - count, code.out)


def _gives_up_frame(block: Block, machine: Machine) -> bool:
    """Whether a block ends by a return, and not by one that finds the caller's frame without the stack pointer."""
    if not returns(block):
        return False
    sp, last = machine.stack_pointer, block.rtls[-1]
    return sp in last.uses or sp not in last.sets


@dataclass(frozen=True, slots=True)
class _Region:
    """The blocks that need the frame, and what makes the code for the edges that cross their border.

    If all edges into the region lead to one block, that is its `entry`, and `code` is for the others; there, some registers
    are `free`.
    """

    blocks: int
    code: dict[Edge, Callable[[], list[Rtl]]]
    entry: Block | None
    free: list[Register]


def _blocks_with_frame(state: FunctionState) -> int:
    """Return the blocks that need the frame if it pays to have it there only; none where all need it."""
    using = users_of_frame(state) if state.wraps_saves and not state.machine.convention.enter else 0
    if using & 1 or not using:
        return 0
    cfg = state.get(CFG)
    paths = Paths(cfg)
    region = paths.behind(using) if hands_out_frame(state) else paths.between(using)
    edges = {(i, j): region >> j & 1 for i, j in edges_across(cfg, region)}
    return 0 if region & 1 or tables_differ(state.function, cfg, edges) or not pays(state, region) else region


def _region(state: FunctionState, grown: int) -> _Region | None:
    """Return where the frame is needed if it pays to have it there only; None where all needs it."""
    function, machine, cfg = state.function, state.machine, state.get(CFG)
    region = _blocks_with_frame(state)
    if not region:
        return None
    edges = {(i, j): region >> j & 1 for i, j in edges_across(cfg, region)}
    liveness = state.get(LIVENESS)
    makers: dict[tuple[int, int], Callable[[], list[Rtl]]] = {}
    code, free = {}, list[Register]()
    for (i, j), enters in edges.items():
        live = live_on(function, cfg, liveness, (i, j))
        pool = free_registers(machine, [*liveness.numbering.members(live), *machine.convention.saved])
        line = next((rtl.lines[0] for rtl in function.blocks[j].rtls), function.line)

        def make(pool: list[Register] = pool, line: int = line, distance: int = grown if enters else -grown) -> list[Rtl]:
            maker = _code(function, machine, pool, line, "linkage")
            _step(maker, distance)
            return maker.out

        try:
            if any(access(rtl, liveness.numbering).clobbers & live for rtl in make()):
                return None
        except CannotExpress:
            return None
        code[i, j] = makers.setdefault((j, enters), make)
        free = pool if enters else free
    if not state.permits():
        return None
    entry = entry_of(region, cfg)
    if entry is None:
        return _Region(region, code, None, [])
    return _Region(region, {edge: make for edge, make in code.items() if edge[1] != entry}, function.blocks[entry], free)


def _step(code: Scavenger, distance: int) -> None:
    """Move the stack pointer: at once, or where no register is free for a large number, in steps that need none."""
    machine, mark = code.machine, len(code.out)
    sp = machine.stack_pointer
    try:
        code.emit(Set(sp, binary("+", sp, Const(distance))))
        return
    except CannotExpress:
        del code.out[mark:]
        code.depth = 0
        sign = -1 if distance < 0 else 1
        sizes = (1 << bits for bits in reversed(range(abs(distance).bit_length())))
        legal = [size for size in sizes if machine.is_legal((Set(sp, binary("+", sp, Const(sign * size))),))]
        left = abs(distance)
        if not legal or left % legal[-1] or left // legal[0] > MOST_STEPS:
            raise
    for size in legal:
        for _ in range(left // size):
            code.emit(Set(sp, binary("+", sp, Const(sign * size))))
        left %= size


def _save_by_mask(state: FunctionState, registers: list[Register]) -> None:
    """Begin with what the call instruction does by the mask of a function, and let returns undo it."""
    function, machine = state.function, state.machine
    cells = [(r, save_cell_offset(r, function)) for r in registers]
    sp = machine.stack_pointer
    saves = [Set(Mem(r.type, binary("+", sp, Const(offset - function.frame))), r) for r, offset in cells]
    restores = [Set(r, Mem(r.type, binary("+", sp, Const(offset)))) for r, offset in cells]
    effects = (*machine.convention.enter, *saves)
    state.insert(function.blocks[0], 0, [Rtl(effects, (function.line,), "save" if saves else "linkage")])
    for block in function.blocks:
        if restores and block.rtls and isinstance(block.rtls[-1].transfer, Return):
            last = block.rtls[-1]
            state.replace(block, last, (*last.effects, *restores))


def _code(function: Function, machine: Machine, pool: list[Register], line: int, cause: str) -> Scavenger:
    code = scavenger(function, machine, pool, line, cause)
    code.laid_out = True
    return code
