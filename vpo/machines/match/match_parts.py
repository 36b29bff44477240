"""Which parts of a description the instructions rest on that a machine has been asked about.

Whoever asks only `Machine.is_legal` and the like (phases and the expander do) cannot notice that a part is gone on which
no legal answer rested: taking away makes nothing legal, and each legal RTL is the same instruction as before.  What a machine
says besides is compared by `same_facts`.  Who was told that an RTL is illegal notices if an instruction is added that it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from vpo.machines.advice.edits import ADDITION, Edit, Part
from vpo.machines.machine import Machine
from vpo.machines.match.recognizer import Match, Recognizer, key_of
from vpo.rtl import Const, Effect, Half


@dataclass(slots=True)
class Usage:
    """The parts that were used, the least and greatest constant that each variable stood for, what was illegal by its key."""

    parts: set[Part] = field(default_factory=set)
    constants: dict[Part, tuple[int, int]] = field(default_factory=dict)
    refused: dict[Any, list[tuple[Effect, ...]]] = field(default_factory=dict)

    def notices(self, edit: Edit) -> bool:
        """Whether the code with this usage may be other code after an edit that adds nothing."""
        if edit.kind == ADDITION:
            return False
        if edit.part is None:
            return True
        if edit.kept is None:
            return edit.part in self.parts
        low, high = self.constants.get(edit.part, edit.kept)
        return low < edit.kept[0] or high > edit.kept[1]

    def gains(self, new: Machine) -> bool:
        """Whether something that was illegal is an instruction of a machine."""
        likely = [group for group in self.refused.values() if new.recognizer.may_match(group[0])]
        return any(new.is_legal(effects) for group in likely for effects in group)

    def add_constant(self, part: Part, value: int) -> None:
        """Note that a variable stood for a constant."""
        low, high = self.constants.get(part, (value, value))
        self.constants[part] = min(low, value), max(high, value)


def usage_of(machine: Machine) -> Usage:
    """Return what the answers of a machine up to now rest on; ask a copy of the machine to know what one task used."""
    usage = Usage()
    for effects, match in machine.answers():
        if match is None:
            usage.refused.setdefault(key_of(effects), []).append(effects)
            continue
        for part, value in parts_of(match, machine.recognizer):
            if value is None:
                usage.parts.add(part)
            else:
                usage.add_constant(part, value)
    return usage


def parts_of(match: Match, recognizer: Recognizer) -> Iterator[tuple[Part, int | None]]:
    """Yield the parts on which a match rests, each variable and range that stands for a constant with the constant."""
    name, place = match.alternative.name, match.alternative.place
    yield ("instruction", name), None
    yield ("form", name, place), None
    yield from _inner(match.alternative.operands, match.bindings, ("constant", name, place), recognizer)


def _inner(
    operands: Mapping[str, str], bindings: Mapping[str, Any], owner: Part, recognizer: Recognizer
) -> Iterator[tuple[Part, int | None]]:
    """Yield what the operands of an instruction or an operand's form rest on."""
    for variable, operand in operands.items():
        node = bindings[variable]
        numbers = _numbers(node)
        yield from (((*owner, variable), number) for number in numbers)
        match = recognizer.operand_match(operand, node)
        if match is None:
            continue
        place = match.form.place
        yield ("operand", place), None
        if match.form.pattern is None:
            yield from ((("range", place), number) for number in numbers)
        yield from _inner(match.form.operands, match.bindings, ("constant", "", place), recognizer)


def _numbers(node: Any) -> tuple[int, ...]:
    """Return the constant that a variable stands for, or the least and the greatest that it may become."""
    if type(node) is Const:
        return (node.value,)
    if type(node) is Half and node.part is not None:
        return 0, (1 << node.part[1]) - 1
    return ()


def added(machine: Machine, other: Machine) -> Machine:
    """Return the other machine with those instructions alone that the machine lacks."""
    known = {(alternative.name, alternative.place) for alternative in machine.recognizer.alternatives}
    new = [a for a in other.recognizer.alternatives if (a.name, a.place) not in known]
    return replace(other, recognizer=other.recognizer.of(new))


def same_facts(one: Machine, other: Machine) -> bool:
    """Whether two machines differ in nothing that phases and the expander ask about but in what is legal."""
    return one.capabilities == other.capabilities and one.slot_reach == other.slot_reach
