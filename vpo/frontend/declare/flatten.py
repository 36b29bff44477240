"""Which part of an object each expression of an initialiser goes to: braces, designators, strings."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from vpo.frontend.context import Context
from vpo.frontend.declare.compatibility import compatible
from vpo.frontend.declare.constant_expressions import constant_expression
from vpo.frontend.declare.declarators import type_name
from vpo.frontend.lower import conversions
from vpo.frontend.lower.values import Once, Value
from vpo.frontend.syntax import nodes
from vpo.frontend.syntax.lexer import INTEGER, STRING
from vpo.frontend.types.types import (
    RANK_BOOL,
    Array,
    BitField,
    Complex,
    CType,
    Record,
    Tag,
    Vector,
    is_integer,
    is_scalar,
    unqualified,
)

Path = list[nodes.Designator | None]  # to a part of an object; None leads into an anonymous member


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part of an object and the expression it starts with, or the bytes of a string or a run of constants."""

    offset: int
    type: CType
    node: nodes.Expression | nodes.ConstantRun
    bits: BitField | None = None
    data: bytes | None = None

    @property
    def expression(self) -> nodes.Expression:
        """The expression, where there are no bytes."""
        assert not isinstance(self.node, nodes.ConstantRun)
        return self.node


def lower_once(ctx: Context, node: Once) -> Value:
    """Lower an expression that stands in several places of an initialiser: it is evaluated in the first."""
    if node.value is not None and not ctx.state.is_scratch:
        return node.value
    value = conversions.rvalue(ctx, node.expr)
    if ctx.state.is_scratch or value.tree is None:
        return value
    node.value = Value(value.type, ctx.save(value.tree))
    return node.value


def flatten(ctx: Context, ctype: CType, node: nodes.Initializer) -> tuple[list[Leaf], int]:
    """The leaves of an initialiser in order, and the length it gives to an array of unknown length."""
    flattener = _Flattener(ctx)
    flattener.object(ctype, 0, None, node)
    return flattener.leaves, flattener.length


class _Cursor:
    """A brace-enclosed list being consumed."""

    def __init__(self, items: Sequence[nodes.ListItem]) -> None:
        self.items = list(items)
        self.position = 0

    def run(self) -> nodes.ConstantRun | None:
        item = self.items[self.position] if self.position < len(self.items) else None
        return item if isinstance(item, nodes.ConstantRun) else None

    def take(self, run: nodes.ConstantRun, count: int) -> None:
        if count < len(run):
            self.items[self.position] = run.rest(count)
        else:
            self.position += 1

    def share(self) -> None:
        """Let the current expression, which initialises several elements, be evaluated once."""
        item = self.peek()
        expression = item.expr if isinstance(item, nodes.NamedInitializer) else item
        if expression is not None and not isinstance(expression, nodes.InitList | nodes.Constant):
            once = Once(expression)
            self.items[self.position] = (
                nodes.NamedInitializer(item.name, once) if isinstance(item, nodes.NamedInitializer) else once
            )

    def peek(self) -> nodes.Initializer | nodes.NamedInitializer | None:
        run = self.run()
        if run is not None:
            self.items[self.position : self.position + 1] = run.nodes()
        if self.position >= len(self.items):
            return None
        item = self.items[self.position]
        assert not isinstance(item, nodes.ConstantRun)
        return item

    def coord(self) -> nodes.Coord | None:
        """Return the place of the current expression."""
        item = self.peek()
        return None if item is None else item.coord


