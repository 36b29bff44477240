"""The start-up code of a program: the description's, made of other instructions where the machine lacks one of it."""

from __future__ import annotations

from collections import Counter

from vpo.algebra import rebuild_effect
from vpo.expand.cannot_express import CannotExpress
from vpo.expand.legalize import Legalizer
from vpo.function import Block, Function
from vpo.machines.machine import Machine
from vpo.opt.delay import fill_delay_slots
from vpo.opt.state import FunctionState
from vpo.rtl import Call, Effect, Expr, Register, Rtl
from vpo.text import show_effects

ENTRY = "_start"


def start_function(machine: Machine) -> Function:
    """Build the start-up code of a machine, delay slots filled.

    Raises CannotExpress, which names an RTL that the machine can do in no way.
    """
    function = Function("_" + ENTRY, "", 0, False, "framed", [Block("L1", [])], labels=1)
    free = _free_registers(machine)
    function.blocks[0].rtls = [rtl for effects in machine.start for rtl in _legal(machine, effects, free)]
    fill_delay_slots(FunctionState(function, machine))
    return function


def _free_registers(machine: Machine) -> list[Register]:
    """Return the allocable registers that start-up code neither reads nor sets, nor finds arguments in."""
    effects = [effect for effects in machine.start for effect in effects]
    taken = {register for effect in effects for register in (*effect.uses, *effect.sets)}
    taken.update(machine.convention.start_arguments)
    storage = {part for register in taken for part in machine.storage(register)}
    return [r for registers in machine.allocable.values() for r in registers if storage.isdisjoint(machine.storage(r))]


def _legal(machine: Machine, effects: tuple[Effect, ...], free: list[Register]) -> list[Rtl]:
    """Return RTLs that do what one does, with free registers for the values between them."""
    if machine.is_legal(effects):
        return [Rtl(effects, (0,), "startup")]
    code = Legalizer(machine, Function("_" + ENTRY, "", 0, False))
    code.cause = "startup"
    try:
        if len(effects) == 1 and not isinstance(effects[0], Call):
            code.emit(effects[0])
        else:
            _emit_call(code, effects)
        rtls = [_placed(rtl, machine, _assigned(code.out, free)) for rtl in code.out]
    except CannotExpress as failure:
        raise CannotExpress(f"{failure.what}, which start-up code `{show_effects(effects)}` needs") from None
    return rtls


def _emit_call(code: Legalizer, effects: tuple[Effect, ...]) -> None:
    """Emit a call of an address in a register."""
    for cls in (code.address, code.integer):
        dummy = _called(effects, Register(cls, -1, code.machine.classes[cls].type, True))
        if code.machine.is_legal(dummy):
            target = next(effect.target for effect in effects if isinstance(effect, Call))
            code.attempt(*_called(effects, code.reg(target, cls)))
            return
    raise CannotExpress(f"`{show_effects(dummy)}`")


def _called(effects: tuple[Effect, ...], target: Register) -> tuple[Effect, ...]:
    """Return a call as one of another target."""
    return tuple(Call(target, e.arguments, e.results) if isinstance(e, Call) else e for e in effects)


def _assigned(rtls: list[Rtl], free: list[Register]) -> dict[Expr, Register]:
    """Return a free register for each pseudo-register of some RTLs."""
    result: dict[Expr, Register] = {}
    used: Counter[str] = Counter()
    for register in (r for rtl in rtls for r in (*rtl.sets, *rtl.uses)):
        if register.pseudo and register not in result:
            places = [other for other in free if other.cls == register.cls]
            if used[register.cls] == len(places):
                raise CannotExpress(f"register of class '{register.cls}' to spare")
            result[register] = places[used[register.cls]]
            used[register.cls] += 1
    return result


def _placed(rtl: Rtl, machine: Machine, places: dict[Expr, Register]) -> Rtl:
    """Return an RTL over hard registers."""
    effects = tuple(rebuild_effect(effect, places.get, targets=True) for effect in rtl.effects)
    if not machine.is_legal(effects):
        raise CannotExpress(f"`{show_effects(effects)}`")
    return Rtl(effects, rtl.lines, "startup")
