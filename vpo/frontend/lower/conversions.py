"""From values to trees: lvalue conversion, loads and stores, casts and assignment conversions."""

from __future__ import annotations

from dataclasses import replace

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.declare.compatibility import bare, compatible, qualifiers
from vpo.frontend.lower import complex_numbers, stored_scalars, trees, vectors
from vpo.frontend.lower.complex_numbers import part_of
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import Argument, Node
from vpo.frontend.types import bit_precise, types
from vpo.frontend.types.bit_precise import BitPrecise, fitted
from vpo.frontend.types.layout import PRAGMA_PACK
from vpo.frontend.types.type_table import has_null_type, is_null_constant, may_become
from vpo.frontend.warnings.conversions import OF_CONVERSIONS, check_cast, check_constant, check_conversion
from vpo.il.data_model import ANY


def scalar(ctype: types.Arithmetic | types.Pointer, tree: il.Expr) -> Value:
    """A computed scalar."""
    return Value(ctype, tree)


def rvalue(ctx: Context, node: Argument) -> Value:
    """Lower an expression for its value: arrays and functions decay, objects are loaded."""
    return decay(ctx, ctx.expression(node), node)


def decay(ctx: Context, value: Value, node: Node) -> Value:
    """The value of what an expression denotes."""
    if value.tree is not None:
        return value
    ctype = value.type
    match ctype:
        case types.Array(element=element):
            return Value(ctx.types.pointer(element), value.address, effective=value.effective, unaligned=value.unaligned)
        case types.Func():
            return Value(ctx.types.pointer(ctype), value.address)
        case types.Complex():
            assert value.address is not None
            if not trees.is_cheap(value.address):
                value = replace(value, address=ctx.save(value.address))
            real, imaginary = (decay(ctx, part_of(value, position), node) for position in (0, 1))
            return Value(types.unqualified(ctype), real.tree, imaginary=imaginary.tree)
        case types.Record():
            if not types.is_complete(ctype):
                ctx.report.fail(node.coord, f"'{ctype}' is an incomplete type")
            return _aligned(ctx, value)
        case types.Vector():
            return _aligned(ctx, value)
        case types.Arithmetic() | types.Pointer():
            assert value.address is not None
            if value.bits is not None:
                return stored_scalars.read_bits(ctx, value)
            return Value(types.unqualified(ctype), stored_scalars.load(ctx, value, ctype.il, ctx.effective_type(value)))
    return value


def scalar_rvalue(ctx: Context, node: Argument) -> tuple[types.Arithmetic | types.Pointer, il.Expr]:
    """Lower an expression that must be a scalar."""
    value = rvalue(ctx, node)
    return require_scalar(ctx, value, node)


def require_scalar(ctx: Context, value: Value, node: Node) -> tuple[types.Arithmetic | types.Pointer, il.Expr]:
    """The type and tree of a value that must be a scalar."""
    ctype = value.type
    if value.tree is None or not types.is_scalar(ctype):
        if isinstance(ctype, types.Void):
            ctx.report.fail(node.coord, "void value not ignored as it ought to be")
        ctx.report.fail(node.coord, f"used '{ctype}' where a scalar is required")
    return ctype, value.tree


def operate(ctx: Context, ctype: types.Arithmetic, operator: str, left: il.Expr, right: il.Expr | None = None) -> il.Expr:
    """Apply an operator to operands of its result's type; a right operand of a shift may have another one."""
    if isinstance(ctype, BitPrecise):
        return bit_precise.operate(ctx.model, ctype, operator, left, right)
    kind = ctype.il
    tree = trees.unary(operator, kind, left) if right is None else trees.binary(operator, kind, left, right)
    return stored_scalars.extend_bits(ctype.il, tree, 0, ctype.precision) if ctype.precision else tree


def _aligned(ctx: Context, value: Value) -> Value:
    """Return the value of an aggregate; of an unaligned one, that of a copy."""
    if not value.unaligned or value.address is None:
        return value
    fresh = ctx.address_of(ctx.aggregate_temporary(value.type))
    copy(ctx, fresh, value.address, value.type, unaligned=True)
    return Value(value.type, None, fresh)


def copy(ctx: Context, target: il.Expr, source: il.Expr, ctype: types.CType, unaligned: bool = False) -> None:
    """Copy an aggregate; `unaligned`: one of the two lies in a packed structure."""
    if ctype.size:
        ctx.emit(il.Copy(target, source, ctype.size, 1 if unaligned else ctype.align, ctx.line))