def _pieces(leaf: Leaf, start: int, end: int) -> list[Leaf]:
    """The parts of a string or a run of constants before one byte and from another one on, in whole elements."""
    assert isinstance(leaf.type, Array)
    assert leaf.data is not None
    element = leaf.type.element
    parts = ((0, start // element.size * element.size), (-(-end // element.size) * element.size, len(leaf.data)))
    return [
        Leaf(leaf.offset + low, Array(element, (high - low) // element.size), leaf.node, None, leaf.data[low:high])
        for low, high in parts
        if low < high
    ]


class _Flattener:
    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.length = 0
        self._leaves: dict[int, Leaf] = {}  # by number, in order; no two cover the same bits
        self._extents: list[tuple[int, int, int]] = []  # first bit, end and number of each leaf, sorted
        self._numbers = count()
        self._chosen: dict[tuple[int, Tag], int] = {}  # the members of unions, by their places
        self._end = 0  # of all bits covered so far

    @property
    def leaves(self) -> list[Leaf]:
        """The leaves in the order in which their expressions are evaluated."""
        return list(self._leaves.values())

    def _add(self, leaf: Leaf) -> None:
        """Add a leaf; one that goes back (a designator) replaces what it overlaps."""
        start, end = self._extent(leaf)
        if start < self._end:
            self._drop(start, end)
        self._end = max(self._end, end)
        number = next(self._numbers)
        self._leaves[number] = leaf
        insort(self._extents, (start, end, number))

    def _drop(self, start: int, end: int) -> None:
        """Forget what was to be put between two bits; a string or a run of constants loses only the elements there."""
        low = bisect_left(self._extents, (start,))
        if low and self._extents[low - 1][1] > start:
            low -= 1
        high = low
        while high < len(self._extents) and self._extents[high][0] < end:
            high += 1
        dropped = [self._leaves.pop(number) for _, _, number in self._extents[low:high]]
        del self._extents[low:high]
        for old in dropped:
            if old.data is not None:
                for piece in _pieces(old, start // 8 - old.offset, (end + 7) // 8 - old.offset):
                    self._add(piece)

    def _extent(self, leaf: Leaf) -> tuple[int, int]:
        """The first bit that a leaf covers, and the one behind the last."""
        bits = leaf.bits
        if bits is None:
            return 8 * leaf.offset, 8 * (leaf.offset + (leaf.type.size if leaf.data is None else len(leaf.data)))
        first = bits.shift
        if self.ctx.model.big_endian:
            first = 8 * bits.container.size - bits.shift - bits.width
        return 8 * leaf.offset + first, 8 * leaf.offset + first + bits.width

    def object(self, ctype: CType, offset: int, bits: BitField | None, node: nodes.Initializer) -> None:
        """Initialise a whole object with a list or an expression."""
        if isinstance(node, nodes.InitList):
            self._list(ctype, offset, bits, node)
        elif isinstance(ctype, Array):
            if isinstance(node, nodes.CompoundLiteral):  # as in gcc: what is in its braces
                self._literal(ctype, offset, bits, node)
            elif not self._string(ctype, offset, node):
                self.ctx.report.fail(node.coord, "invalid initializer")
        else:
            self._add(Leaf(offset, ctype, node, bits))

    def _literal(self, ctype: Array, offset: int, bits: BitField | None, node: nodes.CompoundLiteral) -> None:
        """Initialise an array with a compound literal, of the same type but perhaps for the length."""
        found = type_name(self.ctx, node.type)
        if not isinstance(found, Array) or not compatible(unqualified(found.element), unqualified(ctype.element)):
            self.ctx.report.fail(node.coord, "invalid initializer")
        if ctype.length is not None and found.length not in (None, ctype.length):
            self.ctx.report.fail(node.coord, "invalid initializer")
        self._list(ctype, offset, bits, node.init)
        if ctype.length is None and found.length is not None:
            self.length = found.length

    def _list(self, ctype: CType, offset: int, bits: BitField | None, node: nodes.InitList) -> None:
        items = node.exprs
        if is_scalar(ctype) or isinstance(ctype, Complex):
            first, second = _Cursor(items[:1]).peek(), _Cursor(items[1:2]).peek()
            if second is not None:
                self.ctx.report.warning(second.coord, "excess-initializers:scalar")
            if isinstance(first, nodes.NamedInitializer):
                self.ctx.report.fail(node.coord, "designator in initializer for scalar type")
            self.object(ctype, offset, bits, first or nodes.Constant(INTEGER, "0", node.coord))  # nothing is zero in C23
            return
        if isinstance(ctype, Array) and len(items) == 1 and self._string(ctype, offset, items[0]):
            return
        if 8 * offset < self._end:
            self._drop(8 * offset, 8 * (offset + ctype.size))  # the list replaces all of an earlier one
        cursor = _Cursor(items)
        self._fill(ctype, offset, cursor, braced=True, path=[])
        rest = cursor.peek()
        if rest is not None:
            self.ctx.report.warning(rest.coord, "excess-initializers")

    def _string(self, ctype: Array, offset: int, node: nodes.ListItem) -> bool:
        """Initialise a character array with a string literal, if that is what they are."""
        element = ctype.element
        if not isinstance(node, nodes.Constant) or node.type != STRING or not is_integer(element):
            return False
        codes, unit, data = self.ctx.string_bytes(node)
        if element.rank != unit.rank:
            return False
        if ctype.length is None:
            self.length = len(codes) + 1
            self._add(Leaf(offset, Array(element, len(codes) + 1), node, None, data))
            return True
        if len(codes) > ctype.length:
            self.ctx.report.warning(node.coord, "excess-initializers:string")
        room = ctype.length * unit.size
        self._add(Leaf(offset, ctype, node, None, data[:room] + bytes(max(0, room - len(data)))))
        return True

    def _fill(self, ctype: CType, offset: int, cursor: _Cursor, braced: bool, path: Path) -> None:
        """Initialise the parts of an aggregate one by one from a list; `path` designates the first of them."""
        if isinstance(ctype, Vector):
            ctype = Array(ctype.element, ctype.length)
        if isinstance(ctype, Array):
            self._fill_array(ctype, offset, cursor, braced, path)
        elif isinstance(ctype, Record):
            self._fill_record(ctype, offset, cursor, braced, path)
        else:
            self.ctx.report.fail(cursor.coord(), "designator in initializer for scalar type")

    def _fill_array(self, ctype: Array, offset: int, cursor: _Cursor, braced: bool, path: Path) -> None:
        index = 0
        while True:
            taken = 0 if path else self._constants(ctype, offset, index, cursor)
            if taken:
                index += taken
                self.length = max(self.length, index) if ctype.length is None else self.length
                continue
            item = cursor.peek()
            if item is None:
                break
            if not path and isinstance(item, nodes.NamedInitializer):
                if not braced:
                    break
                path = list(item.name)
            last = index
            if path:
                index, last = self._indices(ctype, path[0])
            elif ctype.length is not None and index >= ctype.length:
                break
            before = cursor.position
            if last > index:
                cursor.share()
            for at in range(index, last):  # only the last element goes on with what follows
                one = _Cursor(cursor.items[before : before + 1])
                self._part(ctype.element, offset + at * ctype.element.size, None, one, path)
            self._part(ctype.element, offset + last * ctype.element.size, None, cursor, path)
            if cursor.position == before:
                self.ctx.report.fail(cursor.coord(), "invalid initializer")
            path = []
            index = last + 1
            if ctype.length is None:
                self.length = max(self.length, index)

    def _constants(self, ctype: Array, offset: int, index: int, cursor: _Cursor) -> int:
        """Initialise elements with as much of a run of constants as there is room for; answers how many."""
        run, element = cursor.run(), ctype.element
        if run is None or not is_integer(element) or element.rank == RANK_BOOL:
            return 0
        taken = len(run) if ctype.length is None else min(len(run), ctype.length - index)
        if taken > 0:
            data = run.data(taken, element, self.ctx.model.big_endian)
            self._add(Leaf(offset + index * element.size, Array(element, taken), run, None, data))
            cursor.take(run, taken)
        return max(taken, 0)

    def _indices(self, ctype: Array, designator: nodes.Designator | None) -> tuple[int, int]:
        """Return the first and the last index that a designator names."""
        assert designator is not None
        match designator:
            case nodes.ArrayDesignator():
                index = self._index(ctype, designator, designator.expr)
                return index, index
            case nodes.RangeDesignator():
                first, last = (self._index(ctype, designator, node) for node in (designator.first, designator.last))
                if last < first:
                    self.ctx.report.fail(designator.coord, "empty index range in initializer")
                return first, last
            case nodes.ID():
                self.ctx.report.fail(designator.coord, "field name not in record or union initializer")

    def _index(self, ctype: Array, designator: nodes.Designator, node: nodes.Expression) -> int:
        index = constant_expression(self.ctx, node, "array index in initializer")
        if index < 0 or (ctype.length is not None and index >= ctype.length):
            self.ctx.report.fail(designator.coord, "array index in initializer exceeds array bounds")
        return index

    def _fill_record(self, ctype: Record, offset: int, cursor: _Cursor, braced: bool, path: Path) -> None:
        members = ctype.members
        index = 0
        while True:
            item = cursor.peek()
            if item is None:
                break
            if not path and isinstance(item, nodes.NamedInitializer):
                if not braced:
                    break
                path = list(item.name)
            if path:
                index, path = self._named_member(ctype, path)
            elif index >= len(members):
                break
            if ctype.tag.keyword == "union":
                self._choose(ctype, offset, index, len(path))
            member = members[index]
            at = offset + (member.bits.offset if member.bits else member.offset)
            self._part(member.type, at, member.bits, cursor, path)
            path = []
            index = len(members) if ctype.tag.keyword == "union" else index + 1

    def _choose(self, ctype: Record, offset: int, index: int, depth: int) -> None:
        """Let a member of a union be what is initialised: it ends the life of another one, and of itself as a whole."""
        is_other = self._chosen.get((offset, ctype.tag), index) != index
        if (is_other or depth == 1) and 8 * offset < self._end:
            self._drop(8 * offset, 8 * (offset + ctype.size))
        self._chosen[offset, ctype.tag] = index

    def _named_member(self, ctype: Record, path: Path) -> tuple[int, Path]:
        """The position of the designated member, and the path as seen from inside an anonymous one."""
        designator = path[0]
        assert designator is not None
        name = designator.name if isinstance(designator, nodes.ID) else None
        for index, member in enumerate(ctype.members):
            if member.name is not None and member.name == name:
                return index, path
            if member.name is None and isinstance(member.type, Record) and name in member.type.tag.by_name:
                return index, [None, *path]
        if name is None:
            self.ctx.report.fail(designator.coord, "array index in non-array initializer")
        self.ctx.report.fail(designator.coord, f"'{ctype}' has no member named '{name}'")

    def _part(self, ctype: CType, at: int, bits: BitField | None, cursor: _Cursor, path: Path) -> None:
        """Initialise one element or member from the front of a list; `path[1:]` leads further in."""
        if len(path) > 1:
            self._fill(ctype, at, cursor, braced=False, path=path[1:])
            return
        item = cursor.peek()
        if isinstance(item, nodes.NamedInitializer):
            item = cursor.items[cursor.position] = item.expr
        assert item is not None
        whole = is_scalar(ctype) or isinstance(ctype, Complex)
        if isinstance(ctype, Array) and self._string(ctype, at, item):
            cursor.position += 1
        elif isinstance(item, nodes.InitList) or whole or (isinstance(ctype, Record | Vector) and self._is_whole(item, ctype)):
            cursor.position += 1
            self.object(ctype, at, bits, item)
        else:
            before = cursor.position
            self._fill(ctype, at, cursor, braced=False, path=[])
            if cursor.position == before and isinstance(ctype, Record):  # it has no members
                self.ctx.report.warning(cursor.coord(), "excess-initializers")
                cursor.position += 1

    def _is_whole(self, node: nodes.Expression, ctype: Record | Vector) -> bool:
        """Whether an expression is a value of the struct, union or vector itself."""
        if isinstance(node, nodes.Constant) or (isinstance(node, nodes.BinaryOp) and isinstance(ctype, Record)):
            return False
        with self.ctx.scratch(unevaluated=True):
            found = conversions.rvalue(self.ctx, node).type
        if isinstance(ctype, Vector):
            return isinstance(found, Vector)
        return isinstance(found, Record) and found.tag is ctype.tag
