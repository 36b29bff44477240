"""One Lark grammar per target, made from the same patterns as the fast recogniser, and a recogniser that uses it.

The grammar accepts the shapes of the machine's instructions; what no context-free grammar can say (ranges of constants,
conditions, the same register in two places, register lists) the semantic actions of GrammarRecognizer check.  Slow and
plain, it is the definition; `vpo.machines.match.recognizer` is the fast twin, and a property test holds the two equal.

    // ADD: r[dst]=r[src1]+r[src2];
    i_add_1: REG_R "=" REG_R "+" REG_R ";"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from vpo.machines.machine import Machine
from vpo.machines.match.pattern import Alternative, OperandForm, effect_orders, orders
from vpo.machines.match.recognizer import Operand, Recognizer
from vpo.machines.match.record import Record
from vpo.machines.match.stepping import with_steps_in_operands
from vpo.machines.read.patterns import cells
from vpo.rtl import Branch, Call, Delay, Effect, Half, IndirectJump, Jump, Mem, Op, Return, Set, Slot, Symbol
from vpo.text import (
    TYPED_FUNCTIONS,
    RegisterVariable,
    TextError,
    Variable,
    parse_effects,
    parse_expression,
    show,
    show_effects,
)

HEADER = """\
// The instructions of {name}, as the RTLs that they are.  Made from its description; do not edit.
// An operator inside another stands in parentheses.  The effects of one instruction are simultaneous: two or three of
// them may stand in any order.  Ranges of constants and other conditions are not in the grammar; the comments name them.
// An address that steps is a register such as r_plus_4[1] instead of the effect r[1]=r[1]+4.

"""
TERMINALS = """\
INTEGER: /-?[0-9]+/
ADDRESS_PART: /PART[0-9]+_[0-9]+\\[[^\\]]*\\]/
SYMBOL: /_[A-Za-z0-9_.$]*/
SYMBOL_AT: /_[A-Za-z0-9_.$]*\\+-?[0-9]+/
SLOT: /\\.[A-Za-z0-9_.$]+/
SLOT_AT: /\\.[A-Za-z0-9_.$]+\\+-?[0-9]+/
LABEL: /L[0-9]+/
_LABELS: /\\{[L0-9,]*\\}/
_REGISTERS: /\\(([a-z][a-z0-9_]*\\[t?[0-9]+\\],?)*\\)/
_MOVE: /[^;=]*\\[[^;=]*\\]=[^;=]*\\];/
%ignore " "
"""


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a production: whose pattern it is and its variables in the order of the text.

    Of several readings of one text, that with the least `rank` counts: file order, then order of the operands.
    """

    owner: Any  # an Alternative or an OperandForm
    rank: tuple[int, ...]
    variables: tuple[str, ...]


@dataclass(eq=False)
class Writer:
    """Collects the rules of a grammar: rule -> right-hand side -> its readings."""

    recognizer: Recognizer
    rules: dict[str, dict[str, list[Reading]]] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)
    terminals: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        numbers: dict[str, int] = {}
        for index, alternative in enumerate(self.recognizer.alternatives):
            name = re.sub(r"[^a-z0-9]+", "_", alternative.name.lower())
            numbers[name] = numbers.get(name, 0) + 1
            rule = f"i_{name}_{numbers[name]}"
            self.comments[rule] = f"{alternative.name}: {alternative.text}"
            for variant, effects in enumerate(effect_orders(alternative.effects)):
                shape = _Shape(self, alternative.operands)
                text = " ".join(map(shape.effect, effects)) or '"NOP" ";"'
                text += " _MOVE*" if alternative.repeated else ""
                self.add(rule, text, Reading(alternative, (index, variant), tuple(shape.variables)))
        for name, forms in self.recognizer.operands.items():
            self._operand(f"o_{name}", forms, False)
            self._operand(f"o_{name}_nested", forms, True)

    def add(self, rule: str, text: str, reading: Reading) -> None:
        """Add a production, or another reading of one."""
        self.rules.setdefault(rule, {}).setdefault(text, []).append(reading)

    def _operand(self, rule: str, forms: list[OperandForm], nested: bool) -> None:
        notes: list[str] = []
        for index, form in enumerate(forms):
            notes.append(_note(form))
            if form.pattern is not None:
                for variant, pattern in enumerate(orders(form.pattern)):
                    shape = _Shape(self, form.operands)
                    text = shape.expression(pattern, nested)
                    self.add(rule, text, Reading(form, (index, variant), tuple(shape.variables)))
                continue
            reading = Reading(form, (index, 0), ("v",))
            if form.values or form.low <= form.high:
                self.add(rule, "INTEGER", reading)
                if form.takes_parts(1):
                    self.add(rule, "ADDRESS_PART", reading)
            for wanted, terminal in ((form.slots or form.far, "SLOT"), (form.symbol, "SYMBOL")):
                if wanted:
                    self.add(rule, terminal, reading)
                    self.add(rule, f'"(" {terminal}_AT ")"' if nested else f"{terminal}_AT", reading)
        self.comments[rule] = " | ".join(notes)

    def text(self, name: str) -> str:
        """Return the whole grammar, without what it does not need."""
        used = set(self._reachable())
        lines = [HEADER.format(name=name) + "?start: " + "\n      | ".join(r for r in self.rules if r.startswith("i_"))]
        for rule, productions in self.rules.items():
            if rule in used:
                heads = [f"{text} -> {rule}__{number}" for number, text in enumerate(productions)]
                lines.append(f"\n// {self.comments[rule]}\n{rule}: " + "\n    | ".join(heads))
        body = "\n".join(lines)
        terminals = [f"{name}: {pattern}\n" for name, pattern in sorted(self.terminals.items())]
        wanted = [line for line in TERMINALS.splitlines(True) if line[0] == "%" or _mentions(body, line.split(":")[0])]
        return body + "\n\n" + "".join(terminals + wanted)

    def _reachable(self) -> Iterator[str]:
        """Yield the rules of instructions and of the operands that they use."""
        stack = [rule for rule in self.rules if rule.startswith("i_")]
        seen = set(stack)
        while stack:
            rule = stack.pop()
            yield rule
            for text in self.rules[rule]:
                for word in re.findall(r"\bo_\w+", text):
                    if word not in seen:
                        seen.add(word)
                        stack.append(word)

    def readings(self) -> dict[str, list[Reading]]:
        """Return the readings of every production by its alias."""
        return {
            f"{rule}__{number}": readings
            for rule, productions in self.rules.items()
            for number, readings in enumerate(productions.values())
        }


