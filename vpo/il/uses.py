"""What a unit does with its objects: which locals may live in registers, which addresses get away, who calls setjmp."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TypeVar

from vpo import il
from vpo.il.routine_names import SAVE_CONTEXT
from vpo.il.traversal import children, expressions_of, walk

# ----------------------------------------------------------------------------------------------------------------------
# Uses of the locals of a function: which of them may live in registers, which are assigned.


def exposed_locals(body: Iterable[il.Statement]) -> set[int]:
    """Return the ids of the locals that cannot live in registers: any use but a load or store of the whole scalar."""
    exposed: set[int] = set()
    for statement in body:
        work = expressions_of(statement)
        if type(statement) is il.Store and not statement.volatile and is_whole(statement.address, statement.value.type):
            del work[0]
        while work:
            node = work.pop()
            if type(node) is il.Load:
                if node.volatile or not is_whole(node.address, node.type):
                    work.append(node.address)
            elif type(node) is il.AddrLocal:
                exposed.add(id(node.local))
            elif type(node) is not il.Const:
                work += children(node)
    return exposed


def assigned_locals(body: Iterable[il.Statement]) -> set[int]:
    """Return the ids of the locals that a statement sets by their name; exposed ones may be set in other ways."""
    return {id(local) for statement in body for local in set_by(statement)}


def set_by(statement: il.Statement) -> tuple[il.Local, ...]:
    """Return the locals that a statement sets by their names."""
    match statement:
        case il.Store(address=il.AddrLocal(local=local)) | il.Copy(target=il.AddrLocal(local=local)):
            return (local,)
        case il.Call(result=il.Local() as result) | il.Syscall(result=result) | il.VaArg(result=result):
            return (result,)
        case il.Instruction(results=results):
            return results
    return ()


def locals_used(body: Sequence[il.Statement]) -> set[int]:
    """Return the ids of the locals that a body names."""
    used: set[int] = set()
    for statement in body:
        for root in expressions_of(statement):
            for node in walk(root):
                if type(node) is il.AddrLocal:
                    used.add(id(node.local))
    return used | assigned_locals(body)


def is_whole(address: il.Expr, type_: il.Type) -> bool:
    """Return whether an address is that of a whole scalar local read or written as its own type."""
    if type(address) is not il.AddrLocal or address.offset != 0:
        return False
    own = address.local.type
    if own is None or own is type_:
        return own is not None
    return own.size == type_.size and (own.kind == "F") == (type_.kind == "F")


# ----------------------------------------------------------------------------------------------------------------------
# Where the addresses of global objects go: those that only accesses use tell that no pointer points to their objects.


def private_data(unit: il.Unit) -> set[str]:
    """Return the static objects of a unit whose addresses nothing but loads, stores and copies use."""
    static = {data.name for data in unit.data if data.static}
    pointed: set[str | int] = {i.symbol for data in unit.data for i in data.items if isinstance(i, il.AddressItem)}
    for function in unit.functions:
        pointed |= pointed_to(function.body)
    return static - pointed


def pointed_to(body: Iterable[il.Statement]) -> set[str | int]:
    """Return the symbols, and the ids of the locals, whose addresses statements use otherwise than for accesses."""
    pointed: set[str | int] = set()
    for statement in body:
        roots = expressions_of(statement)
        if not roots:
            continue
        work = [(root, type(statement) is il.Copy) for root in roots]
        if type(statement) is il.Store:
            work[0] = statement.address, True
        _take(work, pointed)
    return pointed


def _take(work: list[tuple[il.Expr, bool]], pointed: set[str | int]) -> None:
    """Note the objects whose addresses become values in expressions, each an address that is accessed, or a value.

    An address plus a number is one in the same object (C11 6.5.6p8).
    """
    while work:
        node, accessed = work.pop()
        if type(node) is il.Load:
            work.append((node.address, True))
        elif type(node) is il.AddrLocal:
            if not accessed:
                pointed.add(id(node.local))
        elif type(node) is il.AddrGlobal:
            if not accessed:
                pointed.add(node.name)
        elif type(node) is il.Binary and node.operator in ("add", "sub"):
            work += ((node.left, accessed), (node.right, accessed and node.operator == "add"))
        elif type(node) is not il.Const:
            work += [(child, False) for child in children(node)]


# ----------------------------------------------------------------------------------------------------------------------
# Functions that call setjmp, which may return to them twice.
#
# No phase knows of the way from a call of longjmp back to setjmp.  So all locals of such a function stay in memory and are
# accessed just when the source says so: they have then what C promises of those that do not change in between, and of volatile
# ones.  Addresses and constants may be in registers, since longjmp restores these.


_Node = TypeVar("_Node")


def returns_twice(function: il.Function) -> bool:
    """Return whether a function calls setjmp."""
    called = (statement.function for statement in function.body if isinstance(statement, il.Call))
    return any(isinstance(callee, il.AddrGlobal) and callee.name == SAVE_CONTEXT[1:] for callee in called)


def keep_locals_in_memory(functions: Iterable[il.Function]) -> None:
    """Make the locals of those functions volatile to which setjmp may return twice."""
    for function in filter(returns_twice, functions):
        for local in (*function.parameters, *function.locals):
            local.volatile = True
        function.body = [_kept(statement) for statement in function.body]


def _kept(node: _Node) -> _Node:
    """Return a statement, or a part of one, whose accesses of locals are volatile."""
    if isinstance(node, tuple):
        return tuple(map(_kept, node))  # type: ignore[return-value]
    if not isinstance(node, il.Expr | il.Statement | il.Block):
        return node
    changes = {field.name: _kept(getattr(node, field.name)) for field in fields(node)}
    if isinstance(node, il.Load | il.Store) and any(isinstance(part, il.AddrLocal) for part in walk(node.address)):
        changes["volatile"] = True
    return replace(node, **changes)  # type: ignore[type-var]


def string_at(address: il.Expr, objects: Mapping[str, il.Data]) -> bytes | None:
    """Return the string at an address in one of some objects, if it is known."""
    data = objects.get(address.name) if isinstance(address, il.AddrGlobal) else None
    if data is None or not data.constant or data.tentative or not isinstance(address, il.AddrGlobal):
        return None
    if len(data.items) != 1 or not isinstance(data.items[0], il.BytesItem) or data.items[0].offset:
        return None
    text, end, _ = data.items[0].data.ljust(data.size, b"\0")[address.offset :].partition(b"\0")
    return text if end and address.offset >= 0 else None
