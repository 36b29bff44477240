"""Which operators the sources of instructions have: a quick answer for values that no instruction computes in any notation.

The notations of a value (`vpo.algebra.equivalents`) exchange some operators for each other and keep the rest, with numbers
where these had some, and all registers.  One is shorter: a selection that is an absolute value.  One is longer: a difference
from a product.  What an equality chooses stays chosen by an equality.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.rtl import INTEGER_TYPES, RELATIONS, Const, Expr, Mem, Op, Register, RegisterVariable, Set, Variable, subexpressions

EQUAL = {"==", "!="}
EXCHANGED = RELATIONS | {"SEL", "abs", "neg", "not", "-", "+", "^", ">>"}
CHOOSING = ("SEL", "abs", "^")  # what a selection may become
SHORTER = 2  # operators of a selection that is an absolute value, beside that


@dataclass(frozen=True, slots=True)
class SourceShape:
    """The operators of an instruction's source: how often each that notations keep, how many in all.

    `needed` are those of them that each such instruction has.  `numbers` are those of which an operand may be a number;
    `places` is the number of pseudo-registers.  It `compares` if the condition of a choice may hold one, not only flags.
    """

    kept: Counter[str]
    needed: frozenset[str]
    numbers: frozenset[str]
    count: int
    chooses: bool
    compares: bool
    places: int


class SourceShapes:
    """The sources of a machine's instructions that set one thing."""

    def __init__(self, alternatives: Iterable[Alternative], operands: Mapping[str, list[OperandForm]]) -> None:
        self.operands = operands
        self.absolute = False
        self.shapes: list[SourceShape] = []
        seen = set[tuple[Any, ...]]()
        for alternative in alternatives:
            if len(alternative.effects) == 1 and isinstance(alternative.effects[0], Set):
                shape = self._shape(alternative)
                kept = tuple(sorted(shape.kept.items()))
                key = (kept, shape.needed, shape.numbers, shape.count, shape.chooses, shape.compares, shape.places)
                if key not in seen:
                    seen.add(key)
                    self.shapes.append(shape)

    def _shape(self, alternative: Alternative) -> SourceShape:
        source, operands = alternative.effects[0].source, alternative.operands
        found, own, numbers = Counter[str](), Counter[str](), set[str]()
        self._count(source, operands, found, numbers)
        self._count(source, {}, own, set())
        choices = [part for part in subexpressions(source) if isinstance(part, Op) and part.op == "SEL"]
        compares = found["SEL"] > own["SEL"] or any(self._places(choice.args[0], operands) for choice in choices)
        count = found.total() + (found["-"] if found["*"] else 0)  # a-b*c is neg(b*c)+a
        return SourceShape(
            _kept(found) + Counter({"SEL": found["SEL"], "==": sum(found[op] for op in EQUAL)}), frozenset(_kept(own)),
            frozenset(numbers), count, any(op in found for op in CHOOSING), compares, self._places(source, operands),
        )  # fmt: skip

    def _places(self, node: Any, operands: Mapping[str, str]) -> int:
        """Return how many pseudo-registers a pattern may have: its own, and those of operands in the form that has most."""
        own = {leaf.name for leaf in subexpressions(node) if isinstance(leaf, RegisterVariable | Variable)}
        found = len(own)
        for name in (operands[each] for each in own if each in operands):
            patterns = [form for form in self.operands.get(name, ()) if form.pattern is not None]
            found += max((self._places(form.pattern, form.operands) for form in patterns), default=0) - 1
        return found

    def _count(self, node: Any, operands: Mapping[str, str], found: Counter[str], numbers: set[str]) -> None:
        """Count the operators of a pattern, of each operand those of all its forms; note those that may have numbers."""
        match node:
            case Op():
                found[node.op] += 1
                self.absolute |= node.op == "abs" and node.type in INTEGER_TYPES
                numbers |= {node.op} if any(map(_may_be_number, node.args)) else set()
                for arg in node.args:
                    self._count(arg, operands, found, numbers)
            case Mem():
                found["Mem"] += 1
                self._count(node.address, operands, found, numbers)
            case Variable():
                for form in self.operands.get(operands.get(node.name, ""), ()):
                    if form.pattern is not None:
                        self._count(form.pattern, form.operands, found, numbers)

    def may_be(self, value: Expr) -> bool:
        """Whether a value may be the source of an instruction in some notation; where not, it is in none."""
        parts = {part for part in subexpressions(value) if isinstance(part, Op | Mem)}
        operators = [part.op if isinstance(part, Op) else "Mem" for part in parts]
        choices = operators.count("SEL")
        least = len(operators) - (SHORTER * choices if self.absolute else 0)
        by_equality = [
            condition
            for part in parts
            if isinstance(part, Op)
            and part.op == "SEL"
            and isinstance(condition := part.args[0], Op)
            and condition.op in EQUAL
        ]
        compares = any(register.pseudo for condition in by_equality for register in condition.uses)
        kept = _kept(operators)
        needed = set(kept)
        kept.update({"SEL": len(by_equality), "==": len({*by_equality})})
        numbers = {part.op for part in parts if isinstance(part, Op) and any(isinstance(arg, Const) for arg in part.args)}
        numbers -= EXCHANGED
        registers = len({register for register in value.uses if register.pseudo})
        return any(
            least <= shape.count
            and registers <= shape.places
            and (shape.chooses or not choices)
            and (shape.compares or not compares)
            and shape.needed <= needed
            and kept <= shape.kept
            and numbers <= shape.numbers
            for shape in self.shapes
        )


def _kept(operators: Iterable[str] | Mapping[str, int]) -> Counter[str]:
    """Return how often there are operators that notations keep."""
    return Counter({op: number for op, number in Counter(operators).items() if op not in EXCHANGED})


def _may_be_number(node: Any) -> bool:
    """Whether a pattern may match a number: it holds no register and no cell."""
    return not any(isinstance(part, Register | RegisterVariable | Mem) for part in subexpressions(node))
