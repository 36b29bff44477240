"""Built-in functions: those of the language's headers, gcc's common ones, and system calls."""

from __future__ import annotations

import re

from vpo import il
from vpo.frontend.builtins import overflow as overflow_builtins
from vpo.frontend.builtins.atomic import atomic_builtin
from vpo.frontend.builtins.bits import bit_builtin
from vpo.frontend.builtins.call import Builtin, BuiltinCall, expect
from vpo.frontend.builtins.floating import floating_builtin
from vpo.frontend.builtins.instructions import instruction_builtin, is_instruction
from vpo.frontend.builtins.names import PREFIX, unsized
from vpo.frontend.builtins.vector import VECTOR_BUILTINS
from vpo.frontend.context import Context
from vpo.frontend.declare.compatibility import compatible
from vpo.frontend.declare.constant_expressions import constant_expression
from vpo.frontend.declare.declarators import type_name
from vpo.frontend.declare.dynamic_objects import allocate
from vpo.frontend.declare.nested_functions import context_type, save_context
from vpo.frontend.lower import conversions, trees
from vpo.frontend.lower.expressions import index_address
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import ID, Argument, ArrayRef, FuncCall, StructRef, Typename
from vpo.frontend.types import types
from vpo.frontend.types.bit_precise import BitPrecise
from vpo.frontend.types.layout import scalars

# ----------------------------------------------------------------------------------------------------------------------
# `__builtin___memcpy_chk` and its kin, which gcc's headers call when they know the size of an object: the plain functions.
#
# Nothing is checked here.  The sizes, and the flags of the printf family, are evaluated for their effects only.


_NAME = re.compile(r"__builtin___(\w+)_chk")
_DROPPED = {
    **dict.fromkeys(("memcpy", "memmove", "mempcpy", "memset", "strncpy", "stpncpy", "strncat"), (3,)),
    **dict.fromkeys(("strcpy", "stpcpy", "strcat"), (2,)),
    **dict.fromkeys(("sprintf", "vsprintf"), (1, 2)),
    **dict.fromkeys(("snprintf", "vsnprintf"), (2, 3)),
    **dict.fromkeys(("printf", "vprintf"), (0,)),
    **dict.fromkeys(("fprintf", "vfprintf"), (1,)),
}  # the positions of the arguments that the plain functions do not have


def is_checked(name: str) -> bool:
    """Return whether a name is that of such a function."""
    match = _NAME.fullmatch(name)
    return match is not None and match[1] in _DROPPED


def checked_builtin(ctx: Context, call: BuiltinCall) -> Value:
    """Lower a call of one as that of the plain function."""
    match = _NAME.fullmatch(call.name)
    assert match is not None
    dropped = _DROPPED[match[1]]
    expect(ctx, call, dropped[-1] + 1)
    for position in dropped:
        ctx.discard(call.arguments[position])
    kept = [argument for position, argument in enumerate(call.arguments) if position not in dropped]
    plain = ID(f"__builtin_{match[1]}", call.coord)
    return conversions.rvalue(ctx, FuncCall(plain, kept, call.coord))


# ----------------------------------------------------------------------------------------------------------------------
# `__builtin_setjmp` and `__builtin_longjmp`.
#
# gcc's buffer has five words, which is less than a context takes on some machines: its first word points to a context in the
# frame of the function that saves it.


def _save(ctx: Context, call: BuiltinCall) -> Value:
    """Save the context of this function; 0, and 1 when it is resumed."""
    buffer = _buffer(ctx, call, 1)
    context = ctx.aggregate_temporary(context_type(ctx))
    ctx.emit(il.Store(buffer, ctx.address_of(context), call.coord.line))
    return Value(ctx.types.int_, ctx.load_local(save_context(ctx, context)))


def _resume(ctx: Context, call: BuiltinCall) -> Value:
    """Go on where a context was saved."""
    buffer = _buffer(ctx, call, 2)
    if constant_expression(ctx, call.arguments[1], "second argument of '__builtin_longjmp'") != 1:
        ctx.report.fail(call.coord, "'__builtin_longjmp' second argument must be 1")
    pointer, one = ctx.types.address, trees.constant(ctx.types.int_.il, 1)
    ctx.emit(il.Call(il.AddrGlobal(pointer, "longjmp"), (il.Load(pointer, buffer), one), None, call.coord.line))
    return Value(ctx.types.void)


def _buffer(ctx: Context, call: BuiltinCall, count: int) -> il.Expr:
    """Return the address of the buffer, which is the first argument."""
    expect(ctx, call, count, count)
    return conversions.scalar_rvalue(ctx, call.arguments[0])[1]


