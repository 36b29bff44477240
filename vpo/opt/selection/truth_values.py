"""Choices between two numbers that differ by a power of two: computed from the truth value of their condition.

    r[t3]=SEL(r[t1]==21,0,1);    =>    r[t4]=r[t1]+-21; r[t3]=r[0]<ur[t4];
    r[t3]=SEL(r[t1]<0,7,3);      =>    r[t4]=r[t1]<0; r[t5]=r[t4]<<2; r[t3]=r[t5]+3;
"""

from __future__ import annotations

from vpo.algebra import rebuild_effect, reverse
from vpo.base.errors import CannotExpress
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.rtl import INTEGER_TYPES, RELATIONS, Const, Effect, Expr, Op, Register, Set
from vpo.rtl.function import Function

Effects = tuple[Effect, ...]


def by_truth(result: Register, choice: Expr, machine: Machine, function: Function) -> list[Effects]:
    """Return RTLs that compute a choice between numbers from a truth value; none if there is no such way.

    What one sets several times has as many versions; condition codes are the only hard registers that are set.
    """
    if not isinstance(choice, Op) or choice.op != "SEL" or result.type not in INTEGER_TYPES:
        return []
    condition, then, otherwise = choice.args
    if not (isinstance(condition, Op) and isinstance(then, Const) and isinstance(otherwise, Const)):
        return []
    if condition.op not in RELATIONS or any(arg.type and arg.type not in INTEGER_TYPES for arg in condition.args):
        return []
    if then.value < otherwise.value:
        condition, then, otherwise = reverse(condition), otherwise, then
    code = Legalizer(machine, function)
    difference = then.value - otherwise.value
    if difference <= 0 or difference & (difference - 1) or result.cls != code.integer:
        return []
    slots = dict(function.slots)
    try:
        value: Expr | None = code.truth(condition.op, *condition.args)
        if value is None:
            return []
        shifted = code.operate("<<", value, Const(difference.bit_length() - 1), result.cls)
        total = code.operate("+", shifted, otherwise, result.cls)
    except CannotExpress:
        return []
    if function.slots != slots or not isinstance(total, Register):
        function.slots.clear()
        function.slots.update(slots)
        return []
    return _versions([rtl.effects for rtl in code.out], machine)


def _versions(code: list[Effects], machine: Machine) -> list[Effects]:
    """Return straight-line code on SSA form, none if it does more than to compute."""
    names: dict[Expr, Register] = {}
    made: list[Effects] = []
    for effects in code:
        changed: list[Effect] = []
        new: dict[Expr, Register] = {}
        for effect in effects:
            if not isinstance(effect, Set) or not isinstance(effect.target, Register) or effect.memory:
                return []
            target = effect.target
            if not target.pseudo and target.type != "C":
                return []
            known = names.get(target)
            if target.pseudo:
                version = known.version + 1 if known is not None else 1
                new[target] = Register(target.cls, target.index, target.type, True, version)
            renamed = rebuild_effect(effect, names.get)
            assert isinstance(renamed, Set)
            changed.append(Set(new.get(target, target), renamed.source))
        names.update(new)
        made.append(tuple(changed))
        if not machine.is_legal(made[-1]):
            return []
    return _without_constants(made, machine)


def _without_constants(code: list[Effects], machine: Machine) -> list[Effects]:
    """Return code with numbers in the places of the registers that hold them, where those who read them can have numbers."""
    rest = list(code)
    for effects in code[:-1]:
        effect = effects[0]
        if len(effects) > 1 or not isinstance(effect, Set) or not isinstance(effect.source, Const):
            continue
        register, number = effect.target, effect.source
        put = [tuple(rebuild_effect(e, {register: number}.get) for e in each) for each in rest if each is not effects]  # type: ignore[arg-type]
        if all(map(machine.is_legal, put)):
            rest = put
    return rest