def _mentions(grammar: str, terminal: str) -> bool:
    return re.search(rf"\b{terminal}\b", grammar) is not None


def _note(form: OperandForm) -> str:
    """Return a description of a form for the grammar's reader."""
    parts = [f"`{form.text}`"] if form.pattern is not None else []
    if form.values:
        parts.append("constant " + ", ".join(map(str, form.values)))
    elif form.low <= form.high:
        multiple = f", a multiple of {form.multiple}" if form.multiple > 1 else ""
        parts.append(f"constant {form.low}..{form.high}{multiple}")
    parts += [word for word in ("slots", "symbol", "far") if getattr(form, word)]
    return f"{form.mode}: {', '.join(parts)}" + (" with a condition" if form.condition else "")


class _Shape:
    """Writes the right-hand sides of one pattern; `variables` are those seen, in order."""

    def __init__(self, writer: Writer, operands: dict[str, str]) -> None:
        self.writer, self.operands = writer, operands
        self.variables: list[str] = []

    def expression(self, node: Any, nested: bool = False) -> str:
        """Return the right-hand side for an expression."""
        match node:
            case RegisterVariable():
                self.variables.append(node.name)
                terminal = f"REG_{node.cls.upper()}"
                self.writer.terminals[terminal] = f"/{node.cls}\\[t?[0-9]+\\]/"
                return terminal
            case Variable():
                self.variables.append(node.name)
                return f"o_{self.operands[node.name]}{'_nested' if nested else ''}"
            case Mem():
                self.writer.terminals[f"_{node.type}_CELL"] = f"/V?{node.type}({{[^}}]*}})?\\[/"
                return f'_{node.type}_CELL {self.expression(node.address)} "]"'
            case Half():
                return f'"{node.which}[" {self.expression(node.of)} "]"'
            case Op(args=(left, right)) if node.op != "SYS":
                text = f'{self.expression(left, True)} "{node.op}" {self.expression(right, True)}'
                return f'"(" {text} ")"' if nested else text
            case Op():
                suffix = node.type if node.op in TYPED_FUNCTIONS else ""
                arguments = ' "," '.join(map(self.expression, node.args))
                return f'"{node.op}{suffix}(" {arguments} ")"'
            case Symbol() | Slot() if nested and node.offset:
                return f'"({show(node)})"'
        return f'"{show(node)}"'

    def effect(self, effect: Any) -> str:
        """Return the right-hand side for an effect."""
        match effect:
            case Set():
                return f'{self.expression(effect.target)} "=" {self.expression(effect.source)} ";"'
            case Branch():
                condition = self.expression(effect.condition)
                self.variables.append(effect.label)
                return f'"PC=" {condition} "," LABEL ";"'
            case Jump():
                self.variables.append(effect.label)
                return '"PC=" LABEL ";"'
            case IndirectJump():
                return f'"PC=" {self.expression(effect.target, True)} "," _LABELS ";"'
            case Call():
                return f'"ST=" {self.expression(effect.target, True)} _REGISTERS (",RT" _REGISTERS)? ";"'
            case Return():
                return f'"PC=" {self.expression(effect.target, True)} ",RT" _REGISTERS ";"'
            case Delay():
                return f'"DS={effect.when};"'
        raise TypeError(effect)


def grammar_text(machine: Machine) -> str:
    """Return the Lark grammar of a machine's instructions."""
    return Writer(machine.recognizer).text(machine.name)


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
    """Recognises the text of an RTL with the machine's grammar; gives the same records as the fast recogniser."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.fast = machine.recognizer
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