CONTEXT_BUILTINS: dict[str, Builtin] = {
    "__builtin_setjmp": _save,
    "__builtin_longjmp": _resume,
}


# ----------------------------------------------------------------------------------------------------------------------
# All built-in functions.


def _system_call(ctx: Context, call: BuiltinCall) -> Value:
    expect(ctx, call, 1, 7)
    long, word = ctx.types.long, ctx.types.ptrdiff_t.il
    lowered: list[il.Expr] = []
    for argument in call.arguments:
        mark = ctx.mark
        ctype, tree = conversions.scalar_rvalue(ctx, argument)
        lowered = [ctx.settle(mark, old) for old in lowered]
        if isinstance(ctype, types.Arithmetic) and ctype.is_float:
            ctx.report.fail(argument.coord, "a system call takes integers and pointers")
        lowered.append(trees.convert(word, tree))
    result = ctx.temporary(long.il)
    ctx.emit(il.Syscall(lowered[0], tuple(lowered[1:]), result, call.coord.line))
    return Value(long, ctx.load_local(result))


def _floating(operator: str) -> Builtin:
    def lower(ctx: Context, call: BuiltinCall) -> Value:
        expect(ctx, call, 1, 1)
        double = ctx.types.double
        value = conversions.assign(ctx, double, conversions.rvalue(ctx, call.arguments[0]), call.arguments[0])
        assert value.tree is not None
        return Value(double, trees.unary(operator, double.il, value.tree))

    return lower


def _list_address(ctx: Context, node: Argument) -> il.Expr:
    value = ctx.expression(node)
    if ctx.model.va_list != "pointer" and isinstance(value.type, types.Pointer):  # a parameter
        value = Value(value.type.target, None, conversions.decay(ctx, value, node).tree)
    elif value.address is None or not isinstance(value.type, types.Array if ctx.model.va_list != "pointer" else types.Pointer):
        value = Value(value.type)
    if value.address is None:
        ctx.report.fail(node.coord, "a va_list variable is needed here")
    return value.address


def _va_start(ctx: Context, call: BuiltinCall) -> Value:
    expect(ctx, call, 1, 2)
    function = ctx.function
    ctype = function.type if function is not None else None
    if not isinstance(ctype, types.Func) or not ctype.variadic:
        ctx.report.fail(call.coord, "'va_start' used in function with fixed arguments")
    ctx.emit(il.VaStart(_list_address(ctx, call.arguments[0]), call.coord.line))
    return Value(ctx.types.void)


def _va_arg(ctx: Context, call: BuiltinCall) -> Value:
    expect(ctx, call, 2, 2)
    address = _list_address(ctx, call.arguments[0])
    wanted = call.arguments[1]
    named = isinstance(wanted, Typename)
    if isinstance(wanted, Typename):
        pointer: types.CType = ctx.types.pointer(type_name(ctx, wanted))
    else:
        with ctx.scratch(unevaluated=True):
            pointer = conversions.rvalue(ctx, wanted).type
    if not isinstance(pointer, types.Pointer) or not types.is_complete(pointer.target):
        ctx.report.fail(call.coord, "second argument to 'va_arg' is of incomplete type")
    ctype = pointer.target
    is_promoted = isinstance(ctype, types.Arithmetic) and (ctype.rank < types.RANK_INT or ctype.rank == types.RANK_FLOAT)
    if is_promoted and not isinstance(ctype, BitPrecise):
        ctx.report.warning(call.coord, "va-arg", ctype)
    if types.is_empty(ctype) and named:
        return Value(ctype, None, ctx.address_of(ctx.aggregate_temporary(ctype)), lvalue=True)
    if types.is_empty(ctype):
        return Value(pointer, ctx.address_of(ctx.aggregate_temporary(ctype)))
    if named and ctype is ctx.types.float_:  # arguments of this type were promoted: as _Float32, it may be meant
        ctype = ctx.types.double
    if isinstance(ctype, BitPrecise) and ctype.size < ctx.types.int_.size:  # they were passed as int
        ctype = ctx.types.int_ if ctype.il.is_signed else ctx.types.uint
    kind = ctype.il if types.is_scalar(ctype) else None
    result = ctx.temporary(ctx.types.address)
    flattened = scalars(ctype) if kind is None else ()
    ctx.emit(il.VaArg(address, kind, ctype.size, ctype.align, result, call.coord.line, flattened))
    if kind is not None and isinstance(pointer.target, BitPrecise) and not named and ctype is not pointer.target:
        narrow = ctx.temporary(pointer.target.il)
        ctx.store_local(narrow, trees.convert(narrow.type or kind, il.Load(kind, ctx.load_local(result))))
        return Value(pointer, ctx.address_of(narrow))
    if named and ctype is not pointer.target:
        promoted = conversions.decay(ctx, Value(ctype, None, ctx.load_local(result), lvalue=True), call)
        return conversions.cast(ctx, pointer.target, promoted, call)
    if named:
        return Value(ctype, None, ctx.load_local(result), lvalue=True)
    return Value(pointer, ctx.load_local(result))


