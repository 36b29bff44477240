"""Calls of a function by itself whose result it returns: they become jumps to its beginning.

f(a, n): if (n == 0) return a; return f(a * n, n - 1);
=>
f(a, n): L: if (n == 0) return a; t = a * n; n = n - 1; a = t; goto L;
"""

from __future__ import annotations

from vpo import il
from vpo.il.traversal import children, expressions_of, walk
from vpo.interprocedural.symbol_references import converted, matches

START = "start"  # the front end's labels begin with other letters


def loop_tail_recursion(function: il.Function, pointer: il.Type) -> None:
    """Replace the tail calls of a function to itself; none if a local's address may outlive the activation."""
    places = {statement.name: index for index, statement in enumerate(function.body) if isinstance(statement, il.Label)}
    found = [index for index, call in enumerate(function.body)
             if isinstance(call, il.Call) and matches(call, function) and _is_tail(function, index, places)]  # fmt: skip
    if not found or _frame_escapes(function) or any(p.type is None or p.volatile for p in function.parameters):
        return
    body: list[il.Statement] = [il.Label(START)]
    for index, statement in enumerate(function.body):
        if index in found:
            assert isinstance(statement, il.Call)
            body += _jump(function, statement, pointer)
        else:
            body.append(statement)
    function.body = body


def _is_tail(function: il.Function, index: int, places: dict[str, int]) -> bool:
    """Return whether nothing but a return of its result follows a call; copies of it may come between."""
    call = function.body[index]
    assert isinstance(call, il.Call)
    result = call.result
    passed: set[int] = set()
    index += 1
    while index not in passed:
        passed.add(index)
        match function.body[index]:
            case il.Jump(label=label):
                index = places[label]
                continue
            case il.Label():
                pass
            case il.Store(address=il.AddrLocal(local=copy, offset=0), value=value) if _is_value_of(value, result):
                if copy.type != value.type or copy.volatile:
                    return False
                result = copy
            case il.Return(value=value):
                return result is None if value is None else _is_value_of(value, result)
            case _:
                return False
        index += 1
    return False


def _is_value_of(value: il.Expr | il.Block, local: il.Local | None) -> bool:
    """Return whether a value is that of a whole local."""
    if not isinstance(value, il.Load) or not isinstance(value.address, il.AddrLocal):
        return False
    return value.address.local is local and value.address.offset == 0 and local is not None and value.type == local.type


def _frame_escapes(function: il.Function) -> bool:
    """Return whether the address of a local is used for more than loads, stores and copies."""
    for statement in function.body:
        for root in expressions_of(statement):
            direct = isinstance(statement, il.Store | il.Copy) and not (
                isinstance(statement, il.Store) and root is statement.value
            )
            if isinstance(root, il.AddrLocal) and not direct:
                return True
            for node in walk(root):
                if not isinstance(node, il.Load) and any(isinstance(child, il.AddrLocal) for child in children(node)):
                    return True
    return False


def _jump(function: il.Function, call: il.Call, pointer: il.Type) -> list[il.Statement]:
    """Return the parallel assignment of arguments to parameters, and the jump."""
    first: list[il.Statement] = []
    second: list[il.Statement] = []
    for parameter, argument in zip(function.parameters, call.arguments, strict=True):
        assert parameter.type is not None
        assert not isinstance(argument, il.Block)
        value = converted(argument, parameter)
        if isinstance(value, il.Load) and isinstance(value.address, il.AddrLocal) and value.address.local is parameter:
            continue
        fresh = il.Local(f"t.{parameter.name}", parameter.type, parameter.size, parameter.align)
        function.locals.append(fresh)
        first.append(il.Store(il.AddrLocal(pointer, fresh), value, call.line))
        kept = il.Load(parameter.type, il.AddrLocal(pointer, fresh))
        second.append(il.Store(il.AddrLocal(pointer, parameter), kept, call.line))
    return [*first, *second, il.Jump(START, call.line)]
