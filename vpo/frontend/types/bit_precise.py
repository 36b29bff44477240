"""Integers of a number of bits that the program names: `_BitInt(N)` of C23 (6.2.5), up to the widest integer of the target.

An object has the size of the smallest integer type with as many bits, and holds the value extended to that size.
Operations are done in int or a wider type, and their results brought back into N bits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from vpo import il
from vpo.frontend.lower import trees
from vpo.frontend.types.types import RANK_CHAR, RANK_INT, RANK_LLONG, RANK_LONG, RANK_SHORT, Arithmetic, unqualified
from vpo.il.data_model import DataModel

MAX_WIDTH = 64  # BITINT_MAXWIDTH
_CONTAINERS = (("char", RANK_CHAR), ("short", RANK_SHORT), ("int", RANK_INT), ("long", RANK_LONG), ("llong", RANK_LLONG))


@dataclass(frozen=True)
class BitPrecise(Arithmetic):
    """A bit-precise integer type; `width` is its number of bits."""

    width: int = 0


def bit_precise(model: DataModel, width: int, signed: bool) -> BitPrecise:
    """Return the type of a width up to `MAX_WIDTH`."""
    key, rank = next((key, rank) for key, rank in _CONTAINERS if 8 * model.sizes[key] >= width)
    kind = il.Type("I" if signed else "U", model.sizes[key])
    return BitPrecise(f"{'' if signed else 'unsigned '}_BitInt({width})", kind, rank, model.aligns[key], width=width)


def mistake(width: int, signed: bool) -> str:
    """Return what is wrong with a width, '' if nothing is."""
    least = 2 if signed else 1
    if width < least:
        return f"'{'signed' if signed else 'unsigned'} _BitInt' argument must be at least {least}"
    return f"'_BitInt' argument '{width}' is larger than 'BITINT_MAXWIDTH' '{MAX_WIDTH}'" if width > MAX_WIDTH else ""


def width_of(ctype: Arithmetic) -> int:
    """Return the number of bits of an integer type."""
    return ctype.width if isinstance(ctype, BitPrecise) else ctype.precision or 8 * ctype.size


def usual(left: Arithmetic, right: Arithmetic) -> Arithmetic:
    """Return the type of an operation on two promoted integers, of which one at least is bit-precise (C23, 6.3.2.8)."""
    signed, unsigned = (left, right) if left.il.is_signed else (right, left)
    if left.il.is_signed == right.il.is_signed:
        return unqualified(left if _rank(left) >= _rank(right) else right)
    if _rank(unsigned) >= _rank(signed):
        return unqualified(unsigned)
    if width_of(signed) > width_of(unsigned):
        return unqualified(signed)
    assert not isinstance(signed, BitPrecise)  # of two types of one width the standard one has the higher rank
    return replace(unqualified(signed), name=f"unsigned {signed.name}", il=il.Type("U", signed.size))


def _rank(ctype: Arithmetic) -> tuple[int, bool, int]:
    return width_of(ctype), not isinstance(ctype, BitPrecise), ctype.rank


def smallest(model: DataModel, value: int, signed: bool) -> BitPrecise | None:
    """Return the type of a constant with the suffix `wb` or `uwb`; None if it is too large."""
    width = max(value.bit_length() + signed, 2 if signed else 1)
    return bit_precise(model, width, signed) if width <= MAX_WIDTH else None


# --------------------------------------------------------------------------------------------------- operations


def working(model: DataModel, ctype: Arithmetic) -> il.Type:
    """Return the type in which operations on a bit-precise type are done."""
    return il.Type(ctype.il.kind, max(ctype.size, model.sizes["int"]))


def operate(model: DataModel, ctype: BitPrecise, operator: str, left: il.Expr, right: il.Expr | None = None) -> il.Expr:
    """Apply an operator, whose right operand is of the same type or a count, and bring the result into the type."""
    kind = working(model, ctype)
    if right is None:
        return fitted(model, ctype, trees.unary(operator, kind, trees.convert(kind, left)))
    if operator not in ("shl", "shr"):
        right = trees.convert(kind, right)
    return fitted(model, ctype, trees.binary(operator, kind, trees.convert(kind, left), right))


def fitted(model: DataModel, ctype: BitPrecise, tree: il.Expr) -> il.Expr:
    """Convert a tree to a bit-precise type."""
    kind = working(model, ctype)
    tree, unused = trees.convert(kind, tree), 8 * kind.size - ctype.width
    if unused and kind.is_signed:
        count = trees.constant(kind, unused)
        tree = trees.binary("shr", kind, trees.binary("shl", kind, tree, count), count)
    elif unused:
        tree = trees.binary("and", kind, tree, trees.constant(kind, (1 << ctype.width) - 1))
    return trees.convert(ctype.il, tree)