# -------------------------------------------------------------------------------------------------- conversions


def to_type(ctx: Context, target: types.Arithmetic | types.Pointer, tree: il.Expr) -> il.Expr:
    """A scalar tree converted to a type, without any question."""
    if isinstance(target, types.Arithmetic) and target.rank == types.RANK_BOOL:
        if isinstance(tree, il.Compare):
            return trees.convert(target.il, tree)
        zero = trees.constant(tree.type, 0)
        return trees.convert(target.il, trees.compare("ne", ctx.types.int_.il, tree, zero))
    if isinstance(target, BitPrecise):
        return fitted(ctx.model, target, tree)
    return trees.convert(target.il, tree)


def cast(ctx: Context, target: types.CType, value: Value, node: Node) -> Value:
    """An explicit conversion."""
    if isinstance(target, types.Void):
        return Value(ctx.types.void)
    if isinstance(target, types.Record) and isinstance(value.type, types.Record) and target.tag is value.type.tag:
        return Value(types.unqualified(target), None, value.address)
    if isinstance(target, types.Record) and target.tag.keyword == "union":
        member = next(
            (m for m in target.members if compatible(types.unqualified(m.type), types.unqualified(value.type))), None
        )
        if member is not None:
            return _as_union(ctx, target, value)
    has_bits = isinstance(value.type, types.Vector) or types.is_integer(value.type)
    if isinstance(target, types.Vector) and has_bits and value.type.size == target.size:
        return vectors.reinterpreted(ctx, target, value)
    if isinstance(value.type, types.Vector) and isinstance(target, types.Arithmetic) and value.type.size == target.size:
        assert value.address is not None
        return decay(ctx, Value(types.unqualified(target), None, value.address, effective=ANY), node)
    if isinstance(target, types.Complex) and isinstance(value.type, types.Arithmetic | types.Complex):
        return complex_numbers.converted(target, value)
    if isinstance(value.type, types.Complex):
        value = _real(ctx, target, value)
    if not types.is_scalar(target):
        ctx.report.fail(node.coord, f"conversion to non-scalar type '{target}' requested")
    ctype, tree = require_scalar(ctx, value, node)
    if has_null_type(target, ctype) and not may_become(target, value):
        ctx.report.fail(node.coord, f"conversion from '{ctype}' to '{target}'")
    if ctx.report.wanted:
        check_cast(ctx, target, value, node)
    if (isinstance(target, types.Pointer) and _is_floating(ctype)) or (
        isinstance(ctype, types.Pointer) and _is_floating(target)
    ):
        ctx.report.fail(node.coord, f"cannot convert '{ctype}' to '{target}'")
    return Value(types.unqualified(target), to_type(ctx, target, tree))


def _as_union(ctx: Context, target: types.Record, value: Value) -> Value:
    """Return a union that holds a value of one of its members (of gcc)."""
    address = ctx.address_of(ctx.aggregate_temporary(target))
    if isinstance(value.type, types.Complex):
        complex_numbers.store(ctx, address, value)
    elif value.tree is not None:
        ctx.emit(il.Store(address, value.tree, ctx.line))
    else:
        assert value.address is not None
        copy(ctx, address, value.address, value.type)
    return Value(types.unqualified(target), None, address)


def _real(ctx: Context, target: types.CType, value: Value) -> Value:
    """Return the real part of a complex number; for a _Bool, whether any part is not 0."""
    assert isinstance(value.type, types.Complex)
    if isinstance(target, types.Arithmetic) and target.rank == types.RANK_BOOL:
        return Value(ctx.types.int_, complex_numbers.is_true(ctx, value))
    return Value(value.type.part, value.tree)


def _is_floating(ctype: types.CType) -> bool:
    return isinstance(ctype, types.Arithmetic) and ctype.is_float


