"""`__atomic_...` and `__sync_...`, for the one thread that there is: plain reads and writes, whatever the memory order."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from vpo.frontend.context import Context
from vpo.frontend.lower import trees
from vpo.frontend.lower.conditions import Held, branch
from vpo.frontend.lower.conversions import assign, cast, copy, decay, rvalue
from vpo.frontend.lower.expressions import discard
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.expression_nodes import Assignment, BinaryOp, UnaryOp
from vpo.frontend.types.types import Pointer, is_complete, is_in_memory, is_scalar, unqualified

Lowering = Callable[[Context, Any, list[Any]], Value]
_OPERATORS = {"add": "+", "sub": "-", "or": "|", "and": "&", "xor": "^", "nand": "&"}
_NAMES = "|".join(_OPERATORS)
_FETCH = re.compile(rf"__(?:sync_fetch_and|atomic_fetch)_({_NAMES})")
_AFTER = re.compile(rf"__sync_({_NAMES})_and_fetch|__atomic_({_NAMES})_fetch")


def atomic_builtin(name: str) -> Lowering | None:
    """Return the lowering of a function; None for names that are not those of any."""
    before, after = _FETCH.fullmatch(name), _AFTER.fullmatch(name)
    if before is None and after is None:
        return _OTHERS.get(name)
    operator = before[1] if before is not None else after[1] or after[2] if after is not None else ""
    return lambda ctx, node, arguments: _changed(ctx, node, arguments, operator, after is not None)


def _object(ctx: Context, node: Any, arguments: list[Any], least: int) -> Value:
    """Return the object that the first argument points to."""
    if len(arguments) < least:
        ctx.report.fail(node.coord, f"too few arguments to function '{node.name.name}'")
    return _pointed(ctx, node, arguments[0])


def _pointed(ctx: Context, node: Any, argument: Any) -> Value:
    pointer = rvalue(ctx, argument)
    if not isinstance(pointer.type, Pointer) or pointer.tree is None or not is_complete(pointer.type.target):
        ctx.report.fail(argument.coord, f"'{node.name.name}' takes a pointer to an object, not '{pointer.type}'")
    return Value(unqualified(pointer.type.target), None, ctx.save(pointer.tree), lvalue=True)


def _held(value: Value, node: Any) -> Any:
    return Held(value, node.coord)


def _read(ctx: Context, target: Value, node: Any) -> Value:
    """Return the value of an object, which later writes do not change."""
    value = decay(ctx, target, node)
    if value.tree is not None:
        return Value(value.type, ctx.save(value.tree))
    if value.address is None or not is_in_memory(value.type):
        ctx.report.fail(node.coord, f"'{node.name.name}' does not work on '{value.type}'")
    kept = ctx.address_of(ctx.aggregate_temporary(value.type))
    copy(ctx, kept, value.address, value.type)
    return Value(value.type, None, kept)


def _write(ctx: Context, target: Value, value: Any, node: Any) -> None:
    discard(ctx, Assignment("=", _held(target, node), value, node.coord))


def _changed(ctx: Context, node: Any, arguments: list[Any], name: str, after: bool) -> Value:
    """Lower a function that applies an operator: its value is that before or after.  Pointers count bytes."""
    target = _object(ctx, node, arguments, 2)
    number = target
    if isinstance(target.type, Pointer):
        number = Value(ctx.types.size_t, None, target.address, lvalue=True)
    old = _read(ctx, number, node)
    if not is_scalar(old.type):
        ctx.report.fail(node.coord, f"'{node.name.name}' does not work on '{old.type}'")
    operand = cast(ctx, number.type, rvalue(ctx, arguments[1]), arguments[1])
    fresh: Any = BinaryOp(_OPERATORS[name], _held(old, node), _held(operand, node), node.coord)
    if name == "nand":
        fresh = UnaryOp("~", fresh, node.coord)
    _write(ctx, number, fresh, node)
    result = _read(ctx, number, node) if after else old
    return cast(ctx, target.type, result, node)


def _load(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    return _read(ctx, _object(ctx, node, arguments, 2), node)


def _load_into(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    target = _object(ctx, node, arguments, 3)
    _write(ctx, _pointed(ctx, node, arguments[1]), _held(target, node), node)
    return Value(ctx.types.void)


def _store(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    _write(ctx, _object(ctx, node, arguments, 2), arguments[1], node)
    return Value(ctx.types.void)


def _store_from(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    target = _object(ctx, node, arguments, 3)
    _write(ctx, target, _held(_pointed(ctx, node, arguments[1]), node), node)
    return Value(ctx.types.void)


def _exchange(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    target = _object(ctx, node, arguments, 2)
    fresh = rvalue(ctx, arguments[1])
    old = _read(ctx, target, node)
    _write(ctx, target, _held(fresh, node), node)
    return old


def _exchange_into(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    target = _object(ctx, node, arguments, 4)
    fresh = _read(ctx, _pointed(ctx, node, arguments[1]), node)
    old = _read(ctx, target, node)
    _write(ctx, target, _held(fresh, node), node)
    _write(ctx, _pointed(ctx, node, arguments[2]), _held(old, node), node)
    return Value(ctx.types.void)


def _compare_exchange(ctx: Context, node: Any, target: Value, expected: Value, fresh: Any, failed: Value | None) -> Value:
    """Store a fresh value if the object is as expected, else store what it is into `failed`; return whether it was."""
    int_type = ctx.types.int_
    result = ctx.temporary(int_type.il)
    old = _read(ctx, target, node)
    is_equal = rvalue(ctx, BinaryOp("==", _held(old, node), _held(expected, node), node.coord))
    assert is_equal.tree is not None
    ctx.store_local(result, is_equal.tree)
    otherwise, end = ctx.label(), ctx.label()
    branch(ctx, "ne", ctx.load_local(result), trees.constant(int_type.il, 0), otherwise, False)
    _write(ctx, target, fresh, node)
    ctx.jump(end)
    ctx.place(otherwise)
    if failed is not None:
        _write(ctx, failed, _held(old, node), node)
    ctx.place(end)
    return Value(int_type, ctx.load_local(result))


def _swap(ctx: Context, node: Any, arguments: list[Any]) -> tuple[Value, Value]:
    """Lower `__sync_..._compare_and_swap`: the value before, and whether it was as expected."""
    target = _object(ctx, node, arguments, 3)
    expected, fresh = (assign(ctx, target.type, rvalue(ctx, argument), argument) for argument in arguments[1:3])
    before = _read(ctx, target, node)
    return before, _compare_exchange(ctx, node, target, expected, _held(fresh, node), None)


def _compare(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    """Lower `__atomic_compare_exchange` and `..._n`, which takes the fresh value itself."""
    target = _object(ctx, node, arguments, 3)
    failed = _pointed(ctx, node, arguments[1])
    fresh = arguments[2]
    if not node.name.name.endswith("_n"):
        fresh = _held(_read(ctx, _pointed(ctx, node, fresh), node), node)
    return _compare_exchange(ctx, node, target, _read(ctx, failed, node), fresh, failed)


def _flag(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    """Return the byte that a pointer of any type points to."""
    if not arguments:
        ctx.report.fail(node.coord, f"too few arguments to function '{node.name.name}'")
    pointer = cast(ctx, ctx.types.pointer(ctx.types.bool_), rvalue(ctx, arguments[0]), arguments[0])
    assert pointer.tree is not None
    return Value(ctx.types.bool_, None, ctx.save(pointer.tree), lvalue=True)


def _constant(ctx: Context, node: Any, number: int) -> Any:
    return _held(Value(ctx.types.int_, trees.constant(ctx.types.int_.il, number)), node)


def _test_and_set(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    flag = _flag(ctx, node, arguments)
    old = _read(ctx, flag, node)
    _write(ctx, flag, _constant(ctx, node, 1), node)
    return old


def _clear(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    _write(ctx, _flag(ctx, node, arguments), _constant(ctx, node, 0), node)
    return Value(ctx.types.void)


def _release(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    _write(ctx, _object(ctx, node, arguments, 1), _constant(ctx, node, 0), node)
    return Value(ctx.types.void)


def _fence(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    for argument in arguments:
        discard(ctx, argument)
    return Value(ctx.types.void)


def _lock_free(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    _fence(ctx, node, arguments)
    return Value(ctx.types.bool_, trees.constant(ctx.types.bool_.il, 1))


_OTHERS: dict[str, Lowering] = {
    "__sync_bool_compare_and_swap": lambda ctx, node, arguments: _swap(ctx, node, arguments)[1],
    "__sync_val_compare_and_swap": lambda ctx, node, arguments: _swap(ctx, node, arguments)[0],
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
