"""Where the members of structs and unions go, bit-fields included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from vpo import il
from vpo.frontend.types import types
from vpo.il.data_model import DataModel

PRAGMA_PACK = "#pragma pack"
WHOLE = ("char", "short", "int", "long", "llong")
WIDEST = 8  # bytes of an integer
MOST_SCALARS = 1024  # of an object that conventions look into: no class has more registers
Scalar = tuple[int, il.Type]  # with its offset


@dataclass(frozen=True, slots=True)
class Field:
    """A member as declared: `width` is None unless it is a bit-field."""

    name: str | None
    type: types.CType
    width: int | None = None
    align: int = 0
    packed: bool = False


def _round_up(value: int, unit: int) -> int:
    return (value + unit - 1) // unit * unit


@dataclass
class _Layout:
    """The state of laying out one struct or union: `bits` is the first free bit."""

    model: DataModel
    union: bool
    packed: bool = False
    pack: int = 0  # the greatest alignment of members, unless it is 0
    bits: int = 0
    end: int = 0
    align: int = 1
    members: list[types.Member] = field(default_factory=list)
    loose: dict[int, tuple[int, int]] = field(default_factory=dict)  # by number, first bit and width of fields across units

    def place(self, member: Field) -> None:
        if self.union:
            self.bits = 0
        if member.width is not None and isinstance(member.type, types.Arithmetic):
            self._place_bits(member, member.type, member.width)
        else:
            self._align_to(self._limited(max(1 if self.packed or member.packed else member.type.align, member.align)))
            self.members.append(types.Member(member.name, member.type, self.bits // 8))
            self.bits += 8 * member.type.size
        self.end = max(self.end, self.bits)

    def _limited(self, align: int) -> int:
        return min(align, self.pack) if self.pack else align

    def _place_bits(self, member: Field, ctype: types.Arithmetic, width: int) -> None:
        if width == 0:
            self._end_unit(ctype)
            return
        if member.align:
            self._align_to(self._limited(member.align))
        packed = bool(self.pack or self.packed or member.packed)  # with #pragma pack, as gcc has it, whatever its number
        typeless = self.model.bit_fields == "none"
        unit = 8 * ctype.align
        if not (packed or typeless) and (self.bits % unit + width + unit - 1) // unit > 8 * ctype.size // unit:
            self.bits = _round_up(self.bits, unit)
        if self.pack or not packed:
            self.align = max(self.align, self._limited(self._alignment(member, ctype, width)))
        if member.name is not None:
            if packed or typeless:
                self.loose[len(self.members)] = (self.bits, width)
            bits = self._container(ctype, self.bits, width)
            self.members.append(types.Member(member.name, ctype, bits.offset, bits))
        self.bits += width

    def _alignment(self, member: Field, ctype: types.Arithmetic, width: int) -> int:
        """To what a bit-field aligns its record."""
        if self.model.bit_fields == "none":  # as an integer does, if it is one
            align = next((self.model.aligns[key] for key in WHOLE if 8 * self.model.sizes[key] == width), 1)
            return 1 if member.packed or self.packed or self.bits % (8 * align) else align
        return ctype.align if member.name is not None or self.model.bit_fields == "all" else 1

    def _end_unit(self, ctype: types.Arithmetic) -> None:
        """Go to where the next unit of a type begins, whatever is packed."""
        align = self.model.aligns["int"] if self.model.bit_fields == "none" else ctype.align
        self.bits = _round_up(self.bits, 8 * align)
        if self.model.bit_fields != "named":
            self.align = max(self.align, align)

    def _align_to(self, align: int) -> None:
        self.bits = _round_up(self.bits, 8 * align)
        self.align = max(self.align, align)

    def place_loose(self, size: int) -> None:
        """Choose the containers of bit-fields that go across units of their types, within a record of a size."""
        for index, (start, width) in self.loose.items():
            member = self.members[index]
            assert isinstance(member.type, types.Arithmetic)
            bits = self._across(start, width, size, _is_signed(member.type))
            self.members[index] = replace(member, offset=bits.offset, bits=bits)

    def _across(self, start: int, width: int, record: int, signed: bool) -> types.BitField:
        """A field of any bits of a record: in one integer that lies within the record, or in several."""
        first, behind = start // 8, (start + width + 7) // 8
        size = 1
        while size < behind - first:
            size *= 2
        first = min(first, record - size)
        if size <= WIDEST and first >= 0:
            low = start - 8 * first
            shift = 8 * size - low - width if self.model.big_endian else low
            return types.BitField(first, il.Type("U", size), shift, width, signed)
        size //= 2
        if self.model.big_endian:
            middle = 8 * (behind - size)
            lower, higher = (middle, start + width - middle), (start, middle - start)
        else:
            middle = 8 * (start // 8 + size)
            lower, higher = (start, middle - start), (middle, start + width - middle)
        part, rest = self._across(*lower, record, False), self._across(*higher, record, signed)
        return replace(part, width=width, signed=signed, high=replace(rest, offset=rest.offset - part.offset))

    def _container(self, ctype: types.Arithmetic, start: int, width: int) -> types.BitField:
        """The smallest aligned integer that holds the field, at most the declared type."""
        size = 1
        while size < ctype.size and start // (8 * size) != (start + width - 1) // (8 * size):
            size *= 2
        step = 8 * min(size, ctype.align) if size == ctype.size else 8 * size
        offset = start // step * step
        low = start - offset
        shift = 8 * size - low - width if self.model.big_endian else low
        return types.BitField(offset // 8, il.Type("U", size), shift, width, _is_signed(ctype))


def _is_signed(ctype: types.Arithmetic) -> bool:
    return ctype.il.is_signed and ctype.rank != types.RANK_BOOL and not ctype.unsigned_fields


def lay_out(
    tag: types.Tag, fields: list[Field], model: DataModel, packed: bool = False, align: int = 1, pack: int = 0
) -> None:
    """Complete a struct or union: offsets, size, alignment (at least `align`) and the table of names."""
    layout = _Layout(model, tag.keyword == "union", packed, pack)
    for member in fields:
        layout.place(member)
    tag.align = max(layout.align, align, 1 if packed or pack else model.struct_align)
    tag.size = _round_up(_round_up(layout.end, 8) // 8, tag.align)
    layout.place_loose(tag.size)
    by = PRAGMA_PACK if pack and not packed else str(types.Record(tag))
    tag.members = [replace(member, unaligned=by if _is_unaligned(member, tag) else "") for member in layout.members]
    for placed in tag.members:
        _enter(tag, placed)


def _is_unaligned(member: types.Member, tag: types.Tag) -> bool:
    """Whether a member may lie at an address that its type, or the container of its bits, does not allow."""
    if member.bits is None:
        return tag.align < member.type.align or member.offset % member.type.align != 0
    for offset, container in member.bits.parts():
        # the container of an ordinary bit-field is no larger than the declared type, and lies where that may
        align = container.size if container.size > member.type.size else min(container.size, member.type.align)
        if tag.align < align or offset % align != 0:
            return True
    return False


def _enter(tag: types.Tag, member: types.Member) -> None:
    ctype: types.CType = member.type
    while isinstance(ctype, types.Array):
        ctype = ctype.element
    tag.has_const |= ctype.const or (isinstance(ctype, types.Record) and ctype.tag.has_const)
    if member.name is not None:
        tag.by_name[member.name] = member
    elif isinstance(member.type, types.Record):
        for name, inner in member.type.tag.by_name.items():
            bits = inner.bits and replace(inner.bits, offset=inner.bits.offset + member.offset)
            unaligned = inner.unaligned or member.unaligned
            tag.by_name[name] = replace(inner, offset=inner.offset + member.offset, bits=bits, unaligned=unaligned)


# ----------------------------------------------------------------------------------------------------------------------
# What is in objects of a type: their scalars, and parts that may lie at any address.


def has_unaligned(ctype: types.CType) -> bool:
    """Whether an object of the type has parts that may lie at addresses which their types do not allow."""
    if isinstance(ctype, types.Array):
        return has_unaligned(ctype.element)
    members = ctype.members if isinstance(ctype, types.Record) else ()
    return any(member.unaligned or has_unaligned(member.type) for member in members)


def scalars(ctype: types.CType) -> tuple[Scalar, ...]:
    """Every scalar in an object, with its offset; containers stand for bit-fields.

    None of an object that has more of them than any machine has registers, since conventions then take it as a whole.
    """
    found = tuple(islice(_scalars(ctype, 0), MOST_SCALARS + 1))
    return found if len(found) <= MOST_SCALARS else ()


def _scalars(ctype: types.CType, offset: int) -> Iterator[Scalar]:
    match ctype:
        case types.Arithmetic(il=kind) | types.Pointer(il=kind):
            yield offset, kind
        case types.Array(element=element, length=length):
            inner = tuple(islice(_scalars(element, 0), MOST_SCALARS + 1))
            for i in range(length or 0) if inner else ():
                yield from ((offset + i * element.size + at, t) for at, t in inner)
        case types.Complex(part=part):
            yield from ((offset, part.il), (offset + part.size, part.il))
        case types.Vector(element=element, length=length):
            yield from ((offset + i * element.size, element.il) for i in range(length))
        case types.Record():
            seen: set[Scalar] = set()
            for member in ctype.members:
                found: Iterable[Scalar] = _scalars(member.type, offset + member.offset)
                if member.bits is not None:
                    parts = [(offset + at, container) for at, container in member.bits.parts()]
                    found = [scalar for scalar in parts if scalar not in seen]
                for scalar in found:
                    seen.add(scalar)
                    yield scalar
