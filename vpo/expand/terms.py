"""What identities are written in: abstract terms, which stand for values that code computes, or for numbers in tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

V = TypeVar("V")


class NotApplicable(Exception):
    """An identity says nothing about these operands."""


class Terms(Protocol[V]):
    """What identities are written in; `bits` is the width of a word."""

    bits: int

    def number(self, value: int) -> V:
        """Return a constant."""

    def constant(self, value: V) -> int:
        """Return the number that a constant operand is; raises NotApplicable for other operands."""

    def register(self, value: int) -> V:
        """Return a constant that is made on its own, not as an operand of an instruction."""

    def unary(self, op: str, a: V) -> V:
        """Return op(a)."""

    def binary(self, op: str, a: V, b: V) -> V:
        """Return a op b."""

    def combined(self, op: str, a: V, b: V) -> V:
        """Return what one instruction makes of two operators: one of COMBINED."""


Binary = Callable[[Terms[V], V, V], V]
Unary = Callable[[Terms[V], V], V]
# a relation between two values that holds exactly if the wanted one does
Decision = Callable[[Terms[V], V, V], tuple[str, V, V]]
