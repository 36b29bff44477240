"""Declarations of objects, functions and types, in files and in blocks."""

from __future__ import annotations

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.declare.compatibility import compatible, composite
from vpo.frontend.declare.constant_expressions import static_assertion
from vpo.frontend.declare.constexpr_objects import note_constant
from vpo.frontend.declare.declaration_rules import check_alignment_value, check_function, check_words, note_static
from vpo.frontend.declare.declarators import alignment, declared_type, specified_type
from vpo.frontend.declare.dynamic_objects import clear, variable_array
from vpo.frontend.declare.initialisers import initialise_local, is_constant, static_object
from vpo.frontend.declare.linker_symbols import definition_name, note_attributes, section_of
from vpo.frontend.declare.nested_functions import nested_symbol
from vpo.frontend.declare.type_words import aligned_type
from vpo.frontend.lower import conversions, trees
from vpo.frontend.lower.cleanups import enter_cleanup
from vpo.frontend.lower.values import Held, Value
from vpo.frontend.scope import Symbol, plain_name
from vpo.frontend.syntax import nodes
from vpo.frontend.syntax.stream import INFERRED
from vpo.frontend.types import types
from vpo.frontend.types.layout import has_unaligned
from vpo.frontend.types.library_functions import library_function
from vpo.frontend.warnings.declarations import check_global, check_shadow
from vpo.frontend.warnings.diagnostics import Recover

# ----------------------------------------------------------------------------------------------------------------------
# Objects whose type is that of what initialises them: `__auto_type`, and `auto` of C23.


def is_inferred(node: nodes.Decl) -> bool:
    """Return whether a declaration names no type but that of its initialiser."""
    inner = node.type
    while isinstance(inner, nodes.PtrDecl | nodes.ArrayDecl | nodes.FuncDecl):
        inner = inner.type
    return isinstance(inner, nodes.TypeDecl) and isinstance(inner.type, nodes.IdentifierType) and INFERRED in inner.type.names


def inferred_type(ctx: Context, node: nodes.Decl) -> types.CType:
    """Return the type of an object by its initialiser, with the qualifiers of the declaration."""
    if not isinstance(node.type, nodes.TypeDecl):
        ctx.report.fail(node.coord, f"'{node.name}' takes its whole type from its initializer")
    if node.init is None or isinstance(node.init, nodes.InitList):
        ctx.report.fail(node.coord, f"declaration of '{node.name}' needs an initializer to take its type from")
    with ctx.scratch(unevaluated=True):
        found = types.unqualified(conversions.rvalue(ctx, node.init).type)
    if types.is_variably_modified(found):  # the type is that of this very evaluation
        ctype, tree = conversions.scalar_rvalue(ctx, node.init)
        found, node.init = types.unqualified(ctype), Held(Value(ctype, ctx.save(tree)), node.coord)
    return types.qualified(found, "const" in node.quals, "volatile" in node.quals)


# ----------------------------------------------------------------------------------------------------------------------
# Declarations.


def declare(ctx: Context, node: nodes.Declaration) -> None:
    """Handle one declaration at file scope or in a block."""
    match node:
        case nodes.StaticAssert():
            static_assertion(ctx, node)
        case nodes.Typedef() | nodes.Decl():
            try:
                _typedef(ctx, node) if isinstance(node, nodes.Typedef) else _declaration(ctx, node)
            except Recover:
                if node.name is not None:
                    ctx.poison(node.name, node.coord)
                raise


