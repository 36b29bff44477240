"""From declarations as parsed to types: specifiers, declarators, structs, unions and enums."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.declare.compatibility import check_names, of_one_tag
from vpo.frontend.declare.constant_expressions import constant_expression, divides_by_zero, static_assertion
from vpo.frontend.declare.declaration_rules import check_restrict, check_words
from vpo.frontend.declare.enumerations import enumeration
from vpo.frontend.declare.type_words import changed_type, named_type
from vpo.frontend.lower import conversions, trees
from vpo.frontend.scope import Symbol
from vpo.frontend.syntax import nodes
from vpo.frontend.types import bit_precise, types
from vpo.frontend.types.layout import Field, lay_out
from vpo.frontend.warnings.declarations import check_tag
from vpo.frontend.warnings.diagnostics import Recover

Body = TypeVar("Body", nodes.Struct, nodes.Enum)
MAX_DEPTH = 300  # types are compared recursively, partly by functions in C


def type_name(ctx: Context, node: nodes.Typename) -> types.CType:
    """The type that a type name in parentheses stands for."""
    return declared_type(ctx, node.type)


def declared_type(ctx: Context, node: nodes.TypeNode) -> types.CType:
    """The type of a declarator as parsed, from the outermost derivation to the specifiers."""
    found = _derived_type(ctx, node)
    if found.depth > MAX_DEPTH:
        ctx.report.fail(node.coord, f"a type of more than {MAX_DEPTH} pointers, arrays and functions in each other")
    return found


def _derived_type(ctx: Context, node: nodes.TypeNode) -> types.CType:
    match node:
        case nodes.TypeDecl(quals=quals):
            found = specified_type(ctx, node.type)
            if "restrict" in quals:
                check_restrict(ctx, node.coord, found)
            return types.qualified(found, "const" in quals, "volatile" in quals)
        case nodes.PtrDecl():
            pointer = ctx.types.pointer(declared_type(ctx, node.type))
            if "restrict" in node.quals:
                check_restrict(ctx, node.coord, pointer)
            return types.qualified(pointer, "const" in node.quals, "volatile" in node.quals)
        case nodes.ArrayDecl():
            return _array(ctx, node)
        case nodes.FuncDecl():
            return function_type(ctx, node)
        case _:
            return specified_type(ctx, node)


def specified_type(ctx: Context, node: nodes.Specifier) -> types.CType:
    """The type of the specifiers of a declaration."""
    match node:
        case nodes.IdentifierType():
            return named_type(ctx, node)
        case nodes.Struct():
            return _record(ctx, node) if node.decls is None else _declared_once(ctx, node, _record)
        case nodes.Enum():
            return _enum(ctx, node) if node.values is None else _declared_once(ctx, node, _enum)
        case nodes.Typename():
            return type_name(ctx, node)
        case nodes.BitIntType():
            return _bit_int(ctx, node)
        case nodes.ChangedType():
            return changed_type(ctx, node, specified_type(ctx, node.type))
        case nodes.TypeOf():
            return _type_of(ctx, node)


def _bit_int(ctx: Context, node: nodes.BitIntType) -> types.CType:
    """Return the type of a `_BitInt(N)` with the words around it."""
    if node.names not in ([], ["signed"], ["unsigned"]):
        ctx.report.fail(node.coord, f"invalid combination of type specifiers '_BitInt {' '.join(node.names)}'")
    signed = node.names != ["unsigned"]
    width = constant_expression(ctx, node.width, "'_BitInt' argument")
    wrong = bit_precise.mistake(width, signed)
    if wrong:
        ctx.report.fail(node.coord, wrong)
    return bit_precise.bit_precise(ctx.model, width, signed)


def _type_of(ctx: Context, node: nodes.TypeOf) -> types.CType:
    """Return what `typeof` stands for: the same for all declarators, though the first may hide names in it."""
    found = ctx.scope.bodies.get(node)
    if found is None:
        found = _operand_type(ctx, node.expr)
        found = types.unqualified(found) if node.unqualified else found
        if not types.is_variably_modified(found):  # the code for its length belongs where it stands
            ctx.scope.bodies[node] = found
    return found


def _operand_type(ctx: Context, node: nodes.Argument) -> types.CType:
    """Return the type of an expression, which is evaluated if the type depends on that, or that of a type name."""
    if isinstance(node, nodes.Typename):
        return type_name(ctx, node)
    with ctx.scratch(unevaluated=True):
        found = ctx.expression(node).type
    return ctx.expression(node).type if types.is_variably_modified(found) else found


def _declared_once(ctx: Context, node: Body, declare: Callable[[Context, Body], types.CType]) -> types.CType:
    """Return the type of a body in braces; the first of the declarators behind it declares the type."""
    bodies = ctx.scope.bodies
    if node not in bodies:
        bodies[node] = None
        bodies[node] = declare(ctx, node)
    found = bodies[node]
    if found is None:
        raise Recover
    return found


def _enum(ctx: Context, node: nodes.Enum) -> types.CType:
    return enumeration(ctx, node, None if node.base is None else named_type(ctx, node.base))


# ------------------------------------------------------------------------------------------- arrays and functions


def _array(ctx: Context, node: nodes.ArrayDecl) -> types.CType:
    element = declared_type(ctx, node.type)
    if isinstance(element, types.Func):
        ctx.report.fail(node.coord, "declaration of an array of functions")
    if node.dim_quals:
        ctx.report.error(node.coord, "static or type qualifiers in non-parameter array declarator")
    if not types.is_complete(element):
        ctx.report.fail(node.coord, f"array type has incomplete element type '{element}'")
    if node.dim is None:
        return types.Array(element, None)
    length = _length(ctx, node, node.dim)
    if length is None or isinstance(element, types.VariableArray):
        found: types.Array = _variable_array(ctx, node, node.dim, element)
        ctx.report.warning(node.coord, "vla")
        return found
    if length * element.size >= 1 << (8 * ctx.types.address.size - 1):
        ctx.report.fail(node.coord, "size of array is too large")
    return types.Array(element, length)


def _length(ctx: Context, node: nodes.ArrayDecl, dim: nodes.Expression) -> int | None:
    """Return the length of an array declarator, None if it is computed at run time or is `[*]`."""
    if isinstance(dim, nodes.ID) and dim.name == "*":
        if not ctx.scope.prototype:
            ctx.report.fail(node.coord, "'[*]' is allowed only in a function prototype")
        return None
    with ctx.scratch() as state:
        value = conversions.rvalue(ctx, dim)
        if not types.is_integer(value.type):
            ctx.report.fail(dim.coord, "size of array has non-integer type")
        if not isinstance(value.tree, il.Const) or state.body:
            if ctx.function is None and value.tree is not None and divides_by_zero(value.tree):
                ctx.report.fail(dim.coord, "division by zero in a constant expression")
            return None
    length = int(value.tree.value)
    if length < 0:
        ctx.report.fail(node.coord, "size of array is negative")
    return length


def _variable_array(ctx: Context, node: nodes.ArrayDecl, dim: nodes.Expression, element: types.CType) -> types.VariableArray:
    """Emit the computation of an array's size, where control reaches its declaration."""
    if ctx.scope.prototype:
        return types.VariableArray(element, None, None)
    if ctx.function is None:
        ctx.report.fail(node.coord, "the length of an array outside of functions must be constant")
    _, length = conversions.scalar_rvalue(ctx, dim)
    kind = ctx.types.size_t.il
    size = ctx.temporary(kind)
    ctx.store_local(size, trees.binary("mul", kind, trees.convert(kind, length), ctx.size_of(element)))
    return types.VariableArray(element, None, size)


