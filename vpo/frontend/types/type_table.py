"""The basic types of one target, made from its data model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from vpo import il
from vpo.frontend.lower.values import Value
from vpo.frontend.types import bit_precise, types
from vpo.il.data_model import DataModel

# ----------------------------------------------------------------------------------------------------------------------
# Null pointer constants, and the type `nullptr_t` of C23 (6.2.5), whose only value is `nullptr`.


@dataclass(frozen=True)
class NullPointer(types.Pointer):
    """The type `nullptr_t`: it has the form of `void *`, and converts to any pointer type and to bool."""

    def declare(self, name: str) -> str:
        """C text that declares `name` with this type."""
        words = ["const"] * self.const + ["volatile"] * self.volatile + ["nullptr_t", name]
        return " ".join(words).rstrip()


def is_null_constant(value: Value) -> bool:
    """Whether a value is a null pointer constant: 0, 0 cast to void *, or any value of `nullptr_t`."""
    ctype = value.type
    if isinstance(ctype, NullPointer):
        return True
    if not isinstance(value.tree, il.Const) or value.tree.value != 0:
        return False
    return types.is_integer(ctype) or (isinstance(ctype, types.Pointer) and ctype.target == types.Void())


def may_become(target: types.CType, value: Value) -> bool:
    """Whether a value may be converted to a type, of which one at least is `nullptr_t` (C23, 6.5.5 and 6.5.17.2)."""
    if isinstance(target, NullPointer):
        return is_null_constant(value)
    return isinstance(target, types.Pointer) or (isinstance(target, types.Arithmetic) and target.rank == types.RANK_BOOL)


def has_null_type(*found: types.CType) -> bool:
    """Whether one of some types is `nullptr_t`."""
    return any(isinstance(ctype, NullPointer) for ctype in found)


def are_comparable(operator: str, left: Value, right: Value) -> bool:
    """Whether C compares two values of which one is of `nullptr_t`: for equality, with a pointer or a null one."""
    return operator in ("==", "!=") and all(isinstance(v.type, types.Pointer) or is_null_constant(v) for v in (left, right))


# ----------------------------------------------------------------------------------------------------------------------
# The basic types.


class TypeTable:
    """The basic types of a target, and the makers of derived ones."""

    def __init__(self, model: DataModel) -> None:
        self.model = model
        self.address = il.Type("P", model.sizes["pointer"])
        self.void = types.Void()
        self.bool_ = types.Arithmetic("_Bool", il.U1, types.RANK_BOOL, 1)
        self.char = types.Arithmetic("char", il.I1 if model.char_signed else il.U1, types.RANK_CHAR, model.aligns["char"])
        self.schar = types.Arithmetic("signed char", il.I1, types.RANK_CHAR, model.aligns["char"])
        self.uchar = types.Arithmetic("unsigned char", il.U1, types.RANK_CHAR, model.aligns["char"])
        self.short, self.ushort = self._pair("short", "short", types.RANK_SHORT)
        self.int_, self.uint = self._pair("int", "int", types.RANK_INT)
        self.long, self.ulong = self._pair("long", "long", types.RANK_LONG)
        self.llong, self.ullong = self._pair("long long", "llong", types.RANK_LLONG)
        self.has_int128 = model.sizes["pointer"] == 8  # as gcc has them: of two words
        self.int128 = types.Arithmetic("__int128", il.Type("I", 16), types.RANK_INT128, 16)
        self.uint128 = types.Arithmetic("unsigned __int128", il.Type("U", 16), types.RANK_INT128, 16)
        self.float_ = self._floating("float", "float", types.RANK_FLOAT)
        self.double = self._floating("double", "double", types.RANK_DOUBLE)
        self.ldouble = self._floating("long double", "ldouble", types.RANK_LDOUBLE)
        self.wchar = self.int_
        self.char16, self.char32 = self.ushort, self.uint if self.uint.size == 4 else self.ulong
        self.nullptr = NullPointer(self.void, self.address, model.aligns["pointer"])
        self._pointers: dict[types.CType, types.Pointer] = {}

    def _pair(self, name: str, key: str, rank: int) -> tuple[types.Arithmetic, types.Arithmetic]:
        size, align = self.model.sizes[key], self.model.aligns[key]
        return (
            types.Arithmetic(name, il.Type("I", size), rank, align),
            types.Arithmetic(f"unsigned {name}", il.Type("U", size), rank, align),
        )

    def _floating(self, name: str, key: str, rank: int) -> types.Arithmetic:
        return types.Arithmetic(name, il.Type("F", self.model.sizes[key]), rank, self.model.aligns[key])

    @cached_property
    def _alignments(self) -> dict[int, int]:
        """The alignments of the basic types, by rank."""
        plain = (self.short, self.int_, self.long, self.llong, self.int128, self.float_, self.double, self.ldouble)
        return {ctype.rank: ctype.alignment for ctype in plain}

    def lies_anywhere(self, ctype: types.CType) -> bool:
        """Whether an attribute lets objects of a type lie at addresses that the type without it does not allow."""
        match ctype:
            case types.Pointer():
                return ctype.alignment < self.model.aligns["pointer"]
            case types.Arithmetic():
                return ctype.alignment < ctype.il.size and ctype.alignment < self._alignments.get(ctype.rank, 1)
            case types.Record():
                return 0 < ctype.alignment < ctype.tag.align
        return False

    def pointer(self, target: types.CType) -> types.Pointer:
        """The type of pointers to `target`."""
        found = self._pointers.get(target)
        if found is None:
            found = types.Pointer(target, self.address, self.model.aligns["pointer"])
            self._pointers[target] = found
        return found

    def _of_address_size(self, candidates: tuple[types.Arithmetic, ...]) -> types.Arithmetic:
        return next((c for c in candidates if c.size == self.address.size), candidates[-1])

    @cached_property
    def size_t(self) -> types.Arithmetic:
        """The type of sizeof."""
        return self._of_address_size((self.uint, self.ulong, self.ullong))

    @cached_property
    def ptrdiff_t(self) -> types.Arithmetic:
        """The type of the difference of two pointers."""
        return self._of_address_size((self.int_, self.long, self.llong))

    def promote(self, ctype: types.Arithmetic) -> types.Arithmetic:
        """The integer promotions."""
        if isinstance(ctype, bit_precise.BitPrecise):
            return types.unqualified(ctype)
        if ctype.rank == types.RANK_INT:
            return self.int_ if ctype.il.is_signed else self.uint
        if ctype.rank > types.RANK_INT:
            ctype = types.unqualified(ctype)
            return self.like(ctype) if ctype.name.startswith("enum") else ctype
        if ctype.size < self.int_.size or ctype.il.is_signed:
            return self.int_
        return self.uint

    def like(self, ctype: types.Arithmetic) -> types.Arithmetic:
        """The integer type that an enum is made of, if its rank is that of long or above."""
        signed, unsigned = {types.RANK_LONG: (self.long, self.ulong), types.RANK_LLONG: (self.llong, self.ullong)}[ctype.rank]
        return signed if ctype.il.is_signed else unsigned

    def unsigned(self, ctype: types.Arithmetic) -> types.Arithmetic:
        """The unsigned type of the rank of a promoted integer type."""
        return {
            types.RANK_INT: self.uint,
            types.RANK_LONG: self.ulong,
            types.RANK_LLONG: self.ullong,
            types.RANK_INT128: self.uint128,
        }[ctype.rank]

    def usual(self, left: types.Arithmetic, right: types.Arithmetic) -> types.Arithmetic:
        """The usual arithmetic conversions."""
        if left.is_float or right.is_float:
            return types.unqualified(left if left.rank >= right.rank else right)
        left, right = self.promote(left), self.promote(right)
        if isinstance(left, bit_precise.BitPrecise) or isinstance(right, bit_precise.BitPrecise):
            return bit_precise.usual(left, right)
        bits = [ctype.precision or 8 * ctype.size for ctype in (left, right)]
        if (left.precision or right.precision) and bits[0] != bits[1]:
            return left if bits[0] > bits[1] else right
        if left.il.is_signed == right.il.is_signed:
            return left if left.rank >= right.rank else right
        signed, unsigned = (left, right) if left.il.is_signed else (right, left)
        if unsigned.rank >= signed.rank:
            return unsigned
        return signed if signed.size > unsigned.size else self.unsigned(signed)
