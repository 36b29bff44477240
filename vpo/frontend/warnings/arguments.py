"""Warnings about arguments of calls and of subscripts.

A file of its own, since each subject of warnings has one.
"""

from __future__ import annotations

from collections.abc import Sequence

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.syntax.nodes import ID, ArrayRef, Constant, FuncCall, Node, SizeOf
from vpo.frontend.types.types import Arithmetic, Array, CType, Pointer

_SIZED = {  # functions, with the positions of their size and of the pointers that it is about
    **dict.fromkeys(
        ("memcpy", "memmove", "memcmp", "strncpy", "strncmp", "strncat", "mempcpy", "stpncpy", "bcopy", "bcmp"), (2, (0, 1))
    ),
    **dict.fromkeys(("memset", "memchr"), (2, (0,))), "bzero": (1, (0,)), "snprintf": (1, (0,)), "strndup": (1, (0,)),
}  # fmt: skip


def check_arguments(ctx: Context, name: str, nodes: Sequence[Node], call: FuncCall) -> None:
    """Warn of the arguments of a call to a function with a name."""
    plain = name.removeprefix("__builtin_")
    if plain in _SIZED:
        _check_size(ctx, plain, nodes)
    match nodes:
        case [_, filler, Constant(value="0")] if plain == "memset":
            if not isinstance(filler, Constant) or filler.value != "0":
                ctx.report.warning(call.coord, "memset-transposed-args")


def _check_size(ctx: Context, name: str, nodes: Sequence[Node]) -> None:
    """Warn of `sizeof p` for the size of what `p` points to."""
    at, pointers = _SIZED[name]
    match nodes[at] if at < len(nodes) else None:
        case SizeOf(op="sizeof", expr=ID(name=sized), coord=place):
            symbol = ctx.scope.lookup(sized)
            is_pointer = symbol is not None and isinstance(symbol.type, Pointer)
            for position in pointers if is_pointer else ():
                node, which = nodes[position], ("destination", "source")[position] if len(pointers) == 2 else "pointer"
                if isinstance(node, ID) and node.name == sized:
                    ctx.report.warning(place, "sizeof-pointer-memaccess", name, which)
                    return


def check_subscript(ctx: Context, node: ArrayRef, index_type: CType, index: il.Expr) -> None:
    """Warn of an index that may be negative without being meant so, or is a constant outside of its array."""
    if index_type.__class__ is Arithmetic and index_type == ctx.types.char and not isinstance(index, il.Const):
        ctx.report.warning(node.subscript.coord, "char-subscripts")
    if "array-bounds" not in ctx.report.wanted or not isinstance(index, il.Const) or not isinstance(node.name, ID):
        return
    symbol = ctx.scope.lookup(node.name.name)
    if symbol is None or symbol.is_dynamic or type(symbol.type) is not Array or not symbol.type.length:
        return
    at, most = int(index.value), symbol.type.length - (node is not ctx.address_operand)
    if not 0 <= at <= most:
        ctx.report.warning(node.subscript.coord, "array-bounds", at, symbol.type)
