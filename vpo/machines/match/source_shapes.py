"""Which operators the sources of instructions have: a quick answer for values that no instruction computes in any notation.

The notations of a value (`vpo.algebra.equivalents`) exchange some operators for each other and keep the rest, with numbers
where these had some, and all registers; only one makes a value shorter: a selection that is an absolute value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.rtl import INTEGER_TYPES, RELATIONS, Const, Expr, Mem, Op, Register, RegisterVariable, Set, Variable, subexpressions

EXCHANGED = RELATIONS | {"SEL", "abs", "neg", "not", "-", "+", "^", ">>"}
CHOOSING = ("SEL", "abs", "^")  # what a selection may become
SHORTER = 2  # operators of a selection that is an absolute value, beside that


@dataclass(frozen=True, slots=True)
class SourceShape:
    """The operators of an instruction's source: how often each that notations keep, how many in all.

    `numbers` are those of which an operand may be a number, `places` those of registers.
    """

    kept: Counter[str]
    numbers: frozenset[str]
    count: int
    chooses: bool
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
                key = (*sorted(shape.kept.items()), *sorted(shape.numbers), shape.count, shape.chooses, shape.places)
                if key not in seen:
                    seen.add(key)
                    self.shapes.append(shape)

    def _shape(self, alternative: Alternative) -> SourceShape:
        found, numbers = Counter[str](), set[str]()
        self._count(alternative.effects[0].source, alternative.operands, found, numbers)
        kept = Counter({op: number for op, number in found.items() if op not in EXCHANGED})
        places = self._places(alternative.effects[0].source, alternative.operands)
        return SourceShape(kept, frozenset(numbers), found.total(), any(op in found for op in CHOOSING), places)

    def _places(self, node: Any, operands: Mapping[str, str]) -> int:
        """Return how many registers a pattern may have: its own, and those of operands in the form that has most."""
        leaves = {leaf for leaf in subexpressions(node) if isinstance(leaf, Register | RegisterVariable | Variable)}
        own = {(leaf.cls, leaf.index) if isinstance(leaf, Register) else leaf.name for leaf in leaves}
        found = len(own)
        for name in (operands[each] for each in own if isinstance(each, str) and each in operands):
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
        kept = Counter(op for op in operators if op not in EXCHANGED)
        numbers = {part.op for part in parts if isinstance(part, Op) and any(isinstance(arg, Const) for arg in part.args)}
        numbers -= EXCHANGED
        registers = len({register for register in value.uses if register.pseudo})
        return any(
            least <= shape.count
            and registers <= shape.places
            and (shape.chooses or not choices)
            and kept <= shape.kept
            and numbers <= shape.numbers
            for shape in self.shapes
        )


def _may_be_number(node: Any) -> bool:
    """Whether a pattern may match a number: it holds no register and no cell."""
    return not any(isinstance(part, Register | RegisterVariable | Mem) for part in subexpressions(node))
