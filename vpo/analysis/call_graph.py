"""Calls of a program: which functions they reach, and which of them may never come back."""

from __future__ import annotations

from collections.abc import Iterable

from vpo.analysis.fault_sites import faulting_functions
from vpo.base.kept import kept
from vpo.il.routine_names import RESUME_CONTEXT, SAVE_CONTEXT
from vpo.program import Program
from vpo.rtl import Call, Const, Register, Set, Symbol
from vpo.rtl.function import Block, Function
from vpo.rtl.symbols import addresses_taken

INDIRECT = ""  # the callee of an indirect call
EXITS = ("exit", "exit_group")  # system calls that end the program


def callee_of(program: Program, call: Call) -> str:
    """Return the name of the function called, or INDIRECT."""
    target = call.target
    if type(target) is Symbol and target.offset == 0 and target.name in program.functions:
        return target.name
    return INDIRECT


@kept
def address_taken(program: Program) -> list[str]:
    """Functions that an indirect call may reach, in program order."""
    taken = addresses_taken(program.functions.values(), program.data)
    return [name for name in program.functions if name in taken]


def may_end(program: Program) -> set[str]:
    """Return the functions whose calls may not come back, since they end the program or jump out of a function called."""
    ending = {name for name, function in program.functions.items() if _exits(program, function)}
    return may_jump(program, ending | left_by_faults(program))


def may_jump(program: Program, ending: Iterable[str] = ()) -> set[str]:
    """Return the functions that can call `__longjmp` or one of those given, and these; INDIRECT if an indirect call can."""
    ending = {*ending, *({RESUME_CONTEXT} & program.functions.keys())}
    if not ending:
        return ending
    ending |= left_by_faults(program)
    callees = {name: _callees(program, function) for name, function in program.functions.items()}
    taken = set(address_taken(program))
    changed = True
    while changed:
        new = {name for name, called in callees.items() if called & ending} | ending
        if taken & new:
            new.add(INDIRECT)
        changed = new != ending
        ending = new
    return ending


def left_by_faults(program: Program) -> set[str]:
    """Return the functions out of which a fault may go to its handler: INDIRECT as well, for calls of no function."""
    faulting = faulting_functions(program)
    return {*faulting, INDIRECT} if faulting else faulting


def context_savers(program: Program) -> set[str]:
    """Return what calls `__setjmp`: INDIRECT as well, where the machine calls through registers."""
    present = {SAVE_CONTEXT} & program.functions.keys()
    return present | {INDIRECT} if present.intersection(address_taken(program)) else present


def _callees(program: Program, function: Function) -> set[str]:
    return {callee_of(program, call) for rtl in function.rtls() if (call := rtl.call) is not None}


def _exits(program: Program, function: Function) -> bool:
    return any(is_exit(program, block, index) for block in function.blocks for index in range(len(block.rtls)))


def is_exit(program: Program, block: Block, index: int) -> bool:
    """True if an RTL is a system call that ends the program, as far as its block shows."""
    call = block.rtls[index].system_call
    if call is None:
        return False
    number = call.args[0]
    if isinstance(number, Register):
        number = _value_before(program, block, index, number) or number
    return not isinstance(number, Const) or program.machine.syscalls.get(number.value) in EXITS


def _value_before(program: Program, block: Block, index: int, register: Register) -> Const | None:
    """Return the constant that a register holds before an RTL, if its block shows it."""
    machine = program.machine
    places = set(machine.storage(register))
    for rtl in reversed(block.rtls[:index]):
        if rtl.call is not None or any(not places.isdisjoint(machine.storage(r)) for r in machine.record(rtl).clobbers):
            return None
        for effect in rtl.effects:
            target = effect.target if isinstance(effect, Set) else None
            if isinstance(target, Register) and not places.isdisjoint(machine.storage(target)):
                known = isinstance(effect, Set) and target is register and isinstance(effect.source, Const)
                return effect.source if known else None  # type: ignore[union-attr, return-value]
    return None
