"""The start-up code of a program: the description's, made of other instructions where the machine lacks one of it."""

from __future__ import annotations

from vpo.base.errors import CannotExpress
from vpo.link.far_calls import call_by_register
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.opt.frame.save_instructions import storage, with_hard_registers
from vpo.opt.late.delay import fill_delay_slots
from vpo.opt.state import FunctionState
from vpo.rtl import Call, Effect, Half, Mem, Register, Rtl, Set
from vpo.rtl.function import Block, Function
from vpo.text import show_effects

ENTRY = "_start"


def start_function(machine: Machine) -> Function:
    """Build the start-up code of a machine, delay slots filled.

    Raises CannotExpress, which names an RTL that the machine can do in no way.
    """
    function = Function("_" + ENTRY, "", 0, False, "framed", [Block("L1", [])], labels=1)
    places = zip(machine.start, _free_registers(machine), strict=True)
    function.blocks[0].rtls = [rtl for effects, free in places for rtl in _legal(machine, effects, free)]
    fill_delay_slots(FunctionState(function, machine))
    return function


def _free_registers(machine: Machine) -> list[list[Register]]:
    """Return, for each RTL of the start-up code, the allocable registers that it does not name and nothing after it reads."""
    registers = [r for allocable in machine.allocable.values() for r in allocable]
    live: set[tuple[str, int]] = set()
    found: list[list[Register]] = []
    for effects in reversed(machine.start):
        set_ = storage(machine, (r for effect in effects for r in effect.sets))
        read = storage(machine, (r for effect in effects for r in effect.uses))
        calls = any(isinstance(effect, Call) for effect in effects)
        live -= storage(machine, machine.convention.scratch) if calls else set()
        busy = live | set_ | read
        found.append([r for r in registers if busy.isdisjoint(machine.storage(r))])
        live = live - set_ | read
    return found[::-1]


def _legal(machine: Machine, effects: tuple[Effect, ...], free: list[Register]) -> list[Rtl]:
    """Return RTLs that do what one does, with free registers for the values between them."""
    if machine.is_legal(effects):
        return [Rtl(effects, (0,), "startup")]
    try:
        if len(effects) > 1 or isinstance(effects[0], Call):
            return call_by_register(machine, effects, free, (0,), "startup")
        code = Legalizer(machine, Function("_" + ENTRY, "", 0, False))
        code.emit(_without_pool(effects[0]))
        return [Rtl(rtl.effects, (0,), "startup") for rtl in with_hard_registers(code.out, free, machine, 0)]
    except CannotExpress as failure:
        raise CannotExpress(f"{failure.what}, which start-up code `{show_effects(effects)}` needs") from None


def _without_pool(effect: Effect) -> Effect:
    """Return the move of a constant or an address in the place of its load from a literal pool."""
    match effect:
        case Set(source=Mem(address=Half(is_literal=True, of=value))):
            return Set(effect.target, value)
    return effect
