"""The types of C, with the sizes of one target."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import TypeGuard, TypeVar

from vpo import il
from vpo.il import data_model as effective_types

# ----------------------------------------------------------------------------------------------------------------------
# Where the bits of a bit-field are.


@dataclass(frozen=True, slots=True)
class BitField:
    """Where a bit-field lives: a container (an unsigned integer) at a byte offset, a shift from its low end.

    A field that no container within its record holds has its `high` bits in another one, whose offset is from this one's.
    """

    offset: int
    container: il.Type
    shift: int
    width: int
    signed: bool
    high: BitField | None = None

    def parts(self) -> Iterator[tuple[int, il.Type]]:
        """Give the offset of each container, and its type."""
        yield self.offset, self.container
        if self.high is not None:
            for offset, container in self.high.parts():
                yield self.offset + offset, container


# ----------------------------------------------------------------------------------------------------------------------
# Types.


@dataclass(frozen=True)
class CType:
    """What all types share: the qualifiers.  Types compare by structure."""

    const: bool = field(default=False, kw_only=True)
    volatile: bool = field(default=False, kw_only=True)

    @property
    def size(self) -> int:
        """The size in bytes, 0 when there is none."""
        return 0

    @property
    def align(self) -> int:
        """The alignment in bytes."""
        return 1

    @cached_property
    def depth(self) -> int:
        """The number of pointers, arrays and functions by which the type is derived from others."""
        return 0

    @property
    def effective(self) -> str:
        """As what an object of the type is referred to (`vpo/il/data_model.py`)."""
        return effective_types.ANY

    def declare(self, name: str) -> str:
        """C text that declares `name` with this type."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.declare("")


def _qualified_name(ctype: CType, base: str, name: str) -> str:
    words = ["const"] * ctype.const + ["volatile"] * ctype.volatile + [base]
    text = " ".join(words)
    return f"{text} {name}" if name else text


@dataclass(frozen=True)
class Void(CType):
    """The type void."""

    def declare(self, name: str) -> str:
        """C text that declares `name` with this type."""
        return _qualified_name(self, "void", name)


RANK_BOOL, RANK_CHAR, RANK_SHORT, RANK_INT, RANK_LONG, RANK_LLONG, RANK_INT128 = range(7)
RANK_FLOAT, RANK_DOUBLE, RANK_LDOUBLE = range(7, 10)
EFFECTIVE = ("bool", effective_types.ANY, "short", "int", "long", "llong", "int128", "float", "double", "ldouble")  # by rank


@dataclass(frozen=True)
class Arithmetic(CType):
    """An integer, enumerated or floating type.  `unsigned_fields`: an enum whose bit-fields are unsigned.

    `enumeration` is another number for each enum, and 0 for other types.  `precision` is the number of bits that values of a
    bit-field wider than int have, which gcc computes with, and 0 for other types.
    """

    name: str
    il: il.Type
    rank: int
    alignment: int
    unsigned_fields: bool = False
    enumeration: int = 0
    precision: int = 0

    @property
    def size(self) -> int:
        """The size in bytes."""
        return self.il.size

    @property
    def align(self) -> int:
        """The alignment in bytes."""
        return self.alignment

    @property
    def is_float(self) -> bool:
        """Whether the type is floating."""
        return self.rank >= RANK_FLOAT

    @property
    def effective(self) -> str:
        """The type without its sign; any, for characters."""
        return EFFECTIVE[self.rank]

    def declare(self, name: str) -> str:
        """C text that declares `name` with this type."""
        return _qualified_name(self, self.name, name)


@dataclass(frozen=True)
class Pointer(CType):
    """A pointer; `il` is the target's address type."""

    target: CType
    il: il.Type
    alignment: int

    @property
    def size(self) -> int:
        """The size in bytes."""
        return self.il.size

    @property
    def align(self) -> int:
        """The alignment in bytes."""
        return self.alignment

    @property
    def effective(self) -> str:
        """All pointers are one type."""
        return "pointer"

    @cached_property
    def depth(self) -> int:
        """The number of derivations."""
        return self.target.depth + 1

    def declare(self, name: str) -> str:
        """C text that declares `name` with this type."""
        inner = "*" + "const " * self.const + "volatile " * self.volatile + name
        if isinstance(self.target, Array | Func):
            inner = f"({inner})"
        return self.target.declare(inner.rstrip())


