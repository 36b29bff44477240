"""What an expression denotes while it is lowered."""

from __future__ import annotations

from dataclasses import dataclass

from vpo import il
from vpo.frontend.types import BitField, CType


@dataclass(slots=True)
class Value:
    """An expression's type and where its value is.

    A scalar that was computed has a `tree`.  Objects, aggregates and functions have an `address`; `lvalue` says
    that it may be assigned to or have its address taken.  `bits` makes it a bit-field.  Void has neither.
    """

    type: CType
    tree: il.Expr | None = None
    address: il.Expr | None = None
    lvalue: bool = False
    bits: BitField | None = None
    is_register: bool = False