def _declaration(ctx: Context, node: nodes.Decl) -> None:
    if node.name is None:
        _tag_only(ctx, node.type)
        return
    ctype = inferred_type(ctx, node) if is_inferred(node) else declared_type(ctx, node.type)
    if "constexpr" in node.storage:
        ctype = types.qualified(ctype, True, False)
        if node.init is None:
            ctx.report.fail(node.coord, "'constexpr' requires an initialized object")
    if isinstance(ctype, types.Void) and "extern" not in node.storage:
        ctx.report.fail(node.coord, f"variable or field '{node.name}' declared void")
    check_words(ctx, node, ctype, "function" if isinstance(ctype, types.Func) else "variable")
    if isinstance(ctype, types.Func):
        if node.init is not None:
            ctx.report.fail(node.coord, f"function '{node.name}' is initialized like a variable")
        if "auto" in node.storage and ctx.function is not None:
            nested_symbol(ctx, node, ctype)
        else:
            declare_function(ctx, node, ctype)
    elif ctx.function is None:
        _global(ctx, node, ctype)
    elif "extern" in node.storage:
        if types.is_variably_modified(ctype):
            ctx.report.fail(node.coord, f"the length of an array in '{node.name}' must be constant: it has linkage")
        if node.init is not None:
            ctx.report.fail(node.coord, f"'{node.name}' has both 'extern' and initializer")
        _external(ctx, node, ctype)
    elif "static" in node.storage:
        _block_static(ctx, node, ctype)
    else:
        _automatic(ctx, node, ctype)


def _tag_only(ctx: Context, specifier: nodes.TypeNode) -> None:
    """`struct S;`, `struct S {...};`, `enum {...};`."""
    assert not isinstance(specifier, nodes.Declarator)
    if isinstance(specifier, nodes.Struct) and specifier.decls is None and specifier.name not in ctx.scope.tags:
        with ctx.block():
            ctx.scope.parent = None  # such a declaration hides the tag of an outer scope
            specified_type(ctx, specifier)
            tags = ctx.scope.tags
        ctx.scope.tags.update(tags)
        return
    specified_type(ctx, specifier)
    if isinstance(specifier, nodes.Struct) and specifier.name is None:
        ctx.report.warning(specifier.coord, "declarations")
    elif isinstance(specifier, nodes.IdentifierType | nodes.TypeOf):
        ctx.report.warning(specifier.coord, "declarations:name")


def _typedef(ctx: Context, node: nodes.Typedef) -> None:
    assert node.name is not None
    ctype = aligned_type(declared_type(ctx, node.type), alignment(ctx, node))
    check_words(ctx, node, ctype, "typedef")
    old = ctx.scope.names.get(node.name)
    if old is not None and not (old.kind == "typedef" and compatible(old.type, ctype)):
        what = "conflicting types for" if old.kind == "typedef" else "redeclared as different kind of symbol:"
        ctx.report.fail(node.coord, f"{what} '{node.name}'")
    if isinstance(ctype, types.Record):
        ctype.tag.transparent |= "transparent_union" in node.attributes
        if ctype.tag.name is None and not ctype.tag.alias:
            ctype.tag.alias = node.name
    ctx.scope.names[node.name] = symbol = Symbol("typedef", node.name, ctype, node.coord)
    if ctx.function is not None:
        ctx.state.typedefs.append(symbol)
    if types.is_variably_modified(ctype):
        ctx.scope.modified.append(symbol)


def _name(node: nodes.Decl) -> str:
    """Return the name that a declaration is about: no tag alone."""
    assert node.name is not None
    return node.name


# ----------------------------------------------------------------------------------------------- with linkage


def _linked(ctx: Context, node: nodes.Decl, ctype: types.CType, kind: str) -> Symbol:
    """Enter a name with linkage, or check it against its earlier declarations."""
    name = _name(node)
    here = ctx.scope.names.get(name)
    if here is not None and here.kind == "wrong":
        raise Recover
    if here is not None and (here.kind != kind or not here.linkage):
        ctx.report.fail(node.coord, f"'{name}' redeclared as different kind of symbol")
    symbol = ctx.linkage.externals.get(name)
    static = "static" in node.storage or "constexpr" in node.storage
    if symbol is None:
        symbol = Symbol(kind, name, ctype, node.coord, symbol=node.symbol or plain_name(name), static=static, linkage=True)
        ctx.linkage.externals[name] = symbol
    else:
        _rename(ctx, node, symbol)
        _accept_late(ctx, node, symbol, ctype)
        if symbol.kind != kind or not compatible(symbol.type, ctype):
            ctx.report.fail(node.coord, f"conflicting types for '{name}'")
        if static and not symbol.static and symbol.replaceable:
            symbol.static = True
        elif static and not symbol.static:
            ctx.report.fail(node.coord, f"static declaration of '{name}' follows non-static declaration")
        if symbol.static and not static and "extern" not in node.storage and kind == "object":
            ctx.report.fail(node.coord, f"non-static declaration of '{name}' follows static declaration")
        symbol.type = composite(symbol.type, ctype)
    ctx.scope.names[name] = symbol
    note_attributes(ctx, node, symbol)
    if "alias" in node.attributes:
        _note_alias(ctx, node, symbol)
    return symbol


