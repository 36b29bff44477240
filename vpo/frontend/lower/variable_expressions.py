"""Which expressions cannot be constants, by their form."""

from __future__ import annotations

from vpo import il
from vpo.frontend.builtins.names import PREFIX
from vpo.frontend.context import Context
from vpo.frontend.lower.values import Held
from vpo.frontend.syntax.nodes import (
    ID,
    BinaryOp,
    Cast,
    CompoundLiteral,
    Constant,
    Expression,
    FuncCall,
    GenericSelection,
    SizeOf,
    StructRef,
    TernaryOp,
    UnaryOp,
)
from vpo.frontend.types.types import Array


def is_variable(ctx: Context, node: Expression) -> bool:
    """Whether an expression is certainly no constant; quick and rough."""
    match node:
        case BinaryOp():
            return is_variable(ctx, node.left) or is_variable(ctx, node.right)
        case UnaryOp():
            return node.op != "&" and is_variable(ctx, node.expr)
        case Cast():
            return is_variable(ctx, node.expr)
        case TernaryOp():
            return is_variable(ctx, node.cond)
        case ID():
            symbol = ctx.scope.lookup(node.name)
            is_object = symbol is not None and symbol.kind == "object" and not isinstance(symbol.type, Array)
            return symbol is None or (is_object and symbol.constant is None)
        case Constant() | GenericSelection() | SizeOf():
            return False
        case StructRef() | CompoundLiteral():
            return not ctx.contents
        case Held():
            return not isinstance(node.value.tree, il.Const)
        case FuncCall():
            return not isinstance(node.name, ID) or not node.name.name.startswith(("offsetof", PREFIX))
    return True
