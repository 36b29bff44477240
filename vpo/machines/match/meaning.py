"""What one form of an instruction computes, and what is sought among such."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vpo.algebra import binary, unary
from vpo.machines.match.instantiation import Instance
from vpo.machines.match.pattern import OperandForm
from vpo.rtl import BITS, INTEGER_TYPES, RELATIONS, Const, Expr, Op, Register
from vpo.text import RegisterVariable, Variable

LEAVES = 4  # registers that an instruction reads, at most
# 'sx' or 'zx' and the type from which a register's value is extended; ('&', '1') if it is 0 or 1, ('#', '1') if it is 1;
# ('', '') if it may be any
Kind = tuple[str, str]
BIT: Kind = ("&", "1")
NUMBERS = (0, 1)  # that registers are known to hold where an instruction reads them

_MASKS: list[tuple[int, Kind]] = [(1, ("&", "1")), *[((1 << BITS[part]) - 1, ("zx", part)) for part in ("B", "W", "L")]]


def held_by(register: Register, kind: Kind) -> Expr:
    """Return what a register holds, of which so much is known, as an expression of one that may hold anything."""
    op, held = kind
    if op == "#":
        return Const(int(held))
    if op == "&":
        return binary(op, register, Const(int(held)))
    return unary(op, register.type, unary("tr", held, register)) if op else register


def may_be(number: int, kind: Kind) -> bool:
    """Whether a number is one that is extended so."""
    op, held = kind
    if op == "#":
        return number == int(held)
    if op == "&":
        return 0 <= number <= int(held)
    half = 1 << BITS[held] - 1
    return -half <= number < half if op == "sx" else 0 <= number < 2 * half


def extension_of(source: Expr) -> Kind | None:
    """Return how an expression extends a narrower value, if it does: perhaps by a mask of its low bits.

    A truth value is a bit.
    """
    if type(source) is not Op:
        return None
    if source.op in RELATIONS:
        return "&", "1"
    if source.op == "&" and type(number := source.args[1]) is Const and number.value >= 0:
        return next((kind for mask, kind in _MASKS if number.value <= mask < (1 << BITS.get(source.type, 0)) - 1), None)
    return (source.op, source.args[0].type) if source.op in ("sx", "zx") and source.args[0].type in INTEGER_TYPES else None


@dataclass(frozen=True, slots=True)
class Leaf:
    """A register that a value is computed of, numbered by its place among others, which tells its samples, and its kind."""

    register: Register
    kind: Kind


@dataclass(frozen=True, slots=True)
class Sought:
    """A value that instructions are looked for: an expression of leaves, and the class and type of where it goes.

    Leaves are numbered, so what programs compute of other registers in the same way is sought once.  `numbers` are those that
    stand in the program.  Of `part`, if that is said, is the low part of the value that is wanted.
    """

    target: str
    type: str  # nothing of a condition
    leaves: tuple[Leaf, ...]
    source: Expr
    numbers: tuple[int, ...]
    part: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """What a form of an instruction computes: an expression of registers and numbers that it leaves open."""

    name: str
    source: Any
    target: str  # the class of the register that it sets, or CONDITION, ADDRESS, COMPARED
    type: str  # nothing of a condition
    leaves: tuple[RegisterVariable, ...]
    numbers: tuple[Variable, ...]
    forms: tuple[OperandForm, ...]  # of the numbers
    plain: bool  # whether phases look for it as it stands, so that only likely numbers need be tried
    changes: bool = False  # whether it changes one of the registers
    has_other_numbers: bool = False  # instead of its constants: to see whether others would do

    def of(self, registers: Sequence[Register], numbers: Sequence[int], half: Callable[[str, int], int]) -> Expr:
        """Return the expression with registers and numbers in it."""
        bindings: dict[str, Any] = {leaf.name: register for leaf, register in zip(self.leaves, registers, strict=True)}
        bindings.update({variable.name: Const(number) for variable, number in zip(self.numbers, numbers, strict=True)})
        node: Expr = Instance(bindings, _none_missing, half).node(self.source)
        return node

    def with_equal(self, one: RegisterVariable, other: RegisterVariable) -> Meaning:
        """Return what the instruction computes if one leaf stands for another one, too."""
        source = put(self.source, {other: one})
        return replace(self, source=source, leaves=tuple(leaf for leaf in self.leaves if leaf is not other), plain=False)

    def fits(self, registers: Sequence[Register]) -> bool:
        """Whether registers are of the classes of the leaves, in order."""
        return all(leaf.cls == register.cls for leaf, register in zip(self.leaves, registers, strict=True))


def put(node: Any, instead: dict[Any, Any]) -> Any:
    """Return an expression of a pattern with other variables."""
    return (
        Op(node.op, node.type, *(put(arg, instead) for arg in node.args)) if isinstance(node, Op) else instead.get(node, node)
    )


def _none_missing(cls: str, type_: str) -> Register:
    raise KeyError(f"{cls} {type_}")


def unnamed(meaning: Meaning) -> str:
    """Return an expression with numbers for the names of its variables."""
    names: dict[str, Any] = {}

    def put(node: Any) -> Any:
        if isinstance(node, RegisterVariable):
            return names.setdefault(node.name, RegisterVariable(node.cls, f"{len(names)}", node.type))
        if isinstance(node, Variable):
            return names.setdefault(node.name, Variable(f"{len(names)}"))
        return Op(node.op, node.type, *map(put, node.args)) if isinstance(node, Op) else node

    return repr(put(meaning.source))
