"""`__atomic_...` and `__sync_...`, for the one thread that there is: plain reads and writes, whatever the memory order."""

from __future__ import annotations

import re

from vpo.frontend.builtins.call import Builtin, BuiltinCall, expect, operand
from vpo.frontend.context import Context
from vpo.frontend.lower import trees
from vpo.frontend.lower.conditions import branch
from vpo.frontend.lower.conversions import assign, cast, copy, decay, rvalue
from vpo.frontend.lower.values import Held, Value
from vpo.frontend.syntax.nodes import Argument, Assignment, BinaryOp, Expression, UnaryOp
from vpo.frontend.types.types import Pointer, is_complete, is_in_memory, is_scalar, unqualified

_OPERATORS = {"add": "+", "sub": "-", "or": "|", "and": "&", "xor": "^", "nand": "&"}
_NAMES = "|".join(_OPERATORS)
_FETCH = re.compile(rf"__(?:sync_fetch_and|atomic_fetch)_({_NAMES})")
_AFTER = re.compile(rf"__sync_({_NAMES})_and_fetch|__atomic_({_NAMES})_fetch")


def atomic_builtin(name: str) -> Builtin | None:
    """Return the lowering of a function; None for names that are not those of any."""
    before, after = _FETCH.fullmatch(name), _AFTER.fullmatch(name)
    if before is None and after is None:
        return _OTHERS.get(name)
    operator = before[1] if before is not None else after[1] or after[2] if after is not None else ""
    return lambda ctx, call: _changed(ctx, call, operator, after is not None)


def _object(ctx: Context, call: BuiltinCall, least: int) -> Value:
    """Return the object that the first argument points to."""
    expect(ctx, call, least)
    return _pointed(ctx, call, call.arguments[0])


def _pointed(ctx: Context, call: BuiltinCall, argument: Argument) -> Value:
    pointer = rvalue(ctx, argument)
    if not isinstance(pointer.type, Pointer) or pointer.tree is None or not is_complete(pointer.type.target):
        ctx.report.fail(argument.coord, f"'{call.name}' takes a pointer to an object, not '{pointer.type}'")
    return Value(unqualified(pointer.type.target), None, ctx.save(pointer.tree), lvalue=True)


def _held(value: Value, call: BuiltinCall) -> Held:
    return Held(value, call.coord)


def _read(ctx: Context, target: Value, call: BuiltinCall) -> Value:
    """Return the value of an object, which later writes do not change."""
    value = decay(ctx, target, call)
    if value.tree is not None:
        return Value(value.type, ctx.save(value.tree))
    if value.address is None or not is_in_memory(value.type):
        ctx.report.fail(call.coord, f"'{call.name}' does not work on '{value.type}'")
    kept = ctx.address_of(ctx.aggregate_temporary(value.type))
    copy(ctx, kept, value.address, value.type)
    return Value(value.type, None, kept)


def _write(ctx: Context, target: Value, value: Expression, call: BuiltinCall) -> None:
    ctx.discard(Assignment("=", _held(target, call), value, call.coord))


def _changed(ctx: Context, call: BuiltinCall, name: str, after: bool) -> Value:
    """Lower a function that applies an operator: its value is that before or after.  Pointers count bytes."""
    target = _object(ctx, call, 2)
    number = target
    if isinstance(target.type, Pointer):
        number = Value(ctx.types.size_t, None, target.address, lvalue=True)
    old = _read(ctx, number, call)
    if not is_scalar(old.type):
        ctx.report.fail(call.coord, f"'{call.name}' does not work on '{old.type}'")
    operand = cast(ctx, number.type, rvalue(ctx, call.arguments[1]), call.arguments[1])
    fresh: Expression = BinaryOp(_OPERATORS[name], _held(old, call), _held(operand, call), call.coord)
    if name == "nand":
        fresh = UnaryOp("~", fresh, call.coord)
    _write(ctx, number, fresh, call)
    result = _read(ctx, number, call) if after else old
    return cast(ctx, target.type, result, call)


def _load(ctx: Context, call: BuiltinCall) -> Value:
    return _read(ctx, _object(ctx, call, 2), call)


def _load_into(ctx: Context, call: BuiltinCall) -> Value:
    target = _object(ctx, call, 3)
    _write(ctx, _pointed(ctx, call, call.arguments[1]), _held(target, call), call)
    return Value(ctx.types.void)


def _store(ctx: Context, call: BuiltinCall) -> Value:
    _write(ctx, _object(ctx, call, 2), operand(ctx, call.arguments[1]), call)
    return Value(ctx.types.void)


def _store_from(ctx: Context, call: BuiltinCall) -> Value:
    target = _object(ctx, call, 3)
    _write(ctx, target, _held(_pointed(ctx, call, call.arguments[1]), call), call)
    return Value(ctx.types.void)


def _exchange(ctx: Context, call: BuiltinCall) -> Value:
    target = _object(ctx, call, 2)
    fresh = rvalue(ctx, call.arguments[1])
    old = _read(ctx, target, call)
    _write(ctx, target, _held(fresh, call), call)
    return old


