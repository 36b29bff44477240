"""Objects that never change: static ones that nothing stores to are constants, and loads of known parts become numbers.

static struct shape s = {8, 3};  f(i) { return i * s.width; }   =>   f(i) { return i * 8; }
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from vpo import il
from vpo.frontend.lower import trees
from vpo.il.traversal import expressions_of, walk
from vpo.il.uses import exposed_locals, is_whole, private_data, set_by
from vpo.interprocedural.inlining import Rewriter, without_unreachable


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
                    if type(node) is il.Load and node.volatile:
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


# ----------------------------------------------------------------------------------------------------------------------
# Locals that are set once, to a number or an address: that goes where they are read, and other locals may need no memory.
#
# int x, *p = &x, n = 4; *p = 1; return *p % n;   =>   x = 1; return x % 4;


def replace_set_once(function: il.Function) -> bool:
    """Put numbers and addresses in the places of locals that only ever hold them; returns whether there were any."""
    changed = False
    while values := _known(function):
        rewriter = Rewriter(values)
        kept = [statement for statement in function.body if not any(id(local) in values for local in set_by(statement))]
        function.body = without_unreachable([copy for statement in kept for copy in rewriter.statement(statement)])
        function.locals = [local for local in function.locals if id(local) not in values]
        changed = True
    return changed


def _known(function: il.Function) -> dict[int, il.Expr]:
    """Return the constants that locals hold from their only assignment on, by the local's id."""
    found: dict[int, il.Expr] = {
        id(statement.address.local): statement.value
        for statement in function.body
        if type(statement) is il.Store
        and type(statement.address) is il.AddrLocal
        and _is_constant(statement.value)
        and is_whole(statement.address, statement.value.type)
    }
    if not found:
        return found
    counts = Counter(id(local) for statement in function.body for local in set_by(statement))
    others = {id(local) for local in function.parameters} | {id(local) for local in function.locals if local.volatile}
    found = {name: value for name, value in found.items() if counts[name] == 1 and name not in others}
    exposed = exposed_locals(function.body) if found else set[int]()
    return {name: value for name, value in found.items() if name not in exposed}


def _is_constant(value: il.Expr) -> bool:
    return isinstance(value, il.AddrLocal | il.AddrGlobal) or (isinstance(value, il.Const) and not value.type.is_float)