@dataclass(frozen=True)
class Complex(CType):
    """A complex number: its real and its imaginary part."""

    part: Arithmetic

    @property
    def size(self) -> int:
        """The size in bytes."""
        return 2 * self.part.size

    @property
    def align(self) -> int:
        """The alignment in bytes."""
        return self.part.align

    def declare(self, name: str) -> str:
        """C text that declares `name` with this type."""
        return _qualified_name(self, f"_Complex {self.part.name}", name)


@dataclass(frozen=True)
class Vector(CType):
    """Elements that operators are applied to one by one (`vector_size` of gcc)."""

    element: Arithmetic
    length: int
    alignment: int = 0

    @property
    def size(self) -> int:
        """The size in bytes."""
        return self.element.size * self.length

    @property
    def align(self) -> int:
        """The alignment in bytes: the whole size, unless a typedef says another."""
        return self.alignment or self.size

    def declare(self, name: str) -> str:
        """C text that declares `name` with this type."""
        return _qualified_name(self, f"__vector({self.length}) {self.element.name}", name)


@dataclass(frozen=True)
class Array(CType):
    """An array; `length` is None while it is not known."""

    element: CType
    length: int | None

    @property
    def size(self) -> int:
        """The size in bytes, 0 while it is not known."""
        return self.element.size * (self.length or 0)

    @property
    def align(self) -> int:
        """The alignment in bytes."""
        return self.element.align

    @cached_property
    def depth(self) -> int:
        """The number of derivations."""
        return self.element.depth + 1

    def declare(self, name: str) -> str:
        """C text that declares `name` with this type."""
        return self.element.declare(f"{name}[{'' if self.length is None else self.length}]")


@dataclass(frozen=True)
class VariableArray(Array):
    """An array whose length is computed at run time.

    `bytes` is the local that holds its size since its declaration; None in a prototype, where nothing is computed.
    """

    bytes: il.Local | None

    def declare(self, name: str) -> str:
        """C text that declares `name` with this type."""
        return self.element.declare(f"{name}[*]")


