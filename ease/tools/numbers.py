"""Arithmetic of analysis functions as LLVM IR: 64 bits that wrap around, division as in Python; constants are folded."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from ease.host.ir_builder import IrBuilder
from ease.tools.storage import wrapped

Number = int | str  # a constant, or an operand of type i64
Truth = bool | str  # a constant, or an operand of type i1

_FOLDED: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}  # fmt: skip
_PLAIN = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "shl", ast.RShift: "ashr",
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], tuple[Callable[[int, int], bool], str]] = {
    ast.Eq: (operator.eq, "eq"), ast.NotEq: (operator.ne, "ne"), ast.Lt: (operator.lt, "slt"),
    ast.LtE: (operator.le, "sle"), ast.Gt: (operator.gt, "sgt"), ast.GtE: (operator.ge, "sge"),
}  # fmt: skip


def computed(builder: IrBuilder, kind: type[ast.operator], a: Number, b: Number) -> Number:
    """Return the result of an operator whose operands are allowed: no division by 0, shifts by 0 to 63."""
    if isinstance(a, int) and isinstance(b, int):
        return wrapped(_FOLDED[kind](a, b))
    if kind in (ast.FloorDiv, ast.Mod):
        return _divided(builder, kind is ast.Mod, a, b)
    return builder.put(f"{_PLAIN[kind]} i64 {a}, {b}")


def _divided(builder: IrBuilder, remainder: bool, a: Number, b: Number) -> Number:
    """Divide as Python does: the remainder has the sign of the divisor."""
    if isinstance(b, int) and b > 0 and b & (b - 1) == 0:
        return builder.put(f"and i64 {a}, {b - 1}" if remainder else f"ashr i64 {a}, {b.bit_length() - 1}")
    minus = builder.put(f"icmp eq i64 {b}, -1")  # the least number by it is the only quotient that does not fit
    divisor = builder.put(f"select i1 {minus}, i64 1, i64 {b}")
    rest = builder.put(f"srem i64 {a}, {divisor}")
    differ = builder.put(f"icmp slt i64 {builder.put(f'xor i64 {rest}, {b}')}, 0")
    above = builder.put(f"and i1 {builder.put(f'icmp ne i64 {rest}, 0')}, {differ}")
    if remainder:
        return builder.put(f"add i64 {rest}, {builder.put(f'select i1 {above}, i64 {b}, i64 0')}")
    quotient = builder.put(f"sdiv i64 {a}, {divisor}")
    signed = builder.put(f"select i1 {minus}, i64 {builder.put(f'sub i64 0, {a}')}, i64 {quotient}")
    return builder.put(f"sub i64 {signed}, {builder.put(f'zext i1 {above} to i64')}")


def related(builder: IrBuilder, kind: type[ast.cmpop], a: Number, b: Number) -> Truth:
    """Return whether a relation holds."""
    folded, name = _COMPARED[kind]
    if isinstance(a, int) and isinstance(b, int):
        return folded(a, b)
    return builder.put(f"icmp {name} i64 {a}, {b}")


def extreme(builder: IrBuilder, name: str, values: list[Number]) -> Number:
    """Return the smallest ('min') or largest ('max') of some numbers."""
    found = values[0]
    for value in values[1:]:
        if isinstance(found, int) and isinstance(value, int):
            found = min(found, value) if name == "min" else max(found, value)
            continue
        first = builder.put(f"icmp {'sle' if name == 'min' else 'sge'} i64 {found}, {value}")
        found = builder.put(f"select i1 {first}, i64 {found}, i64 {value}")
    return found


def number_of(builder: IrBuilder, truth: Truth) -> Number:
    """Return 1 for true and 0 for false."""
    return int(truth) if isinstance(truth, bool) else builder.put(f"zext i1 {truth} to i64")
