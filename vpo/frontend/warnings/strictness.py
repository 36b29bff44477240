"""Types, conversions and constants that C does not have, told with -pedantic.

What the grammar shows is told in the parser.
"""

from __future__ import annotations

from collections.abc import Sequence

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.declare.compatibility import qualifiers
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax import nodes
from vpo.frontend.syntax.lexer import FLOATING, STRING
from vpo.frontend.types.layout import Field
from vpo.frontend.types.types import Array, CType, Func, Pointer, Record, VariableArray, Void

# --------------------------------------------------------------------------------------------------------- types


def check_array(ctx: Context, node: nodes.Node, array: Array) -> None:
    """Tell of an array without elements, of one with a length that is computed, and of elements without a certain size."""
    if isinstance(array, VariableArray):
        ctx.report.warning(node.coord, "vla")
    elif array.length == 0:
        ctx.report.warning(node.coord, "pedantic")
    if is_flexible(array.element):
        ctx.report.warning(node.coord, "pedantic:flexible")


def is_flexible(ctype: CType) -> bool:
    """True for a structure whose last member is an array without a length, or for a union with such a structure."""
    if not isinstance(ctype, Record) or not ctype.members:
        return False
    last = ctype.members[-1].type
    if ctype.tag.keyword == "union":
        return any(is_flexible(member.type) for member in ctype.members)
    return isinstance(last, Array) and last.length is None


def check_record(ctx: Context, node: nodes.Struct, fields: Sequence[Field]) -> None:
    """Tell of a structure without named members, and of members that have no certain size."""
    last = fields[-1].type if fields else None
    if isinstance(last, Array) and last.length is None:
        if node.keyword == "union":
            ctx.report.warning(node.coord, "pedantic:flexible-union")
        elif len(fields) == 1:
            ctx.report.warning(node.coord, "pedantic:flexible-alone")
    named = [field for field in fields if field.name is not None or isinstance(field.type, Record)]
    if fields and not named:
        ctx.report.warning(node.coord, "pedantic:no-named-members", node.keyword)
    for field, declaration in zip(fields, node.decls or (), strict=False):
        if is_flexible(field.type) and node.keyword == "struct":
            ctx.report.warning(declaration.coord, "pedantic:flexible")


# --------------------------------------------------------------------------------------------------- conversions


def check_pointers(ctx: Context, node: nodes.Node, what: str, target: CType, source: CType) -> None:
    """Tell of a pointer that becomes another without a cast: functions and void, arrays of other qualifiers."""
    kinds = {type(target), type(source)}
    if kinds == {Func, Void}:
        ctx.report.warning(node.coord, "pedantic:function-pointer", what)
    if kinds == {Array} and qualifiers(target) != qualifiers(source):
        ctx.report.warning(node.coord, "pedantic:array-qualifiers")


def check_cast(ctx: Context, target: CType, value: Value, node: nodes.Node) -> None:
    """Tell of casts of structures, and of those between pointers to functions and to objects."""
    source = value.type
    if isinstance(target, Record):
        is_same = isinstance(source, Record) and source.tag is target.tag
        ctx.report.warning(node.coord, "pedantic:record-cast" if is_same else "pedantic:union-cast")
    elif isinstance(target, Pointer) and isinstance(source, Pointer):
        becomes_other = isinstance(target.target, Func) != isinstance(source.target, Func)
        if becomes_other and not _is_null(value):
            ctx.report.warning(node.coord, "pedantic:function-cast")


def _is_null(value: Value) -> bool:
    return isinstance(value.tree, il.Const) and value.tree.value == 0


def check_pointer_comparison(ctx: Context, node: nodes.BinaryOp, left: Value, right: Value) -> None:
    """Tell of a comparison of a function with a pointer to void, and of an order that 0 has no place in."""
    a, b = left.type, right.type
    if isinstance(a, Pointer) and isinstance(b, Pointer) and not _is_null(left) and not _is_null(right):
        check_pointers(ctx, node, "comparison", a.target, b.target)
    if node.op not in ("==", "!=") and any(isinstance(t, Pointer) and isinstance(t.target, Func) for t in (a, b)):
        ctx.report.warning(node.coord, "pedantic:function-order")
    if node.op not in ("==", "!=") and (_is_null(left) or _is_null(right)):
        ctx.report.warning(node.coord, "pedantic:zero-order")


def check_sides(ctx: Context, left: nodes.Expression, right: nodes.Expression, coord: nodes.Coord) -> None:
    """Tell of one side that is void beside one that is not."""
    with ctx.scratch(unevaluated=True):
        types = [ctx.expression(side).type for side in (left, right)]
    if len({isinstance(ctype, Void) for ctype in types}) > 1:
        ctx.report.warning(coord, "pedantic:void-side")


def check_register(ctx: Context, node: nodes.ID) -> None:
    """Tell of an element of an array that is declared register."""
    symbol = ctx.scope.lookup(node.name)
    if symbol is not None and symbol.is_register and isinstance(symbol.type, Array):
        ctx.report.warning(node.coord, "pedantic:register")


# ---------------------------------------------------------------------------------------------------- constants (6.6)


def has_comma(node: nodes.Argument) -> bool:
    """Return whether an expression that is evaluated has a comma in it."""
    match node:
        case nodes.ExprList():
            return True
        case nodes.BinaryOp():
            return has_comma(node.left) or has_comma(node.right)
        case nodes.UnaryOp() | nodes.Cast():
            return has_comma(node.expr)
        case nodes.TernaryOp():
            return has_comma(node.cond)
    return False


def check_constant(ctx: Context, node: nodes.Argument, what: str, is_integer: bool = False) -> None:
    """Tell of an expression that is constant, but not what the standard calls a constant expression."""
    if has_comma(node) or (is_integer and not _is_integer_constant(ctx, node)):
        ctx.report.warning(node.coord, "pedantic:expression", what, "an integer" if is_integer else "a")


def _is_integer_constant(ctx: Context, node: nodes.Argument) -> bool:
    match node:
        case nodes.BinaryOp():
            return _is_integer_constant(ctx, node.left) and _is_integer_constant(ctx, node.right)
        case nodes.UnaryOp():
            return node.op != "&" and _is_integer_constant(ctx, node.expr)
        case nodes.TernaryOp():
            parts = [part for part in (node.cond, node.iftrue, node.iffalse) if not isinstance(part, nodes.ExprList)]
            return all(part is not None and _is_integer_constant(ctx, part) for part in parts)
        case nodes.Cast():
            is_literal = isinstance(node.expr, nodes.Constant) and node.expr.type != STRING
            return is_literal or _is_integer_constant(ctx, node.expr)
        case nodes.Constant():
            return node.type not in (FLOATING, STRING)
        case nodes.ID():
            symbol = ctx.scope.lookup(node.name)
            return symbol is not None and (symbol.kind == "constant" or symbol.constant is not None)
    return isinstance(node, nodes.SizeOf | nodes.GenericSelection | nodes.FuncCall)