def _offsetof(ctx: Context, call: BuiltinCall) -> Value:
    expect(ctx, call, 2, 2)
    outer, designator = call.arguments
    if not isinstance(outer, Typename):
        ctx.report.fail(call.coord, "the first argument of 'offsetof' is a type name")
    _, address = _designated(ctx, type_name(ctx, outer), designator)
    size_t = ctx.types.size_t
    return Value(size_t, trees.convert(size_t.il, address))


def _designated(ctx: Context, ctype: types.CType, node: Argument) -> tuple[types.CType, il.Expr]:
    """The type and offset, as an address from 0, of a member designator."""
    address: il.Expr = trees.constant(ctx.types.address, 0)
    if isinstance(node, ArrayRef):
        outer, address = _designated(ctx, ctype, node.name)
        index_type, index = conversions.scalar_rvalue(ctx, node.subscript)
        if not isinstance(outer, types.Array) or not types.is_integer(index_type):
            ctx.report.fail(node.coord, "bad array index in 'offsetof'")
        return outer.element, index_address(ctx, ctx.types.pointer(outer.element), address, index, node)
    if isinstance(node, StructRef):
        ctype, address = _designated(ctx, ctype, node.name)
        name = node.field.name
    elif isinstance(node, ID):
        name = node.name
    else:
        ctx.report.fail(node.coord, "the second argument of 'offsetof' designates a member: names, '.' and '[...]'")
    if not isinstance(ctype, types.Record) or ctype.tag.members is None:
        ctx.report.fail(node.coord, f"request for member '{name}' in something not a structure or union")
    member = ctype.tag.by_name.get(name)
    if member is None:
        ctx.report.fail(node.coord, f"'{ctype}' has no member named '{name}'")
    if member.bits is not None:
        ctx.report.fail(node.coord, f"attempt to take address of bit-field '{name}'")
    return member.type, trees.offset(address, member.offset)


def _expectation(ctx: Context, call: BuiltinCall) -> Value:
    """Return the first of the arguments, as a long; the others are evaluated as well."""
    expect(ctx, call, 2, 3)
    value = conversions.assign(ctx, ctx.types.long, conversions.rvalue(ctx, call.arguments[0]), call.arguments[0])
    assert value.tree is not None
    mark = ctx.mark
    for argument in call.arguments[1:]:
        ctx.discard(argument)
    return Value(value.type, ctx.settle(mark, value.tree))


def _constant_p(ctx: Context, call: BuiltinCall) -> Value:
    expect(ctx, call, 1, 1)
    with ctx.scratch(unevaluated=True):
        value = conversions.rvalue(ctx, call.arguments[0])
    int_type = ctx.types.int_
    return Value(int_type, trees.constant(int_type.il, int(isinstance(value.tree, il.Const))))


def _for_effects(ctx: Context, call: BuiltinCall) -> Value:
    """Lower a hint: its arguments are evaluated and it does nothing else."""
    for argument in call.arguments:
        ctx.discard(argument)
    return Value(ctx.types.void)


def _alloca(ctx: Context, call: BuiltinCall) -> Value:
    expect(ctx, call, 1, 1)
    size = conversions.assign(ctx, ctx.types.size_t, conversions.rvalue(ctx, call.arguments[0]), call.arguments[0])
    assert size.tree is not None
    return Value(ctx.types.pointer(ctx.types.void), ctx.load_local(allocate(ctx, size.tree)))