@dataclass(frozen=True)
class Func(CType):
    """A function; `parameters` is None for an unprototyped one."""

    result: CType
    parameters: tuple[CType, ...] | None
    variadic: bool = False

    @cached_property
    def depth(self) -> int:
        """The number of derivations."""
        return 1 + max(ctype.depth for ctype in (self.result, *(self.parameters or ())))

    def declare(self, name: str) -> str:
        """C text that declares `name` with this type."""
        if self.parameters is None:
            inside = ""
        else:
            inside = ", ".join([str(p) for p in self.parameters] + ["..."] * self.variadic) or "void"
        return self.result.declare(f"{name}({inside})")


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a struct or union; `name` is None for an anonymous struct or union.

    `unaligned` is what lets one lie where the machine does not load its type from: a packed type, `#pragma pack`, or ''.
    """

    name: str | None
    type: CType
    offset: int
    bits: BitField | None = None
    unaligned: str = ""


@dataclass(eq=False)
class Tag:
    """The identity and, once known, the contents of one struct or union."""

    keyword: str
    name: str | None
    members: list[Member] | None = None
    size: int = 0
    align: int = 1
    by_name: dict[str, Member] = field(default_factory=dict)  # through anonymous members too, with final offsets
    has_const: bool = False
    transparent: bool = False  # whether its members may be passed in its place (`transparent_union`)
    scope: object = None  # where it was first declared
    alias: str = ""  # of one without a name, that of a typedef
    _reaches: list[tuple[int, int, int, Member]] = field(default_factory=list, init=False, repr=False)

    def effective(self, member: Member) -> str | None:
        """Return as what a member is referred to: any type if it shares bytes with another; None if it is an aggregate."""
        if self._shares(member):
            return effective_types.ANY
        scalar = member.type.effective
        name = (self.name or "").encode("ascii", "replace").decode()
        return effective_types.member(scalar, name, member.offset, self.size) if scalar else None

    def _shares(self, member: Member) -> bool:
        """Whether a member shares bytes with another one that is no bit-field."""
        if len(self._reaches) != len(self.by_name):
            self._reaches = _reaches(self.by_name.values())
        before = bisect_left(self._reaches, member.offset + member.type.size, key=itemgetter(0))
        if not before:
            return False
        _, farthest, second, reaching = self._reaches[before - 1]
        return (second if reaching is member else farthest) > member.offset


def _reaches(members: Iterable[Member]) -> list[tuple[int, int, int, Member]]:
    """Return for each member, by offsets, how far it and those before reach, also without the one that reaches farthest.

    Bit-fields reach nowhere.
    """
    found: list[tuple[int, int, int, Member]] = []
    farthest = second = -1
    reaching: Member | None = None
    for member in sorted(members, key=attrgetter("offset")):
        end = member.offset + member.type.size if member.bits is None else -1
        if reaching is None or end > farthest:
            farthest, second, reaching = end, farthest, member
        else:
            second = max(second, end)
        found.append((member.offset, farthest, second, reaching))
    return found


@dataclass(frozen=True)
class Record(CType):
    """A struct or union."""

    tag: Tag
    alignment: int = 0  # that of a typedef, if it is not 0

    @property
    def size(self) -> int:
        """The size in bytes, 0 while incomplete."""
        return self.tag.size

    @property
    def align(self) -> int:
        """The alignment in bytes."""
        return self.alignment or self.tag.align

    @property
    def members(self) -> list[Member]:
        """The members in order; none while incomplete."""
        return self.tag.members or []

    def declare(self, name: str) -> str:
        """C text that declares `name` with this type."""
        return _qualified_name(self, self.tag.alias or f"{self.tag.keyword} {self.tag.name or '<anonymous>'}", name)


T = TypeVar("T", bound=CType)


def unqualified(ctype: T) -> T:
    """The type without its qualifiers."""
    return replace(ctype, const=False, volatile=False) if ctype.const or ctype.volatile else ctype


def qualified(ctype: CType, const: bool, volatile: bool) -> CType:
    """The type with more qualifiers; those of an array belong to its elements."""
    if not const and not volatile:
        return ctype
    if isinstance(ctype, Array):
        return replace(ctype, element=qualified(ctype.element, const, volatile))
    if (ctype.const or not const) and (ctype.volatile or not volatile):
        return ctype
    return replace(ctype, const=ctype.const or const, volatile=ctype.volatile or volatile)


def is_complete(ctype: CType) -> bool:
    """Whether objects of the type can exist."""
    match ctype:
        case Void() | Func():
            return False
        case VariableArray():
            return True
        case Array(element=element, length=length):
            return length is not None and is_complete(element)
        case Record(tag=tag):
            return tag.members is not None
    return True


def is_variably_modified(ctype: CType) -> bool:
    """True if a type is an array of variable length, or derived from one."""
    match ctype:
        case VariableArray():
            return True
        case Array(element=target) | Pointer(target=target) | Func(result=target):
            return is_variably_modified(target)
    return False


def is_empty(ctype: CType) -> bool:
    """True for a struct or union of no bytes: it is neither passed nor returned."""
    return isinstance(ctype, Record) and is_complete(ctype) and ctype.size == 0


def is_integer(ctype: CType) -> TypeGuard[Arithmetic]:
    """Whether the type is an integer type, _Bool and enums included."""
    return isinstance(ctype, Arithmetic) and not ctype.is_float


def is_scalar(ctype: CType) -> TypeGuard[Arithmetic | Pointer]:
    """Whether the type is arithmetic or a pointer."""
    return isinstance(ctype, Arithmetic | Pointer)


def is_compound(ctype: CType) -> TypeGuard[Complex | Vector]:
    """Whether values of the type are numbers of several parts."""
    return isinstance(ctype, Complex | Vector)


def is_in_memory(ctype: CType) -> bool:
    """Whether values of the type are passed and returned as bytes."""
    return isinstance(ctype, Record | Complex | Vector)


def is_aggregate(ctype: CType) -> TypeGuard[Array | Record]:
    """Whether objects of the type consist of others (unions included)."""
    return isinstance(ctype, Array | Record)
