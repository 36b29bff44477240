"""Initialisers: who gets which value, for static objects as data and for automatic ones as stores."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.declare.constant_objects import folded
from vpo.frontend.declare.declarators import type_name
from vpo.frontend.declare.flatten import Leaf, flatten
from vpo.frontend.lower import complex_numbers, conversions, stored_scalars, trees
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import Assignment, CompoundLiteral, ConstantRun, Coord, FuncCall, Initializer, TernaryOp
from vpo.frontend.types import types
from vpo.frontend.types.layout import PRAGMA_PACK, has_unaligned
from vpo.il.data_model import ANY

SHORTEST_RUN = 4  # of bytes that are put together
SMALL_SIZE = 64  # an aggregate up to this size, with few values, is initialised by stores
SMALL_COUNT = 8


def _plan(ctx: Context, ctype: types.CType, node: Initializer, coord: Coord) -> tuple[types.CType, list[Leaf]]:
    """The completed type of an object and the values it starts with."""
    if not types.is_complete(ctype) and not isinstance(ctype, types.Array):
        ctx.report.fail(coord, f"variable has incomplete type '{ctype}'")
    leaves, length = flatten(ctx, ctype, node)
    if isinstance(ctype, types.Array) and ctype.length is None:
        ctype = types.Array(ctype.element, length)
    return ctype, leaves


# ------------------------------------------------------------------------------------------------- static objects


def static_object(
    ctx: Context, name: str, ctype: types.CType, node: Initializer, coord: Coord, *, static: bool, align: int = 0,
    section: tuple[str, str] = ("", ""),
) -> types.CType:  # fmt: skip
    """Define a static object with its initialiser; answers its completed type."""
    ctype, leaves = _plan(ctx, ctype, node, coord)
    image = Image(ctx)
    for leaf in leaves:
        _static_leaf(ctx, image, leaf)
    constant = is_constant(ctype)
    size = max(ctype.size, image.end)
    ctx.add_data(il.Data(name, size, max(align, ctype.align), image.items(), constant, static, False, False, *section))
    return ctype


def is_constant(ctype: types.CType) -> bool:
    """Whether nothing in objects of the type may be changed."""
    while isinstance(ctype, types.Array):
        ctype = ctype.element
    return ctype.const and not ctype.volatile


def _static_leaf(ctx: Context, image: Image, leaf: Leaf) -> None:
    if leaf.data is not None:
        image.put_data(leaf)
        return
    node = leaf.expression
    literal = node if isinstance(leaf.type, types.Record | types.Vector) else None
    if isinstance(literal, CompoundLiteral) and type_name(ctx, literal.type) == types.unqualified(leaf.type):
        for part in flatten(ctx, leaf.type, literal.init)[0]:
            _static_leaf(ctx, image, replace(part, offset=leaf.offset + part.offset))
        return
    with ctx.scratch() as state:
        value = conversions.rvalue(ctx, node)
        if isinstance(leaf.type, types.Record) and isinstance(value.address, il.AddrGlobal):
            _static_copy(ctx, image, leaf, value.address)
            return
        value = conversions.assign(ctx, leaf.type, value, node, "initialization")
        if value.tree is not None:
            value.tree = folded(ctx, value.tree)
        if state.body or not image.put_value(leaf, value):
            ctx.report.error(node.coord, "initializer element is not constant")


def _static_copy(ctx: Context, image: Image, leaf: Leaf, source: il.AddrGlobal) -> None:
    """A compound literal as the initialiser of a static struct."""
    data = ctx.data.get(source.name)
    if data is None or not source.name.startswith("compound.") or source.offset:
        ctx.report.error(leaf.node.coord, "initializer element is not constant")
        return
    for item in data.items:
        image.put_item(leaf.offset, item)


class Image:
    """The contents of an object under construction; bytes where bit-fields or strings were put."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._order: Literal["big", "little"] = "big" if ctx.model.big_endian else "little"
        self._items: dict[int, il.Item] = {}
        self._bytes: dict[int, int] = {}
        self.end = 0

    def put_data(self, leaf: Leaf) -> None:
        """Put a string, or a run of constants: as bytes, or as integers if the elements are wider."""
        data, offset, element = (
            leaf.data or b"",
            leaf.offset,
            leaf.type.element if isinstance(leaf.type, types.Array) else None,
        )
        if isinstance(leaf.node, ConstantRun) and isinstance(element, types.Arithmetic) and element.size > 1:
            size, signed = element.size, element.il.is_signed
            for at in range(0, len(data), size):
                value = int.from_bytes(data[at : at + size], self._order, signed=signed)
                if value:
                    self._items[offset + at] = il.IntItem(offset + at, size, value)
        elif data.strip(b"\0"):
            self._items[offset] = il.BytesItem(offset, data)
        self.end = max(self.end, offset + len(data))

    def put_item(self, base: int, item: il.Item) -> None:
        """Put an item of another object at a distance."""
        at = base + item.offset
        match item:
            case il.IntItem(size=size, value=value):
                self._items[at] = il.IntItem(at, size, value)
            case il.FloatItem(size=size, value=number):
                self._items[at] = il.FloatItem(at, size, number)
            case il.AddressItem(symbol=symbol, addend=addend):
                self._items[at] = il.AddressItem(at, symbol, addend)
            case il.BytesItem(data=data):
                self._items[at] = il.BytesItem(at, data)

    def put_value(self, leaf: Leaf, value: Value) -> bool:
        """Put what a leaf starts with; False when it is no constant."""
        if value.imaginary is not None and not self.put(leaf.offset + value.imaginary.type.size, None, value.imaginary):
            return False
        return value.tree is not None and self.put(leaf.offset, leaf.bits, value.tree)

    def put(self, offset: int, bits: types.BitField | None, tree: il.Expr) -> bool:
        """Put a scalar; False when it is no constant."""
        size = tree.type.size
        address = self._ctx.types.address
        symbol = _address_constant(tree) if bits is None and size == address.size else None
        if symbol is not None:
            self._items[offset] = il.AddressItem(offset, symbol.name, symbol.offset)
        elif not isinstance(tree, il.Const):
            return False
        elif bits is not None:
            self._put_bits(offset, bits, int(tree.value))
        elif tree.type.kind == "F":
            self._items[offset] = il.FloatItem(offset, size, float(tree.value))
        else:
            self._items[offset] = il.IntItem(offset, size, int(tree.value))
        if bits is None:
            self.end = max(self.end, offset + size)
        return True

    def _put_bits(self, offset: int, bits: types.BitField, value: int) -> None:
        if bits.high is not None:
            lower = bits.width - bits.high.width
            self._put_bits(offset + bits.high.offset, bits.high, value >> lower)
            bits = replace(bits, width=lower, high=None)
        word = (value & ((1 << bits.width) - 1)) << bits.shift
        keep = ((1 << bits.width) - 1) << bits.shift
        size = bits.container.size
        for index in range(size):
            shift = 8 * (size - 1 - index if self._order == "big" else index)
            if keep >> shift & 0xFF:
                old = self._bytes.get(offset + index, 0) & ~(keep >> shift & 0xFF)
                self._bytes[offset + index] = old | (word >> shift & 0xFF)

    def items(self) -> list[il.Item]:
        """Everything in ascending order, zeros left out where that is easy."""
        items = [item for item in self._items.values() if not _is_zero(item)]
        run: list[int] = []
        start = -1
        for offset in sorted(self._bytes):
            if run and offset != start + len(run):
                items.append(il.BytesItem(start, bytes(run)))
                run = []
            if not run:
                start = offset
            run.append(self._bytes[offset])
        if run:
            items.append(il.BytesItem(start, bytes(run)))
        items.sort(key=lambda item: item.offset)
        return _joined(items)


