"""What the instructions of a run need that the machine of another run lacks: a name, a form, the size of a constant."""

from __future__ import annotations

from collections.abc import Callable

from ease.reasons import CONSTANTS, Needs
from ease.static_kinds import Kind
from ease.store.kept_run import KeptRun
from vpo.algebra import rebuild_effect
from vpo.machines.load import build
from vpo.machines.machine import Machine
from vpo.machines.source import DescriptionError, Map
from vpo.rtl import Call, Const, Effect, Expr, Rtl, Symbol
from vpo.text import TextError, parse_effects

SMALL = (1, 0, 4, 16)  # constants that an instruction takes if it takes any
PLAIN = ("REGISTER", "IMMED", "LABEL")  # modes that do not tell a form from others


def needs_of(run: KeptRun, own: Machine, other: Machine) -> Needs:
    """Return what a machine lacks of the instructions of a run on another one.

    Instructions that differ only in registers which the other machine does not have are not lacking.
    """
    program = run.measurement.program
    assert program is not None
    found, names = Needs(), {alternative.name for alternative in other.recognizer.alternatives}
    for number, (kind, (text, _)) in enumerate(zip(program.kinds, run.texts, strict=True)):
        effects = _effects(text, own)
        if kind.instruction not in names:
            found.lacking[number] = kind.instruction
        elif effects is not None and _shares_registers(effects, other) and not other.is_legal(effects):
            found.lacking[number] = _need(kind, effects, other)
        for effect in effects or ():
            if isinstance(effect, Call) and isinstance(effect.target, Symbol):
                found.callees[number] = effect.target.name
    return found


def machines_of(*descriptions: Map) -> tuple[Machine, ...]:
    """Return the machines of merged descriptions; none if one cannot be built (by another version, say)."""
    try:
        return tuple(build(description) for description in descriptions)
    except DescriptionError:
        return ()


def _effects(text: str, machine: Machine) -> tuple[Effect, ...] | None:
    """Return the effects of a kind's text, None if they are no instruction as they stand there (a block move, say)."""
    try:
        effects = parse_effects(text, machine.cells)
    except TextError:
        return None
    return effects if machine.is_legal(effects) else None


def _shares_registers(effects: tuple[Effect, ...], machine: Machine) -> bool:
    """Whether a machine has all the registers that effects name."""
    rtl, classes = Rtl(effects, ()), machine.classes
    return all(r.cls in classes and r.index < classes[r.cls].count for r in (*rtl.uses, *rtl.sets))


def _need(kind: Kind, effects: tuple[Effect, ...], machine: Machine) -> str:
    for small in SMALL:
        replaced = tuple(rebuild_effect(effect, _constants(small)) for effect in effects)
        if replaced != effects and machine.is_legal(replaced):
            return CONSTANTS
    modes = sorted({operand.mode for operand in kind.operands if operand.mode not in PLAIN})
    return f"{kind.instruction} {', '.join(modes)}".strip()


def _constants(small: int) -> Callable[[Expr], Expr | None]:
    return lambda node: Const(small) if type(node) is Const else None
