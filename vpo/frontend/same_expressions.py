"""Whether two expressions are written the same, as far as warnings want to know."""

from __future__ import annotations

from typing import Any


def same(left: Any, right: Any) -> bool:
    """True if two expressions without effects are the same names, members, elements, constants and operators."""
    kind = type(left).__name__
    if kind != type(right).__name__:
        return False
    match kind:
        case "ID":
            return bool(left.name == right.name)
        case "Constant":
            return bool(left.value == right.value)
        case "StructRef":
            return left.type == right.type and left.field.name == right.field.name and same(left.name, right.name)
        case "ArrayRef":
            return same(left.name, right.name) and same(left.subscript, right.subscript)
        case "UnaryOp":
            return left.op == right.op and left.op in _PLAIN and same(left.expr, right.expr)
        case "BinaryOp":
            return left.op == right.op and same(left.left, right.left) and same(left.right, right.right)
    return False


_PLAIN = frozenset(("*", "&", "-", "+", "~", "!"))
