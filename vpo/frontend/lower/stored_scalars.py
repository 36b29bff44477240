"""Loading and storing scalars: plain ones, those at odd addresses, and bit-fields."""

from __future__ import annotations

from dataclasses import replace

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower import trees
from vpo.frontend.lower.values import Value
from vpo.frontend.types.bit_precise import BitPrecise
from vpo.frontend.types.types import RANK_BOOL, Arithmetic, BitField, unqualified
from vpo.il.data_model import ANY


def load(ctx: Context, value: Value, kind: il.Type, effective: str = ANY) -> il.Expr:
    """The scalar of a type at the address of an object; of an unaligned one, that of a copy."""
    assert value.address is not None
    if not value.unaligned:
        return il.Load(kind, value.address, value.type.volatile, effective)
    copy = ctx.temporary(kind)
    ctx.emit(il.Copy(ctx.address_of(copy), value.address, kind.size, 1, ctx.line))
    return ctx.load_local(copy)


def _put(ctx: Context, target: Value, tree: il.Expr, effective: str = ANY) -> None:
    """Store a scalar at the address of an object; into an unaligned one from a copy."""
    assert target.address is not None
    if not target.unaligned:
        ctx.emit(il.Store(target.address, tree, ctx.line, target.type.volatile, effective))
        return
    copy = ctx.temporary(tree.type)
    ctx.store_local(copy, tree)
    ctx.emit(il.Copy(target.address, ctx.address_of(copy), tree.type.size, 1, ctx.line))


def store(ctx: Context, target: Value, tree: il.Expr) -> None:
    """Assign a tree of exactly the target's type to a scalar object."""
    assert target.address is not None
    if target.bits is not None:
        _write_bits(ctx, target, target.bits, tree)
    else:
        _put(ctx, target, tree, ctx.effective_type(target))


def stored_value(ctx: Context, target: Value, tree: il.Expr) -> il.Expr:
    """What an object holds after `tree` was stored into it."""
    ctype, bits = target.type, target.bits
    if bits is None or not isinstance(ctype, Arithmetic) or ctype.rank == RANK_BOOL:
        return tree
    kind = _working(ctx, ctype.size, bits.signed)
    return trees.convert(ctype.il, extend_bits(kind, trees.convert(kind, tree), 0, bits.width))


# --------------------------------------------------------------------------------------------------- bit-fields


def read_bits(ctx: Context, value: Value) -> Value:
    """The value of a bit-field, in its promoted type."""
    bits, ctype = value.bits, value.type
    assert bits is not None
    assert isinstance(ctype, Arithmetic)
    result = field_type(ctx, ctype, bits)
    return Value(result, trees.convert(result.il, _extract(ctx, value, bits)))


def field_type(ctx: Context, ctype: Arithmetic, bits: BitField) -> Arithmetic:
    """The promoted type of a bit-field."""
    int_bits = 8 * ctx.types.int_.size
    if isinstance(ctype, BitPrecise):
        return unqualified(ctype)
    if bits.width < int_bits or (bits.width == int_bits and bits.signed):
        return ctx.types.int_
    if bits.width == int_bits:
        return ctx.types.uint
    return replace(unqualified(ctype), precision=bits.width if bits.width < 8 * ctype.size else 0)


def extend_bits(kind: il.Type, tree: il.Expr, shift: int, width: int) -> il.Expr:
    """Bits `shift` to `shift+width` of a tree, extended by the signedness of its type."""
    total = 8 * kind.size
    if kind.is_signed:
        up = trees.binary("shl", kind, tree, trees.constant(kind, total - shift - width))
        return trees.binary("shr", kind, up, trees.constant(kind, total - width))
    down = trees.binary("shr", kind, tree, trees.constant(kind, shift))
    if width == total or shift + width == total:
        return down
    return trees.binary("and", kind, down, trees.constant(kind, (1 << width) - 1))


def _working(ctx: Context, size: int, signed: bool) -> il.Type:
    return il.Type("I" if signed else "U", max(size, ctx.types.int_.size))


def _holding(ctx: Context, width: int, signed: bool) -> il.Type:
    """The smallest type, at least an int, that holds so many bits."""
    return _working(ctx, next(size for size in (1, 2, 4, 8) if 8 * size >= width), signed)


def _further(value: Value, high: BitField) -> Value:
    """Where the higher bits of a field lie, given where the lower ones do."""
    assert value.address is not None
    return replace(value, address=trees.offset(value.address, high.offset))


def _extract(ctx: Context, value: Value, bits: BitField) -> il.Expr:
    """Return the bits of a field, extended."""
    high, word = bits.high, load(ctx, value, bits.container)
    if high is None:
        kind = _working(ctx, bits.container.size, bits.signed)
        return extend_bits(kind, trees.convert(kind, word), bits.shift, bits.width)
    kind, plain = _holding(ctx, bits.width, bits.signed), _working(ctx, bits.container.size, False)
    lower = bits.width - high.width
    low = extend_bits(plain, trees.convert(plain, word), bits.shift, lower)
    upper = trees.convert(kind, _extract(ctx, _further(value, high), high))
    upper = trees.binary("shl", kind, upper, trees.constant(kind, lower))
    return trees.binary("or", kind, upper, trees.convert(kind, low))


def _write_bits(ctx: Context, value: Value, bits: BitField, tree: il.Expr) -> None:
    """Store a tree into a bit-field."""
    high = bits.high
    if high is not None:
        kind, lower = _holding(ctx, bits.width, False), bits.width - high.width
        tree = ctx.save(trees.convert(kind, tree))
        rest = trees.binary("shr", kind, tree, trees.constant(kind, lower))
        _write_bits(ctx, _further(value, high), high, rest)
        bits = replace(bits, width=lower, high=None)
    total = 8 * bits.container.size
    if bits.width == total:
        _put(ctx, value, trees.convert(bits.container, tree))
        return
    kind = _working(ctx, bits.container.size, False)
    mask = (1 << bits.width) - 1
    word = trees.convert(kind, load(ctx, value, bits.container))
    keep = trees.constant(kind, ((1 << total) - 1) & ~(mask << bits.shift))
    fresh = trees.binary("and", kind, trees.convert(kind, tree), trees.constant(kind, mask))
    fresh = trees.binary("shl", kind, fresh, trees.constant(kind, bits.shift))
    merged = trees.binary("or", kind, trees.binary("and", kind, word, keep), fresh)
    _put(ctx, value, trees.convert(bits.container, merged))
