"""Expansions that take one result of an instruction with two, or that use an instruction which names its registers.

    r[1]=r[2]%r[3];     =>     r[4]=r[2]; r[4]=r[4]/r[3]; r[5]=r[4]%r[3]; r[1]=r[5];      (the middle two are one instruction)
    r[4]=r[5]<<r[6];    =>     r[1]=r[6]; r[4]=r[5]; r[4]=r[4]<<r[1];

The other result goes to a register that nobody reads.  Operands that the instruction destroys are copied before; hard
registers that it names are set before and read afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vpo.machines.expansion import Expansion, matcher_of
from vpo.machines.machine import Machine
from vpo.machines.pattern import Alternative
from vpo.rtl import FLOAT_TYPES, INTEGER_TYPES, Effect, Mem, Op, Register, Set, subexpressions
from vpo.text import RegisterVariable, Variable, show_effects

VALUES = (*INTEGER_TYPES, *FLOAT_TYPES)


def implied_results(machine: Machine) -> list[Expansion]:
    """Return expansions for each result of the instructions that have two, and of those that name a register."""
    return [
        expansion
        for form in machine.recognizer.alternatives
        if len(form.effects) <= 2 and not form.repeated and not form.pseudo
        if all(_is_result(machine, effect) for effect in form.effects)
        for wanted, *others in (form.effects, form.effects[::-1])[: len(form.effects)]
        if (expansion := _expansion(machine, form, wanted, others)) is not None
    ]


def _is_result(machine: Machine, effect: Effect) -> bool:
    """Whether an effect sets a register that values may be in from registers alone."""
    if not isinstance(effect, Set) or not isinstance(effect.target, Register | RegisterVariable):
        return False
    target = effect.target
    inner = list(subexpressions(effect.source))
    hard = [node for node in (target, *inner) if isinstance(node, Register)]
    kept = {machine.stack_pointer, machine.convention.link, *machine.zero}
    is_value = isinstance(target, Register) or target.cls in machine.values.classes().values()
    computes = len(inner) > 1 and not any(isinstance(node, Mem) or getattr(node, "op", "") == "SYS" for node in inner)
    return is_value and target.type in VALUES and computes and kept.isdisjoint(hard)


def _expansion(machine: Machine, form: Alternative, wanted: Set, others: list[Set]) -> Expansion | None:
    """Return the expansion for the wanted effect of a form, None if another one reads more, or if the form is plain."""
    read, changed = _variables(wanted.source), {_key(effect.target) for effect in (wanted, *others)}
    if any(not _variables(other.source).keys() <= read.keys() for other in others):
        return None
    if not others and not any(isinstance(node, Register) for node in read.values()):
        return None
    replaced: dict[Any, Any] = {
        key: RegisterVariable(node.cls, f"in_{n}", node.type)
        for n, (key, node) in enumerate(read.items()) if key in changed or isinstance(node, Register)
    }  # fmt: skip
    into: list[tuple[Any, ...]] = [(Set(read[key], variable),) for key, variable in replaced.items()]
    into.append(form.effects)
    out: Any = wanted.target
    if isinstance(out, Register) or _key(out) in read:
        cls = out.cls if out.cls in machine.values.classes().values() else machine.values.integer
        out = RegisterVariable(cls, "out", out.type)
        into.append((Set(out, wanted.target),))
    pattern = (Set(out, _replaced(wanted.source, replaced)),)
    operands = {name: operand for name, operand in form.operands.items() if name in read}
    match = matcher_of(machine.recognizer, pattern, form.place, operands)
    return Expansion(match, into, None, show_effects(pattern))


def _key(node: Any) -> Any:
    """Return what is the same for all nodes of a pattern that stand for the same."""
    return node if isinstance(node, Register) else node.name


def _variables(source: Any) -> dict[Any, Any]:
    """Return the registers, hard or any, and the operands that an expression of a pattern reads, by their keys."""
    return {_key(node): node for node in subexpressions(source) if isinstance(node, Register | RegisterVariable | Variable)}


def _replaced(source: Any, variables: Mapping[Any, Any]) -> Any:
    """Return an expression of a pattern with other variables."""
    if isinstance(source, Op):
        return Op(source.op, source.type, *(_replaced(arg, variables) for arg in source.args))
    known = isinstance(source, Register | RegisterVariable | Variable)
    return variables.get(_key(source), source) if known else source
