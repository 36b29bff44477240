"""A recogniser that parses RTLs with a machine's grammar, plainly; `vpo.machines.match.recognizer` is its fast twin.

What no context-free grammar can say (ranges of constants, conditions, the same register in two places) its semantic actions
check.  `-verify` asks both of each RTL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import permutations, product
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from vpo.machines.machine import Machine
from vpo.machines.match.grammar import Reading, Writer
from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.machines.match.recognizer import Operand
from vpo.machines.match.record import Record
from vpo.machines.match.stepping import with_steps_in_operands
from vpo.machines.read.patterns import cells
from vpo.rtl import Effect, tie
from vpo.text import TextError, parse_effects, parse_expression, show_effects


@dataclass(frozen=True, slots=True)
class _Value:
    """What a variable stands for: its node, and the operand that it was read as; `rank` as in Reading."""

    node: Any
    operand: Operand | None
    rank: tuple[Any, ...]


class _Place(Tree[Token]):
    """A tree that knows where it stands even if there are several for one part of the text."""

    def __init__(self, data: str, children: list[Any], meta: Any = None) -> None:
        super().__init__(data, children, children[0].meta if data == "_ambig" else meta)


class GrammarRecognizer:
    """Recognises the text of an RTL with the machine's grammar; gives the same records as the fast recogniser.

    With an alternative, the grammar has only the rule of this one, and of the operands that it uses.
    """

    def __init__(self, machine: Machine, alternative: Alternative | None = None) -> None:
        self.machine = machine
        self.fast = machine.recognizer if alternative is None else machine.recognizer.of([alternative])
        self.cells = cells(self.fast.classes)
        writer = Writer(self.fast)
        self.readings = writer.readings()
        self.lark = Lark(
            writer.text(machine.name), parser="earley", ambiguity="explicit", propagate_positions=True, tree_class=_Place
        )

    def recognize(self, text: str) -> Record | None:
        """Return the record of an RTL in canonical text, or None if it is no instruction."""
        try:
            effects = parse_effects(text, self.machine.cells)
        except TextError:
            return None
        marked = with_steps_in_operands(effects, self.fast.stepping)
        return self._in_some_order(effects) or (None if marked is None else self._in_some_order(marked))

    def _in_some_order(self, effects: tuple[Effect, ...]) -> Record | None:
        for order in [effects] if len(effects) < 2 or len(effects) > 3 else permutations(effects):
            record = self._recognize(tuple(order))
            if record is not None:
                return record
        return None

    def _recognize(self, effects: tuple[Effect, ...]) -> Record | None:
        text = show_effects(effects)
        try:
            tree = self.lark.parse(text)
        except UnexpectedInput:
            return None
        found: list[tuple[tuple[Any, ...], Record]] = []
        for reading, values in self._bound(tree, text):
            record = self._record(reading, values, effects)
            if record is not None:
                found.append(((reading.rank, [v.rank for v in values.values()]), record))
        return min(found, key=lambda pair: pair[0])[1] if found else None

    def _bound(self, tree: Any, text: str) -> Iterator[tuple[Reading, dict[str, _Value]]]:
        """Yield the readings of a tree in which every variable stands for one thing."""
        if tree.data == "_ambig":
            for child in tree.children:
                yield from self._bound(child, text)
            return
        for reading in self.readings[tree.data]:
            columns = [self._values(child, text) for child in tree.children]
            for values in product(*columns):
                bound: dict[str, _Value] = {}
                if all(
                    bound.setdefault(name, value).node is value.node
                    for name, value in zip(reading.variables, values, strict=True)
                ):
                    yield reading, bound

    def _values(self, child: Any, text: str) -> list[_Value]:
        """Return what a part of the text can stand for."""
        if isinstance(child, Token):
            if child.type == "LABEL":
                return [_Value(str(child), None, ())]
            node = parse_expression(str(child), self.cells)
            known = all(r.pseudo or r.index < self.fast.classes[r.cls].count for r in node.uses)
            return [_Value(node, None, ())] if known else []
        assert isinstance(child, Tree)
        node = parse_expression(text[child.meta.start_pos : child.meta.end_pos], self.cells)
        found: list[_Value] = []
        for reading, values in self._bound(child, text):
            operand = self._operand(reading.owner, values)
            if operand is not None:
                found.append(_Value(node, operand, (reading.rank, [v.rank for v in values.values()])))
        return sorted(found, key=lambda value: value.rank)[:1]

    def _operand(self, form: OperandForm, values: dict[str, _Value]) -> Operand | None:
        """Return what an operand matched, if its conditions hold."""
        if form.pattern is None and not form.accepts(values["v"].node):
            return None
        bindings = {name: value.node for name, value in values.items()}
        if not form.holds(bindings):
            return None
        return self.fast.build_operand(form, bindings, {name: value.operand for name, value in values.items()})

    def _record(self, reading: Reading, values: dict[str, _Value], effects: tuple[Effect, ...]) -> Record | None:
        """Return the record of an instruction, if its conditions hold."""
        alternative: Alternative = reading.owner
        bindings = {name: value.node for name, value in values.items()}
        if not self.fast.holds(alternative, bindings, effects):
            return None
        operands = {name: value.operand for name, value in values.items() if value.operand is not None}
        return self.fast.build_record(alternative, bindings, operands, effects)


# ----------------------------------------------------------------------------------------------------------------------
# The grammar as the judge of what the fast recogniser takes for an instruction.


class GrammarJudge:
    """Asks the grammar whether RTLs are the instructions that the recogniser takes them for, once for each shape.

    What a rule derives depends on no number of a register, label or symbol, nor on a constant, once the form of each
    operand is known; so a shape is the text without its numbers, the rule, and the modes of its operands.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.rules: dict[int, GrammarRecognizer] = {}
        self.shapes: set[tuple[object, ...]] = set()

    def objection(self, effects: tuple[Effect, ...]) -> str:
        """Return in what the grammar and the recogniser disagree about a legal RTL; nothing if they do not."""
        text = VERSION.sub(lambda match: f"[t{match[1]}{int(match[2]):06}]", show_effects(tie(effects)))
        match = self.machine.recognizer.match(parse_effects(text, self.machine.cells))
        if match is None:
            return f"`{text}` is no instruction of {self.machine.name} once its versions are registers"
        record = self.machine.recognizer.record(match)
        shape = record.alternative, NUMBER.sub("0", text), *(field.mode for field in record.fields)
        if shape in self.shapes:
            return ""
        self.shapes.add(shape)
        if record.alternative not in self.rules:
            self.rules[record.alternative] = GrammarRecognizer(self.machine, match.alternative)
        judged = self.rules[record.alternative].recognize(text)
        if judged is None:
            return f"`{text}` is {record.name} to the recogniser and nothing to the grammar of {self.machine.name}"
        if facts_of(judged) != facts_of(record):
            return f"`{text}` is `{record.assembly}` to the recogniser and `{judged.assembly}` to the grammar"
        return ""


VERSION = re.compile(r"\[t(\d+)\.(\d+)\]")  # of a register in SSA form
NUMBER = re.compile(r"t?\d+")


def facts_of(record: Record | None) -> tuple[object, ...] | None:
    """Return all that a record says."""
    return None if record is None else tuple(getattr(record, field.name) for field in fields(record))