def function_type(ctx: Context, node: nodes.FuncDecl) -> types.Func:
    """The type of a function declarator."""
    result = declared_type(ctx, node.type)
    if isinstance(result, types.Array | types.Func):
        kind = "an array" if isinstance(result, types.Array) else "a function"
        ctx.report.fail(node.coord, f"function returns {kind}")
    if (result.const or result.volatile) and not isinstance(result, types.Void):
        ctx.report.warning(node.coord, "ignored-qualifiers")
    result = types.unqualified(result)
    if not isinstance(node.args, nodes.ParamList):
        return types.Func(result, () if node.args is None and ctx.standard.edition >= 2023 else None)
    parameters: list[types.CType] = []
    variadic = False
    with ctx.block():
        ctx.scope.prototype = True
        for parameter in node.args.params:
            if isinstance(parameter, nodes.EllipsisParam):
                variadic = True
                if not parameters and ctx.standard.edition < 2023:
                    ctx.report.error(parameter.coord, "ISO C requires a named argument before '...'")
                continue
            ctype = parameter_type(ctx, parameter)
            if isinstance(ctype, types.Void):
                if len(node.args.params) == 1 and (isinstance(parameter, nodes.Typename) or parameter.name is None):
                    if ctype.const or ctype.volatile:
                        ctx.report.error(parameter.coord, "'void' as only parameter may not be qualified")
                    return types.Func(result, ())
                ctx.report.fail(parameter.coord, "'void' must be the only parameter")
            parameters.append(ctype)
            if isinstance(parameter, nodes.Decl) and parameter.name is not None:
                check_words(ctx, parameter, ctype, "parameter")
                _enter_parameter(ctx, parameter, parameter.name, ctype)
    return types.Func(result, tuple(parameters), variadic)


