"""Builders of IL trees that fold what needs no data flow: constants, neutral operands, address offsets."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction

from vpo import il
from vpo.algebra.folding import of_bits

TEMPORARY = "t."  # how the names of compiler-made locals begin


def wrap(kind: il.Type, value: int) -> int:
    """The value that an integer type holds after wrapping."""
    bits = 8 * kind.size
    value &= (1 << bits) - 1
    if kind.kind == "I" and value >> (bits - 1):
        value -= 1 << bits
    return value


def round_float(kind: il.Type, value: float) -> float:
    """The value that a floating type holds after rounding."""
    if kind.size != 4 or math.isnan(value) or math.isinf(value):
        return value
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def nearest_float(kind: il.Type, exact: int | Fraction) -> float:
    """The value of a floating type next to a number, rounded once.

    For a single, the number is first rounded to odd (Boldo and Melquiond): an inexact double gets an odd last bit,
    so that rounding it again sees on which side of the middle the number is.
    """
    nearest = float(exact)
    if kind.size == 4 and nearest != exact and math.frexp(nearest)[0] * 2**53 % 2 == 0:
        nearest = math.nextafter(nearest, math.inf if exact > nearest else -math.inf)
    return round_float(kind, nearest)


def constant(kind: il.Type, value: int | float) -> il.Const:
    """A constant of a type, wrapped or rounded into its range."""
    if kind.kind == "F":
        return il.Const(kind, round_float(kind, value) if isinstance(value, float) else nearest_float(kind, value))
    return il.Const(kind, wrap(kind, int(value)))


def truncate(value: float) -> int:
    """The integer part of a floating value; 0 for what has none."""
    return int(value) if math.isfinite(value) else 0


def saturated(kind: il.Type, value: float) -> int:
    """The integer that a constant becomes in a type: the nearest, where the type does not have it."""
    bits = 8 * kind.size
    least, most = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind.kind == "I" else (0, (1 << bits) - 1)
    if math.isinf(value):
        return most if value > 0 else least
    return min(max(truncate(value), least), most)


def convert(kind: il.Type, tree: il.Expr) -> il.Expr:
    """The value of a tree in another type."""
    source = tree.type
    if source == kind:
        return tree
    if isinstance(tree, il.Const):
        if kind.kind != "F" and source.kind == "F":
            return constant(kind, saturated(kind, float(tree.value)))
        return constant(kind, tree.value)
    if isinstance(tree, il.Convert) and kind.size <= source.size and "F" not in (kind.kind, source.kind):
        inner = tree.operand
        if inner.type.kind != "F":
            return convert(kind, inner)  # only low bits count, and they come from the inner operand
    return (_rounded_once(tree) if (kind, source) == (il.F4, il.F8) else None) or il.Convert(kind, tree)


def _rounded_once(tree: il.Expr) -> il.Expr | None:
    """Return what one operation on singles, computed as doubles, is as a single; None if a tree is something else.

    Rounding a sum, difference, product or quotient of singles twice gives what rounding it once does, since doubles have more
    than twice as many bits and two (Figueroa, "When is Double Rounding Innocuous?", 1995).
    """
    match tree:
        case il.Binary(operator="add" | "sub" | "mul" | "div" as operator, left=left, right=right):
            a, b = singles(left, right)
            return il.Binary(operator, il.F4, a, b) if a.type == il.F4 else None
        case il.Unary(operator="neg" | "abs" as operator, operand=operand):
            single = _single(operand)
            return il.Unary(operator, il.F4, single) if single is not None else None
        case il.Convert():
            return _single(tree)
    return None


def singles(left: il.Expr, right: il.Expr) -> tuple[il.Expr, il.Expr]:
    """Return two operands as singles if both are doubles that always are singles."""
    if left.type == il.F8 and (a := _single(left)) is not None and (b := _single(right)) is not None:
        return a, b
    return left, right


def _single(tree: il.Expr) -> il.Expr | None:
    """Return the single that a double always is, so that no bit of it is lost; None if it may be no single."""
    match tree:
        case il.Convert(operand=operand) if operand.type == il.F4:
            return operand
        case il.Const(value=value) if (rounded := constant(il.F4, float(value))).value == value:
            return rounded
    return None


def _divide(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_INTEGER: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": _divide,
    "mod": lambda a, b: a - b * _divide(a, b),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b,
    "shr": lambda a, b: a >> b,
}

_RELATION: dict[str, Callable[[float, float], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}

_NEUTRAL_ZERO = {1.0: "sub", -1.0: "add"}  # x - 0.0 and x + -0.0 are x, even if that is a zero
_LEAST_NORMAL = {4: 2.0**-126, 8: 2.0**-1022}  # by the size of a type: what is less may be taken for 0 by some instructions

INVERSE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


def _fold_float(operator: str, a: float, b: float) -> float | None:
    if operator == "add":
        return a + b
    if operator == "sub":
        return a - b
    if operator == "mul":
        return a * b
    if operator != "div":
        return None
    if b:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _fold(operator: str, kind: il.Type, left: il.Const, right: il.Const) -> il.Expr | None:
    if kind.kind == "F":
        result = _fold_float(operator, float(left.value), float(right.value))
        return None if result is None else constant(kind, result)
    a, b = int(left.value), int(right.value)
    if (operator in ("div", "mod") and b == 0) or (operator in ("shl", "shr") and not 0 <= b < 8 * kind.size):
        return None
    return constant(kind, _INTEGER[operator](a, b))


def signed_offset(constant_tree: il.Const) -> int:
    """An address constant as a distance in either direction."""
    return wrap(il.Type("I", constant_tree.type.size), int(constant_tree.value))


def _fold_right(operator: str, kind: il.Type, left: il.Expr, right: il.Const) -> il.Expr | None:
    """Fold `left operator constant`, if the constant is neutral or an offset."""
    value = right.value
    if operator in ("add", "sub", "or", "xor", "shl", "shr") and value == 0:
        return left
    if operator in ("mul", "div") and value == 1:
        return left
    if operator == "shr" and kind.kind in ("I", "U"):
        return _shifted_mask(kind, left, int(value))
    if kind.kind == "P" and operator in ("add", "sub"):
        distance = signed_offset(right) if operator == "add" else -signed_offset(right)
        return offset(left, distance)
    return None


def _fold_float_right(operator: str, kind: il.Type, left: il.Expr, right: il.Const) -> il.Expr | None:
    """Fold `left operator constant` of floating numbers, where the result is exactly the same."""
    value = float(right.value)
    if (operator in ("mul", "div") and value == 1) or (value == 0 and operator == _NEUTRAL_ZERO[math.copysign(1, value)]):
        return left
    if operator == "div" and abs(math.frexp(value)[0]) == 0.5 and min(abs(value), abs(1 / value)) >= _LEAST_NORMAL[kind.size]:
        return binary("mul", kind, left, constant(kind, 1 / value))
    return None


def binary(operator: str, kind: il.Type, left: il.Expr, right: il.Expr) -> il.Expr:
    """A Binary, or what it folds to."""
    if isinstance(right, il.Const):
        folded = None
        if isinstance(left, il.Const):
            folded = _fold(operator, kind, left, right)
        else:
            folded = (_fold_float_right if kind.kind == "F" else _fold_right)(operator, kind, left, right)
        if folded is not None:
            return folded
    elif isinstance(left, il.Const) and kind.kind != "F":
        if operator == "add" and left.value == 0:
            return right
        if operator == "mul" and left.value == 1:
            return right
        if operator == "add" and kind.kind == "P":
            return offset(right, signed_offset(left))
    elif kind.kind == "F" and operator in ("add", "sub"):
        return _without_negation(operator, kind, left, right)
    return il.Binary(operator, kind, left, right)


def _without_negation(operator: str, kind: il.Type, left: il.Expr, right: il.Expr) -> il.Expr:
    """Return a sum or difference of floating numbers, subtracting or adding one that is negated: exactly the same."""
    if (positive := _negated(right)) is not None:
        return il.Binary("sub" if operator == "add" else "add", kind, left, positive)
    if operator == "add" and (positive := _negated(left)) is not None:
        return il.Binary("sub", kind, right, positive)
    return il.Binary(operator, kind, left, right)


def _negated(node: il.Expr) -> il.Expr | None:
    """Return the floating number of which a tree is the negation."""
    match node:
        case il.Unary(operator="neg", operand=operand):
            return operand
        case il.Binary(operator="mul", left=operand, right=il.Const(value=-1)):
            return operand
    return None


def offset(address: il.Expr, distance: int) -> il.Expr:
    """An address a constant number of bytes away."""
    if distance == 0:
        return address
    match address:
        case il.AddrGlobal(type=kind, name=name, offset=old):
            return il.AddrGlobal(kind, name, old + distance)
        case il.AddrLocal(type=kind, local=local, offset=old):
            return il.AddrLocal(kind, local, old + distance)
        case il.Const(type=kind, value=value):
            return constant(kind, int(value) + distance)
        case il.Binary(operator="add", type=kind, left=left, right=il.Const() as right) if kind.kind == "P":
            return offset(left, signed_offset(right) + distance)
        case il.Binary(operator="sub", type=kind, left=left, right=il.Const() as right) if kind.kind == "P":
            return offset(left, distance - signed_offset(right))
    if distance < 0:
        return il.Binary("sub", address.type, address, il.Const(address.type, -distance))
    return il.Binary("add", address.type, address, il.Const(address.type, distance))


def _shifted_mask(kind: il.Type, left: il.Expr, distance: int) -> il.Expr | None:
    """Return bits that are masked and shifted right as bits shifted and masked: the mask becomes smaller, or superfluous."""
    bits = 8 * kind.size
    if isinstance(left, il.Convert) and left.operand.type.size == kind.size and not left.operand.type.is_float:
        left = left.operand  # the same bits
    match left:
        case il.Binary(operator="and", left=value, right=il.Const(value=mask)) if 0 < distance < bits:
            rest = wrap(kind, int(mask)) >> distance
            shifted = il.Binary("shr", kind, convert(kind, value), il.Const(kind, distance))
            is_all = rest == (-1 if kind.kind == "I" else (1 << (bits - distance)) - 1)
            return shifted if is_all else il.Binary("and", kind, shifted, constant(kind, rest))
    return None


def unary(operator: str, kind: il.Type, operand: il.Expr) -> il.Expr:
    """A Unary, or what it folds to."""
    if isinstance(operand, il.Const):
        value = operand.value
        if operator == "neg":
            return constant(kind, -value)
        if operator == "not":
            return constant(kind, ~int(value))
        if operator == "abs":
            return constant(kind, abs(value))
        if operator in il.BIT_OPERATORS:
            bits = 8 * kind.size
            return constant(kind, of_bits(operator, int(value) & ((1 << bits) - 1), bits))
    return il.Unary(operator, kind, operand)


def compare(relation: str, kind: il.Type, left: il.Expr, right: il.Expr) -> il.Expr:
    """A Compare with a result of type `kind`, or what it folds to."""
    if isinstance(left, il.Const) and isinstance(right, il.Const):
        return constant(kind, int(_RELATION[relation](left.value, right.value)))
    if relation in ("eq", "ne") and _is_zero(right) and isinstance(left, il.AddrGlobal | il.AddrLocal):
        if left.offset == 0:
            return constant(kind, int(relation == "ne"))
    elif isinstance(left, il.AddrGlobal) and isinstance(right, il.AddrGlobal) and left.name == right.name:
        return constant(kind, int(_RELATION[relation](left.offset, right.offset)))
    return il.Compare(relation, kind, left, right)


def _is_zero(tree: il.Expr) -> bool:
    return isinstance(tree, il.Const) and tree.value == 0


def reads_memory(tree: il.Expr) -> bool:
    """Whether the value of a tree can change with memory; temporaries are written once and do not count."""
    match tree:
        case il.Const() | il.AddrGlobal() | il.AddrLocal():
            return False
        case il.Load(address=il.AddrLocal(local=local)):
            return not local.name.startswith(TEMPORARY)
        case il.Load():
            return True
        case il.Unary(operand=operand) | il.Convert(operand=operand):
            return reads_memory(operand)
        case il.Binary(left=left, right=right) | il.Compare(left=left, right=right):
            return reads_memory(left) or reads_memory(right)


def reads_volatile(tree: il.Expr) -> bool:
    """Whether evaluating a tree reads something volatile."""
    match tree:
        case il.Load(address=address, volatile=volatile):
            return volatile or reads_volatile(address)
        case il.Unary(operand=operand) | il.Convert(operand=operand):
            return reads_volatile(operand)
        case il.Binary(left=left, right=right) | il.Compare(left=left, right=right):
            return reads_volatile(left) or reads_volatile(right)
    return False


def is_cheap(tree: il.Expr) -> bool:
    """Whether a tree may be written twice: a constant, an address, one plain local, or a local plus an offset."""
    match tree:
        case il.Const() | il.AddrGlobal() | il.AddrLocal() | il.Load(address=il.AddrLocal(), volatile=False):
            return True
        case il.Binary(operator="add" | "sub", type=kind, left=left, right=il.Const()) if kind.kind == "P":
            return is_cheap(left)
    return False
