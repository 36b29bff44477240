"""Which register classes a compiled program can have values in, and which condition codes it can set and test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from vpo.machines.machine import Machine
from vpo.machines.pattern import Alternative, OperandForm
from vpo.rtl import RELATIONS, Branch, Call, IndirectJump, Jump, Op, Register, Return, Set, subexpressions
from vpo.text import RegisterVariable, Variable

CODES = ("C", "G")


def classes_in(effects: Iterable[Any]) -> set[str]:
    """Return the register classes that the effects of a pattern name themselves, not by their operands."""
    return {node.cls for effect in effects for node in nodes_of(effect) if isinstance(node, Register | RegisterVariable)}


def nodes_of(effect: Any) -> Iterator[Any]:
    """Yield the nodes of an effect of a pattern."""
    match effect:
        case Set():
            yield from subexpressions(effect.target)
            yield from subexpressions(effect.source)
        case Branch():
            yield from subexpressions(effect.condition)
        case Call() | Return() | IndirectJump():
            yield from subexpressions(effect.target)
        case Jump():
            return


def read_classes(effects: Iterable[Any]) -> set[str]:
    """Return the register classes that the effects of a pattern read, but by their operands."""
    return {
        node.cls
        for effect in effects
        for node in nodes_of(effect)
        if isinstance(node, Register | RegisterVariable) and not (isinstance(effect, Set) and node is effect.target)
    }


def stated_effects(machine: Machine) -> Iterator[tuple[Any, ...]]:
    """Yield the RTLs, and patterns of RTLs, that a description states for the compiler to write as they are."""
    convention = machine.convention
    yield from (convention.call, convention.return_, convention.hidden.call, convention.hidden.return_)
    yield from filter(None, (machine.pop, convention.enter))
    if convention.windows is not None:
        yield from (convention.windows.enter, convention.windows.leave)
    yield from machine.start
    for expansion in machine.expansions:
        yield from expansion.into
    for alternative in machine.recognizer.alternatives:
        yield from alternative.into
    if machine.capabilities.system_call is not None:
        yield (machine.capabilities.system_call,)


def live_classes(machine: Machine) -> set[str]:
    """Return the classes in which a program may have values: those of C values, views of them, those that the description
    states, those to which registers move when there are too few (`vpo/opt/assign/other_banks.py`), and those of detours.
    """
    classes = machine.recognizer.classes
    named = {*machine.values.classes().values(), machine.stack_pointer.cls}
    for effects in stated_effects(machine):
        named |= classes_in(effects)
    banks = {classes[name].bank for name in named}
    banks |= {cls.bank for cls in classes.values() if cls.type in CODES}
    banks |= {classes[name].bank for name in _detours(machine)}
    moves = {(classes[to].bank, classes[source].bank) for to, source in _moves(machine)}
    holds = {classes[name].bank for name in machine.allocable}
    while True:
        more = {to for to, source in moves if source in banks and (source, to) in moves and to in holds} - banks
        if not more:
            return {name for name, cls in classes.items() if cls.bank in banks}
        banks |= more


def _detours(machine: Machine) -> Iterator[str]:
    """Yield the classes of values' types to or from which values move, and those that hold the value of a relation.

    Operations that are done in such registers only are done there (`vpo/expand/detours.py`).
    """
    classes = machine.recognizer.classes
    values = set(machine.values.classes().values())
    types = {classes[name].type for name in values}
    for pair in _moves(machine):
        if not values.isdisjoint(pair):
            yield from (name for name in pair if classes[name].type in types and not classes[name].private)
    for form in machine.recognizer.alternatives:
        match form.effects:
            case (Set(target=RegisterVariable() | Register() as target, source=Op(op=op)),):
                if op in RELATIONS and target.type == classes[machine.values.integer].type:
                    yield target.cls


def _moves(machine: Machine) -> Iterator[tuple[str, str]]:
    """Yield the classes to and from which some instruction moves a register."""
    for alternative in machine.recognizer.alternatives:
        match alternative.effects:
            case (Set(target=target, source=RegisterVariable() | Register() | Variable() as source),):
                for to in _classes_of(target, alternative, machine):
                    yield from ((to, other) for other in _classes_of(source, alternative, machine))


def _classes_of(node: Any, alternative: Alternative, machine: Machine) -> set[str]:
    """Return the classes of the registers that a register or an operand of a pattern may be."""
    if isinstance(node, Register | RegisterVariable):
        return {node.cls}
    forms = machine.recognizer.operands[alternative.operands[node.name]] if isinstance(node, Variable) else []
    return {form.pattern.cls for form in forms if isinstance(form.pattern, Register | RegisterVariable)}


def form_is_live(form: OperandForm, live: set[str]) -> bool:
    """Whether a form of an operand names live classes only."""
    return form.pattern is None or classes_of_expression(form.pattern) <= live


def classes_of_expression(node: Any) -> set[str]:
    """Return the register classes that an expression of a pattern names itself."""
    return {inner.cls for inner in subexpressions(node) if isinstance(inner, Register | RegisterVariable)}
