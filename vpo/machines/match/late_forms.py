"""Instructions that are several once registers are assigned (`pseudo: true`), or when the code is complete (`into:`).

Expansions say what one of the first kind becomes, when no register is left for values in between.  One that a machine cannot
do so is none, nor is one of the second kind of which a part is no instruction: the expander then makes the operation of
others, and registers are assigned to all of these.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any, NoReturn

from vpo.machines.advice.examples import Maker
from vpo.machines.machine import Machine
from vpo.machines.match.instantiation import Instance
from vpo.machines.match.pattern import Alternative
from vpo.rtl import Effect, Expr, Mem, Op, Register, Set, Slot, expressions_read, subexpressions
from vpo.text import RegisterVariable

DEPTH = 4  # of expansions that need expansions
VALUES = 6  # of a variable that are tried


class _NeedsRegister(Exception):
    """An expansion wants another register."""


def impossible_forms(machine: Machine) -> list[Alternative]:
    """Return the forms of instructions that some of their operands make impossible when registers are assigned."""
    late = [form for form in machine.recognizer.alternatives if form.pseudo and len(form.effects) == 1]
    return [
        form
        for form in late
        if not all(_can(machine, effects, DEPTH) for effects in _instances(machine, form))
        or (_crowds(machine, form) and not _takes_a_cell(machine, form))
    ]


def forms_without_parts(machine: Machine) -> list[Alternative]:
    """Return the forms of instructions of which a part is no instruction."""
    composed = [form for form in machine.recognizer.alternatives if form.into and not form.repeated]
    return [form for form in composed if not all(_has_parts(machine, form, found) for found in _bindings(machine, form))]


def _has_parts(machine: Machine, form: Alternative, bindings: dict[str, Any]) -> bool:
    instance = Instance(dict(bindings), lambda cls, type_: Register(cls, 0, type_), machine.half)
    return all(machine.is_legal(tuple(map(instance.effect, part))) for part in form.into)


def _crowds(machine: Machine, form: Alternative) -> bool:
    """Whether a form wants more registers of a class than can be assigned at once."""
    wanted = Counter(variable.cls for variable in _registers(form).values())
    return any(number > len(machine.allocable_in(cls)) for cls, number in wanted.items())


def _takes_a_cell(machine: Machine, form: Alternative) -> bool:
    """Whether one of the registers that a form reads may be a cell of the frame instead, where it then is."""
    maker, registers, effect = Maker(machine), _registers(form), form.effects[0]
    values: dict[str, Expr] = {variable[0]: next(maker.choices(form, variable)) for variable in form.variables}
    values |= {name: Register(v.cls, -1 - n, v.type, True) for n, (name, v) in enumerate(registers.items())}
    target = effect.target.name if isinstance(effect.target, RegisterVariable) else ""
    frame = Op("+", machine.address_type, machine.stack_pointer, Slot(".spill"))
    cells = ({**values, name: Mem(variable.type, frame)} for name, variable in registers.items() if name != target)
    return any(machine.is_legal(maker.effects(form, bindings)) for bindings in cells)


def _registers(form: Alternative) -> dict[str, RegisterVariable]:
    """Return the registers that the pattern of a form names, by their names."""
    nodes = (node for effect in form.effects for root in expressions_read(effect) for node in subexpressions(root))
    targets = (effect.target for effect in form.effects if isinstance(effect, Set))
    return {node.name: node for node in (*targets, *nodes) if isinstance(node, RegisterVariable)}


def _instances(machine: Machine, form: Alternative) -> list[tuple[Effect, ...]]:
    """Return examples of a form over hard registers."""
    maker = Maker(machine)
    return [maker.effects(form, bindings) for bindings in _bindings(machine, form)]


def _bindings(machine: Machine, form: Alternative) -> list[dict[str, Any]]:
    """Return what the variables of a form may be: some values of each, and the first of all others."""
    maker = Maker(machine)
    names = [name for name, _, _ in form.variables]
    choices = [list(islice(maker.choices(form, variable), VALUES)) for variable in form.variables]
    if not all(choices):
        return []
    first = {name: values[0] for name, values in zip(names, choices, strict=True)}
    return [{**first, name: value} for name, values in zip(names, choices, strict=True) for value in values]


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
