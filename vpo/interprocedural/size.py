"""Estimates of the size of intermediate code, in operations: about one instruction of a simple machine each."""

from __future__ import annotations

from collections.abc import Iterable

from vpo import il
from vpo.il_traversal import children, expressions_of

CALL = 2  # operations of a call itself: the transfer there and back
COPY_BYTES = 8  # of a block copy that count as one operation
LONGEST_COPY = 10
SWITCH = 4


def expression_size(expression: il.Expr) -> int:
    """Return the operations that an expression takes; reading a scalar local takes none."""
    below = sum(map(expression_size, children(expression)))
    match expression:
        case il.Const() | il.AddrLocal() | il.Load(address=il.AddrLocal()):
            return below
        case il.Convert(type=kind, operand=operand) if "F" not in kind.kind + operand.type.kind:
            return below + (kind.size < operand.type.size)
    return below + 1


def argument_size(argument: il.Expr | il.Block) -> int:
    """Return the operations that put an argument in its place."""
    if isinstance(argument, il.Block):
        return expression_size(argument.address) + _copy_size(argument.size)
    return max(1, expression_size(argument))


def statement_size(statement: il.Statement) -> int:
    """Return the operations of a statement."""
    inside = sum(map(expression_size, expressions_of(statement)))
    match statement:
        case il.Label():
            return 0
        case il.Store(address=il.AddrLocal()):
            return max(1, inside)
        case il.Copy(size=size):
            return inside + _copy_size(size)
        case il.Call(function=function, arguments=arguments):
            return CALL + expression_size(function) - 1 + sum(map(argument_size, arguments))
        case il.Switch(cases=cases):
            return inside + SWITCH + len(cases)
        case il.Return():
            return inside
    return inside + 1


def body_size(body: Iterable[il.Statement]) -> int:
    """Return the operations of a body."""
    return sum(map(statement_size, body))


def _copy_size(size: int) -> int:
    return min(1 + size // COPY_BYTES, LONGEST_COPY)