def _rename(ctx: Context, node: nodes.Decl, symbol: Symbol) -> None:
    """Give a name that was declared before the symbol that an asm behind it says."""
    if node.symbol and node.symbol != symbol.symbol:
        if symbol.uses or symbol.defined:
            ctx.report.fail(node.coord, f"asm name of '{symbol.name}' comes after its use or definition")
        symbol.symbol = node.symbol


def _note_alias(ctx: Context, node: nodes.Decl, symbol: Symbol) -> None:
    """Let a name stand for what another one is, which the attribute `alias` has as a string.

    Another file may define a weak name, so this one uses it by the name, too.
    """
    match node.attributes["alias"]:
        case [nodes.Constant(value=written), *_]:
            target = written[1:-1]
        case _:
            ctx.report.fail(node.coord, "attribute 'alias' takes the name of its target as a string")
    if symbol.replaceable:  # what was defined for inlining only
        ctx.functions[:] = [function for function in ctx.functions if function.name != symbol.symbol]
        symbol.replaceable = False
    known = ctx.linkage.externals.get(target)
    if known is not None and known.weak and known.defined:
        target = definition_name(known)
    if not symbol.weak:
        symbol.symbol = target
    symbol.defined = True
    ctx.linkage.aliases.append((symbol, target, node.coord))


def _accept_late(ctx: Context, node: nodes.Decl, symbol: Symbol, ctype: types.CType) -> None:
    """Let a declaration replace what a call implied, as other compilers do: the library's function, or int for void."""
    is_void = isinstance(ctype, types.Func) and isinstance(ctype.result, types.Void)
    is_library = isinstance(ctype, types.Func) and library_function(symbol.name, ctx.types) is not None
    if symbol.implicit and (is_void or is_library) and not compatible(symbol.type, ctype):
        ctx.report.warning(node.coord, "declarations:types", symbol.name)
        symbol.type = ctype
    symbol.implicit = False


def declare_function(ctx: Context, node: nodes.Decl, ctype: types.Func, defines: bool = False) -> Symbol:
    """Enter a function; `defines`: this is where it is defined."""
    if ctx.function is not None and "static" in node.storage:
        ctx.report.fail(node.coord, f"invalid storage class for function '{node.name}'")
    known = node.name in ctx.linkage.externals
    symbol = _linked(ctx, node, ctype, "function")
    inline = "inline" in node.funcspec and "extern" not in node.storage
    symbol.is_inline = symbol.is_inline or "inline" in node.funcspec
    _note_attributes(ctx, node, symbol)
    if alignment(ctx, node) > ctx.types.address.size:
        ctx.report.warning(node.coord, "attributes:alignment", symbol.name)
    symbol.is_separate = symbol.is_separate or not node.attributes.keys().isdisjoint(("noinline", "noipa"))
    if "gnu_inline" in node.attributes or ctx.standard.has_gnu89_inline:
        inline = "inline" in node.funcspec and "extern" in node.storage
        symbol.replaceable = symbol.replaceable or inline
    symbol.inline_only = inline and (symbol.inline_only or not known)
    if ctx.report.wanted:
        check_function(ctx, node, symbol, defines)
    return symbol


