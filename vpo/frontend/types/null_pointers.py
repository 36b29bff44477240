"""Null pointer constants, and the type `nullptr_t` of C23 (6.2.5), whose only value is `nullptr`."""

from __future__ import annotations

from dataclasses import dataclass

from vpo import il
from vpo.frontend.lower.values import Value
from vpo.frontend.types.types import RANK_BOOL, Arithmetic, CType, Pointer, Void, is_integer


@dataclass(frozen=True)
class NullPointer(Pointer):
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
    return is_integer(ctype) or (isinstance(ctype, Pointer) and ctype.target == Void())


def may_become(target: CType, value: Value) -> bool:
    """Whether a value may be converted to a type, of which one at least is `nullptr_t` (C23, 6.5.5 and 6.5.17.2)."""
    if isinstance(target, NullPointer):
        return is_null_constant(value)
    return isinstance(target, Pointer) or (isinstance(target, Arithmetic) and target.rank == RANK_BOOL)


def has_null_type(*types: CType) -> bool:
    """Whether one of some types is `nullptr_t`."""
    return any(isinstance(ctype, NullPointer) for ctype in types)


def are_comparable(operator: str, left: Value, right: Value) -> bool:
    """Whether C compares two values of which one is of `nullptr_t`: for equality, with a pointer or a null one."""
    return operator in ("==", "!=") and all(isinstance(v.type, Pointer) or is_null_constant(v) for v in (left, right))