def assign(ctx: Context, target: types.CType, value: Value, node: Node, what: str = "assignment") -> Value:
    """Convert as if by assignment; diagnose what C does not allow.  `what` names the situation in messages."""
    target, source = types.unqualified(target), value.type
    if isinstance(source, types.Void):
        ctx.report.fail(node.coord, "void value not ignored as it ought to be")
    if isinstance(target, types.Record):
        if target.tag.transparent and what.startswith("passing") and not isinstance(source, types.Record):
            return _as_union(ctx, target, value)
        if not isinstance(source, types.Record) or source.tag is not target.tag:
            ctx.report.fail(node.coord, _incompatible(target, source, what))
        return value
    if isinstance(target, types.Vector):
        if not isinstance(source, types.Vector) or not _alike(target, source):
            ctx.report.fail(node.coord, _incompatible(target, source, what))
        return Value(target, None, value.address)
    if isinstance(target, types.Complex) and isinstance(source, types.Arithmetic | types.Complex):
        return complex_numbers.converted(target, value)
    if isinstance(source, types.Complex) and isinstance(target, types.Arithmetic):
        value = _real(ctx, target, value)
        source = value.type
    if not types.is_scalar(target) or not types.is_scalar(source) or value.tree is None:
        ctx.report.fail(node.coord, _incompatible(target, source, what))
    if has_null_type(target, source) and not may_become(target, value):
        ctx.report.fail(node.coord, _incompatible(target, source, what))
    if isinstance(target, types.Pointer):
        _check_pointer(ctx, target, value, node, what)
        if value.unaligned not in ("", PRAGMA_PACK) and target.target.align > 1:
            ctx.report.warning(node.coord, "address-of-packed-member", value.unaligned)
    elif isinstance(source, types.Pointer) and target.rank != types.RANK_BOOL:
        if target.is_float:
            ctx.report.fail(node.coord, _incompatible(target, source, what))
        ctx.report.warning(node.coord, "int-conversion", what, target, source)
    elif ctx.report.wanted:
        if "overflow" in ctx.report.wanted:
            check_constant(ctx, target, value, node)
        if not OF_CONVERSIONS.isdisjoint(ctx.report.wanted):
            check_conversion(ctx, target, value, node)
    return Value(target, to_type(ctx, target, value.tree))


def _alike(target: types.Vector, source: types.Vector) -> bool:
    """Whether a vector may be assigned to another: elements of the same kind and size."""
    a, b = target.element, source.element
    return (target.length, a.size, a.is_float) == (source.length, b.size, b.is_float)


def _incompatible(target: types.CType, source: types.CType, what: str) -> str:
    if what.startswith("passing"):
        return f"incompatible type for {what[8:]}: expected '{target}' but argument is of type '{source}'"
    if what == "initialization":
        return f"incompatible types when initializing type '{target}' using type '{source}'"
    if what == "return":
        return f"incompatible types when returning type '{source}' but '{target}' was expected"
    return f"incompatible types when assigning to type '{target}' from type '{source}'"


def _check_pointer(ctx: Context, target: types.Pointer, value: Value, node: Node, what: str) -> None:
    source = value.type
    if is_null_constant(value):
        return
    if isinstance(source, types.Arithmetic):
        if source.is_float:
            ctx.report.fail(node.coord, _incompatible(target, source, what))
        ctx.report.warning(node.coord, "int-conversion:pointer", what, target, source)
        return
    assert isinstance(source, types.Pointer)
    to, of = target.target, source.target
    if not compatible(bare(to), bare(of)) and not isinstance(to, types.Void) and not isinstance(of, types.Void):
        if not _differ_in_sign(to, of):
            ctx.report.warning(node.coord, "incompatible-pointer-types", what, target, source)
            return
        ctx.report.warning(node.coord, "pointer-sign", what, target, source)
    lost = [word for word, a, b in zip(("const", "volatile"), qualifiers(of), qualifiers(to), strict=True) if a and not b]
    if lost:
        key = "discarded-array-qualifiers" if isinstance(of, types.Array) else "discarded-qualifiers"
        ctx.report.warning(node.coord, key, what, lost[0])


def _differ_in_sign(left: types.CType, right: types.CType) -> bool:
    if not types.is_integer(left) or not types.is_integer(right) or type(left) is not type(right):
        return False
    return left.rank == right.rank and bit_precise.width_of(left) == bit_precise.width_of(right)


def pointer_union(ctx: Context, left: types.Pointer, right: types.Pointer) -> types.Pointer | None:
    """The type of a conditional or comparison of two pointers; None when they do not go together."""
    a, b = left.target, right.target
    const, volatile = (x or y for x, y in zip(qualifiers(a), qualifiers(b), strict=True))
    if isinstance(a, types.Void) or isinstance(b, types.Void):
        return ctx.types.pointer(types.qualified(ctx.types.void, const, volatile))
    if compatible(bare(a), bare(b)):
        return ctx.types.pointer(types.qualified(a, const, volatile))
    return None
