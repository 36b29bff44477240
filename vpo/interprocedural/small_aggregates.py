"""Aggregates of at most a word that travel as a whole, as one scalar: members are parts of its bits.

struct pixel f(struct pixel p, int g) { p.g = g; return p; }      =>      p' = p; p' = (p' & ~0xff00) | (g & 0xff) << 8; ...

Where members become scalars of their own (`scalar_replacement.py`), this is not needed; here are those that are handed over
more often than their members are accessed, and unions that are accessed in several ways.  An integer of which `memcpy` has
taken parts, or put some in, is such a scalar itself.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from vpo import il
from vpo.frontend.lower import trees
from vpo.il.uses import is_whole
from vpo.interprocedural.inlining import Rewriter
from vpo.interprocedural.scalar_replacement import Area, Uses, mentions

LEAST = 4  # bytes of a type in which to calculate, where addresses are as wide


def copied_integers(function: il.Function) -> set[il.Local]:
    """Return the integers of a function that are copied as memory is, from or to what may be of another type."""
    copies = [statement for statement in function.body if type(statement) is il.Copy]
    ends = [end.local for copy in copies for end in (copy.target, copy.source) if type(end) is il.AddrLocal]
    return {local for local in ends if local.type is not None and local.type.kind in ("I", "U")}


def hold_in_words(function: il.Function, pointer: il.Type, big_endian: bool, integers: Collection[il.Local] = ()) -> None:
    """Let a scalar stand for each aggregate of a function that fits into a word, where nobody knows its address.

    So do some `integers` stand for what others take parts of.
    """
    candidates = {
        local
        for local in (*function.parameters, *function.locals)
        if (local.type is None or local in integers)
        and not local.volatile
        and 0 < local.size <= pointer.size
        and local.size.bit_count() == 1
    }
    relevant = [statement for statement in function.body if mentions(statement, candidates)] if candidates else []
    while candidates:
        uses = Uses(candidates)
        for parameter in function.parameters:
            if parameter in candidates and parameter.type is None:
                uses.parameter(parameter)
        for statement in relevant:
            uses.item(statement, 1)
        rejected = _rejected(uses, candidates)
        if not rejected:
            break
        candidates = candidates - rejected
    if candidates:
        held = _Held(function, candidates, pointer, big_endian)
        body = held.first()
        for statement in function.body:
            body += held.item(statement) if mentions(statement, candidates) else [statement]
        function.body = body
        function.locals = [local for local in function.locals if local not in candidates or local.type is not None]


def _rejected(uses: Uses, candidates: Collection[il.Local]) -> set[il.Local]:
    """Return the locals that cannot be held in a scalar, or of which nobody wants a part."""
    rejected = set(uses.rejected)
    rejected |= {area.local for area in uses.areas() if area.local in candidates and not _can_be_moved(area)}
    rejected |= {area.local for area, kind, _ in uses.accesses if kind.is_float}
    rejected |= {area.local for area, align, _ in uses.traffic if align < area.size}
    for target, source, _, _ in uses.links:  # these stay what they are together
        if rejected & {target.local, source.local}:
            rejected |= {target.local, source.local}
    wanted = {area.local for area, _, _ in uses.accesses}
    return rejected or {local for local in candidates if local not in wanted and not _is_linked(local, uses)}


def _is_linked(local: il.Local, uses: Uses) -> bool:
    return any(local in (target.local, source.local) for target, source, _, _ in uses.links)


def _can_be_moved(area: Area) -> bool:
    part = area.local.type is not None and area.size.bit_count() == 1  # of an integer
    return part or (area.offset == 0 and area.size == area.local.size)


class _Held(Rewriter):
    """Rewrites the statements that name aggregates which are held in scalars."""

    def __init__(self, function: il.Function, candidates: Collection[il.Local], pointer: il.Type, big_endian: bool) -> None:
        super().__init__({})
        self.function, self.pointer, self.big_endian = function, pointer, big_endian
        self.scalars: dict[il.Local, il.Local] = {}
        for local in (*function.parameters, *function.locals):
            if local in candidates and local.type is not None:
                self.scalars[local] = local
            elif local in candidates:
                name, kind = local.name.removeprefix(trees.TEMPORARY), il.Type("U", local.size)
                self.scalars[local] = il.Local(name, kind, local.size, local.size)
        function.locals = [*function.locals, *(scalar for local, scalar in self.scalars.items() if scalar is not local)]
        self.before: list[il.Statement] = []  # of the statement that is rewritten
        self.result: il.Local | None = None

    def first(self) -> list[il.Statement]:
        """Return the statements that take parameters into scalars, and set others to what can be folded."""
        body: list[il.Statement] = []
        for local, scalar in self.scalars.items():
            if scalar is local:
                continue
            if local in self.function.parameters:
                body += self._taken(local, local, self.function.line)
            elif scalar.type is not None:
                body.append(il.Store(self._address(scalar), trees.constant(scalar.type, 0), self.function.line))
        return body

    def item(self, item: il.Statement) -> list[il.Statement]:
        """Return what does the same with scalars."""
        self.before = []
        after = self.statement(item)
        return [*self.before, *after]

    def statement(self, node: il.Statement) -> list[il.Statement]:
        """Return what does the same with scalars, after the statements `before`."""
        match node:
            case il.Store(address=address, value=value) if is_whole(address, value.type):
                pass
            case il.Store(address=il.AddrLocal(local=local, offset=offset), value=value) if local in self.scalars:
                new = self._with(self.scalars[local], offset, self.expression(value))
                return [il.Store(self._address(self.scalars[local]), new, node.line)]
            case il.Copy():
                return self._copy(node)
            case il.Call(result=il.Local(type=None) as result) if result in self.scalars:
                whole = self._fresh(result)
                call = self.statement(replace(node, result=whole))
                return [*call, *self._taken(result, whole, node.line)]
            case il.Call(arguments=arguments):
                passed = tuple(self._handed(argument, node.line) for argument in arguments)
                return super().statement(replace(node, arguments=passed))
            case il.Return(value=il.Block() as block):
                return [il.Return(self._handed(block, node.line, returned=True), node.line)]
        return super().statement(node)

    def expression(self, node: il.Expr) -> il.Expr:
        """Return the copy of an expression that reads scalars."""
        if not isinstance(node, il.Load) or not isinstance(node.address, il.AddrLocal) or is_whole(node.address, node.type):
            return super().expression(node)
        if node.address.local in self.scalars:
            scalar, wide = self._value(self.scalars[node.address.local])
            shift = self._shift(scalar, node.address.offset, node.type)
            return trees.convert(node.type, trees.binary("shr", wide.type, wide, trees.constant(wide.type, shift)))
        return super().expression(node)

    # ------------------------------------------------------------------------------------------------------------ parts

    def _value(self, scalar: il.Local) -> tuple[il.Local, il.Expr]:
        """Return a scalar, and its value as wide as one calculates."""
        assert scalar.type is not None
        wide = il.Type("U", max(scalar.size, min(LEAST, self.pointer.size)))
        return scalar, trees.convert(wide, il.Load(scalar.type, self._address(scalar)))

    def _shift(self, scalar: il.Local, offset: int, part: il.Type) -> int:
        """Return the place of the lowest bit of a part."""
        return 8 * (scalar.size - offset - part.size if self.big_endian else offset)

    def _with(self, scalar: il.Local, offset: int, value: il.Expr) -> il.Expr:
        """Return what a scalar is with another value for a part of it."""
        assert scalar.type is not None
        part = il.Type("U", value.type.size)
        if part.size == scalar.size:
            return trees.convert(scalar.type, value)
        _, old = self._value(scalar)
        shift, mask = self._shift(scalar, offset, part), (1 << 8 * part.size) - 1
        kept = trees.binary("and", old.type, old, trees.constant(old.type, ~(mask << shift)))
        new = trees.convert(old.type, trees.convert(part, value))
        placed = trees.binary("shl", old.type, new, trees.constant(old.type, shift))
        return trees.convert(scalar.type, trees.binary("or", old.type, kept, placed))

    # ----------------------------------------------------------------------------------------------------------- wholes

    def _copy(self, copy: il.Copy) -> list[il.Statement]:
        """Return a copy of a scalar or a part of it, or a load or store of one."""
        if self._scalar(copy.target) is None and self._scalar(copy.source) is None:
            return super().statement(copy)
        return self.statement(il.Store(copy.target, il.Load(il.Type("U", copy.size), copy.source), copy.line))

    def _taken(self, local: il.Local, whole: il.Local, line: int) -> list[il.Statement]:
        """Return statements that set the scalar of a local to what is in memory."""
        scalar = self.scalars[local]
        assert scalar.type is not None
        if whole is local:  # a parameter, which may be anywhere
            whole = self._fresh(local)
            copy: list[il.Statement] = [il.Copy(self._address(whole), self._address(local), local.size, local.align, line)]
        else:
            copy = []
        return [*copy, il.Store(self._address(scalar), il.Load(scalar.type, self._address(whole)), line)]

    def _handed(self, value: il.Expr | il.Block, line: int, returned: bool = False) -> il.Expr | il.Block:
        """Return an argument or result, put into memory if it is an aggregate in a scalar; one place for all results."""
        scalar = self._scalar(value.address) if isinstance(value, il.Block) else None
        if scalar is None or scalar.type is None:
            return self.value(value) if returned else value
        assert isinstance(value, il.Block)
        if returned and self.result is None:
            self.result = self._fresh(scalar)
        whole = self.result if returned else self._fresh(scalar)
        assert whole is not None
        self.before.append(il.Store(self._address(whole), il.Load(scalar.type, self._address(scalar)), line))
        return replace(value, address=self._address(whole), owned=True)

    def _scalar(self, address: il.Expr) -> il.Local | None:
        return self.scalars.get(address.local) if isinstance(address, il.AddrLocal) else None

    def _fresh(self, local: il.Local) -> il.Local:
        """Return an aggregate of the size of a scalar, where this can be loaded and stored as a whole."""
        fresh = il.Local(local.name, None, local.size, local.size)
        self.function.locals.append(fresh)
        return fresh

    def _address(self, local: il.Local) -> il.AddrLocal:
        return il.AddrLocal(self.pointer, local)
