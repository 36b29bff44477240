"""Saves that move the stack pointer: pushes at entry, pops before a return or together with it.

    r[13]=r[13]+-8;                          r[13]=r[13]+-8; L[r[13]+-8]=r[4]; L[r[13]+-4]=r[14];
    L[r[13]]=r[4];                  =>
    L[r[13]+4]=r[14];

    r[4]=L[r[13]];                           PC=L[r[13]+4],RT(); r[13]=r[13]+8; r[4]=L[r[13]];
    r[14]=L[r[13]+4];               =>
    r[13]=r[13]+8;
    PC=r[14],RT();

That takes a convention whose saved registers lie at the far end of the frame, and machines with such instructions: for
several registers, or for one.
"""

from __future__ import annotations

from collections.abc import Sequence

from vpo.algebra.parts import split_address
from vpo.machines.machine import Machine
from vpo.opt.frame.save_instructions import free_registers, pop, push
from vpo.opt.state import FunctionState
from vpo.rtl import BITS, Effect, Mem, Register, Return, Rtl, Set
from vpo.rtl.function import Block, Function

Move = tuple[int, Register]  # a register and the offset of its cell in the frame


def push_at_entry(state: FunctionState) -> tuple[int, int]:
    """Make the saves at the entry that lie at the far end of the frame pushes; return how many bytes and instructions."""
    function, machine, block = state.function, state.machine, state.function.blocks[0]
    rtls = block.rtls
    count = next((n for n, rtl in enumerate(rtls) if _move(rtl, machine, save=True) is None), len(rtls))
    moves = _far_end(rtls[:count], function, machine, save=True)
    start = function.frame - _size(moves)
    pushes = _legal([push([(offset - start, register) for offset, register in moves], machine)], machine) if moves else []
    if not pushes:
        moves = _far_end(rtls[:count], function, machine, save=True, fill=False)
        pushes = _legal([push([(0, register)], machine) for _, register in reversed(moves)], machine)
    rest = [rtl for rtl in rtls[:count] if _move(rtl, machine, save=True) not in moves]
    made = [Rtl(effects, (function.line,), "save") for effects in pushes]
    return (_size(moves), len(made)) if made and state.splice(block, 0, count, [*made, *rest]) else (0, 0)


def pop_before(block: Block, state: FunctionState) -> tuple[int, int]:
    """Make the restores before the return that ends a block pops, or part of the return; return how many bytes they pop.

    Also returns how many RTLs at the end of the block pop and return; what stands before them is for the unchanged stack
    pointer.
    """
    function, machine, rtls = state.function, state.machine, block.rtls
    last = rtls[-1]
    start = len(rtls) - 1
    while start and _move(rtls[start - 1], machine, save=False) is not None:
        start -= 1
    results = last.transfer.results if isinstance(last.transfer, Return) else ()
    moves = _far_end(rtls[start:-1], function, machine, save=False, busy=results)
    popped = _popped(moves, last, machine)
    if popped is None:
        moves = _far_end(rtls[start:-1], function, machine, save=False, fill=False)
        pops = _legal([pop([(0, register)], machine) for _, register in moves], machine)
        popped = [*(Rtl(effects, last.lines, "save") for effects in pops), last]
    rest = [rtl for rtl in rtls[start:-1] if _move(rtl, machine, save=False) not in moves]
    done = len(popped) > 1 or popped[0] is not last
    return (_size(moves), len(popped)) if done and state.splice(block, start, len(rtls), [*rest, *popped]) else (0, 1)


def _legal(instructions: list[tuple[Effect, ...]], machine: Machine) -> list[tuple[Effect, ...]]:
    """Return instructions if the machine has all of them; else none."""
    return instructions if all(map(machine.is_legal, instructions)) else []


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


def _move(rtl: Rtl, machine: Machine, *, save: bool) -> Move | None:
    """Return what an RTL saves or restores."""
    effect = rtl.single_set()
    if effect is None or rtl.cause != "save":
        return None
    cell, register = (effect.target, effect.source) if save else (effect.source, effect.target)
    if not (isinstance(cell, Mem) and isinstance(register, Register)):
        return None
    base, offset = split_address(cell.address)
    return (offset, register) if base == (machine.stack_pointer, None) else None


def _far_end(
    rtls: Sequence[Rtl], function: Function, machine: Machine, *, save: bool, busy: Sequence[Register] = (), fill: bool = True
) -> list[Move]:
    """Return the moves of one class to adjacent cells that end where the frame ends, and one to `fill` it, in order."""
    found: list[Move] = []
    end = function.frame
    for move in sorted(filter(None, (_move(rtl, machine, save=save) for rtl in rtls)), reverse=True, key=lambda m: m[0]):
        if move[0] + BITS[move[1].type] // 8 != end or (found and move[1].cls != found[0][1].cls):
            break
        found.insert(0, move)
        end = move[0]
    return [*(_filler(found, function, machine, busy) if fill else ()), *found]


def _filler(moves: Sequence[Move], function: Function, machine: Machine, busy: Sequence[Register]) -> list[Move]:
    """Return a move of a register that nobody wants, where the frame has room for just one and nothing else in it."""
    if not moves or function.outgoing or len(function.slots) > len(moves):
        return []
    end, first = moves[0]
    if end != BITS[first.type] // 8:
        return []
    free = free_registers(machine, (*busy, *(register for _, register in moves)))
    candidates = [r for r in free if r.cls == first.cls and r.index < first.index]
    return [(0, max(candidates, key=lambda r: r.index))] if candidates else []


def _size(moves: Sequence[Move]) -> int:
    return sum(BITS[register.type] // 8 for _, register in moves)
