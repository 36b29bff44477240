"""Primary and postfix expressions, casts, commas: everything without an arithmetic operator."""

from __future__ import annotations

from vpo import il
from vpo.base.suggestions import suggested
from vpo.frontend.builtins.names import PREFIX
from vpo.frontend.context import Context
from vpo.frontend.declare.compatibility import compatible
from vpo.frontend.declare.constexpr_objects import known_member
from vpo.frontend.declare.declaration_rules import note_static
from vpo.frontend.declare.declarators import type_name
from vpo.frontend.declare.initialisers import initialise_local, static_object
from vpo.frontend.declare.linker_symbols import weak_address
from vpo.frontend.declare.nested_functions import address_outside, is_outside
from vpo.frontend.lower import constants, conversions, trees
from vpo.frontend.lower.implicit import built_in_symbol
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax import nodes
from vpo.frontend.syntax.lexer import CHARACTER, FLOATING, INTEGER, STRING
from vpo.frontend.types import types
from vpo.frontend.types.layout import PRAGMA_PACK
from vpo.frontend.warnings.declarations import check_use
from vpo.frontend.warnings.diagnostics import Recover
from vpo.il.data_model import ANY


def constant(ctx: Context, node: nodes.Constant) -> Value:
    """Lower a number, character, string, or a constant that is a word."""
    if "\\" in node.value and (escape := constants.unknown_escape(node.value)) is not None:
        ctx.report.warning(node.coord, "escapes", escape)
    try:
        return _literal(ctx, node)
    except (constants.BadLiteral, ValueError) as problem:
        ctx.report.fail(node.coord, str(problem))


def _literal(ctx: Context, node: nodes.Constant) -> Value:
    basic = ctx.types
    if node.type == STRING:
        codes, element, data = ctx.string_bytes(node)
        symbol = ctx.string_symbol(data, 1 if element.size == 1 else element.align)
        address = il.AddrGlobal(basic.address, symbol)
        return Value(types.Array(element, len(codes) + 1), None, address, lvalue=True)
    if node.type == CHARACTER:
        kind, code = constants.character(node.value, basic)
        if ctx.standard.edition >= 2023 and node.value.startswith("u8"):
            kind, code = basic.uchar, code & 0xFF
        if ctx.report.wanted and constants.is_long_character(node.value):
            ctx.report.warning(node.coord, "multichar")
        return Value(kind, trees.constant(kind.il, code))
    if node.type == "nullptr":
        return Value(basic.nullptr, trees.constant(basic.nullptr.il, 0))
    if node.type in ("true", "false"):
        return Value(basic.bool_, trees.constant(basic.bool_.il, int(node.type == "true")))
    if node.type in (FLOATING, INTEGER) and constants.is_imaginary(node.value):
        part, value = (constants.floating if node.type == FLOATING else constants.integer)(constants.real(node.value), basic)
        zero = trees.constant(part.il, 0)
        return Value(types.Complex(part), zero, imaginary=trees.constant(part.il, value))
    if node.type == FLOATING:
        floating, number = constants.floating(node.value, basic)
        return Value(floating, trees.constant(floating.il, number))
    integral, value = constants.integer(node.value, basic)
    if integral is basic.ullong and node.value[0] in "123456789" and "u" not in node.value.lower():
        ctx.report.warning(node.coord, "overflow:unsigned")
    return Value(integral, trees.constant(integral.il, value))


def identifier(ctx: Context, node: nodes.ID) -> Value:
    """Lower a name."""
    value = _named(ctx, node)
    if value.lvalue:
        value.unaligned = anywhere(ctx, value.type)
    return value


def _named(ctx: Context, node: nodes.ID) -> Value:
    symbol = ctx.scope.lookup(node.name)
    if symbol is None:
        if node.name in ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__") and ctx.function is not None:
            return _function_name(ctx)
        if node.name.startswith(PREFIX):
            symbol = built_in_symbol(ctx, node)
            return Value(symbol.type, None, il.AddrGlobal(ctx.types.address, symbol.symbol))
        ctx.report.fail(node.coord, f"'{node.name}' undeclared{suggested(node.name, ctx.scope.known())}")
    ctype = symbol.type
    symbol.uses += symbol is not ctx.function
    if ctx.notes.marks or ctx.notes.by_attribute["deprecated"] or ctx.notes.by_attribute["unavailable"]:
        check_use(ctx, symbol, node)
    match symbol.kind:
        case "constant":
            assert isinstance(ctype, types.Arithmetic)
            return Value(ctype, trees.constant(ctype.il, symbol.value))
        case "wrong":
            raise Recover
        case "typedef":
            ctx.report.fail(node.coord, f"unexpected type name '{node.name}'")
        case "function" if symbol.weak and not symbol.defined:
            return Value(ctype, None, weak_address(ctx, symbol))
        case "function":
            if symbol.static:
                note_static(ctx, node.name, node.coord, ctype, "used")
            return Value(ctype, None, il.AddrGlobal(ctx.types.address, symbol.symbol))
    if symbol.constant is not None and ctx.address_operand is not node:
        return Value(ctype, symbol.constant)
    if symbol.local is not None and is_outside(ctx, symbol):
        return Value(ctype, None, address_outside(ctx, symbol), True, None, symbol.is_register)
    if symbol.local is not None:
        ctx.state.mentions.append((symbol.local, node.coord))
        address = ctx.load_local(symbol.local) if symbol.is_dynamic else ctx.address_of(symbol.local)
        return Value(ctype, None, address, True, None, symbol.is_register)
    if symbol.weak and not symbol.defined:
        return Value(ctype, None, weak_address(ctx, symbol), lvalue=True)
    if symbol.static and symbol.linkage:
        note_static(ctx, node.name, node.coord, ctype, "used")
    return Value(ctype, None, il.AddrGlobal(ctx.types.address, symbol.symbol), lvalue=True)


