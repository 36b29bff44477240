"""Instructions that are several once registers are assigned (`pseudo: true`): whether the machine can do what they become.

Expansions say what such an instruction becomes, when no register is left for values in between.  One that a machine cannot
do so is none: the expander then makes the operation of others, and registers are assigned to all of these.
"""

from __future__ import annotations

from itertools import islice
from typing import NoReturn

from vpo.machines.examples import Maker
from vpo.machines.machine import Machine
from vpo.machines.pattern import Alternative
from vpo.rtl import Effect, Set

DEPTH = 4  # of expansions that need expansions
VALUES = 6  # of a variable that are tried


class _NeedsRegister(Exception):
    """An expansion wants another register."""


def impossible_forms(machine: Machine) -> list[Alternative]:
    """Return the forms of instructions that some of their operands make impossible when registers are assigned."""
    late = [form for form in machine.recognizer.alternatives if form.pseudo and len(form.effects) == 1]
    return [form for form in late if not all(_can(machine, effects, DEPTH) for effects in _instances(machine, form))]


def _instances(machine: Machine, form: Alternative) -> list[tuple[Effect, ...]]:
    """Return examples of a form over hard registers: with some values of each variable, and the first of all others."""
    maker = Maker(machine)
    names = [name for name, _, _ in form.variables]
    choices = [list(islice(maker.choices(form, variable), VALUES)) for variable in form.variables]
    if not all(choices):
        return []
    first = {name: values[0] for name, values in zip(names, choices, strict=True)}
    bindings = [{**first, name: value} for name, values in zip(names, choices, strict=True) for value in values]
    return [maker.effects(form, binding) for binding in bindings]


def _can(machine: Machine, effects: tuple[Effect, ...], depth: int) -> bool:
    """Whether a machine can do some effects, perhaps by expansions that want no other register."""
    if machine.is_legal(effects) or _is_idle(effects):
        return True
    if len(effects) > 1 or depth == 0:
        return False
    for expansion in machine.expansions:
        try:
            rtls = expansion.apply(effects, _no_register, machine.half)
        except _NeedsRegister:
            continue
        if rtls is not None and all(_can(machine, part, depth - 1) for part in rtls):
            return True
    return False


def _is_idle(effects: tuple[Effect, ...]) -> bool:
    """Whether this is a move of a register to itself, which nobody needs."""
    return len(effects) == 1 and isinstance(effects[0], Set) and effects[0].target is effects[0].source


def _no_register(_cls: str, _type: str) -> NoReturn:
    raise _NeedsRegister
