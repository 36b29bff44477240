"""What is in objects of a type: their scalars, and parts that may lie at any address."""

from __future__ import annotations

from vpo import il
from vpo.frontend.types import Arithmetic, Array, Complex, CType, Pointer, Record, Vector


def has_unaligned(ctype: CType) -> bool:
    """Whether an object of the type has parts that may lie at addresses which their types do not allow."""
    if isinstance(ctype, Array):
        return has_unaligned(ctype.element)
    members = ctype.members if isinstance(ctype, Record) else ()
    return any(member.unaligned or has_unaligned(member.type) for member in members)


def scalars(ctype: CType, offset: int = 0) -> list[tuple[int, il.Type]]:
    """Every scalar in an object, with its offset; containers stand for bit-fields."""
    match ctype:
        case Arithmetic(il=kind) | Pointer(il=kind):
            return [(offset, kind)]
        case Array(element=element, length=length):
            inner = scalars(element)
            return [(offset + i * element.size + at, t) for i in range(length or 0) for at, t in inner]
        case Complex(part=part):
            return [(offset, part.il), (offset + part.size, part.il)]
        case Vector(element=element, length=length):
            return [(offset + i * element.size, element.il) for i in range(length)]
        case Record():
            found: list[tuple[int, il.Type]] = []
            for member in ctype.members:
                if member.bits is None:
                    found += scalars(member.type, offset + member.offset)
                else:
                    parts = [(offset + at, container) for at, container in member.bits.parts()]
                    found += [part for part in parts if part not in found]
            return found
    return []
