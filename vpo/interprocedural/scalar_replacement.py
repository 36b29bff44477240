"""Scalar replacement of aggregates: locals whose members are accessed one by one become a scalar local for each member.

struct point p = q; p.x += 1; f(p.x, p.y);   =>   p.0 = q.x; p.4 = q.y; p.0 += 1; f(p.0, p.4);

Where such an aggregate is passed or returned as a whole, it is put together in a local made for that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from vpo import il
from vpo.frontend.lower import trees
from vpo.il.traversal import children, expressions_of, walk
from vpo.interprocedural.inlining import Rewriter
from vpo.interprocedural.symbol_references import loop_depths, matches

# ----------------------------------------------------------------------------------------------------------------------
# The uses of the aggregate locals of one function that scalar replacement understands; other uses reject a local.


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
    for root in expressions_of(item):
        for node in walk(root):
            if type(node) is il.AddrLocal and node.local in locals_:
                return True
    return False


def weighed(items: list[Item], locals_: Collection[il.Local]) -> list[tuple[Item, int]]:
    """Return the statements that name one of some locals, with estimates of how often they are executed."""
    return [
        (item, LOOP ** min(depth, DEEPEST))
        for item, depth in zip(items, loop_depths(items), strict=True)
        if mentions(item, locals_)
    ]


# ----------------------------------------------------------------------------------------------------------------------
# Which aggregate locals of a function fall apart into scalars, and into which.
#
# A local does if all its accesses are of the same members: none overlaps another one partly or has another kind.  Locals that
# are copied to each other have the same members.  After "The New Intraprocedural Scalar Replacement of Aggregates" (Jambor,
# 2010).


MOST_BYTES = 128  # of an aggregate: larger ones are left alone
MOST_ELEMENTS = 16


class Partition:
    """The elements, types by offset, of each aggregate local of a function that falls apart.

    With `parameters_apart`, parameters could come as elements, also where the function calls itself.
    """

    def __init__(self, function: il.Function, items: list[Item], pointer: il.Type, parameters_apart: bool = False) -> None:
        self.word, self.parameters_apart = pointer.size, parameters_apart
        self.elements: dict[il.Local, dict[int, il.Type]] = {}
        candidates = dict.fromkeys(  # in this order: what comes of them is numbered
            local
            for local in (*function.parameters, *function.locals)
            if local.type is None and not local.volatile and 0 < local.size <= MOST_BYTES
        )
        self.relevant = weighed(items, candidates) if candidates else []
        while candidates:
            self.uses = self._uses(function, candidates)
            rejected = self._rejected()
            if not rejected:
                break
            candidates = {local: None for local in candidates if local not in rejected}
        self.elements = {local: self.elements[local] for local in candidates}

    def within(self, area: Area) -> list[tuple[int, il.Type]]:
        """Return the elements in an area, by offsets in the aggregate."""
        return [(at, kind) for at, kind in sorted(self.elements[area.local].items()) if area.offset <= at < area.end]

    def _uses(self, function: il.Function, candidates: Collection[il.Local]) -> Uses:
        uses = Uses(candidates, function if self.parameters_apart else None)
        for parameter in function.parameters:
            if parameter in candidates:
                uses.parameter(parameter)
        for item, weight in self.relevant:
            uses.item(item, weight)
        return uses

    def _rejected(self) -> set[il.Local]:
        """Find the elements of all candidates; returns those that cannot have any, or would cost more with them."""
        if self.uses.rejected:
            return self.uses.rejected
        self.elements = {local: {} for local in self.uses.candidates}
        self.components = self._components()
        rejected: set[il.Local] = set()
        for area, kind, _ in self.uses.accesses:
            self._add(area.local, area.offset, kind, rejected)
        while not rejected:
            self._propagate(rejected)
            gaps = self._gaps()
            if rejected or not gaps:
                break
            for area, kind in gaps:
                self._add(area.local, area.offset, kind, rejected)
        rejected |= {area.local for area in self.uses.areas() if self._cuts(area)}
        rejected |= {area.local for area, align, _ in self.uses.traffic if self._is_unaligned(area, align)}
        rejected |= {local for local, elements in self.elements.items() if len(elements) > MOST_ELEMENTS}
        return rejected or self._too_costly()

    def _add(self, local: il.Local, offset: int, kind: il.Type, rejected: set[il.Local]) -> bool:
        """Add an element; returns whether it is new.  One that does not fit to the others rejects the local."""
        elements = self.elements[local]
        old = elements.get(offset)
        if old is not None and (old.size, old.is_float) == (kind.size, kind.is_float):
            return False
        if any(at < offset + kind.size and offset < at + other.size for at, other in elements.items()):
            rejected.add(local)
            return False
        elements[offset] = kind
        return True

    def _propagate(self, rejected: set[il.Local]) -> None:
        """Give aggregates that are copied to each other the same elements."""
        changed = True
        while changed and not rejected:
            changed = False
            for target, source, _, _ in self.uses.links:
                for one, other in ((target, source), (source, target)):
                    for at, kind in self.within(one):
                        changed |= self._add(other.local, at - one.offset + other.offset, kind, rejected)

    def _cuts(self, area: Area) -> bool:
        """Whether an element lies partly in an area."""
        return any(
            at < area.end and area.offset < at + kind.size and not (area.offset <= at and at + kind.size <= area.end)
            for at, kind in self.elements[area.local].items()
        )

    def _is_unaligned(self, area: Area, align: int) -> bool:
        """Whether elements would be copied from or to memory where their types may not lie: in a packed structure."""
        return align == 1 and any(kind.size > 1 for _, kind in self.within(area))

    # ----------------------------------------------------------------------- bytes that are only copied, and no element's

    def _gaps(self) -> list[tuple[Area, il.Type]]:
        """Return elements for bytes that come from somewhere and go somewhere and are in none."""
        arriving = self._reached([*self.uses.arriving, *self.uses.fills], forward=True)
        leaving = self._reached(self.uses.leaving, forward=False)
        found: list[tuple[Area, il.Type]] = []
        for local, elements in self.elements.items():
            covered = sum(Area(local, at, kind.size).mask for at, kind in elements.items())
            gap = arriving.get(local, 0) & leaving.get(local, 0) & ~covered
            while gap:
                at = (gap & -gap).bit_length() - 1
                size = self.grain[self.components[local]]
                while at % size or (Area(local, at, size).mask & ~gap):
                    size //= 2
                found.append((Area(local, at, size), il.Type("U", size)))
                gap &= ~Area(local, at, size).mask
        return found

    def _reached(self, areas: Iterable[Area], forward: bool) -> dict[il.Local, int]:
        """Return the bytes that data from some areas reach by copies between candidates, as masks; or come to them from."""
        masks: dict[il.Local, int] = {}
        for area in areas:
            masks[area.local] = masks.get(area.local, 0) | area.mask
        changed = True
        while changed:
            changed = False
            for target, source, _, _ in self.uses.links:
                one, other = (source, target) if forward else (target, source)
                moved = (masks.get(one.local, 0) & one.mask) >> one.offset << other.offset
                if moved & ~masks.get(other.local, 0):
                    masks[other.local] = masks.get(other.local, 0) | moved
                    changed = True
        return masks

    # ----------------------------------------------------------------------------------------------------------- costs

    def _components(self) -> dict[il.Local, il.Local]:
        """Return for each candidate one that stands for all it is copied to and from; finds the alignments of these."""
        leader = {local: local for local in self.uses.candidates}

        def find(local: il.Local) -> il.Local:
            while leader[local] is not local:
                local = leader[local]
            return local

        for target, source, _, _ in self.uses.links:
            leader[find(target.local)] = find(source.local)
        components = {local: find(local) for local in leader}
        self.grain = dict.fromkeys(components.values(), self.word)
        aligns = [(area.local, align) for area, align, _ in (*self.uses.traffic, *self.uses.handed)]
        aligns += [(target.local, align) for target, _, align, _ in self.uses.links]
        for local, align in (*aligns, *((local, local.align) for local in components)):
            self.grain[components[local]] = max(1, min(self.grain[components[local]], align))
        return components

    def _too_costly(self) -> set[il.Local]:
        """Return the locals that are handed over as a whole where that takes as many operations as elements save."""
        saved = dict.fromkeys(self.components.values(), 0)
        extra: dict[il.Local, int] = {}
        for area, _, weight in self.uses.accesses:
            saved[self.components[area.local]] += weight
        for target, _, _, weight in self.uses.links:
            saved[self.components[target.local]] += 2 * weight * self._words(target)
        for area, _, weight in self.uses.traffic:
            saved[self.components[area.local]] += weight * (2 * self._words(area) - len(self.within(area)))
        for area, _, weight in self.uses.handed:
            extra[area.local] = extra.get(area.local, 0) + weight * len(self.within(area))
        for local, cost in extra.items():
            saved[self.components[local]] -= cost
        return {local for local in extra if saved[self.components[local]] <= 0}

    def _words(self, area: Area) -> int:
        return -(-area.size // self.word)


# ----------------------------------------------------------------------------------------------------------------------
# The replacement.


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
