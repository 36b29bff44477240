"""Which parts of a description the instructions rest on that a machine has been asked about.

Whoever asks only `Machine.is_legal` and the like (phases and the expander do) cannot notice that a part is gone on which
no legal answer rested: taking away makes nothing legal, and each legal RTL is the same instruction as before.  What a machine
says besides is compared by `same_facts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from vpo.machines.edits import Edit, Part
from vpo.machines.machine import Machine
from vpo.machines.recognizer import Match, OperandMatch, Recognizer
from vpo.rtl import Const, Effect, Register, Set


@dataclass(slots=True)
class Usage:
    """The parts that were used, and the least and greatest constant that each variable stood for."""

    parts: set[Part] = field(default_factory=set)
    constants: dict[Part, tuple[int, int]] = field(default_factory=dict)

    def notices(self, edit: Edit) -> bool:
        """Whether the code with this usage may be other code after an edit."""
        if edit.part is None:
            return True
        if edit.kept is None:
            return edit.part in self.parts
        low, high = self.constants.get(edit.part, edit.kept)
        return low < edit.kept[0] or high > edit.kept[1]

    def add_constant(self, part: Part, value: int) -> None:
        """Note that a variable stood for a constant."""
        low, high = self.constants.get(part, (value, value))
        self.constants[part] = min(low, value), max(high, value)

    def join(self, other: Usage) -> None:
        """Add what another one has used."""
        self.parts |= other.parts
        for part, ends in other.constants.items():
            for value in ends:
                self.add_constant(part, value)


def usage_of(machine: Machine) -> Usage:
    """Return what the answers of a machine up to now rest on; ask a copy of the machine to know what one task used."""
    usage = Usage()
    for effects, match in machine.answers():
        usage.parts.update(("bank", machine.classes[r.cls].bank) for r in _registers(effects) if r.cls in machine.classes)
        if match is not None:
            _add_match(usage, match, machine.recognizer)
    return usage


def _registers(effects: Iterable[Effect]) -> Iterator[Register]:
    for effect in effects:
        yield from effect.uses
        if isinstance(effect, Set) and isinstance(effect.target, Register):
            yield effect.target


def _add_match(usage: Usage, match: Match, recognizer: Recognizer) -> None:
    name, place = match.alternative.name, match.alternative.place
    usage.parts.update((("instruction", name), ("form", name, place)))
    for variable, operand in match.alternative.operands.items():
        node = match.bindings[variable]
        if type(node) is Const:
            usage.add_constant(("constant", name, place, variable), node.value)
        _add_operand(usage, recognizer.operand_match(operand, node), recognizer)


def _add_operand(usage: Usage, match: OperandMatch | None, recognizer: Recognizer) -> None:
    if match is None:
        return
    place = match.form.place
    usage.parts.add(("operand", place))
    node = match.bindings.get("v")
    if match.form.pattern is None and type(node) is Const:
        usage.add_constant(("range", place), node.value)
    for variable, operand in match.form.operands.items():
        inner = match.bindings[variable]
        if type(inner) is Const:
            usage.add_constant(("constant", "", place, variable), inner.value)
        _add_operand(usage, recognizer.operand_match(operand, inner), recognizer)


def same_facts(one: Machine, other: Machine) -> bool:
    """Whether two machines differ in nothing that phases and the expander ask about but in what is legal."""
    return one.capabilities == other.capabilities and one.slot_reach == other.slot_reach