def _function_name(ctx: Context) -> Value:
    data = (ctx.state.name or "").encode() + b"\0"
    address = il.AddrGlobal(ctx.types.address, ctx.string_symbol(data, 1))
    return Value(types.Array(types.qualified(ctx.types.char, True, False), len(data)), None, address, lvalue=True)


# ------------------------------------------------------------------------------------------- indexing and members


def index_address(ctx: Context, pointer: types.Pointer, base: il.Expr, index: il.Expr, node: nodes.Node) -> il.Expr:
    """The address `index` elements behind `base`."""
    step = element_size(ctx, pointer, node)
    scaled = trees.binary("mul", step.type, wide_index(step.type, index), step)
    return trees.binary("add", ctx.types.address, base, trees.convert(ctx.types.address, scaled))


def wide_index(kind: il.Type, index: il.Expr) -> il.Expr:
    """An index in a type as wide as addresses, summed up in this: signed arithmetic does not overflow in C."""
    match index:
        case il.Binary(operator="add" | "sub" | "mul" as operator, type=narrow, left=left, right=right):
            if narrow.kind == "I" and narrow.size < kind.size:
                return trees.binary(operator, kind, wide_index(kind, left), wide_index(kind, right))
    return trees.convert(kind, index)


def element_size(ctx: Context, pointer: types.Pointer, node: nodes.Node) -> il.Expr:
    """The distance of neighbours that a pointer may point to: a signed integer of the size of an address."""
    target, kind = pointer.target, il.Type("I", ctx.types.address.size)
    if not types.is_complete(target):
        if isinstance(target, types.Record | types.Array):
            ctx.report.fail(node.coord, f"invalid use of incomplete type '{target}'")
        return trees.constant(kind, 1)  # void and functions count bytes, as everywhere
    return trees.convert(kind, ctx.size_of(target))


def array_reference(ctx: Context, node: nodes.ArrayRef) -> Value:
    """Lower an element of an array, or of a vector."""
    base = ctx.expression(node.name)
    if isinstance(base.type, types.Vector):
        base = _vector_elements(ctx, base)
    base = conversions.decay(ctx, base, node.name)
    left_type, left = conversions.require_scalar(ctx, base, node.name)
    mark = ctx.mark
    right_type, right = conversions.scalar_rvalue(ctx, node.subscript)
    left = ctx.settle(mark, left)
    if types.is_integer(left_type):
        left_type, left, right_type, right = right_type, right, left_type, left
    if not isinstance(left_type, types.Pointer):
        ctx.report.fail(node.coord, "subscripted value is neither array nor pointer nor vector")
    if not types.is_integer(right_type):
        ctx.report.fail(node.subscript.coord, "array subscript is not an integer")
    promoted = ctx.types.promote(right_type)
    right = trees.convert(promoted.il, right)
    if not types.is_complete(left_type.target) and not types.is_aggregate(left_type.target):
        ctx.report.fail(node.coord, f"dereferencing pointer to '{left_type.target}'")
    address = index_address(ctx, left_type, left, right, node)
    unaligned = base.unaligned or anywhere(ctx, left_type.target)
    return Value(left_type.target, None, address, lvalue=True, effective=base.effective, unaligned=unaligned)


def anywhere(ctx: Context, ctype: types.CType) -> str:
    """Return what lets objects of a type lie anywhere, for `Value.unaligned`."""
    return PRAGMA_PACK if ctx.types.lies_anywhere(ctype) else ""


def _vector_elements(ctx: Context, vector: Value) -> Value:
    """Return the address of the first element of a vector."""
    ctype = vector.type
    assert isinstance(ctype, types.Vector)
    element = ctx.types.pointer(types.qualified(ctype.element, ctype.const, ctype.volatile))
    return Value(element, vector.address, effective=ANY, unaligned=vector.unaligned)