def _joined(items: list[il.Item]) -> list[il.Item]:
    """Return items with runs of single bytes as one: text that is written letter by letter."""
    found: list[il.Item] = []
    at = 0
    while at < len(items):
        behind, data = at, bytearray()
        while behind < len(items) and isinstance(item := items[behind], il.IntItem) and item.size == 1:
            if item.offset != items[at].offset + len(data):
                break
            data.append(item.value & 255)
            behind += 1
        if len(data) >= SHORTEST_RUN:
            found.append(il.BytesItem(items[at].offset, bytes(data)))
        else:
            behind = max(behind, at + 1)
            found += items[at:behind]
        at = behind
    return found


def _address_constant(tree: il.Expr) -> il.AddrGlobal | None:
    """The address that a tree is, perhaps as an integer of its size, plus or minus constants."""
    match tree:
        case il.AddrGlobal():
            return tree
        case il.Convert(operand=operand) if operand.type.size == tree.type.size and operand.type.kind != "F":
            return _address_constant(operand)
        case il.Binary(operator="add" | "sub" as operator, left=left, right=il.Const(value=value)):
            base = _address_constant(left)
            if base is not None:
                distance = int(value) if operator == "add" else -int(value)
                return il.AddrGlobal(base.type, base.name, base.offset + distance)
        case il.Binary(operator="add", left=il.Const(value=value), right=right):
            base = _address_constant(right)
            if base is not None:
                return il.AddrGlobal(base.type, base.name, base.offset + int(value))
    return None


