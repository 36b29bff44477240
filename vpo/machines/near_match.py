"""How near effects are to an instruction: what keeps them from being one, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from vpo.machines.pattern import Alternative, OperandForm, effect_orders
from vpo.machines.recognizer import Recognizer
from vpo.rtl import Const, Effect, Mem, Node, Op, Register
from vpo.text import RegisterVariable, Variable, show


class NearMatches:
    """The forms of one instruction, against which effects are held."""

    def __init__(self, recognizer: Recognizer, name: str) -> None:
        self.recognizer = recognizer
        self.patterns = [
            (alternative, pattern)
            for alternative in recognizer.alternatives
            if alternative.name == name and not alternative.repeated
            for pattern in effect_orders(alternative.effects)
        ]
        self.largest = max((sum(effect.size for effect in pattern) for _, pattern in self.patterns), default=0)

    def problems(self, effects: tuple[Effect, ...]) -> list[str] | None:
        """Return what keeps effects from being the instruction: nothing if they are it; None if they are nothing like it."""
        found: list[str] | None = None
        for alternative, pattern in self.patterns:
            problems = _Match(self.recognizer, alternative).run(pattern, effects)
            if problems is not None and (found is None or len(problems) < len(found)):
                found = problems
        return found


class _Match:
    """One comparison; operands that do not fit are noted, another structure ends it."""

    def __init__(self, recognizer: Recognizer, alternative: Alternative) -> None:
        self.recognizer, self.alternative = recognizer, alternative
        self.bound: dict[str, Any] = {}
        self.problems: list[str] = []

    def run(self, pattern: tuple[Any, ...], effects: tuple[Effect, ...]) -> list[str] | None:
        """Return the problems, or None if the structure is another."""
        if len(pattern) != len(effects) or not all(map(self._fits, pattern, effects)):
            return None
        if not self.problems and not self.alternative.holds(self.bound, effects):
            self.problems.append("the condition of its description (when:) does not hold")
        return self.problems

    def _fits(self, pattern: Any, node: Any) -> bool:
        match pattern:
            case RegisterVariable():
                return self._register(pattern, node)
            case Variable():
                return self._operand(pattern.name, node)
            case Op():
                return type(node) is Op and node.op == pattern.op and self._all(pattern.args, node.args)
            case Mem():
                return type(node) is Mem and node.type == pattern.type and self._fits(pattern.address, node.address)
            case Node():
                return type(node) is type(pattern) and self._all(pattern.__reduce__()[1], node.__reduce__()[1])
        return bool(pattern == node)

    def _all(self, patterns: Sequence[Any], nodes: Sequence[Any]) -> bool:
        return len(patterns) == len(nodes) and all(map(self._fits, patterns, nodes))

    def _register(self, pattern: RegisterVariable, node: Any) -> bool:
        if type(node) is not Register or node.type != pattern.type:
            return False
        if node.cls != pattern.cls:
            self.problems.append(f"{show(node)} is no register of class {pattern.cls}")
        return self._bind(pattern.name, node)

    def _operand(self, name: str, node: Any) -> bool:
        operand = self.alternative.operands.get(name)
        if operand is not None and self.recognizer.operand(operand, node) is None:
            reason = _misfit(self.recognizer.operands[operand], node)
            if reason is None:
                return False
            self.problems.append(reason)
        return self._bind(name, node)

    def _bind(self, name: str, node: Any) -> bool:
        before = self.bound.setdefault(name, node)
        if before != node:
            self.problems.append(f"{show(before)} and {show(node)} would have to be the same")
        return True


def _misfit(forms: Iterable[OperandForm], node: Any) -> str | None:
    """Return why a number is none of the numbers that an operand has; None if there are no numbers among its forms."""
    ranges = [form for form in forms if form.pattern is None and (form.values or form.low <= form.high)]
    if type(node) is not Const or not ranges:
        return None
    form = ranges[0]
    if form.values:
        return f"{node.value} is none of {', '.join(map(str, form.values))}"
    if form.low <= node.value <= form.high:
        return f"{node.value} is no multiple of {form.multiple}"
    return f"{node.value} is not in {form.low}..{form.high}{_bits(form, node.value)}"


def _bits(form: OperandForm, value: int) -> str:
    low, high, bits = form.low, form.high, 0
    while not low <= value <= high and bits < 64:
        low, high, bits = 2 * low, 2 * high + 1, bits + 1
    return f": {bits} {'bit' if bits == 1 else 'bits'} too narrow" if low <= value <= high else ""
