"""What combinations have in common: their effects with variables for registers and constants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ease.lab.proposals.combinations import Combination
from vpo import rtl
from vpo.text import TYPED_FUNCTIONS

SOURCES = ("a", "b", "c", "e", "g", "h")  # names of registers that are read
CONSTANTS = ("i", "j", "k", "l")
RESULT, LABEL = "dst", "target"


@dataclass(frozen=True, slots=True)
class Shape:
    """The pattern of a combination, as a description writes it, with `{i}` in the places of constants.

    `registers` has the class of each variable.  `written` are the variables that are set.
    """

    text: str
    registers: tuple[tuple[str, str], ...]
    written: tuple[str, ...]
    constants: int
    branches: bool


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """A combination with its shape, the constants that it has there, and the number of its program."""

    shape: Shape
    constants: tuple[int, ...]
    combination: Combination
    program: int = 0

    @property
    def saved(self) -> int:
        """How many instructions fewer would be executed."""
        return self.combination.times * (len(self.combination.rtls) - 1)


def instances_of(combination: Combination, program: int) -> Iterator[Instance]:
    """Yield a combination of a program in each shape: with a register for the result, and with one that is read as well."""
    for effect in combination.effects:
        if any(isinstance(node, rtl.Symbol | rtl.Slot | rtl.Half) for node in _nodes(effect)):
            return
    plain = _Writer(combination, None, program).instance()
    if plain is None:
        return
    yield plain
    for tied in _ties(combination):
        instance = _Writer(combination, tied, program).instance()
        if instance is not None:
            yield instance


def _ties(combination: Combination) -> Iterator[rtl.Register]:
    """Yield the operands of the outermost operator that the result may replace, where another operand is computed."""
    effect = combination.effects[0]
    if len(combination.effects) != 1 or not isinstance(effect, rtl.Set) or not isinstance(effect.target, rtl.Register):
        return
    if not isinstance(effect.source, rtl.Op) or len(effect.source.args) != 2 or len(effect.uses) < 3:
        return
    for operand in effect.source.args:
        if isinstance(operand, rtl.Register) and operand.cls == effect.target.cls and operand in combination.dying:
            yield operand


class _Writer:
    """Writes one combination as a pattern."""

    def __init__(self, combination: Combination, tied: rtl.Register | None, program: int) -> None:
        self.combination, self.tied, self.program = combination, tied, program
        self.names: dict[str, str] = {}  # classes by variable
        self.shared: dict[rtl.Register, str] = {}  # registers that are one variable wherever they stand
        self.constants: list[int] = []

    def instance(self) -> Instance | None:
        """Return the shape; None if it has more variables than names."""
        effects, written = self.combination.effects, []
        target = effects[0].target if isinstance(effects[0], rtl.Set) else None
        steps = [e.target for e in effects[1:] if isinstance(e, rtl.Set) and isinstance(e.target, rtl.Register)]
        for register in steps:
            self._share(register, SOURCES[0])
        selects = any(isinstance(node, rtl.Op) and node.op == "SEL" for effect in effects for node in _nodes(effect))
        if isinstance(target, rtl.Register) and target.type not in rtl.CODE_TYPES and target not in self.shared:
            self.names[RESULT] = target.cls
            written.append(RESULT)
            if self.tied is not None:
                self.shared[self.tied] = RESULT
        try:
            if selects:
                for register in effects[0].uses:
                    if register not in self.shared:
                        self._share(register, self._fresh())
            text = " ".join(self._effect(effect) for effect in effects)
        except IndexError:
            return None
        written += [self.shared[register] for register in steps]
        branches = isinstance(effects[0], rtl.Branch)
        shape = Shape(text, tuple(self.names.items()), tuple(written), len(self.constants), branches)
        return Instance(shape, tuple(self.constants), self.combination, self.program)

    def _share(self, register: rtl.Register, name: str) -> None:
        self.shared[register], self.names[name] = name, register.cls

    def _fresh(self) -> str:
        used = sum(name in SOURCES for name in self.names)
        return SOURCES[used]

    def _effect(self, effect: rtl.Effect) -> str:
        if isinstance(effect, rtl.Branch):
            return f"PC={self._node(effect.condition)},{LABEL};"
        assert isinstance(effect, rtl.Set)
        if isinstance(effect.target, rtl.Mem):
            source = self._node(effect.source)
            return f"{self._node(effect.target)}={source};"
        (register,) = effect.sets
        if register.type in rtl.CODE_TYPES:
            return f"{register.cls}={self._node(effect.source)};"
        return f"{register.cls}[{self.shared.get(register, RESULT)}]={self._node(effect.source)};"

    def _node(self, node: rtl.Expr) -> str:
        match node:
            case rtl.Register() if node.type in rtl.CODE_TYPES:
                return node.cls
            case rtl.Register():
                name = self.shared.get(node)
                if name is None:
                    name = self._fresh()
                    self.names[name] = node.cls
                return f"{node.cls}[{name}]"
            case rtl.Const():
                self.constants.append(node.value)
                return f"{{{CONSTANTS[len(self.constants) - 1]}}}"
            case rtl.Mem():
                return f"{node.type}[{self._node(node.address)}]"
            case rtl.Op() if node.is_infix:
                left, right = node.args
                if node.op in rtl.COMMUTATIVE and _skeleton(right) < _skeleton(left):
                    left, right = right, left
                first = self._nested(left)
                return f"{first}{node.op}{self._nested(right)}"
            case rtl.Op():
                suffix = node.type if node.op in TYPED_FUNCTIONS else ""
                return f"{node.op}{suffix}({','.join(self._node(arg) for arg in node.args)})"
        raise IndexError(node)

    def _nested(self, node: rtl.Expr) -> str:
        text = self._node(node)
        return f"({text})" if isinstance(node, rtl.Op) and node.is_infix else text


def _nodes(effect: rtl.Effect) -> Iterator[rtl.Expr]:
    return (node for root in rtl.expressions_read(effect) for node in rtl.subexpressions(root))


def _skeleton(node: rtl.Expr) -> str:
    """Return a key by which the operands of commutative operators are put in order: constants last."""
    match node:
        case rtl.Const():
            return "~"
        case rtl.Register():
            return f"!{node.cls}"
        case rtl.Mem():
            return f"({node.type}{_skeleton(node.address)}"
        case rtl.Op():
            return f"({node.op}{''.join(map(_skeleton, node.args))}"
    return "?"
