"""Uses of the locals of a function: which of them may live in registers, which are assigned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vpo import il
from vpo.il_traversal import children, expressions_of, walk


def exposed_locals(body: Iterable[il.Statement]) -> set[int]:
    """Return the ids of the locals that cannot live in registers: any use but a load or store of the whole scalar."""
    exposed: set[int] = set()
    for statement in body:
        for root in expressions_of(statement):
            for node in walk(root):
                if isinstance(node, il.Load) and is_whole(node.address, node.type) and not node.volatile:
                    continue
                for child in children(node):
                    if isinstance(child, il.AddrLocal):
                        exposed.add(id(child.local))
            if isinstance(root, il.AddrLocal) and not (
                isinstance(statement, il.Store)
                and root is statement.address
                and is_whole(root, statement.value.type)
                and not statement.volatile
            ):
                exposed.add(id(root.local))
    return exposed


def assigned_locals(body: Iterable[il.Statement]) -> set[int]:
    """Return the ids of the locals that a statement sets by their name; exposed ones may be set in other ways."""
    assigned: set[int] = set()
    for statement in body:
        match statement:
            case il.Store(address=il.AddrLocal(local=local)) | il.Copy(target=il.AddrLocal(local=local)):
                assigned.add(id(local))
            case il.Call(result=il.Local() as result) | il.Syscall(result=result) | il.VaArg(result=result):
                assigned.add(id(result))
    return assigned


def locals_used(body: Sequence[il.Statement]) -> set[int]:
    """Return the ids of the locals that a body names."""
    used = {
        id(node.local)
        for statement in body
        for root in expressions_of(statement)
        for node in walk(root)
        if isinstance(node, il.AddrLocal)
    }
    results = (getattr(statement, "result", None) for statement in body)
    return used | {id(result) for result in results if result is not None}


def is_whole(address: il.Expr, type_: il.Type) -> bool:
    """Return whether an address is that of a whole scalar local read or written as its own type."""
    return (
        isinstance(address, il.AddrLocal)
        and address.offset == 0
        and address.local.type is not None
        and address.local.type.size == type_.size
        and address.local.type.is_float == type_.is_float
    )
