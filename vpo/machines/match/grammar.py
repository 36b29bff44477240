"""One Lark grammar per target, made from the same patterns as the recogniser.

The grammar accepts the shapes of the machine's instructions; what no context-free grammar can say (ranges of constants,
conditions, the same register in two places, register lists) stands in its comments.  A recogniser that parses with it, in
`grammar_recognizer.py`, is held equal to `vpo.machines.match.recognizer` by tests and by `-verify`.

    // ADD: r[dst]=r[src1]+r[src2];
    i_add_1: REG_R "=" REG_R "+" REG_R ";"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from vpo.machines.machine import Machine
from vpo.machines.match.pattern import OperandForm, effect_orders, orders
from vpo.machines.match.recognizer import Recognizer
from vpo.rtl import Branch, By, Call, Delay, Half, IndirectJump, Jump, LabelAddress, Mem, Op, Return, Set, Slot, Symbol
from vpo.text import TYPED_FUNCTIONS, RegisterVariable, Variable, show

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
            case LabelAddress():
                self.variables.append(node.label)
                return '"AT[" LABEL "]"'
            case Op(args=(left, right)) if node.is_infix:
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
            case By():
                return f'"BY=" {self.expression(effect.register)} ";"'
        raise TypeError(effect)


def grammar_text(machine: Machine) -> str:
    """Return the Lark grammar of a machine's instructions."""
    return Writer(machine.recognizer).text(machine.name)
