"""The uses of the aggregate locals of one function that scalar replacement understands; other uses reject a local."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from vpo import il
from vpo.il_traversal import children, expressions_of, walk
from vpo.interprocedural.matching import matches
from vpo.interprocedural.symbol_references import loop_depths

LOOP = 8  # how many times a loop is assumed to iterate
DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Area:
    """Some bytes of an aggregate local."""

    local: il.Local
    offset: int
    size: int

    @property
    def end(self) -> int:
        """The offset behind the last byte."""
        return self.offset + self.size

    @property
    def mask(self) -> int:
        """The bytes as bits of an integer."""
        return (1 << self.end) - (1 << self.offset)


@dataclass(frozen=True, slots=True, eq=False)
class Fill:
    """A run of stores that sets adjacent bytes of an aggregate to zero."""

    area: Area
    stores: tuple[il.Store, ...]


Item = il.Statement | Fill


def with_fills(body: Iterable[il.Statement]) -> list[Item]:
    """Return a body with its runs of stores of zero put together, since they need not know the members they set."""
    items: list[Item] = []
    for statement in body:
        fill = _as_fill(statement)
        last = items[-1] if items else None
        if fill is None:
            items.append(statement)
        elif isinstance(last, Fill) and last.area.local is fill.area.local and last.area.end == fill.area.offset:
            area = Area(fill.area.local, last.area.offset, last.area.size + fill.area.size)
            items[-1] = Fill(area, last.stores + fill.stores)
        else:
            items.append(fill)
    return items


def _as_fill(statement: il.Statement) -> Fill | None:
    match statement:
        case il.Store(address=il.AddrLocal(local=local, offset=offset), value=il.Const(type=kind, value=0), volatile=False):
            if local.type is None and not kind.is_float:
                return Fill(Area(local, offset, kind.size), (statement,))
    return None


@dataclass(eq=False)
class Uses:
    """The uses of some locals by a function.

    `traffic` are the areas that are copied from or to memory, with alignments; `handed` those that calls set or are given,
    or that come as parameters or are returned.  `arriving` and `leaving` are the areas of these, by direction.
    """

    candidates: Collection[il.Local]
    recursive: il.Function | None = None  # the function, if its parameters shall come in parts
    accesses: list[tuple[Area, il.Type, int]] = field(default_factory=list)
    links: list[tuple[Area, Area, int, int]] = field(default_factory=list)  # target, source, alignment, weight
    traffic: list[tuple[Area, int, int]] = field(default_factory=list)  # alignment, weight
    handed: list[tuple[Area, int, int]] = field(default_factory=list)
    arriving: list[Area] = field(default_factory=list)
    leaving: list[Area] = field(default_factory=list)
    fills: list[Area] = field(default_factory=list)
    rejected: set[il.Local] = field(default_factory=set)

    def areas(self) -> list[Area]:
        """Return all areas that elements must not be cut by."""
        linked = [area for target, source, _, _ in self.links for area in (target, source)]
        return [*linked, *self.arriving, *self.leaving, *self.fills]

    def item(self, item: Item, weight: int) -> None:
        """Record the uses in a statement that is executed about `weight` times."""
        if isinstance(item, Fill):
            if item.area.local in self.candidates:
                self.fills.append(item.area)
                self._check(item.area)
            return
        match item:
            case il.Store(address=address, value=value, volatile=volatile):
                self._access(address, value.type, volatile, weight)
                self._tree(value, weight)
            case il.Copy():
                self._copy(item, weight)
            case il.Call(function=function, arguments=arguments, result=result):
                if result in self.candidates:
                    assert result is not None
                    self._hand(Area(result, 0, result.size), result.align, weight, self.arriving)
                self._tree(function, weight)
                for position, argument in enumerate(arguments):
                    if not self._is_recursive(item, position):
                        self._value(argument, weight)
                    elif isinstance(argument, il.Block) and self.recursive is not None:
                        parameter = il.AddrLocal(argument.address.type, self.recursive.parameters[position])
                        self._copy(il.Copy(parameter, argument.address, argument.size, argument.align, item.line), weight)
            case il.Return(value=il.Block() as value):
                self._value(value, weight)
            case _:
                for root in expressions_of(item):
                    self._tree(root, weight)

    def parameter(self, local: il.Local) -> None:
        """Record that a local arrives from outside."""
        area = Area(local, 0, local.size)
        if self.recursive is None:
            self._hand(area, local.align, 1, self.arriving)
        else:
            self.arriving.append(area)

    def _is_recursive(self, call: il.Call, position: int) -> bool:
        """Return whether an argument becomes a parameter of the function itself that may come in parts."""
        function = self.recursive
        return function is not None and matches(call, function) and function.parameters[position] in self.candidates

    def area(self, address: il.Expr, size: int) -> Area | None:
        """Return the area of a candidate that begins at an address."""
        if isinstance(address, il.AddrLocal) and address.local in self.candidates:
            return Area(address.local, address.offset, size)
        return None

    def _value(self, value: il.Expr | il.Block, weight: int) -> None:
        if not isinstance(value, il.Block):
            self._tree(value, weight)
        elif (area := self.area(value.address, value.size)) is not None:
            self._hand(area, value.align, weight, self.leaving)
        else:
            self._tree(value.address, weight)

    def _hand(self, area: Area, align: int, weight: int, way: list[Area]) -> None:
        self.handed.append((area, align, weight))
        way.append(area)
        self._check(area)

    def _copy(self, copy: il.Copy, weight: int) -> None:
        target, source = self.area(copy.target, copy.size), self.area(copy.source, copy.size)
        if target is not None and source is not None and target != source:
            self.links.append((target, source, copy.align, weight))
        for area, address, way in ((target, copy.target, self.arriving), (source, copy.source, self.leaving)):
            if area is None:
                self._tree(address, weight)
                continue
            self._check(area)
            if target is None or source is None:
                self.traffic.append((area, copy.align, weight))
                way.append(area)

    def _access(self, address: il.Expr, type_: il.Type, volatile: bool, weight: int) -> None:
        area = self.area(address, type_.size)
        if area is None:
            self._tree(address, weight)
            return
        self.accesses.append((area, type_, weight))
        self._check(area)
        if volatile:
            self.rejected.add(area.local)

    def _tree(self, node: il.Expr, weight: int) -> None:
        """Record the loads in an expression; an address that is used otherwise may go anywhere."""
        match node:
            case il.Load(address=address, type=kind, volatile=volatile):
                self._access(address, kind, volatile, weight)
            case il.AddrLocal(local=local):
                if local in self.candidates:
                    self.rejected.add(local)
            case _:
                for child in children(node):
                    self._tree(child, weight)

    def _check(self, area: Area) -> None:
        if area.offset < 0 or area.end > area.local.size:
            self.rejected.add(area.local)


def mentions(item: Item, locals_: Collection[il.Local]) -> bool:
    """Return whether a statement names one of some locals."""
    if isinstance(item, Fill):
        return item.area.local in locals_
    if isinstance(item, il.Call) and item.result in locals_:
        return True
    return any(
        isinstance(node, il.AddrLocal) and node.local in locals_ for root in expressions_of(item) for node in walk(root)
    )


def weighed(items: list[Item], locals_: Collection[il.Local]) -> list[tuple[Item, int]]:
    """Return the statements that name one of some locals, with estimates of how often they are executed."""
    return [
        (item, LOOP ** min(depth, DEEPEST))
        for item, depth in zip(items, loop_depths(items), strict=True)
        if mentions(item, locals_)
    ]
