"""Which registers a function saves at entry and restores before it returns, and the RTLs that do so."""

from __future__ import annotations

from vpo.addresses import split_address
from vpo.algebra import binary
from vpo.function import Function
from vpo.machines.machine import Machine
from vpo.rtl import Const, Effect, Expr, Mem, Register, Return, Rtl, Set


def saved_registers(function: Function, machine: Machine) -> frozenset[Register]:
    """Return the registers that a function saves at entry and restores, each in one cell, before every return (if any).

    The link register is not among them: what is restored there says where the function returns to.  Nor are registers by way
    of which others are saved.
    """
    carriers: set[Register] = set()
    cells: dict[Register, set[Expr]] = {}
    restored: dict[Register, set[Expr]] = {}
    returns = any(isinstance(rtl.transfer, Return) for rtl in function.rtls())
    for rtl in function.rtls():
        if rtl.cause == "save":
            carriers |= _carriers(rtl, machine)
        for effect in rtl.effects:
            if not isinstance(effect, Set) or not (rtl.cause == "save" or isinstance(rtl.transfer, Return)):
                continue
            target, source = effect.target, effect.source
            if is_cell(target, machine) and isinstance(source, Register):
                cells.setdefault(source, set()).add(_behind_step(target, rtl, machine))
            elif isinstance(target, Register) and is_cell(source, machine):
                restored.setdefault(target, set()).add(source)
    return frozenset(
        register
        for register, saved in cells.items()
        if len(saved) == 1
        and register not in carriers
        and (restored.get(register) == saved or not returns)
        and register is not machine.convention.link
    )


def _carriers(rtl: Rtl, machine: Machine) -> set[Register]:
    """Return the registers that an RTL sets to something that is in no cell, unless it saves them itself."""
    sets = [effect for effect in rtl.effects if isinstance(effect, Set)]
    saved = {effect.source for effect in sets if is_cell(effect.target, machine)}
    moved = {effect.target for effect in sets if not is_cell(effect.source, machine)}
    return {register for register in moved - saved if isinstance(register, Register)}


def _behind_step(cell: Expr, rtl: Rtl, machine: Machine) -> Expr:
    """Return a cell as it is called behind an RTL that moves the stack pointer."""
    if not isinstance(cell, Mem):
        return cell
    sp = machine.stack_pointer
    moved = next((effect.source for effect in rtl.effects if isinstance(effect, Set) and effect.target is sp), sp)
    base, offset = split_address(cell.address)
    after, step = split_address(moved)
    return Mem(cell.type, binary("+", sp, Const(offset - step))) if base == after else cell


def is_cell(node: Expr, machine: Machine) -> bool:
    """Whether registers can be saved there: in memory, or in a register of which each activation has its own."""
    return isinstance(node, Mem) or machine.is_private(node)


def is_saving(rtl: Rtl, effect: Effect, saved: frozenset[Register], machine: Machine) -> bool:
    """Whether an effect of an RTL saves or restores one of the registers that its function preserves."""
    if not isinstance(effect, Set) or not (rtl.cause == "save" or isinstance(rtl.transfer, Return)):
        return False
    if is_cell(effect.target, machine):
        return effect.source in saved
    return effect.target in saved and is_cell(effect.source, machine)
