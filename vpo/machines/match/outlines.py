"""Outlines of RTLs and of patterns, which tell at a glance that an RTL is not of a pattern; and how two machines differ.

An outline has for each effect its kind and the outermost operators of what it sets and of what it computes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import permutations
from typing import Any

from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.machines.match.stepping import with_steps_in_operands
from vpo.machines.read.condition import Condition
from vpo.rtl import Effect, Mem, Op, Register, Set

Root = tuple[str, str] | None  # the outermost operator, cell or class; None: of a pattern anything, of an RTL none of these
Outline = tuple[tuple[str, Root, Root], ...]
PERMUTED = (2, 3)  # effects that are tried in each order
# of a form, what no code depends on: how it prints, and where it stands
_PRINTED = {"name", "place", "asm", "order", "text", "separator", "fields", "counted", "encoding", "code", "_variables"}
_PRINTED_OPERANDS = {"mode", "place", "asm", "show", "text"}


def outline(effects: Iterable[Any]) -> Outline:
    """Return the outline of an RTL or of a pattern."""
    return tuple(map(_of_effect, effects))


def _of_effect(effect: Any) -> tuple[str, Root, Root]:
    if isinstance(effect, Set):
        return Set.__name__, _root(effect.target), _root(effect.source)
    return type(effect).__name__, _root(getattr(effect, "condition", None)), None


def _root(node: Any) -> Root:
    if isinstance(node, Op):
        return Op.__name__, node.op
    if isinstance(node, Mem):
        return Mem.__name__, node.type
    cls = getattr(node, "cls", None)  # of a register, or of a variable that is one
    return None if cls is None else (Register.__name__, cls)


def fits(pattern: Outline, repeated: bool, rtl: Outline) -> bool:
    """Whether an RTL may be of a pattern, the last effect of which may be repeated."""
    if len(pattern) > len(rtl) or (len(pattern) < len(rtl) and not repeated):
        return False
    for (kind, target, source), (its_kind, its_target, its_source) in zip(pattern, rtl, strict=False):
        if kind != its_kind or target not in (None, its_target) or source not in (None, its_source):
            return False
    return True


@dataclass(frozen=True, slots=True)
class Form:
    """A form of an instruction: a digest of all that code may depend on, and what tells most RTLs apart from it."""

    digest: str
    outline: Outline
    repeated: bool


def forms(alternatives: Iterable[Alternative], operands: Mapping[str, list[OperandForm]]) -> list[Form]:
    """Return the forms of a machine's instructions, in the order in which they are tried."""
    known: dict[str, str] = {}

    def operand(name: str) -> str:
        if name not in known:
            known[name] = name  # one that contains itself
            known[name] = _digest([_told(form, _PRINTED_OPERANDS, operand) for form in operands[name]])
        return known[name]

    return [
        Form(_digest(_told(each, _PRINTED, operand)), outline(each.effects), each.repeated) for each in alternatives
    ]


def _told(form: Any, printed: set[str], operand: Callable[[str], str]) -> list[object]:
    """Return what a form says but for what is `printed`; what its operands are in place of what they are called."""
    told: list[object] = []
    for each in fields(form):
        value = getattr(form, each.name)
        if each.name == "operands":
            told.append([(name, operand(called)) for name, called in value.items()])
        elif isinstance(value, Condition):
            told.append((value.code.co_code.hex(), value.code.co_consts, value.code.co_names, value.given))
        elif each.name not in printed:
            told.append(value)
    return told


def _digest(told: object) -> str:
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


class Difference:
    """Which RTLs two machines may take for different instructions: those with the outline of a form that only one has.

    `steps` are the classes of registers that step in operands of the one and of the other.
    """

    def __init__(self, old: Sequence[Form], new: Sequence[Form], steps: tuple[Collection[str], Collection[str]]) -> None:
        before, now = {form.digest for form in old}, {form.digest for form in new}
        self.forms = [*{f for f in old if f.digest not in now}, *{f for f in new if f.digest not in before}]
        both = before & now
        kept_order = [f.digest for f in old if f.digest in both] == [f.digest for f in new if f.digest in both]
        self.is_known = kept_order and set(steps[0]) == set(steps[1])  # else RTLs may have other first forms
        self.is_none = self.is_known and not self.forms
        self.steps = steps[1]
        self._concerned: dict[Outline, bool] = {}

    def concerns(self, effects: tuple[Effect, ...]) -> bool:
        """Whether the machines may say different things of an RTL."""
        if not self.is_known:
            return True
        if not self.forms:
            return False
        if self._has_outline(effects):
            return True
        marked = with_steps_in_operands(effects, self.steps) if self.steps and len(effects) > 1 else None
        return marked is not None and self._has_outline(marked)

    def _has_outline(self, effects: tuple[Effect, ...]) -> bool:
        rtl = outline(effects)
        found = self._concerned.get(rtl)
        if found is None:
            orders = permutations(rtl) if len(rtl) in PERMUTED else (rtl,)
            found = any(fits(form.outline, form.repeated, order) for order in orders for form in self.forms)
            self._concerned[rtl] = found
        return found