def _exchange_into(ctx: Context, call: BuiltinCall) -> Value:
    target = _object(ctx, call, 4)
    fresh = _read(ctx, _pointed(ctx, call, call.arguments[1]), call)
    old = _read(ctx, target, call)
    _write(ctx, target, _held(fresh, call), call)
    _write(ctx, _pointed(ctx, call, call.arguments[2]), _held(old, call), call)
    return Value(ctx.types.void)


def _compare_exchange(
    ctx: Context, call: BuiltinCall, target: Value, expected: Value, fresh: Expression, failed: Value | None
) -> Value:
    """Store a fresh value if the object is as expected, else store what it is into `failed`; return whether it was."""
    int_type = ctx.types.int_
    result = ctx.temporary(int_type.il)
    old = _read(ctx, target, call)
    is_equal = rvalue(ctx, BinaryOp("==", _held(old, call), _held(expected, call), call.coord))
    assert is_equal.tree is not None
    ctx.store_local(result, is_equal.tree)
    otherwise, end = ctx.label(), ctx.label()
    branch(ctx, "ne", ctx.load_local(result), trees.constant(int_type.il, 0), otherwise, False)
    _write(ctx, target, fresh, call)
    ctx.jump(end)
    ctx.place(otherwise)
    if failed is not None:
        _write(ctx, failed, _held(old, call), call)
    ctx.place(end)
    return Value(int_type, ctx.load_local(result))


def _swap(ctx: Context, call: BuiltinCall) -> tuple[Value, Value]:
    """Lower `__sync_..._compare_and_swap`: the value before, and whether it was as expected."""
    target = _object(ctx, call, 3)
    expected, fresh = (assign(ctx, target.type, rvalue(ctx, argument), argument) for argument in call.arguments[1:3])
    before = _read(ctx, target, call)
    return before, _compare_exchange(ctx, call, target, expected, _held(fresh, call), None)


def _compare(ctx: Context, call: BuiltinCall) -> Value:
    """Lower `__atomic_compare_exchange` and `..._n`, which takes the fresh value itself."""
    target = _object(ctx, call, 3)
    failed = _pointed(ctx, call, call.arguments[1])
    fresh = operand(ctx, call.arguments[2])
    if not call.name.endswith("_n"):
        fresh = _held(_read(ctx, _pointed(ctx, call, fresh), call), call)
    return _compare_exchange(ctx, call, target, _read(ctx, failed, call), fresh, failed)


def _flag(ctx: Context, call: BuiltinCall) -> Value:
    """Return the byte that a pointer of any type points to."""
    expect(ctx, call, 1)
    pointer = cast(ctx, ctx.types.pointer(ctx.types.bool_), rvalue(ctx, call.arguments[0]), call.arguments[0])
    assert pointer.tree is not None
    return Value(ctx.types.bool_, None, ctx.save(pointer.tree), lvalue=True)


def _constant(ctx: Context, call: BuiltinCall, number: int) -> Held:
    return _held(Value(ctx.types.int_, trees.constant(ctx.types.int_.il, number)), call)


def _test_and_set(ctx: Context, call: BuiltinCall) -> Value:
    flag = _flag(ctx, call)
    old = _read(ctx, flag, call)
    _write(ctx, flag, _constant(ctx, call, 1), call)
    return old


def _clear(ctx: Context, call: BuiltinCall) -> Value:
    _write(ctx, _flag(ctx, call), _constant(ctx, call, 0), call)
    return Value(ctx.types.void)


def _release(ctx: Context, call: BuiltinCall) -> Value:
    _write(ctx, _object(ctx, call, 1), _constant(ctx, call, 0), call)
    return Value(ctx.types.void)


def _fence(ctx: Context, call: BuiltinCall) -> Value:
    for argument in call.arguments:
        ctx.discard(argument)
    return Value(ctx.types.void)


def _lock_free(ctx: Context, call: BuiltinCall) -> Value:
    _fence(ctx, call)
    return Value(ctx.types.bool_, trees.constant(ctx.types.bool_.il, 1))


_OTHERS: dict[str, Builtin] = {
    "__sync_bool_compare_and_swap": lambda ctx, call: _swap(ctx, call)[1],
    "__sync_val_compare_and_swap": lambda ctx, call: _swap(ctx, call)[0],
    "__sync_lock_test_and_set": _exchange,
    "__sync_lock_release": _release,
    "__sync_synchronize": _fence,
    "__atomic_load_n": _load,
    "__atomic_load": _load_into,
    "__atomic_store_n": _store,
    "__atomic_store": _store_from,
    "__atomic_exchange_n": _exchange,
    "__atomic_exchange": _exchange_into,
    "__atomic_compare_exchange_n": _compare,
    "__atomic_compare_exchange": _compare,
    "__atomic_test_and_set": _test_and_set,
    "__atomic_clear": _clear,
    "__atomic_thread_fence": _fence,
    "__atomic_signal_fence": _fence,
    "__atomic_always_lock_free": _lock_free,
    "__atomic_is_lock_free": _lock_free,
}