def _is_zero(item: il.Item) -> bool:
    match item:
        case il.IntItem(value=0):
            return True
        case il.FloatItem(value=value):
            return value == 0 and str(value) == "0.0"
    return False


# ---------------------------------------------------------------------------------------------- automatic objects


def initialise_local(ctx: Context, local: il.Local, ctype: types.CType, node: Initializer, coord: Coord) -> types.CType:
    """Initialise an automatic object; fills in the local's type and size, answers the completed type."""
    if types.is_scalar(ctype):
        local.type, local.size, local.align = ctype.il, ctype.size, max(local.align, ctype.align)
        target = Value(types.unqualified(ctype), None, ctx.address_of(local))
        leaves, _ = flatten(ctx, ctype, node)
        for leaf in leaves:
            _store_leaf(ctx, target.address, leaf)
        return ctype
    ctype, leaves = _plan(ctx, ctype, node, coord)
    local.size, local.align = ctype.size, max(local.align, ctype.align)
    base = ctx.address_of(local)
    if len(leaves) == 1 and leaves[0].offset == 0 and isinstance(leaves[0].type, types.Record) and leaves[0].type == ctype:
        _store_leaf(ctx, base, leaves[0])
    elif ctype.size <= SMALL_SIZE and len(leaves) <= SMALL_COUNT and all(leaf.data is None for leaf in leaves):
        _zero_rest(ctx, base, ctype, leaves)
        for leaf in leaves:
            _store_leaf(ctx, base, leaf, has_unaligned(ctype))
    else:
        _copy_image(ctx, base, ctype, leaves)
    return ctype


def _store_leaf(ctx: Context, base: il.Expr | None, leaf: Leaf, unaligned: bool = False) -> None:
    assert base is not None
    address = trees.offset(base, leaf.offset)
    node = leaf.expression
    value = conversions.assign(ctx, leaf.type, conversions.rvalue(ctx, node), node, "initialization")
    if isinstance(leaf.type, types.Complex):
        complex_numbers.store(ctx, address, value, unaligned=unaligned)
    elif value.tree is None:
        assert value.address is not None
        conversions.copy(ctx, address, value.address, leaf.type, unaligned)
    else:
        target = Value(types.unqualified(leaf.type), None, address, True, leaf.bits, effective=ANY)
        target.unaligned = PRAGMA_PACK if unaligned or ctx.types.lies_anywhere(leaf.type) else ""
        stored_scalars.store(ctx, target, value.tree)


def _zero_rest(ctx: Context, base: il.Expr, ctype: types.CType, leaves: list[Leaf]) -> None:
    """Store zeros where no leaf writes a whole object."""
    covered = bytearray(ctype.size)
    for leaf in leaves:
        if leaf.bits is None:
            covered[leaf.offset : leaf.offset + leaf.type.size] = b"\1" * leaf.type.size
    largest = min(ctx.types.address.size, 8)
    at = 0
    while at < ctype.size:
        if covered[at]:
            at += 1
            continue
        size = largest
        while size > 1 and (at % size or size > ctype.align or any(covered[at : at + size]) or at + size > ctype.size):
            size //= 2
        ctx.emit(il.Store(trees.offset(base, at), trees.constant(il.Type("U", size), 0), ctx.line))
        at += size


def _copy_image(ctx: Context, base: il.Expr, ctype: types.CType, leaves: list[Leaf]) -> None:
    """Copy a constant picture of the object, then store what is not constant."""
    image = Image(ctx)
    rest: list[Leaf] = []
    for leaf in leaves:
        if leaf.data is not None:
            image.put_data(leaf)
        elif not _put_constant(ctx, image, leaf):
            rest.append(leaf)
    items = image.items()
    whole = len(items) == 1 and isinstance(items[0], il.BytesItem) and len(items[0].data) == ctype.size
    if whole and isinstance(items[0], il.BytesItem):
        name = ctx.string_symbol(items[0].data, ctype.align)
    else:
        name = ctx.unique("init")
        ctx.add_data(il.Data(name, ctype.size, ctype.align, items, constant=True, static=True))
    conversions.copy(ctx, base, il.AddrGlobal(ctx.types.address, name), ctype)
    for leaf in rest:
        _store_leaf(ctx, base, leaf, has_unaligned(ctype))


def _put_constant(ctx: Context, image: Image, leaf: Leaf) -> bool:
    node = leaf.expression
    if types.is_aggregate(leaf.type) or isinstance(node, FuncCall | Assignment | TernaryOp):
        return False
    with ctx.scratch() as state:
        value = conversions.assign(ctx, leaf.type, conversions.rvalue(ctx, node), node, "initialization")
        return not state.body and image.put_value(leaf, value)
