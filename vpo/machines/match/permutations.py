"""Which instructions permute the bits of a register, and how their descriptions write that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from vpo.algebra import binary
from vpo.algebra.equivalents import Bits, bit_sources
from vpo.machines.match.instantiation import Instance
from vpo.machines.match.pattern import Alternative
from vpo.rtl import BITS, INTEGER_TYPES, Const, Effect, Expr, Op, Register, Set
from vpo.text import RegisterVariable

Permutation = tuple[int | None, ...]  # which bit of the register each bit is, lowest first; None: it is 0
Permutations = Mapping[Permutation, Callable[[Register], Expr]]  # what writes it down for a register


def find_permutations(alternatives: Iterable[Alternative], half: Callable[[str, int], int]) -> Permutations:
    """Return what instructions make of one register by moving its bits; not if that is only a shift, mask or extension."""
    found: dict[Permutation, Callable[[Register], Expr]] = {}
    for alternative in alternatives:
        effects, operands = alternative.effects, alternative.operands
        source = effects[0].source if len(effects) == 1 and isinstance(effects[0], Set) and not operands else None
        bits = bit_sources(source, _bits) if isinstance(source, Op) and source.op in ("|", "^", "+") else None
        names = {bit[0] for bit in bits or () if bit is not None}
        moved = tuple(bit and bit[1] for bit in bits or ())
        if len(names) == 1 and moved != tuple(range(len(moved))):
            found.setdefault(moved, partial(_written, source, names.pop(), half))
    return found


def find_rotations(registers: Iterable[Register], is_legal: Callable[[tuple[Effect, ...]], bool]) -> Permutations:
    """Return the rotations by constants that instructions make of one of some registers."""
    found: dict[Permutation, Callable[[Register], Expr]] = {}
    for register in registers:
        size = BITS[register.type]
        for count in range(1, size):
            if is_legal((Set(register, _rotated(count, register)),)):
                found[tuple((place - count) % size for place in range(size))] = partial(_rotated, count)
    return found


def _rotated(count: int, register: Register) -> Expr:
    """Return a register rotated to the left, as descriptions write that."""
    rest = BITS[register.type] - count
    return binary("|", binary("<<", register, Const(count)), binary(">>u", register, Const(rest)))


def _bits(node: object) -> Bits | None:
    """Return the bits of a register that a pattern leaves open."""
    if isinstance(node, RegisterVariable) and node.type in INTEGER_TYPES:
        return tuple((node.name, place) for place in range(BITS[node.type]))
    return None


def _written(pattern: Any, name: str, half: Callable[[str, int], int], register: Register) -> Expr:
    """Return the expression of a pattern with one variable."""
    node: Expr = Instance({name: register}, lambda cls, type_: Register(cls, 0, type_), half).node(pattern)
    return node
