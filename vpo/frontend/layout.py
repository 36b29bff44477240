"""Where the members of structs and unions go, bit-fields (System V) included."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from vpo import il
from vpo.datamodel import DataModel
from vpo.frontend.types import RANK_BOOL, Arithmetic, Array, BitField, CType, Member, Record, Tag

PRAGMA_PACK = "#pragma pack"


@dataclass(frozen=True, slots=True)
class Field:
    """A member as declared: `width` is None unless it is a bit-field."""

    name: str | None
    type: CType
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
    members: list[Member] = field(default_factory=list)

    def place(self, member: Field) -> None:
        if self.union:
            self.bits = 0
        if member.width is not None and isinstance(member.type, Arithmetic):
            self._place_bits(member, member.type, member.width)
        else:
            align = self._limited(max(1 if self.packed or member.packed else member.type.align, member.align))
            self.bits = _round_up(self.bits, 8 * align)
            self.members.append(Member(member.name, member.type, self.bits // 8))
            self.bits += 8 * member.type.size
            self.align = max(self.align, align)
        self.end = max(self.end, self.bits)

    def _limited(self, align: int) -> int:
        return min(align, self.pack) if self.pack else align

    def _place_bits(self, member: Field, ctype: Arithmetic, width: int) -> None:
        unit = 8 * ctype.align
        if width == 0:
            self.bits = _round_up(self.bits, unit)
            return
        if member.align:
            align = self._limited(member.align)
            self.bits = _round_up(self.bits, 8 * align)
            self.align = max(self.align, align)
        if self.pack and member.name is not None:
            self.align = max(self.align, self._limited(ctype.align))
        if self.pack or self.packed or member.packed:  # with #pragma pack, as gcc has it, whatever its number
            self._place_packed_bits(member, ctype, width)
            return
        if (self.bits % unit + width + unit - 1) // unit > 8 * ctype.size // unit:
            self.bits = _round_up(self.bits, unit)
        if member.name is not None:
            self.align = max(self.align, ctype.align)
            bits = self._container(ctype, self.bits, width)
            self.members.append(Member(member.name, ctype, bits.offset, bits))
        self.bits += width

    def _place_packed_bits(self, member: Field, ctype: Arithmetic, width: int) -> None:
        """Place a bit-field behind the last member, in as many bytes as it has bits in."""
        low, size = self.bits % 8, 1
        while 8 * size < low + width:
            size *= 2
        if size > 8:
            self.bits, low, size = _round_up(self.bits, 8), 0, 8
        if member.name is not None:
            shift = 8 * size - low - width if self.model.big_endian else low
            bits = BitField(self.bits // 8, il.Type("U", size), shift, width, _is_signed(ctype))
            self.members.append(Member(member.name, ctype, bits.offset, bits))
        self.bits += width

    def _container(self, ctype: Arithmetic, start: int, width: int) -> BitField:
        """The smallest aligned integer that holds the field, at most the declared type."""
        size = 1
        while size < ctype.size and start // (8 * size) != (start + width - 1) // (8 * size):
            size *= 2
        step = 8 * min(size, ctype.align) if size == ctype.size else 8 * size
        offset = start // step * step
        low = start - offset
        shift = 8 * size - low - width if self.model.big_endian else low
        return BitField(offset // 8, il.Type("U", size), shift, width, _is_signed(ctype))


def _is_signed(ctype: Arithmetic) -> bool:
    return ctype.il.is_signed and ctype.rank != RANK_BOOL and not ctype.unsigned_fields


def lay_out(tag: Tag, fields: list[Field], model: DataModel, packed: bool = False, align: int = 1, pack: int = 0) -> None:
    """Complete a struct or union: offsets, size, alignment (at least `align`) and the table of names."""
    layout = _Layout(model, tag.keyword == "union", packed, pack)
    for member in fields:
        layout.place(member)
    tag.align = max(layout.align, align, 1 if packed or pack else model.struct_align)
    tag.size = _round_up(_round_up(layout.end, 8) // 8, tag.align)
    by = PRAGMA_PACK if pack and not packed else str(Record(tag))
    tag.members = [replace(member, unaligned=by if _is_unaligned(member, tag) else "") for member in layout.members]
    for placed in tag.members:
        _enter(tag, placed)


def _is_unaligned(member: Member, tag: Tag) -> bool:
    """Whether a member may lie at an address that its type, or the container of its bits, does not allow."""
    if member.bits is None:
        align = member.type.align
    else:  # the container of an ordinary bit-field is no larger than the declared type, and lies where that may
        size = member.bits.container.size
        align = size if size > member.type.size else min(size, member.type.align)
    return tag.align < align or member.offset % align != 0


def _enter(tag: Tag, member: Member) -> None:
    ctype: CType = member.type
    while isinstance(ctype, Array):
        ctype = ctype.element
    tag.has_const |= ctype.const or (isinstance(ctype, Record) and ctype.tag.has_const)
    if member.name is not None:
        tag.by_name[member.name] = member
    elif isinstance(member.type, Record):
        for name, inner in member.type.tag.by_name.items():
            bits = inner.bits and replace(inner.bits, offset=inner.bits.offset + member.offset)
            unaligned = inner.unaligned or member.unaligned
            tag.by_name[name] = replace(inner, offset=inner.offset + member.offset, bits=bits, unaligned=unaligned)
