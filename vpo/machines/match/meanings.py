"""What instructions compute, as expressions of registers and numbers: `likely.py` finds those that compute a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from vpo.machines.match.instantiation import Instance, chosen_forms
from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.machines.read.operands import ANY, Operands
from vpo.machines.read.source import Place
from vpo.rtl import (
    BITS,
    COUNTS,
    INTEGER_TYPES,
    NAMED,
    REVERSALS,
    Const,
    Expr,
    Half,
    Mem,
    Next,
    Op,
    Register,
    Set,
    Slot,
    Symbol,
    subexpressions,
)
from vpo.text import RegisterVariable, Variable

OPENED = 3  # constants that are left open to see whether others would do
ANYWHERE = Place("", 0, 0)
LEAVES = 4  # registers that an instruction reads


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """What a form of an instruction computes: an expression of registers and numbers that it leaves open."""

    name: str
    source: Any
    target: str  # the class of the register that it sets
    type: str
    leaves: tuple[RegisterVariable, ...]
    numbers: tuple[Variable, ...]
    forms: tuple[OperandForm, ...]  # of the numbers
    plain: bool  # whether phases look for it as it stands, so that only likely numbers need be tried

    def of(self, registers: Sequence[Register], numbers: Sequence[int], half: Callable[[str, int], int]) -> Expr:
        """Return the expression with registers and numbers in it."""
        bindings: dict[str, Any] = {leaf.name: register for leaf, register in zip(self.leaves, registers, strict=True)}
        bindings.update({variable.name: Const(number) for variable, number in zip(self.numbers, numbers, strict=True)})
        node: Expr = Instance(bindings, _none_missing, half).node(self.source)
        return node

    def fits(self, registers: Sequence[Register]) -> bool:
        """Whether registers are of the classes of the leaves, in order."""
        return all(leaf.cls == register.cls for leaf, register in zip(self.leaves, registers, strict=True))


def _none_missing(cls: str, type_: str) -> Register:
    raise KeyError(f"{cls} {type_}")


def find_meanings(alternatives: Iterable[Alternative], operands: Operands) -> list[Meaning]:
    """Return what instructions compute that only compute, if that takes several operators or one that C has none for."""
    found = []
    operands = {name: list(filter(_only_computes, forms)) for name, forms in operands.items()}
    alternatives = list(alternatives)
    # what is one operator however it is written is looked for as such
    simple = {(one.name, one.place) for one in alternatives if one.implied and _is_simple(one.effects)}
    alternatives = [one for one in alternatives if one.implied or (one.name, one.place) not in simple]
    for alternative in alternatives:
        if _computes(alternative):
            found += [meaning for chosen in chosen_forms(alternative, operands)
                      if (meaning := _meaning(chosen.form, chosen.operands, operands)) is not None]  # fmt: skip
    return found


def _opened(meaning: Meaning) -> Meaning | None:
    """Return what an instruction computes with its constants left open; None if there are none, or too many."""
    numbers: list[Variable] = []

    def opened(node: Any) -> Any:
        if isinstance(node, Const):
            numbers.append(Variable(f"constant {len(numbers)}"))
            return numbers[-1]
        return Op(node.op, node.type, *map(opened, node.args)) if isinstance(node, Op) else node

    source = opened(meaning.source)
    if not numbers or len(numbers) + len(meaning.numbers) > OPENED:
        return None
    forms = (*meaning.forms, *[OperandForm("", ANYWHERE, low=-ANY, high=ANY)] * len(numbers))
    return replace(meaning, source=source, numbers=(*meaning.numbers, *numbers), forms=forms, plain=False)


def _is_simple(effects: tuple[Any, ...]) -> bool:
    """Whether a pattern is one operator on registers, and 0."""
    arguments = getattr(effects[0].source, "args", ())
    return len(effects) == 1 and all(isinstance(arg, RegisterVariable) or arg is Const(0) for arg in arguments)


def _computes(alternative: Alternative) -> bool:
    """Whether an instruction sets a register to an integer that it computes, and does nothing else."""
    if alternative.repeated or alternative.pseudo or len(alternative.effects) != 1:
        return False
    match alternative.effects[0]:
        case Set(target=RegisterVariable() as target, source=Op() as source):
            return target.type in INTEGER_TYPES and not source.memory
    return False


def _only_computes(form: OperandForm) -> bool:
    """Whether a form of an operand is a register, a number or what is computed of these."""
    return not (form.symbol or form.far or form.steps) and (form.pattern is None or not form.pattern.memory)


def _meaning(form: Alternative, own: Operands, operands: Operands) -> Meaning | None:
    """Return what one choice of forms of operands computes; None if that is no function of integer registers."""
    (effect,) = form.effects
    names: dict[str, Any] = {}
    widest = BITS[effect.target.type]
    numbers: dict[Variable, OperandForm] = {}

    def one(node: Any) -> Any:
        """Let each variable be one node."""
        match node:
            case RegisterVariable() | Variable():
                return names.setdefault(node.name, node)
            case Op():
                return Op(node.op, node.type, *map(one, node.args))
        return node

    source = one(effect.source)
    for node in subexpressions(source):
        if isinstance(node, Mem | Half | Next | Register | Slot | Symbol) or BITS.get(node.type, 0) > widest:
            return None
        if isinstance(node, Variable):
            chosen = own.get(form.operands.get(node.name, "")) or operands.get(form.operands.get(node.name, ""), [])
            if len(chosen) != 1 or chosen[0].pattern is not None:
                return None
            numbers[node] = chosen[0]
    leaves = tuple(node for node in names.values() if isinstance(node, RegisterVariable))
    if not leaves or len(leaves) > LEAVES or any(leaf.type not in INTEGER_TYPES for leaf in leaves):
        return None
    return Meaning(form.name, source, effect.target.cls, effect.target.type, leaves, tuple(numbers), tuple(numbers.values()),
                   _is_plain(source, effect.target.name))  # fmt: skip


def _is_plain(source: Op, target: str) -> bool:
    """Whether an expression is one operator of C on registers and a number, in their usual order.

    Phases find it as it stands, but for one that changes a register by a number.
    """
    first, *others = source.args
    if source.op in ("SEL", "abs", *COUNTS, *REVERSALS, *NAMED) or not isinstance(first, RegisterVariable):
        return False
    changes = first.name == target and any(isinstance(arg, Variable) for arg in others)
    return not changes and all(isinstance(arg, RegisterVariable | Variable) or arg is Const(0) for arg in others)


# ----------------------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Meanings:
    """What instructions of a machine compute."""

    all: list[Meaning]
    tables: dict[Any, Any] = field(default_factory=dict)  # what `likely.py` remembers

    def __post_init__(self) -> None:
        self.open = [meaning for meaning in self.all if meaning.numbers]  # with numbers that are looked for
        self.deep = not all(map(self._is_found, self.all))  # whether phases that look at notations miss some
        self.most_leaves = max((len(meaning.leaves) for meaning in self.all), default=0)

    def of(self, name: str, with_other_numbers: bool = False) -> Meanings:
        """Return those of one instruction, as they are or with all their constants left open."""
        own = [meaning for meaning in self.all if meaning.name == name]
        return Meanings([one for one in map(_opened, own) if one is not None] if with_other_numbers else own)

    def _is_found(self, meaning: Meaning) -> bool:
        """Whether phases find what an instruction computes as it is written: one operator, or an extension that is a mask."""
        if meaning.plain:
            return all(form.condition is None for form in meaning.forms)
        match meaning.source:
            case Op(op="zx", args=(Op(op="tr", type=part, args=(RegisterVariable(),)),)):
                mask = Const((1 << BITS[part]) - 1)
                return any(m.plain and m.source.op == "&" and m.forms and m.forms[0].accepts(mask) for m in self.open)
        return False