def member(ctx: Context, node: nodes.StructRef) -> Value:
    """Lower a member of a structure or union."""
    if node.type == "->":
        value = conversions.rvalue(ctx, node.name)
        ctype: types.CType = value.type
        if not isinstance(ctype, types.Pointer):
            ctx.report.fail(node.coord, f"invalid type argument of '->' (have '{ctype}')")
        ctype, base, lvalue = ctype.target, value.tree or value.address, True
    else:
        value = ctx.expression(node.name)
        ctype, base, lvalue = value.type, value.address, value.lvalue
    if not isinstance(ctype, types.Record) or base is None:
        ctx.report.fail(node.coord, f"request for member '{node.field.name}' in something not a structure or union")
    if ctype.tag.members is None:
        ctx.report.fail(node.coord, f"invalid use of incomplete type '{types.unqualified(ctype)}'")
    found = ctype.tag.by_name.get(node.field.name)
    if found is None:
        message = f"'{types.unqualified(ctype)}' has no member named '{node.field.name}'"
        ctx.report.fail(node.field.coord, message + suggested(node.field.name, ctype.tag.by_name))
    address = trees.offset(base, found.bits.offset if found.bits else found.offset)
    effective = ANY if value.is_of_any_type else ctype.tag.effective(found)
    unaligned = found.unaligned or (value.unaligned if node.type == "." else "")
    unaligned = unaligned or anywhere(ctx, ctype) or anywhere(ctx, found.type)
    whole = types.qualified(found.type, ctype.const, ctype.volatile)
    if ctx.contents and found.bits is None and ctx.address_operand is not node:
        known = known_member(ctx, address, whole)
        if known is not None:
            return Value(whole, known)
    return Value(whole, None, address, lvalue, found.bits, effective=effective, unaligned=unaligned)


# ------------------------------------------------------------------------------------------------- casts and literals


def cast(ctx: Context, node: nodes.Cast) -> Value:
    """Lower an explicit conversion."""
    target = type_name(ctx, node.to_type)
    if target == ctx.types.void:
        ctx.discard(node.expr)
        return Value(ctx.types.void)
    return conversions.cast(ctx, target, conversions.rvalue(ctx, node.expr), node)


def compound_literal(ctx: Context, node: nodes.CompoundLiteral) -> Value:
    """Lower an object without a name."""
    ctype = type_name(ctx, node.type)
    if "constexpr" in node.storage:
        ctype = types.qualified(ctype, True, False)
    if ctx.function is None or not node.storage.isdisjoint(("constexpr", "static")):
        name = ctx.unique("compound")
        ctype = static_object(ctx, name, ctype, node.init, node.coord, static=True)
        if "constexpr" in node.storage and name in ctx.data:
            ctx.contents[name] = ctx.data[name]
            known = known_member(ctx, il.AddrGlobal(ctx.types.address, name), ctype)
            if known is not None and ctx.address_operand is not node:
                return Value(ctype, known)
        return Value(ctype, None, il.AddrGlobal(ctx.types.address, name), lvalue=True)
    if types.is_variably_modified(ctype):
        ctx.report.fail(node.coord, "variable length arrays cannot be initialized")
    local = il.Local("compound", None, 0, 1)
    ctype = initialise_local(ctx, local, ctype, node.init, node.coord)
    ctx.state.locals.append(local)
    return Value(ctype, None, ctx.address_of(local), lvalue=True)


def generic(ctx: Context, node: nodes.GenericSelection) -> Value:
    """Lower the expression that a `_Generic` chooses."""
    with ctx.scratch(unevaluated=True):
        controlling = types.unqualified(conversions.rvalue(ctx, node.expr).type)
    known: list[types.CType | None] = []
    chosen: nodes.Expression | None = None
    otherwise: nodes.Expression | None = None
    for association in node.associations:
        ctype = type_name(ctx, association.type) if association.type is not None else None
        _check_association(ctx, association, ctype, known)
        known.append(ctype)
        if ctype is None:
            otherwise = association.expr
        elif chosen is None and compatible(ctype, controlling):
            chosen = association.expr
    chosen = chosen or otherwise
    if chosen is None:
        ctx.report.fail(node.coord, f"'_Generic' selector of type '{controlling}' is not compatible with any association")
    return ctx.expression(chosen)


def _check_association(
    ctx: Context, association: nodes.GenericAssociation, ctype: types.CType | None, known: list[types.CType | None]
) -> None:
    """Complain about an association that cannot be chosen, or is of a type that one before has."""
    if ctype is None and None in known:
        ctx.report.error(association.coord, "duplicate 'default' case in '_Generic'")
    elif ctype is not None and not types.is_complete(ctype):
        what = "function" if isinstance(ctype, types.Func) else "incomplete"
        ctx.report.error(association.coord, f"'_Generic' association has {what} type")
    elif ctype is not None and types.is_variably_modified(ctype):
        ctx.report.error(association.coord, "'_Generic' association has variable length type")
    elif ctype is not None and any(compatible(ctype, other) for other in known if other is not None):
        ctx.report.error(association.coord, "'_Generic' specifies two compatible types")


def comma(ctx: Context, node: nodes.ExprList) -> Value:
    """Lower a comma expression."""
    for expression in node.exprs[:-1]:
        ctx.discard(expression)
    return conversions.rvalue(ctx, node.exprs[-1])