def _enter_parameter(ctx: Context, node: nodes.Decl, name: str, ctype: types.CType) -> None:
    """Enter the name of a parameter into its prototype, where lengths of arrays may refer to it."""
    local = il.Local(name, None, ctype.size, ctype.align)
    ctx.scope.names[name] = Symbol("object", name, ctype, node.coord, local)


def parameter_type(ctx: Context, node: nodes.Decl | nodes.Typename | nodes.Typedef) -> types.CType:
    """The type of a parameter: arrays and functions become pointers."""
    declarator = node.type
    if isinstance(declarator, nodes.ArrayDecl):
        element = declared_type(ctx, declarator.type)
        if not types.is_complete(element):
            ctx.report.fail(declarator.coord, f"array type has incomplete element type '{element}'")
        dim, quals = declarator.dim, declarator.dim_quals
        if dim is not None and _length(ctx, declarator, dim) is None and not ctx.scope.prototype:
            conversions.rvalue(ctx, dim)  # for its effects
        return types.qualified(ctx.types.pointer(element), "const" in quals, "volatile" in quals)
    ctype = declared_type(ctx, declarator)
    if isinstance(ctype, types.Array):
        return ctx.types.pointer(ctype.element)
    if isinstance(ctype, types.Func):
        return ctx.types.pointer(ctype)
    return ctype


# ---------------------------------------------------------------------------------------------- structs and unions


def _record(ctx: Context, node: nodes.Struct) -> types.Record:
    earlier = ctx.scope.lookup_tag(node.name) if node.name is not None else None
    record = _tagged(ctx, node)
    if node.decls is None:
        return record
    if record.tag.members is not None:
        if ctx.standard.edition < 2023:
            ctx.report.fail(node.coord, f"redefinition of '{record}'")
        assert node.name is not None
        record = ctx.scope.tags[node.name] = types.Record(types.Tag(node.keyword, node.name, scope=ctx.scope))
    fields: list[Field] = []
    names: set[str] = set()
    for position, declaration in enumerate(node.decls):
        if isinstance(declaration, nodes.StaticAssert):
            static_assertion(ctx, declaration)
        else:
            member = _field(ctx, declaration, last=position == len(node.decls) - 1)
            if member is not None:
                check_names(ctx, declaration, member, names)
                fields.append(member)
    record.tag.transparent = "transparent_union" in node.attributes
    lay_out(record.tag, fields, ctx.model, node.packed, max(alignment(ctx, node), 1), node.pack)
    if ctx.standard.edition >= 2023 and isinstance(earlier, types.Record) and earlier.tag is not record.tag:
        return of_one_tag(ctx, node, earlier, record)
    return record


