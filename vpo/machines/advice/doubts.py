"""Forms of instructions that can be loaded, but are hardly meant as they stand: `ease machine check` names them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from vpo.machines.advice.unreachable import nodes_of
from vpo.machines.machine import Machine
from vpo.machines.match.pattern import Alternative
from vpo.machines.match.record import PIECE
from vpo.machines.read.sections import kind_of
from vpo.rtl import RELATIONS, SHIFTS, Mem, Op, Set, subexpressions
from vpo.text import RegisterVariable


@dataclass(frozen=True, slots=True)
class Doubt:
    """A form of an instruction, and why it is doubtful, with what to do."""

    form: Alternative
    reason: str


def doubts(machine: Machine) -> list[Doubt]:
    """Return the doubtful forms of a machine."""
    forms = [form for form in machine.recognizer.alternatives if not form.pseudo]
    stacks = {register.cls for stack in machine.stacks for register in stack}
    stacks |= {register.cls for effect in machine.pop for register in effect.sets}
    chosen = {cls.name for cls in machine.classes.values() if cls.count > 1 and cls.name not in stacks}
    return [*_faster_than_their_parts(forms), *_faster_since_shorter(forms), *_without_operands(forms, chosen)]


# ------------------------------------------------------------------------------------------------------------- latency


def _faster_than_their_parts(forms: list[Alternative]) -> Iterator[Doubt]:
    """Yield forms that claim to be done before the slowest of their operations is."""
    alone: dict[tuple[str, str], Alternative] = {}
    for form in forms:
        operations = operations_of(form)
        if len(operations) == 1:
            alone[operations[0]] = min(alone.get(operations[0], form), form, key=latency_of)
    for form in forms:
        operations = operations_of(form)
        parts = [alone[operation] for operation in operations if operation in alone]
        slowest = max(parts, key=latency_of, default=form)
        if len(operations) > 1 and latency_of(form) < (least := latency_of(slowest)):
            slower = f"but {slowest.name}, a part of it, takes {least}: write `latency: {least}` or more"
            yield Doubt(form, f"latency {latency_of(form)}, {slower}")


def _faster_since_shorter(forms: list[Alternative]) -> Iterator[Doubt]:
    """Yield loads that claim to be done before longer forms of the same load, which a short form has most likely forgotten."""
    loads = [(form, load) for form in forms if (load := _load_of(form)) is not None]
    for form, load in loads:
        longer = [other for other, same in loads if same == load and other.size > form.size]
        least = min(longer, key=latency_of, default=form)
        if latency_of(form) < latency_of(least):
            same = f"but {least.name}, which loads the same, takes {latency_of(least)}: write `latency: {latency_of(least)}`"
            yield Doubt(form, f"latency {latency_of(form)}, {same}")


def _load_of(form: Alternative) -> tuple[str, str, str] | None:
    """Return the class that a form loads, the type of the cell and how it is extended; None for a form that is no load."""
    effect = form.effects[0] if len(form.effects) == 1 else None
    if not isinstance(effect, Set) or not isinstance(effect.target, RegisterVariable):
        return None
    source: Any = effect.source
    extension = ""
    if isinstance(source, Op) and len(source.args) == 1:
        source, extension = source.args[0], source.op
    return (effect.target.cls, source.type, extension) if isinstance(source, Mem) else None


def latency_of(form: Alternative) -> int:
    """Return the cycles after which the result of a form is there."""
    return form.latencies.get(kind_of(form.effects), form.latency)


def operations_of(form: Alternative) -> list[tuple[str, str]]:
    """Return the operations with two operands that a form does for its only result; none if it refers to memory.

    Shifts by constants may take less than others, and relations have results of another kind.
    """
    if len(form.effects) != 1 or not isinstance(form.effects[0], Set) or form.effects[0].memory:
        return []
    nodes = [node for node in subexpressions(form.effects[0].source) if isinstance(node, Op) and len(node.args) == 2]
    return [(node.op, node.type) for node in nodes if node.op not in RELATIONS and node.op not in SHIFTS]


# ------------------------------------------------------------------------------------------------------------ assembly


def _without_operands(forms: list[Alternative], chosen: Collection[str]) -> Iterator[Doubt]:
    """Yield forms whose assembly text names none of their registers, though these are chosen from several of a class.

    The text of a form that other instructions replace is not printed.
    """
    for form in forms:
        nodes = chain.from_iterable(map(nodes_of, form.effects))
        registers = [node for node in nodes if isinstance(node, RegisterVariable)]
        names = [node.name for node in registers if node.cls in chosen and form.fields.get(node.name, node.name)]
        printed = {first or second for first, second in PIECE.findall(form.asm)}
        if names and not form.into and printed.isdisjoint(name for name, _, _ in form.variables):
            shown = ", ".join(f"${name}" for name in dict.fromkeys(names))
            yield Doubt(form, f"`{form.asm}` prints no operand: write {shown}, or say in `fields:` that they are `hidden`")
