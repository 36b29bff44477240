"""The C data model of a target, and the types of C by which a program refers to memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from vpo.il.instruction_functions import Instructions

# ----------------------------------------------------------------------------------------------------------------------
# The C data model of a target: what the front end must know about a machine, and nothing else.


VA_LISTS = ("pointer", "registers", "counts")  # what a va_list is: `vpo/frontend/preprocess.py` declares them


@dataclass(frozen=True)
class DataModel:
    """Sizes and alignments in bytes of the C types on a target, and its byte order.

    `sizes` and `aligns` have the keys: char short int long llong float double ldouble pointer.
    `struct_align` is the least alignment of a struct, `object_align` that of an object in static storage.
    Bit-fields are allocated from the most significant bit on
    big-endian machines, from the least on little-endian ones.  `bit_fields` tells whose declared types matter: of "named"
    ones (System V: a field lies within a unit of its type, and aligns its struct as the type does), of "all" (so do those
    without a name, as on ARM), or of "none" (a field begins at the next bit, and one of 0 bits where an int may, as on m68k).
    `macros` are predefined by the preprocessor (system call numbers among them).  `operators` are those of
    `vpo.il.BIT_OPERATORS` that one instruction is, each with the bytes of its operand.  `instructions` are what programs can
    call of the machine by name.  `va_list` is what a va_list is, one of VA_LISTS.
    """

    big_endian: bool
    char_signed: bool
    sizes: dict[str, int]
    aligns: dict[str, int]
    struct_align: int = 1
    object_align: int = 1
    bit_fields: str = "named"
    macros: dict[str, str] = field(default_factory=dict)
    operators: frozenset[tuple[str, int]] = frozenset()
    va_list: str = "pointer"
    instructions: Instructions | None = field(default=None, compare=False, repr=False)

    def access_size(self, align: int) -> int:
        """Return how many bytes one access may carry at a multiple of `align`: an `int` of 4 bytes may lie at one of 2."""
        whole = ("char", "short", "int", "long", "llong", "pointer")
        return max((self.sizes[key] for key in whole if self.aligns[key] <= align), default=1)


# ----------------------------------------------------------------------------------------------------------------------
# The types of C by which a program refers to memory, as short texts, and which of them can never be of one object.
#
#     int              a scalar, with or without sign: an element of an array, or what a pointer points to
#     int node.8/12    such a member, at byte 8, of a structure with tag `node`, which has 12 bytes
#     (empty)          any type: characters, members of unions, bit-fields, copies of whole objects
#
# C11 6.5p7: what was stored as one type may be read only as this type, or as characters.  The rule holds for a load after a
# store; a store may always change the type of what is in allocated memory, so it says nothing about the other orders.
# After gcc's alias sets, which also tell members of one structure apart.  A member of a structure is in no smaller object.


ANY = ""


def member(scalar: str, structure: str, offset: int, size: int) -> str:
    """Return the type of a scalar member of a structure of some size, `offset` bytes behind its start."""
    return f"{scalar} {structure}.{offset}/{size}" if scalar else ANY


@cache
def least_size(effective: str) -> int:
    """Return how many bytes an object has at least that is referred to by a type."""
    size = effective.partition("/")[2]
    return int(size) if size else 0


@cache
def never_one(a: str, b: str) -> bool:
    """Whether no object can be referred to by both types."""
    if not a or not b or a == b:
        return False
    (first, structure), (second, other) = type_parts(a), type_parts(b)
    return first != second or (bool(structure) and structure == other)


@cache
def type_parts(type_: str) -> tuple[str, str]:
    """Return the scalar type and the structure, if it is that of a member, of which a type consists."""
    scalar, _, place = type_.partition(" ")
    return scalar, place.rpartition(".")[0]