def _aligned_alloca(ctx: Context, call: BuiltinCall) -> Value:
    """Allocate as alloca does, at a multiple of so many bits; a third argument says how much it may be at most."""
    expect(ctx, call, 2, 3)
    align = constant_expression(ctx, call.arguments[1], f"second argument of '{call.name}'") // 8
    if align <= 0 or align & (align - 1):
        ctx.report.fail(call.coord, "requested alignment is not a small power of 2")
    size = conversions.assign(ctx, ctx.types.size_t, conversions.rvalue(ctx, call.arguments[0]), call.arguments[0])
    assert size.tree is not None
    kind, pointer = ctx.types.size_t.il, ctx.types.pointer(ctx.types.void)
    if align <= max(ctx.model.aligns.values()):
        return Value(pointer, ctx.load_local(allocate(ctx, size.tree)))
    room = allocate(ctx, trees.binary("add", kind, size.tree, trees.constant(kind, align - 1)))
    end = trees.convert(kind, trees.offset(ctx.load_local(room), align - 1))
    return Value(pointer, trees.convert(pointer.il, trees.binary("and", kind, end, trees.constant(kind, -align))))


def _types_compatible(ctx: Context, call: BuiltinCall) -> Value:
    expect(ctx, call, 2, 2)
    names = [argument for argument in call.arguments if isinstance(argument, Typename)]
    if len(names) != 2:
        ctx.report.fail(call.coord, f"'{call.name}' takes two type names")
    first, second = (types.unqualified(type_name(ctx, name)) for name in names)
    int_type = ctx.types.int_
    return Value(int_type, trees.constant(int_type.il, int(compatible(first, second))))


def _complex(ctx: Context, call: BuiltinCall) -> Value:
    expect(ctx, call, 2, 2)
    (left_type, left), (right_type, right) = (conversions.scalar_rvalue(ctx, argument) for argument in call.arguments)
    if not isinstance(left_type, types.Arithmetic) or not left_type.is_float or right_type != left_type:
        ctx.report.fail(call.coord, "'__builtin_complex' takes two floating numbers of one type")
    return Value(types.Complex(left_type), left, imaginary=right)


def _classify_type(ctx: Context, call: BuiltinCall) -> Value:
    """Return gcc's number for what kind of type the argument has."""
    expect(ctx, call, 1, 1)
    with ctx.scratch(unevaluated=True):
        ctype = conversions.rvalue(ctx, call.arguments[0]).type
    match ctype:
        case types.Arithmetic():
            found = 8 if ctype.is_float else 1
        case types.Pointer():
            found = 5
        case types.Complex():
            found = 9
        case types.Record():
            found = 12 if ctype.tag.keyword == "struct" else 13
        case _:
            found = 0
    int_type = ctx.types.int_
    return Value(int_type, trees.constant(int_type.il, found))


def _choose(ctx: Context, call: BuiltinCall) -> Value:
    expect(ctx, call, 3, 3)
    chosen = constant_expression(ctx, call.arguments[0], "first argument of '__builtin_choose_expr'")
    return ctx.expression(call.arguments[1 if chosen else 2])


def _frame_address(ctx: Context, call: BuiltinCall) -> Value:
    """Return an address in the frame of this function; those of others are not known."""
    expect(ctx, call, 1, 1)
    pointer = ctx.types.pointer(ctx.types.void)
    if constant_expression(ctx, call.arguments[0], f"argument of '{call.name}'"):
        return Value(pointer, trees.constant(pointer.il, 0))
    local = ctx.aggregate_temporary(ctx.types.long)
    return Value(pointer, ctx.address_of(local))


def _return_address(ctx: Context, call: BuiltinCall) -> Value:
    """Return that the callers of this function's caller are not known, as gcc may; where this one returns to is refused."""
    expect(ctx, call, 1, 1)
    pointer = ctx.types.pointer(ctx.types.void)
    if not constant_expression(ctx, call.arguments[0], f"argument of '{call.name}'"):
        ctx.report.fail(call.coord, "'__builtin_return_address(0)' is not supported: where a function returns to is not known")
    return Value(pointer, trees.constant(pointer.il, 0))


def _object_size(ctx: Context, call: BuiltinCall) -> Value:
    """Return that the size of an object is not known."""
    expect(ctx, call, 2, 2)
    kind = constant_expression(ctx, call.arguments[1], "second argument of '__builtin_object_size'")
    size_t = ctx.types.size_t
    return Value(size_t, trees.constant(size_t.il, 0 if kind & 2 else -1))


def _va_end(ctx: Context, call: BuiltinCall) -> Value:
    expect(ctx, call, 1, 1)
    _list_address(ctx, call.arguments[0])
    return Value(ctx.types.void)


