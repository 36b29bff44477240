"""Calls of functions that are too far away: the address is put into a register, and what is there is called.

ST=_f(); r[1]=NPC;   (_f too far)   =>   r[1]=HI[_f]; r[1]=r[1]+LO[_f]; ST=r[1](); r[1]=NPC;
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from vpo.base.errors import CannotExpress
from vpo.machines.machine import Machine
from vpo.opt.frame.save_instructions import scavenger, scratch_registers, storage
from vpo.opt.late.delay import fill_delay_slots
from vpo.opt.late.interlock import separate_hazards
from vpo.opt.late.span import slots_of
from vpo.opt.state import FunctionState
from vpo.rtl import Call, Effect, Register, Rtl, Set, Symbol
from vpo.rtl.function import Block, Function
from vpo.text import show_effects


def far_calls(
    functions: Mapping[str, Function], machine: Machine, addresses: Mapping[str, Sequence[int]], symbols: Mapping[str, int]
) -> dict[str, set[int]]:
    """Return the calls that do not reach: by name of the function that they are in, their indices there.

    `addresses` and `symbols` are those of a `Program`.
    """
    reach, all_addresses = machine.capabilities.call_reach, [*addresses.values()]
    extent = all_addresses[-1][-1] - all_addresses[0][0] if all_addresses else 0
    if reach is None or (-reach[0] >= extent and reach[1] >= extent):
        return {}
    starts = {name: symbols[name] for name in functions}
    found: dict[str, set[int]] = {}
    for name, function in functions.items():
        if function.stage == "final":
            places = zip(function.rtls(), addresses[name], strict=False)
            far = {index for index, (rtl, here) in enumerate(places) if _is_far(rtl, here, machine, starts)}
            if far:
                found[name] = far
    return found


def _is_far(rtl: Rtl, here: int, machine: Machine, starts: Mapping[str, int]) -> bool:
    call = rtl.call
    if call is None or not isinstance(call.target, Symbol) or call.target.name not in starts:
        return False
    reach = machine.record(rtl).reach
    return reach is not None and not reach[0] <= starts[call.target.name] + call.target.offset - here <= reach[1]


def with_calls_by_register(function: Function, machine: Machine, chosen: Container[int]) -> Function:
    """Return a copy of a function whose calls at some indices are of addresses in registers.

    Raises CannotExpress if the machine has no such calls, or no register is free.
    """
    blocks, index = [], 0
    for block in function.blocks:
        rtls: list[Rtl] = []
        place = 0
        while place < len(block.rtls):
            rtl, behind = block.rtls[place], place + 1
            if index + place in chosen:
                behind += slots_of(rtl, machine)
                rtls += _by_register(rtl, block.rtls[place + 1 : behind], machine)
            else:
                rtls.append(Rtl(rtl.effects, rtl.lines, rtl.cause))
            place = behind
        blocks.append(Block(block.label, rtls))
        index += len(block.rtls)
    result = replace(function, blocks=blocks)
    separate_hazards(FunctionState(result, machine))
    return result


def _by_register(call: Rtl, slots: list[Rtl], machine: Machine) -> list[Rtl]:
    """Return what does the same as a call and the RTLs in its delay slots, by an address in a register; slots filled."""
    moved = [Rtl(rtl.effects, rtl.lines, rtl.cause) for rtl in slots if rtl.effects]
    named = [r for rtl in moved for r in (*rtl.uses, *rtl.sets, *machine.clobbers(rtl.effects))]
    busy = storage(machine, (*call.uses, *named))
    # what these registers hold, the call destroys; some machines cannot call by the one that the return address goes to
    free = [r for r in scratch_registers(machine) if r not in call.sets and busy.isdisjoint(machine.storage(r))]
    *before, new = call_by_register(machine, call.effects, free, call.lines, call.cause)
    part = Function("_", stage="framed", blocks=[Block("L1", [*before, *moved, new])], labels=1)
    fill_delay_slots(FunctionState(part, machine))
    return part.rtls()


def call_by_register(
    machine: Machine, effects: tuple[Effect, ...], free: Iterable[Register], lines: tuple[int, ...], cause: str
) -> list[Rtl]:
    """Return RTLs that call what a call does, by its address in one of the free registers; the last is the call.

    Raises CannotExpress if the machine has no such calls, or too few registers are free.
    """
    code = scavenger(Function("_"), machine, free, lines[0], cause)
    for cls in (code.address, code.integer):
        called = _called(effects, Register(cls, -1, machine.classes[cls].type, True))
        if machine.is_legal(called):
            address = code.fresh(cls)
            code.free = list(code.pool)
            code.emit(Set(address, next(effect.target for effect in effects if isinstance(effect, Call))))
            return [Rtl(rtl.effects, lines, cause) for rtl in (*code.out, Rtl(_called(effects, address)))]
    raise CannotExpress(f"`{show_effects(called)}`")


def _called(effects: tuple[Effect, ...], target: Register) -> tuple[Effect, ...]:
    """Return a call as one of another target."""
    return tuple(Call(target, e.arguments, e.results) if isinstance(e, Call) else e for e in effects)
