"""Operands that step a register, as auto-increment does: what an RTL with such an effect looks like to the patterns.

    r[2]=L[r[1]]; r[1]=r[1]+4;        is matched as        r[2]=L[r_plus_4[1]];

The operand form `{rtl: "r[b]", effect: "r[b]=r[b]+4;"}` has the pattern r_plus_4[b].  Only recognisers know such classes.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from itertools import pairwise
from typing import Any

from vpo.algebra import binary, is_step, rebuild, rebuild_effect
from vpo.algebra.equivalents import is_run
from vpo.machines.match.pattern import Alternative
from vpo.machines.target import RegisterClass
from vpo.rtl import Const, Effect, Expr, Mem, Op, Register, Set
from vpo.text import RegisterVariable


def class_of_step(cls: str, amount: int) -> str:
    """Return the name of the class of registers that step by an amount."""
    return f"{cls}_plus_{amount}" if amount > 0 else f"{cls}_minus_{-amount}"


def stepping_pattern(pattern: Any, effects: tuple[Any, ...]) -> RegisterVariable | None:
    """Return what an operand form with an effect matches; None if the effect is not a step of the form's register.

    A register that grows is the address before, one that shrinks the address after its step.
    """
    effect: Any = effects[0] if len(effects) == 1 else None
    register, source = getattr(effect, "target", None), getattr(effect, "source", None)
    if not isinstance(register, RegisterVariable) or not isinstance(source, Op) or source.op != "+":
        return None
    amount = source.args[1]
    if not isinstance(amount, Const) or not _same(source.args[0], register):
        return None
    if not _same(pattern, register if amount.value > 0 else source):
        return None
    return RegisterVariable(class_of_step(register.cls, amount.value), register.name, register.type)


def _same(one: Any, other: Any) -> bool:
    """Whether two patterns are one: a register, or one plus a constant."""
    if isinstance(one, Op) and isinstance(other, Op):
        return one.op == other.op and one.args[1] is other.args[1] and _same(one.args[0], other.args[0])
    variables = isinstance(one, RegisterVariable) and isinstance(other, RegisterVariable)
    return variables and (one.cls, one.name) == (other.cls, other.name)


def with_steps_in_operands(effects: tuple[Effect, ...], classes: Container[str]) -> tuple[Effect, ...] | None:
    """Return effects without the steps of addresses, which are in the addresses instead; None if there are none."""
    steps = [e for e in effects if type(e) is Set and is_step(e) and _class(e) in classes]
    rest = tuple(e for e in effects if e not in steps)
    if not steps or not rest:
        return None
    kept: list[Effect] = []
    for step in steps:
        marked = tuple(_mark(effect, step) for effect in rest)
        if marked == rest or any(step.target in e.uses or getattr(e, "target", None) is step.target for e in marked):
            kept.append(step)
        else:
            rest = marked
    return (*rest, *kept) if len(kept) < len(steps) else None


def _class(step: Set) -> str:
    amount = step.source.args[1].value  # type: ignore[union-attr]
    return class_of_step(step.target.cls, amount) if type(step.target) is Register else ""


def _mark(effect: Effect, step: Set) -> Effect:
    """Let the addresses that are a step's register show that it steps."""
    register = step.target
    assert type(register) is Register
    stepping = Register(_class(step), register.index, register.type, register.pseudo)
    grows = step.source.args[1].value > 0  # type: ignore[union-attr]
    address = register if grows else step.source

    def replace(node: Expr) -> Expr | None:
        return node.at(stepping) if type(node) is Mem and node.address is address else None

    if type(effect) is Set and type(effect.target) is Mem:
        return Set(rebuild(effect.target, replace), rebuild(effect.source, replace))  # type: ignore[arg-type]
    return rebuild_effect(effect, replace)


def without_steps(node: Any, classes: Container[str]) -> Any:
    """Return what a variable matched as it stands in the RTL: addresses instead of registers that step."""
    if not any(register.cls in classes for register in getattr(node, "uses", ())):
        return node

    def replace(part: Expr) -> Expr | None:
        if type(part) is not Register or part.cls not in classes:
            return None
        cls, direction, amount = part.cls.rsplit("_", 2)
        register = Register(cls, part.index, part.type, part.pseudo)
        return register if direction == "plus" else binary("+", register, Const(-int(amount)))

    return rebuild(node, replace)


def steps_once(nodes: Iterable[Any], classes: Container[str]) -> bool:
    """Whether each register that steps is in one operand only: two would step it twice."""
    seen: list[Register] = []
    for node in nodes:
        stepping = [r for r in getattr(node, "uses", ()) if r.cls in classes]
        if any(register in seen for register in stepping):
            return False
        seen += stepping
    return True


# ----------------------------------------------------------------------------------------------------------------------
# Instructions that move a list of registers to or from adjacent cells of memory, such as block saves, or cells to cells.


def sequence_registers(effects: tuple[Effect, ...]) -> list[Register]:
    """Return the registers that a block save or restore moves, in order."""
    result = []
    for effect in effects:
        if not isinstance(effect, Set):
            continue
        moved = effect.source if isinstance(effect.target, Mem) else effect.target
        if isinstance(moved, Register):
            result.append(moved)
    return result


def moved_register(alternative: Alternative) -> str | None:
    """Return the variable of the registers that the repeated move of a pattern moves."""
    move = alternative.effects[-1]
    moved = move.source if isinstance(move.target, Mem) else move.target
    return getattr(moved, "name", None)


def is_sequence(effects: tuple[Effect, ...], classes: dict[str, RegisterClass]) -> bool:
    """Whether effects move ascending registers to or from ascending adjacent cells, all one way, or cells to cells."""
    moves = [(e.target, e.source) for e in effects if isinstance(e, Set)]
    copied = [(target, source) for target, source in moves if isinstance(target, Mem) and isinstance(source, Mem)]
    if len(copied) == len(effects):
        return is_run([target for target, _ in copied]) and is_run([source for _, source in copied])
    order = {name: index for index, name in enumerate(classes)}
    to_memory = isinstance(effects[0].target, Mem) if isinstance(effects[0], Set) else False
    cells: list[Mem] = []
    ranks: list[tuple[int, int]] = []
    for effect in effects:
        if not isinstance(effect, Set):
            return False
        cell, moved = (effect.target, effect.source) if to_memory else (effect.source, effect.target)
        if not (isinstance(cell, Mem) and isinstance(moved, Register)):
            return False
        if not moved.pseudo and moved.index >= classes[moved.cls].count:
            return False
        cells.append(cell)
        ranks.append((order[moved.cls], moved.index))
    return is_run(cells) and all(a < b for a, b in pairwise(ranks))