def _note_attributes(ctx: Context, node: nodes.Decl, symbol: Symbol) -> None:
    """Keep what warnings want to know of a function."""
    if "_Noreturn" in node.funcspec:
        ctx.notes.by_attribute["noreturn"][symbol.name] = ""
    for text in ctx.notes.marks.get((node.coord.file, node.coord.line, node.coord.column), ()) if ctx.notes.marks else ():
        for name in ctx.notes.by_attribute:
            if name in text:
                ctx.notes.by_attribute[name][symbol.name] = text
    if isinstance(symbol.type, types.Func) and symbol.type.parameters is None:
        ctx.report.warning(node.coord, "strict-prototypes")


def _external(ctx: Context, node: nodes.Decl, ctype: types.CType) -> None:
    _linked(ctx, node, ctype, "object")


def _global(ctx: Context, node: nodes.Decl, ctype: types.CType) -> None:
    if "register" in node.storage or ("auto" in node.storage and not is_inferred(node)):
        ctx.report.fail(node.coord, f"file-scope declaration of '{node.name}' specifies '{node.storage[0]}'")
    is_new = node.name not in ctx.linkage.externals
    symbol = _linked(ctx, node, ctype, "object")
    check_global(ctx, node, symbol, is_new)
    wanted = alignment(ctx, node)
    check_alignment_value(ctx, node, ctype, wanted)
    symbol.value = max(symbol.value, wanted)
    if "alias" in node.attributes:
        return
    if node.init is None:
        if "extern" not in node.storage and not symbol.defined:
            ctx.linkage.tentative[symbol.name] = symbol
        return
    if symbol.defined:
        ctx.report.fail(node.coord, f"redefinition of '{node.name}'")
    symbol.defined = True
    ctx.linkage.tentative.pop(symbol.name, None)
    note_constant(ctx, node, symbol)
    symbol.type = static_object(
        ctx,
        definition_name(symbol),
        symbol.type,
        node.init,
        node.coord,
        static=symbol.static or symbol.weak,
        align=symbol.value,
        section=symbol.section,
    )


def finish_tentative(ctx: Context) -> None:
    """Define what was declared without extern and never defined."""
    for name, symbol in ctx.linkage.tentative.items():
        ctype = symbol.type
        if isinstance(ctype, types.Array) and ctype.length is None:
            ctype = types.Array(ctype.element, 1)
        if not types.is_complete(ctype):
            ctx.report.error(symbol.coord, f"storage size of '{name}' isn't known")
            continue
        align = max(ctype.align, symbol.value)
        constant = is_constant(ctype)
        tentative = not symbol.static and not symbol.weak
        flags = constant, not tentative, tentative, False
        data = il.Data(definition_name(symbol), ctype.size, align, [], *flags, *symbol.section)
        symbol.defined = True
        ctx.add_data(data)


# ------------------------------------------------------------------------------------------------ without linkage


def enter_local(ctx: Context, symbol: Symbol) -> None:
    """Enter a name without linkage into the current block."""
    if symbol.name in ctx.scope.names:
        ctx.report.fail(symbol.coord, f"redeclaration of '{symbol.name}'")
    if "shadow" in ctx.report.wanted:
        check_shadow(ctx, symbol)
    ctx.scope.names[symbol.name] = symbol
    if types.is_variably_modified(symbol.type):
        ctx.scope.modified.append(symbol)
    ctx.state.entered.append(symbol)
    symbol.owner = ctx.state.entered


def _block_static(ctx: Context, node: nodes.Decl, ctype: types.CType) -> None:
    name = ctx.unique(_name(node))
    align, section = alignment(ctx, node), section_of(node)
    symbol = Symbol("object", _name(node), ctype, node.coord, symbol=name, value=align, static=True)
    enter_local(ctx, symbol)
    note_static(ctx, symbol.name, node.coord, ctype, "declared")
    if isinstance(ctype, types.VariableArray):
        ctx.report.fail(node.coord, f"the length of static array '{node.name}' must be constant")
    note_constant(ctx, node, symbol)
    if node.init is not None:
        symbol.type = static_object(ctx, name, ctype, node.init, node.coord, static=True, align=align, section=section)
        return
    if not types.is_complete(ctype):
        ctx.report.fail(node.coord, f"storage size of '{node.name}' isn't known")
    ctx.add_data(il.Data(name, ctype.size, max(align, ctype.align), [], is_constant(ctype), True, False, False, *section))


