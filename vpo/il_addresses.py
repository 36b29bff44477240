"""Where the addresses of global objects go: those that only accesses use tell that no pointer points to their objects."""

from __future__ import annotations

from collections.abc import Iterator

from vpo import il
from vpo.il_traversal import children, expressions_of


def private_data(unit: il.Unit) -> set[str]:
    """Return the static objects of a unit whose addresses nothing but loads, stores and copies use."""
    static = {data.name for data in unit.data if data.static}
    pointed = {item.symbol for data in unit.data for item in data.items if isinstance(item, il.AddressItem)}
    for function in unit.functions:
        for statement in function.body:
            pointed |= set(_pointed_to(statement))
    return static - pointed


def _pointed_to(statement: il.Statement) -> Iterator[str]:
    """Yield the symbols whose addresses a statement uses as values."""
    match statement:
        case il.Store(address=address, value=value):
            yield from _taken(address, True)
            yield from _taken(value, False)
        case il.Copy(target=target, source=source):
            yield from _taken(target, True)
            yield from _taken(source, True)
        case _:
            for root in expressions_of(statement):
                yield from _taken(root, False)


def _taken(node: il.Expr, accessed: bool) -> Iterator[str]:
    """Yield the symbols whose addresses become values in an expression, which is an address that is `accessed`, or a value.

    An address plus a number is one in the same object (C11 6.5.6p8).
    """
    match node:
        case il.AddrGlobal(name=name):
            if not accessed:
                yield name
        case il.Load(address=address):
            yield from _taken(address, True)
        case il.Binary(operator="add" | "sub" as operator, left=left, right=right):
            yield from _taken(left, accessed)
            yield from _taken(right, accessed and operator == "add")
        case _:
            for child in children(node):
                yield from _taken(child, False)
