"""Moving registers to their cells in the frame and back: one by one, in blocks, or by pushes and pops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby, pairwise

from vpo.algebra import binary
from vpo.algebra.equivalents import split_address
from vpo.base.errors import CannotExpress
from vpo.base.kept import kept
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.opt.ssa.construct_ssa import rename
from vpo.opt.state import FunctionState
from vpo.rtl import BITS, Const, Effect, Mem, Register, Return, Rtl, Set, Slot
from vpo.rtl.function import Block, FrameSlot, Function

# ----------------------------------------------------------------------------------------------------------------------
# Moving registers to their cells in the frame and back: one by one, or in blocks by instructions that do so.


SAVING = ("save", "callsave")  # the causes of what saves at entry and restores at exit, and around calls


class Scavenger(Legalizer):
    """A Legalizer whose temporaries are hard registers known to be free; pseudo-registers until `scavenger` gives it some."""

    laid_out = False

    def __init__(self, machine: Machine, function: Function, derives: bool = True) -> None:
        super().__init__(machine, function, derives)
        self.free: list[Register] = []
        self.pool: list[Register] = []
        # hands out temporaries where too few registers are free for each to have its own
        self.pseudos: Function | None = function

    def emit(self, effect: Effect) -> None:
        """Emit RTLs with one effect; what they need is free again behind them."""
        if self.depth:
            super().emit(effect)
            return
        self.pool, mark = list(self.free), len(self.out)
        try:
            super().emit(effect)
        except CannotExpress:
            del self.out[mark:]
            self._emit_sparingly(effect, mark)

    def _emit_sparingly(self, effect: Effect, mark: int) -> None:
        """Emit RTLs whose temporaries share registers: each is free again behind its last use."""
        self.depth, self.pseudos = 0, Function("_", "", 0, False)
        try:
            super().emit(effect)
        finally:
            self.pseudos = None
        self.out[mark:] = with_hard_registers(self.out[mark:], self.free, self.machine, self.line)

    def fresh(self, cls: str, type_: str = "") -> Register:
        """Take a free hard register, by the name that it has in a class."""
        if self.pseudos is not None:
            return self.pseudos.pseudo(cls, type_ or self.machine.classes[cls].type)
        return _taken(self.pool, self.machine, cls, self.line)

    def frame_cell(self, name: str) -> str:
        """Return a cell of a frame that is not laid out yet."""
        if not self.laid_out:
            return super().frame_cell(name)
        raise CannotExpress("offset this far from the stack pointer without a cell for a move", self.line)


def with_hard_registers(rtls: Sequence[Rtl], free: Iterable[Register], machine: Machine, line: int) -> list[Rtl]:
    """Return straight-line RTLs with free registers instead of pseudo-registers (linear scan, Poletto and Sarkar 1999).

    Raises CannotExpress if too few are free.
    """
    last = {r: position for position, rtl in enumerate(rtls) for r in (*rtl.uses, *rtl.sets) if r.pseudo}
    names: dict[Register, Register] = {}
    pool, result = list(free), []
    for position, rtl in enumerate(rtls):
        uses = {r: names[r] for r in rtl.uses if r in names}
        pool = [*(name for r, name in uses.items() if last[r] == position and r not in rtl.sets), *pool]
        for register in rtl.sets:
            if register.pseudo and register not in names:
                names[register] = _taken(pool, machine, register.cls, line)
        result.append(rename(rtl, uses, {r: names[r] for r in rtl.sets if r in names}))
        if not machine.is_legal(result[-1].effects):
            raise CannotExpress(f"`{rtl!r}` with these registers", line)
    return result


def _taken(pool: list[Register], machine: Machine, cls: str, line: int) -> Register:
    """Take a register out of a pool, by the name that it has in a class."""
    wanted, classes = machine.classes[cls], machine.classes
    for free in pool:
        if classes[free.cls].bank == wanted.bank and free.index < wanted.count:
            pool.remove(free)
            return Register(cls, free.index, wanted.type)
    raise CannotExpress(f"register of class '{cls}' to spare", line)


def scavenger(function: Function, machine: Machine, pool: Iterable[Register], line: int, cause: str) -> Scavenger:
    """Return a Scavenger that may use the registers of a pool."""
    code = Scavenger(machine, function)
    code.free, code.line, code.cause = list(pool), line, cause
    code.pool, code.pseudos = list(code.free), None
    return code


def scratch_registers(machine: Machine) -> list[Register]:
    """Return the allocable registers that calls do not preserve."""
    return [r for registers in machine.allocable.values() for r in registers if r in machine.convention.scratch]


def free_registers(machine: Machine, busy: Iterable[Register]) -> list[Register]:
    """Return the scratch registers that have no part in common with others."""
    taken = storage(machine, busy)
    return [r for r in scratch_registers(machine) if taken.isdisjoint(machine.storage(r))]


def storage(machine: Machine, registers: Iterable[Register]) -> set[tuple[str, int]]:
    """Return bank and index of each register that some registers consist of."""
    return {part for register in registers if not register.pseudo for part in machine.storage(register)}


def savable_registers(machine: Machine) -> list[Register]:
    """Return the scratch registers that callers can save: those that hold C values."""
    banks = {machine.classes[name].bank for name in machine.values.classes().values()}
    return [register for register in scratch_registers(machine) if machine.classes[register.cls].bank in banks]


def in_order(registers: Iterable[Register], machine: Machine) -> list[Register]:
    """Return registers as they lie in memory when saved."""
    order = {name: index for index, name in enumerate(machine.classes)}
    return sorted(registers, key=lambda r: (BITS[r.type], order[r.cls], r.index))


def save_cell(register: Register, function: Function, machine: Machine) -> Mem:
    """Return the cell of the frame in which a register is saved."""
    name = f".save.{register.cls}{register.index}"
    if name not in function.slots:
        size = BITS[register.type] // 8
        function.slots[name] = FrameSlot(name, "save", size, size)
    return Mem(register.type, binary("+", machine.stack_pointer, Slot(name)))


def save_cell_offset(register: Register, function: Function) -> int:
    """Return where in a frame that is laid out the cell of a register is."""
    return function.slots[f".save.{register.cls}{register.index}"].offset or 0


def join_saves(state: FunctionState) -> None:
    """Make runs of saves, and of restores, single instructions where the machine has some for blocks."""
    if state.machine.convention.save_with != "block":
        return
    for block in state.function.blocks:
        joined: list[Rtl] = []
        for kind, group in groupby(block.rtls, _kind):
            rtls = list(group)
            joined += _join(rtls, state.machine) if kind else rtls
        if len(joined) < len(block.rtls):
            state.change({block: joined})


def _kind(rtl: Rtl) -> str:
    """Say what an RTL saves or restores; '' if it does neither."""
    effect = rtl.single_set
    if effect is None or rtl.cause not in SAVING or isinstance(effect.source, Mem) == isinstance(effect.target, Mem):
        return ""
    return f"{rtl.cause} {'out' if isinstance(effect.target, Mem) else 'in'}"


def _join(run: Sequence[Rtl], machine: Machine) -> list[Rtl]:
    """Join as many of a run as one instruction can do, from the first on."""
    result: list[Rtl] = []
    rest = list(run)
    while rest:
        count = len(rest)
        while count > 1 and not machine.is_legal(_effects(rest[:count])):
            count -= 1
        first = rest[0]
        result.append(first if count == 1 else Rtl(_effects(rest[:count]), first.lines, first.cause))
        del rest[:count]
    return result


def _effects(rtls: Sequence[Rtl]) -> tuple[Effect, ...]:
    return tuple(rtl.effects[0] for rtl in rtls)


def transfer(code: Legalizer, registers: Iterable[Register], *, save: bool) -> None:
    """Emit what saves or restores registers."""
    for register in registers:
        cell = save_cell(register, code.function, code.machine)
        code.emit(Set(cell, register) if save else Set(register, cell))


@kept
def saving_costs(machine: Machine) -> dict[str, int]:
    """Return by bank the instructions and references that save a register which calls preserve, alone, and restore it."""
    costs: dict[str, int] = {}
    for register in machine.convention.preserved:
        bank = machine.classes[register.cls].bank
        if bank not in costs:
            function = Function("_", "", 0, False)
            code = scavenger(function, machine, free_registers(machine, (register,)), 0, "save")
            cell = Mem(register.type, binary("+", machine.stack_pointer, Const(2 * BITS[register.type] // 8)))
            try:
                code.emit(Set(cell, register))
                code.emit(Set(register, cell))
            except CannotExpress:
                continue
            costs[bank] = sum(1 + len(rtl.loads) + len(rtl.stores) for rtl in code.out)
    return costs


def push(cells: Sequence[tuple[int, Register]], machine: Machine) -> tuple[Effect, ...]:
    """Return the effects of an instruction that pushes registers; `cells` has their distances from where it ends."""
    sp, size = machine.stack_pointer, sum(BITS[register.type] // 8 for _, register in cells)
    stores = (Set(_at(sp, offset - size, register), register) for offset, register in cells)
    return (Set(sp, binary("+", sp, Const(-size))), *stores)


def pop(cells: Sequence[tuple[int, Register]], machine: Machine) -> tuple[Effect, ...]:
    """Return the effects of an instruction that pops registers; `cells` has their distances from where it begins."""
    sp, size = machine.stack_pointer, sum(BITS[register.type] // 8 for _, register in cells)
    loads = (Set(register, _at(sp, offset, register)) for offset, register in cells)
    return (Set(sp, binary("+", sp, Const(size))), *loads)


def _at(base: Register, offset: int, register: Register) -> Mem:
    return Mem(register.type, binary("+", base, Const(offset)))


def pushes_several(machine: Machine) -> bool:
    """Whether one instruction pushes several of the registers that functions save."""
    if machine.convention.save_with != "push":
        return False
    saved = in_order(machine.convention.preserved, machine)
    return any(
        first.type == second.type and machine.is_legal(push([(0, first), (BITS[first.type] // 8, second)], machine))
        for first, second in pairwise(saved)
    )


def saves_together(registers: Sequence[Register], machine: Machine) -> bool:
    """Whether one instruction saves several registers: those that functions save, or these where they are a block."""
    return pushes_several(machine) or has_block_saves(registers, machine)


def push_sizes(machine: Machine) -> dict[Register, int]:
    """Return how long pushes are of the registers that functions save, of those that can be pushed alone."""
    if machine.convention.save_with != "push":
        return {}
    pushes = {register: machine.recognize(push([(0, register)], machine)) for register in machine.convention.preserved}
    return {register: record.size for register, record in pushes.items() if record is not None}


def has_block_saves(registers: Sequence[Register], machine: Machine) -> bool:
    """Whether one instruction can save the first two of some registers."""
    if len(registers) < 2 or machine.convention.save_with != "block":
        return False
    effects, offset = [], 0
    for register in registers[:2]:
        effects.append(Set(Mem(register.type, binary("+", machine.stack_pointer, Const(offset))), register))
        offset += BITS[register.type] // 8
    return machine.is_legal(tuple(effects))


# ----------------------------------------------------------------------------------------------------------------------
# Saves that move the stack pointer: pushes at entry, pops before a return or together with it.
#
#     r[13]=r[13]+-8;                          r[13]=r[13]+-8; L[r[13]+-8]=r[4]; L[r[13]+-4]=r[14];
#     L[r[13]]=r[4];                  =>
#     L[r[13]+4]=r[14];
#
#     r[4]=L[r[13]];                           PC=L[r[13]+4],RT(); r[13]=r[13]+8; r[4]=L[r[13]];
#     r[14]=L[r[13]+4];               =>
#     r[13]=r[13]+8;
#     PC=r[14],RT();
#
# That takes a convention whose saved registers lie at the far end of the frame, and machines with such instructions: for
# several registers, or for one.


Move = tuple[int, Register]  # a register and the offset of its cell in the frame
OfCells = Callable[[Sequence[Move], Machine], tuple[Effect, ...]]  # `push` or `pop`


def push_at_entry(state: FunctionState, block: Block) -> tuple[int, int]:
    """Make the saves at the head of a block that lie at the far end of the frame pushes; return how many bytes and RTLs.

    The block is where the function is entered, or the part of it that needs the frame.
    """
    function, machine = state.function, state.machine
    rtls = block.rtls
    found: dict[Move, list[Rtl]] = {}
    while (next_ := _move_at(rtls[_length(found) :], machine, save=True)) is not None:
        found[next_[0]] = next_[1]
    moves = _far_end(found, function, machine)
    start = function.frame - _size(moves)
    pushes = [push([(offset - start, register) for offset, register in moves], machine)]
    if len(moves) < 2 or not all(map(machine.is_legal, pushes)):
        moves = _far_end(found, function, machine, alone=push)
        pushes = [push([(0, register)], machine) for _, register in reversed(moves)]
    rest = [rtl for move, code in found.items() if move not in moves for rtl in code]
    made = [Rtl(effects, (function.line,), "save") for effects in pushes]
    return (_size(moves), len(made)) if made and state.splice(block, 0, _length(found), [*made, *rest]) else (0, 0)


def pop_before(block: Block, state: FunctionState) -> tuple[int, int]:
    """Make the restores before the return that ends a block pops, or part of the return; return how many bytes they pop.

    Also returns how many RTLs at the end of the block pop and return; what stands before them is for the unchanged stack
    pointer.
    """
    function, machine, rtls = state.function, state.machine, block.rtls
    last = rtls[-1]
    found: dict[Move, list[Rtl]] = {}  # the last ones first
    while (next_ := _move_at(rtls[: len(rtls) - 1 - _length(found)], machine, save=False)) is not None:
        found[next_[0]] = next_[1]
    start = len(rtls) - 1 - _length(found)
    results = last.transfer.results if isinstance(last.transfer, Return) else ()
    moves = _far_end(found, function, machine, busy=results)
    popped = _popped(moves, last, machine)
    if popped is None or (len(moves) == 1 and len(popped) > 1):
        moves = _far_end(found, function, machine, alone=pop)
        pops = [pop([(0, register)], machine) for _, register in moves]
        popped = [*(Rtl(effects, last.lines, "save") for effects in pops), last]
    rest = [rtl for move, code in reversed(found.items()) if move not in moves for rtl in code]
    done = len(popped) > 1 or popped[0] is not last
    return (_size(moves), len(popped)) if done and state.splice(block, start, len(rtls), [*rest, *popped]) else (0, 1)


def _popped(moves: Sequence[Move], last: Rtl, machine: Machine) -> list[Rtl] | None:
    """Return the RTLs that restore registers at once, the stack pointer and return; None if the machine has none for it."""
    if not moves:
        return None
    effects = pop([(offset - moves[0][0], register) for offset, register in moves], machine)
    back = last.effects[0] if len(last.effects) == 1 else None
    if isinstance(back, Return) and back.target is moves[-1][1] is machine.convention.link:
        step, *loads, link = effects
        assert isinstance(link, Set)
        returning = (Return(link.source, back.results), step, *loads)
        if machine.is_legal(returning):
            return [Rtl(returning, last.lines, "save")]
    return [Rtl(effects, last.lines, "save"), last] if machine.is_legal(effects) else None


def _length(found: Mapping[Move, list[Rtl]]) -> int:
    return sum(map(len, found.values()))


def _move_at(rtls: Sequence[Rtl], machine: Machine, *, save: bool) -> tuple[Move, list[Rtl]] | None:
    """Return the first save of some RTLs, or the last restore, and the RTLs that are it: two if it is by another register."""
    one, two = (list(rtls[:1]), list(rtls[:2])) if save else (list(rtls[-1:]), list(rtls[-2:]))
    move = _move(one[0], machine, save=save) if one else None
    if move is not None:
        return move, one
    first, second = (rtl.single_set if rtl.cause == "save" else None for rtl in two) if len(two) == 2 else (None, None)
    if first is None or second is None or first.target is not second.source:
        return None
    move = _move(two[1] if save else two[0], machine, save=save)
    moved = first.source if save else second.target
    if move is None or type(moved) is not Register or moved not in machine.convention.preserved:
        return None
    return ((move[0], moved), two) if BITS[moved.type] == BITS[move[1].type] else None


def _move(rtl: Rtl, machine: Machine, *, save: bool) -> Move | None:
    """Return what an RTL saves or restores."""
    effect = rtl.single_set
    if effect is None or rtl.cause != "save":
        return None
    cell, register = (effect.target, effect.source) if save else (effect.source, effect.target)
    if not (isinstance(cell, Mem) and isinstance(register, Register)):
        return None
    base, offset = split_address(cell.address)
    return (offset, register) if base == (machine.stack_pointer, None) else None


def _far_end(
    moves: Iterable[Move], function: Function, machine: Machine, *, busy: Sequence[Register] = (), alone: OfCells | None = None
) -> list[Move]:
    """Return the moves of one class to adjacent cells that end where the frame ends, and one to fill it, in order.

    With `alone`, each is one instruction of its own, whatever class it is of.
    """
    found: list[Move] = []
    end = function.frame
    for move in sorted(moves, reverse=True, key=lambda m: m[0]):
        fits = machine.is_legal(alone([(0, move[1])], machine)) if alone else not found or move[1].cls == found[0][1].cls
        if move[0] + BITS[move[1].type] // 8 != end or not fits:
            break
        found.insert(0, move)
        end = move[0]
    return [*(() if alone else _filler(found, function, machine, busy)), *found]


def _filler(moves: Sequence[Move], function: Function, machine: Machine, busy: Sequence[Register]) -> list[Move]:
    """Return a move of a register that nobody wants, where the frame has room for just one and nothing else in it."""
    if not moves or function.outgoing or len(function.slots) > len(moves):
        return []
    end, first = moves[0]
    if end != BITS[first.type] // 8:
        return []
    free = free_registers(machine, (*busy, *(register for _, register in moves)))
    candidates = [r for r in free if r.cls == first.cls and r.index < first.index]
    pushes = ((r, machine.recognize(push([(0, r), *moves], machine))) for r in candidates)
    legal = [(record.size, -register.index, register) for register, record in pushes if record is not None]
    return [(0, min(legal)[2])] if legal else []


def _size(moves: Sequence[Move]) -> int:
    return sum(BITS[register.type] // 8 for _, register in moves)