def _automatic(ctx: Context, node: nodes.Decl, ctype: types.CType) -> None:
    name = _name(node)
    if "section" in node.attributes:
        ctx.report.fail(node.coord, "section attribute cannot be specified for local variables")
    if node.init is None and not types.is_complete(ctype):
        ctx.report.fail(node.coord, f"storage size of '{node.name}' isn't known")
    if isinstance(ctype, types.VariableArray):
        if node.init is not None and not (isinstance(node.init, nodes.InitList) and not node.init.exprs):
            ctx.report.fail(node.coord, "variable-sized object may not be initialized except with an empty initializer")
        local = variable_array(ctx, ctype)
        if node.init is not None:
            clear(ctx, local, ctype)
        symbol = Symbol("object", name, ctype, node.coord, local, is_dynamic=True)
        enter_local(ctx, symbol)
        enter_cleanup(ctx, node, symbol)
        return
    kind = ctype.il if types.is_scalar(ctype) else None
    align = max(ctype.align, alignment(ctx, node))
    if align > max(ctx.model.aligns.values()):
        _over_aligned(ctx, node, ctype, align)
        return
    local = il.Local(plain_name(name), kind, ctype.size, align, _is_volatile(ctype))
    symbol = Symbol("object", name, ctype, node.coord, local, value=align, is_register="register" in node.storage)
    enter_local(ctx, symbol)
    ctx.state.locals.append(local)
    enter_cleanup(ctx, node, symbol)
    if node.init is not None:
        ctx.line = node.coord.line
        symbol.type = initialise_local(ctx, local, ctype, node.init, node.coord)
    note_constant(ctx, node, symbol)


def _over_aligned(ctx: Context, node: nodes.Decl, ctype: types.CType, align: int) -> None:
    """Place an object that is aligned beyond the stack somewhere in a larger one; a local holds its address."""
    name = _name(node)
    first: il.Local | None = None
    pointer = ctx.temporary(ctx.types.address)
    symbol = Symbol("object", name, ctype, node.coord, pointer, value=align, is_dynamic=True)
    enter_local(ctx, symbol)
    if node.init is not None:
        first = il.Local(plain_name(name), None, 0, 1)
        symbol.type = ctype = initialise_local(ctx, first, ctype, node.init, node.coord)
        ctx.state.locals.append(first)
    room = il.Local(f"{plain_name(name)}.room", None, ctype.size + align - 1, 1, _is_volatile(ctype))
    ctx.state.locals.append(room)
    kind = il.Type("U", ctx.types.address.size)
    start = trees.convert(kind, trees.offset(ctx.address_of(room), align - 1))
    ctx.store_local(pointer, trees.convert(ctx.types.address, trees.binary("and", kind, start, trees.constant(kind, -align))))
    if first is not None:
        conversions.copy(ctx, ctx.load_local(pointer), ctx.address_of(first), ctype)
    enter_cleanup(ctx, node, symbol)


def _is_volatile(ctype: types.CType) -> bool:
    """Whether accesses must stay as they are written: to what is volatile, and to what has members that are not aligned."""
    while isinstance(ctype, types.Array):
        ctype = ctype.element
    return ctype.volatile or has_unaligned(ctype)


def local_parameter(ctx: Context, name: str, ctype: types.CType, coord: nodes.Coord, is_register: bool = False) -> il.Local:
    """The local of a parameter, entered into the scope."""
    if not types.is_complete(ctype):
        ctx.report.fail(coord, f"parameter '{name}' has incomplete type")
    kind = ctype.il if types.is_scalar(ctype) else None
    local = il.Local(plain_name(name), kind, ctype.size, ctype.align, _is_volatile(ctype))
    enter_local(ctx, Symbol("object", name, ctype, coord, local, is_register=is_register))
    return local
