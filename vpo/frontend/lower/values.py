"""What an expression denotes while it is lowered."""

from __future__ import annotations

from dataclasses import dataclass

from vpo import il
from vpo.frontend.syntax.nodes import Coord, Expression, Lowered
from vpo.frontend.types.types import BitField, CType
from vpo.il import data_model as effective_types


@dataclass(slots=True)
class Value:
    """An expression's type and where its value is.

    A scalar that was computed has a `tree`.  Objects, aggregates and functions have an `address`; `lvalue` says
    that it may be assigned to or have its address taken.  `bits` makes it a bit-field.  Void has neither.
    `effective` says as what an object is referred to (`vpo/il/data_model.py`): None as its own type, else as part of a
    structure or union.  Of a pointer it is that of the array whose first element it points to.
    A complex number that was computed has its real part as `tree`, and an `imaginary` part.
    What is `unaligned` (by what, as in a Member) is in a packed structure, and read and written through copies.
    `by_elements`: a vector whose elements have just been stored one by one.
    """

    type: CType
    tree: il.Expr | None = None
    address: il.Expr | None = None
    lvalue: bool = False
    bits: BitField | None = None
    is_register: bool = False
    effective: str | None = None
    unaligned: str = ""
    imaginary: il.Expr | None = None
    by_elements: bool = False

    @property
    def is_of_any_type(self) -> bool:
        """Whether this is part of a union, which may be written as one type and read as another."""
        return self.effective == effective_types.ANY

    @property
    def effective_type(self) -> str:
        """As what a scalar object is referred to."""
        return self.type.effective if self.effective is None else self.effective


class Held(Lowered):
    """A syntax node for a value that has been computed already."""

    __slots__ = ("value",)

    def __init__(self, value: Value, coord: Coord) -> None:
        self.value, self.coord = value, coord


class Once(Lowered):
    """A syntax node for an expression that stands in several places, and is evaluated in the first of them."""

    __slots__ = ("expr", "value")

    def __init__(self, expr: Expression) -> None:
        self.expr, self.coord = expr, expr.coord
        self.value: Value | None = None
