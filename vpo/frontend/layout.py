"""Where the members of structs and unions go, bit-fields (System V) included."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from vpo import il
from vpo.datamodel import DataModel
from vpo.frontend.types import RANK_BOOL, Arithmetic, Array, BitField, CType, Member, Record, Tag


@dataclass(frozen=True, slots=True)
class Field:
    """A member as declared: `width` is None unless it is a bit-field."""

    name: str | None
    type: CType
    width: int | None = None
    align: int = 0


def _round_up(value: int, unit: int) -> int:
    return (value + unit - 1) // unit * unit


@dataclass
class _Layout:
    """The state of laying out one struct or union: `bits` is the first free bit."""

    model: DataModel
    union: bool
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
            align = max(member.type.align, member.align)
            self.bits = _round_up(self.bits, 8 * align)
            self.members.append(Member(member.name, member.type, self.bits // 8))
            self.bits += 8 * member.type.size
            self.align = max(self.align, align)
        self.end = max(self.end, self.bits)

    def _place_bits(self, member: Field, ctype: Arithmetic, width: int) -> None:
        unit = 8 * ctype.align
        if width == 0:
            self.bits = _round_up(self.bits, unit)
            return
        if (self.bits % unit + width + unit - 1) // unit > 8 * ctype.size // unit:
            self.bits = _round_up(self.bits, unit)
        if member.name is not None:
            self.align = max(self.align, ctype.align)
            bits = self._container(ctype, self.bits, width)
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
        signed = ctype.il.is_signed and ctype.rank != RANK_BOOL and not ctype.unsigned_fields
        return BitField(offset // 8, il.Type("U", size), shift, width, signed)


def lay_out(tag: Tag, fields: list[Field], model: DataModel) -> None:
    """Complete a struct or union: offsets, size, alignment and the table of names."""
    layout = _Layout(model, tag.keyword == "union")
    for member in fields:
        layout.place(member)
    tag.align = max(layout.align, model.struct_align)
    tag.size = _round_up(_round_up(layout.end, 8) // 8, tag.align)
    tag.members = layout.members
    for placed in layout.members:
        _enter(tag, placed)


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
            tag.by_name[name] = replace(inner, offset=inner.offset + member.offset, bits=bits)
