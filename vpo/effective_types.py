"""The types of C by which a program refers to memory, as short texts, and which of them can never be of one object.

    int              a scalar, with or without sign: an element of an array, or what a pointer points to
    int node.8       such a member, at byte 8, of a structure with tag `node`
    (empty)          any type: characters, members of unions, bit-fields, copies of whole objects

C11 6.5p7: what was stored as one type may be read only as this type, or as characters.  The rule holds for a load after a
store; a store may always change the type of what is in allocated memory, so it says nothing about the other orders.
After gcc's alias sets, which also tell members of one structure apart.
"""

from __future__ import annotations

from functools import cache

ANY = ""


def member(scalar: str, structure: str, offset: int) -> str:
    """Return the type of a scalar member of a structure, `offset` bytes behind its start."""
    return f"{scalar} {structure}.{offset}" if scalar else ANY


@cache
def never_one(a: str, b: str) -> bool:
    """Whether no object can be referred to by both types."""
    if not a or not b or a == b:
        return False
    first, _, place = a.partition(" ")
    second, _, other = b.partition(" ")
    if first != second:
        return True
    structure = place.rpartition(".")[0]
    return bool(structure) and structure == other.rpartition(".")[0]
