"""Scalar replacement of aggregates: locals whose members are accessed one by one become a scalar local for each member.

struct point p = q; p.x += 1; f(p.x, p.y);   =>   p.0 = q.x; p.4 = q.y; p.0 += 1; f(p.0, p.4);

Where such an aggregate is passed or returned as a whole, it is put together in a local made for that.
"""

from __future__ import annotations

from dataclasses import replace

from vpo import il
from vpo.frontend.lower import trees
from vpo.interprocedural.aggregate_uses import Area, Fill, Partition, mentions, with_fills
from vpo.interprocedural.rewriting import Rewriter


def replace_aggregates(function: il.Function, pointer: il.Type) -> bool:
    """Replace the aggregates of a function that fall apart into scalars; returns whether there are any."""
    items = with_fills(function.body)
    partition = Partition(function, items, pointer)
    if not partition.elements:
        return False
    replacer = _Replacer(function, partition, pointer)
    body: list[il.Statement] = replacer.parameters()
    for item in items:
        if mentions(item, partition.elements):
            body += replacer.item(item)
        else:
            body += item.stores if isinstance(item, Fill) else [item]
    function.body = body
    gone = partition.elements.keys() - set(function.parameters)
    function.locals = [local for local in function.locals if local not in gone]
    return True


class _Replacer(Rewriter):
    """Rewrites the statements that name aggregates which fall apart."""

    def __init__(self, function: il.Function, partition: Partition, pointer: il.Type) -> None:
        super().__init__({})
        self.function, self.partition, self.pointer = function, partition, pointer
        self.parts = {local: self._scalars(local, elements) for local, elements in partition.elements.items()}
        self.result: il.Local | None = None
        self.before: list[il.Statement] = []  # of the statement that is rewritten

    def _scalars(self, local: il.Local, elements: dict[int, il.Type]) -> dict[int, il.Local]:
        name = local.name.removeprefix(trees.TEMPORARY)
        parts = {at: il.Local(f"{name}.{at}", kind, kind.size, min(kind.size, local.align)) for at, kind in elements.items()}
        self.function.locals += parts.values()
        return parts

    def parameters(self) -> list[il.Statement]:
        """Return the statements that take parameters apart."""
        found = [parameter for parameter in self.function.parameters if parameter in self.parts]
        return [store for each in found for store in self._take(_whole(each), self._address(each), self.function.line)]

    def item(self, item: il.Statement | Fill) -> list[il.Statement]:
        """Return what does the same with scalars."""
        if isinstance(item, Fill):
            zeros = [(self.parts[item.area.local][at], kind) for at, kind in self.partition.within(item.area)]
            return [il.Store(self._address(part), trees.constant(kind, 0), item.stores[0].line) for part, kind in zeros]
        self.before = []
        after = self.statement(item)
        return [*self.before, *after]

    def statement(self, node: il.Statement) -> list[il.Statement]:
        """Return what does the same with scalars, after the statements `before`."""
        match node:
            case il.Store(address=il.AddrLocal(local=local, offset=offset), value=value) if local in self.parts:
                return [il.Store(self._address(self.parts[local][offset]), self.expression(value), node.line)]
            case il.Copy(target=target, source=source):
                return self._copy(node, self._area(target, node.size), self._area(source, node.size))
            case il.Call(result=il.Local() as result) if result in self.parts:
                whole = self._fresh(result.name, result.size, result.align)
                (call,) = self.statement(replace(node, result=whole))
                return [call, *self._take(_whole(result), self._address(whole), node.line)]
            case il.Call(arguments=arguments):
                passed = [self._passed(argument, node.line) for argument in arguments]
                return super().statement(replace(node, arguments=tuple(passed)))
            case il.Return(value=il.Block() as block) if (area := self._area(block.address, block.size)) is not None:
                return [il.Return(self._together(block, area, self._returned(block), node.line), node.line)]
        return super().statement(node)

    def expression(self, node: il.Expr) -> il.Expr:
        """Return the copy of an expression that reads scalars."""
        if isinstance(node, il.Load) and isinstance(node.address, il.AddrLocal) and node.address.local in self.parts:
            return il.Load(node.type, self._address(self.parts[node.address.local][node.address.offset]))
        return super().expression(node)

    # ------------------------------------------------------------------------------------------------- whole aggregates

    def _copy(self, copy: il.Copy, target: Area | None, source: Area | None) -> list[il.Statement]:
        """Return a copy of members; the address of memory is computed once, since the copy may change what it depends on."""
        if target is None and source is None:
            return super().statement(copy)
        if target is None:
            assert source is not None
            return self._put(source, self._once(copy.target, copy.line), copy.line)
        if source is None:
            return self._take(target, self._once(copy.source, copy.line), copy.line)
        pairs = [(self.parts[target.local][at], self.parts[source.local][at - target.offset + source.offset], kind)
                 for at, kind in self.partition.within(target)]  # fmt: skip
        return [il.Store(self._address(to), il.Load(kind, self._address(part)), copy.line) for to, part, kind in pairs]

    def _take(self, area: Area, source: il.Expr, line: int) -> list[il.Statement]:
        """Return statements that load scalars from memory at an address."""
        return [
            il.Store(self._address(self.parts[area.local][at]), il.Load(kind, trees.offset(source, at - area.offset)), line)
            for at, kind in self.partition.within(area)
        ]

    def _put(self, area: Area, target: il.Expr, line: int) -> list[il.Statement]:
        """Return statements that store scalars to memory at an address."""
        return [
            il.Store(trees.offset(target, at - area.offset), il.Load(kind, self._address(self.parts[area.local][at])), line)
            for at, kind in self.partition.within(area)
        ]

    def _passed(self, argument: il.Expr | il.Block, line: int) -> il.Expr | il.Block:
        """Return an argument, put together in a local of its own if it is an aggregate that falls apart."""
        area = self._area(argument.address, argument.size) if isinstance(argument, il.Block) else None
        if area is None:
            return argument
        assert isinstance(argument, il.Block)
        return self._together(argument, area, self._fresh(area.local.name, argument.size, argument.align), line)

    def _returned(self, block: il.Block) -> il.Local:
        """Return the local in which results are put together, one for all returns."""
        if self.result is None:
            self.result = self._fresh("result", block.size, block.align)
        return self.result

    def _together(self, block: il.Block, area: Area, whole: il.Local, line: int) -> il.Block:
        self.before += self._put(area, self._address(whole), line)
        return replace(block, address=self._address(whole), owned=True)

    def _once(self, address: il.Expr, line: int) -> il.Expr:
        address = self.expression(address)
        if isinstance(address, il.AddrGlobal | il.AddrLocal):
            return address
        kept = il.Local("at", self.pointer, self.pointer.size, self.pointer.size)
        self.function.locals.append(kept)
        self.before.append(il.Store(self._address(kept), address, line))
        return il.Load(self.pointer, self._address(kept))

    def _fresh(self, name: str, size: int, align: int) -> il.Local:
        local = il.Local(name, None, size, align)
        self.function.locals.append(local)
        return local

    def _area(self, address: il.Expr, size: int) -> Area | None:
        return self.partition.uses.area(address, size)

    def _address(self, local: il.Local) -> il.AddrLocal:
        return il.AddrLocal(self.pointer, local)


def _whole(local: il.Local) -> Area:
    return Area(local, 0, local.size)