def _tagged(ctx: Context, node: nodes.Struct) -> types.Record:
    """The struct or union that a specifier means: an old one, or one made here."""
    name, keyword = node.name, node.keyword
    if name is None:
        return types.Record(types.Tag(keyword, None))
    found = ctx.scope.tags.get(name) if node.decls is not None else ctx.scope.lookup_tag(name)
    if found is None:
        check_tag(ctx, node)
        found = types.Record(types.Tag(keyword, name, scope=ctx.scope))
        ctx.scope.tags[name] = found
    if not isinstance(found, types.Record) or found.tag.keyword != keyword:
        ctx.report.fail(node.coord, f"'{name}' defined as wrong kind of tag")
    return found


def _field(ctx: Context, node: nodes.Decl, last: bool) -> Field | None:
    if isinstance(node.type, nodes.Struct | nodes.Enum):  # no declarator
        ctype = specified_type(ctx, node.type)
        if not isinstance(ctype, types.Record) or (node.type.name is not None and not ctx.standard.tagged_members):
            ctx.report.warning(node.coord, "declarations:nothing")
            return None
        return Field(None, ctype)
    ctype = declared_type(ctx, node.type)
    if node.bitsize is not None:
        return _bit_field(ctx, node, node.bitsize, ctype)
    if node.name is None:
        return Field(None, ctype) if isinstance(ctype, types.Record) else None
    if isinstance(ctype, types.Func):
        ctx.report.fail(node.coord, f"field '{node.name}' declared as a function")
    if types.is_variably_modified(ctype):
        ctx.report.fail(node.coord, f"the length of an array in field '{node.name}' must be constant")
    flexible = isinstance(ctype, types.Array) and ctype.length is None and types.is_complete(ctype.element) and last
    if not flexible and not types.is_complete(ctype):
        ctx.report.fail(node.coord, f"field '{node.name}' has incomplete type")
    return Field(node.name, ctype, None, alignment(ctx, node), node.packed)


def alignment(ctx: Context, node: nodes.Decl | nodes.Typedef | nodes.Struct) -> int:
    """The alignment that _Alignas asks for, or 0."""
    wanted = 0
    for specifier in node.align:
        operand = specifier.alignment
        if operand is None:
            value = max(ctx.model.aligns.values())
        elif isinstance(operand, nodes.Typename):
            value = type_name(ctx, operand).align
        else:
            value = constant_expression(ctx, operand, "requested alignment")
        if value < 0 or value & (value - 1) or value > 1 << 16:
            ctx.report.fail(specifier.coord, "requested alignment is not a small power of 2")
        wanted = max(wanted, value)
    return wanted


def _bit_field(ctx: Context, node: nodes.Decl, bitsize: nodes.Expression, ctype: types.CType) -> Field:
    name = f"'{node.name}'" if node.name else "<anonymous>"
    coord = node.coord
    if not types.is_integer(ctype):
        ctx.report.fail(coord, f"bit-field {name} has invalid type")
    if "_Atomic" in node.quals:
        ctx.report.error(coord, f"bit-field {name} has atomic type")
    if any(not specifier.is_attribute for specifier in node.align):
        ctx.report.error(coord, f"alignment specified for bit-field {name}")
    width = constant_expression(ctx, bitsize, f"bit-field {name} width")
    most = 1 if ctype.rank == 0 else 8 * ctype.size
    wrong = ""
    if width < 0:
        wrong = f"negative width in bit-field {name}"
    elif width > most:
        wrong = f"width of bit-field {name} exceeds its type"
    elif width == 0 and node.name:
        wrong = f"zero width for bit-field {name}"
    if wrong:  # the structure is complete all the same, so that nothing more is said of it
        ctx.report.error(coord, wrong)
        width = min(max(width, 1), most)
    return Field(node.name, ctype, width, alignment(ctx, node), node.packed)
