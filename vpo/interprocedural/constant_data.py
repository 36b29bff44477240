"""Objects that never change: static ones that nothing stores to are constants, and loads of known parts become numbers.

static struct shape s = {8, 3};  f(i) { return i * s.width; }   =>   f(i) { return i * 8; }
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from vpo import il
from vpo.frontend import trees
from vpo.il_addresses import private_data
from vpo.il_traversal import expressions_of, walk
from vpo.interprocedural.rewriting import Rewriter, without_unreachable


def fold_constant_data(unit: il.Unit) -> None:
    """Mark the objects of a unit that never change, and replace loads from those and other constants."""
    unchanged = private_data(unit) - set(_changed(unit))
    for data in unit.data:
        data.constant = data.constant or data.name in unchanged
    constants = {data.name: data for data in unit.data if data.constant and not data.tentative}
    if not constants:
        return
    folding = _Folding(constants)
    for function in unit.functions:
        body = [copy for statement in function.body for copy in folding.statement(statement)]
        if folding.found:
            function.body, folding.found = without_unreachable(body), False


def _changed(unit: il.Unit) -> Iterator[str]:
    """Yield the objects that stores and copies go to, and those that are referred to as volatile."""
    for function in unit.functions:
        for statement in function.body:
            match statement:
                case il.Store(address=address) | il.Copy(target=address):
                    yield from _bases(address)
            for root in expressions_of(statement):
                for node in walk(root):
                    if isinstance(node, il.Load) and node.volatile:
                        yield from _bases(node.address)


def _bases(address: il.Expr) -> Iterator[str]:
    """Yield the objects in which an address may be: those to whose address numbers are added."""
    match address:
        case il.AddrGlobal(name=name):
            yield name
        case il.Binary(left=left, right=right):
            yield from _bases(left)
            yield from _bases(right)
        case il.Unary(operand=operand) | il.Convert(operand=operand):
            yield from _bases(operand)


class _Folding(Rewriter):
    """Replaces loads from constants; `found` tells whether there were any."""

    def __init__(self, constants: dict[str, il.Data]) -> None:
        super().__init__({})
        self.constants = constants
        self.found = False

    def expression(self, node: il.Expr) -> il.Expr:
        """Return the copy of an expression."""
        match node:
            case il.Load(type=kind, address=il.AddrGlobal(name=name, offset=offset), volatile=False) if name in self.constants:
                value = _value(self.constants[name], kind, offset)
                if value is not None:
                    self.found = True
                    return value
        return super().expression(node)


def _value(data: il.Data, kind: il.Type, offset: int) -> il.Expr | None:
    """Return what a part of an object is, if one item says it or none does."""
    if not 0 <= offset <= data.size - kind.size:
        return None
    position = bisect_right(data.items, offset + kind.size - 1, key=lambda item: item.offset) - 1
    item = data.items[position] if position >= 0 else None
    match item:
        case il.IntItem(offset=at, size=size, value=value) if (at, size) == (offset, kind.size) and kind.kind != "F":
            return il.Const(kind, trees.wrap(kind, value))
        case il.FloatItem(offset=at, size=size, value=number) if (at, size) == (offset, kind.size) and kind.kind == "F":
            return il.Const(kind, number)
        case il.BytesItem(offset=at, data=text) if kind.size == 1 and at <= offset < at + len(text):
            return il.Const(kind, trees.wrap(kind, text[offset - at]))
    if item is not None and item.offset + _size(item, data) > offset:
        return None
    return il.Const(kind, 0.0 if kind.kind == "F" else 0)


def _size(item: il.Item, data: il.Data) -> int:
    """Return how many bytes an item has; of an address, no less than it may have."""
    match item:
        case il.IntItem(size=size) | il.FloatItem(size=size):
            return size
        case il.BytesItem(data=text):
            return len(text)
    return data.size