def _va_copy(ctx: Context, call: BuiltinCall) -> Value:
    expect(ctx, call, 2, 2)
    target, source = (_list_address(ctx, argument) for argument in call.arguments)
    if ctx.model.va_list != "pointer":
        ctx.emit(il.Copy(target, source, 8 + 2 * ctx.types.address.size, ctx.types.address.size, call.coord.line))
    else:
        ctx.emit(il.Store(target, il.Load(ctx.types.address, source), call.coord.line))
    return Value(ctx.types.void)


def _first(ctx: Context, call: BuiltinCall) -> Value:
    """Lower a hint about its first argument."""
    expect(ctx, call, 2, 3)
    return conversions.rvalue(ctx, call.arguments[0])


def _only(ctx: Context, call: BuiltinCall) -> Value:
    """Lower what changes an address on other machines only."""
    expect(ctx, call, 1, 1)
    return conversions.rvalue(ctx, call.arguments[0])


def _safe_value(ctx: Context, call: BuiltinCall) -> Value:
    """Return the first argument: nothing is executed before it is known that it will be."""
    expect(ctx, call, 1, 2)
    for argument in call.arguments[1:]:
        ctx.discard(argument)
    return conversions.rvalue(ctx, call.arguments[0])


def _line(ctx: Context, call: BuiltinCall) -> Value:
    expect(ctx, call, 0, 0)
    return Value(ctx.types.int_, trees.constant(ctx.types.int_.il, call.coord.line))


def _file(ctx: Context, call: BuiltinCall) -> Value:
    return _text(ctx, call, call.coord.file)


def _function(ctx: Context, call: BuiltinCall) -> Value:
    return _text(ctx, call, ctx.state.name or "" if ctx.function is not None else "")


def _text(ctx: Context, call: BuiltinCall, text: str) -> Value:
    """Return the address of a text that says where a call stands."""
    expect(ctx, call, 0, 0)
    symbol = ctx.string_symbol(text.encode(errors="surrogateescape") + b"\0", 1)
    pointer = ctx.types.pointer(types.qualified(ctx.types.char, True, False))
    return Value(pointer, il.AddrGlobal(ctx.types.address, symbol))


_BUILTINS: dict[str, Builtin] = {
    "__builtin_LINE": _line,
    "__builtin_FILE": _file,
    "__builtin_FUNCTION": _function,
    "__builtin_speculation_safe_value": _safe_value,
    "__builtin_complex": _complex,
    "__builtin_classify_type": _classify_type,
    "__builtin_choose_expr": _choose,
    "__builtin_frame_address": _frame_address,
    "__builtin_return_address": _return_address,
    "__builtin_object_size": _object_size,
    "__builtin_dynamic_object_size": _object_size,
    "__builtin_va_end": _va_end,
    "__builtin_va_copy": _va_copy,
    "__builtin_expect_with_probability": _expectation,
    "__builtin_assume_aligned": _first,
    "alloca": _alloca,
    "__builtin_alloca_with_align": _aligned_alloca,
    "__builtin_alloca_with_align_and_max": _aligned_alloca,
    "__builtin___clear_cache": _for_effects,
    "__builtin_extract_return_addr": _only,
    "__builtin_frob_return_addr": _only,
    "__builtin_types_compatible_p": _types_compatible,
    "__ease_syscall": _system_call,
    "__builtin_fabs": _floating("abs"),
    "__builtin_va_start": _va_start,
    "__builtin_va_arg": _va_arg,
    "__builtin_alloca": _alloca,
    "__builtin_expect": _expectation,
    "__builtin_constant_p": _constant_p,
    "__builtin_prefetch": _for_effects,
    "__builtin_unreachable": _for_effects,
    "offsetof": _offsetof,
    **VECTOR_BUILTINS,
    **CONTEXT_BUILTINS,
}


def find_builtin(ctx: Context, name: str) -> Builtin | None:
    """Return the lowering of a built-in function; None if there is none of that name."""
    if name.startswith(("__sync_", "__atomic_")):
        return atomic_builtin(name)
    if is_instruction(name):
        return instruction_builtin
    name = unsized(name)
    if name in _BUILTINS or not name.startswith(PREFIX):
        return _BUILTINS.get(name)
    if is_checked(name):
        return checked_builtin
    if overflow_builtins.NAME.fullmatch(name):
        return overflow_builtins.overflow_builtin
    floating = floating_builtin(name.removeprefix(PREFIX))
    if floating is not None:
        return floating
    lower = bit_builtin(name.removeprefix(PREFIX), ctx)
    if lower is None:
        return None

    def lower_call(ctx: Context, call: BuiltinCall) -> Value:
        expect(ctx, call, 1, 1)
        return lower(ctx, call.arguments[0])

    return lower_call
