"""Vectors of numbers as numpy has them, in plain Python: the part of it that samples are calculated with.

`samples.py` and those who use it import this where numpy is not installed, as in a browser.  Names and results are numpy's;
tests compare both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any


@dataclass(frozen=True, slots=True)
class Kind:
    """What the numbers of a vector are: how many bits, with a sign or without; truth values have no bits."""

    bits: int
    signed: bool = False

    def held(self, value: int) -> int:
        """Return a number as it is held."""
        if not self.bits:
            return bool(value)
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.signed and value >> (self.bits - 1) else value


bool_ = Kind(0)
uint8, uint16, uint32, uint64 = (Kind(bits) for bits in (8, 16, 32, 64))
int8, int16, int32, int64 = (Kind(bits, signed=True) for bits in (8, 16, 32, 64))


class ndarray:
    """Numbers of one kind.  A vector of one number goes with any other."""

    __slots__ = ("dtype", "values")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: list[int], dtype: Kind) -> None:
        self.values, self.dtype = values, dtype

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, ndarray):
            return ndarray([value for value, chosen in zip(self.values, place.values, strict=True) if chosen], self.dtype)
        return ndarray(self.values[place], self.dtype) if isinstance(place, slice) else self.values[place]

    @property
    def shape(self) -> tuple[int]:
        """How many numbers there are."""
        return (len(self.values),)

    def tolist(self) -> list[int]:
        """Return the numbers."""
        return self.values

    def tobytes(self) -> bytes:
        """Return the numbers as bytes."""
        size = self.dtype.bits // 8 or 1
        return b"".join(value.to_bytes(size, "little", signed=self.dtype.signed) for value in self.values)

    def astype(self, dtype: Kind, copy: bool = True) -> ndarray:
        """Return the numbers as those of another kind."""
        return self if dtype == self.dtype else array(self.values, dtype)

    view = astype  # between kinds of as many bits

    def ravel(self) -> ndarray:
        """Return the vector, which has one dimension."""
        return self

    def all(self) -> bool:
        """Return whether no number is 0."""
        return all(self.values)

    def max(self) -> int:
        """Return the largest number."""
        return max(self.values)

    def _with(self, other: Any, operate: Callable[[int, int], int], dtype: Kind | None = None) -> ndarray:
        a, b = self.values, other.values if isinstance(other, ndarray) else [other]
        if len(a) != len(b):
            a, b = (_repeated(a, len(b)), b) if len(a) == 1 else (a, _repeated(b, len(a)))
        return array([operate(x, y) for x, y in zip(a, b, strict=True)], dtype or self.dtype)

    def __add__(self, other: Any) -> ndarray:
        return self._with(other, int.__add__)

    def __sub__(self, other: Any) -> ndarray:
        return self._with(other, int.__sub__)

    def __mul__(self, other: Any) -> ndarray:
        return self._with(other, int.__mul__)

    def __and__(self, other: Any) -> ndarray:
        return self._with(other, int.__and__)

    def __or__(self, other: Any) -> ndarray:
        return self._with(other, int.__or__)

    def __xor__(self, other: Any) -> ndarray:
        return self._with(other, int.__xor__)

    def __lshift__(self, other: Any) -> ndarray:
        return self._with(other, int.__lshift__)

    def __rshift__(self, other: Any) -> ndarray:
        return self._with(other, int.__rshift__)

    def __invert__(self) -> ndarray:
        return array([~value for value in self.values], self.dtype)

    def __eq__(self, other: object) -> ndarray:  # type: ignore[override]
        return self._with(other, int.__eq__, bool_)

    def __ne__(self, other: object) -> ndarray:  # type: ignore[override]
        return self._with(other, int.__ne__, bool_)

    def __lt__(self, other: Any) -> ndarray:
        return self._with(other, int.__lt__, bool_)

    def __le__(self, other: Any) -> ndarray:
        return self._with(other, int.__le__, bool_)

    def __gt__(self, other: Any) -> ndarray:
        return self._with(other, int.__gt__, bool_)

    def __ge__(self, other: Any) -> ndarray:
        return self._with(other, int.__ge__, bool_)


def array(values: Sequence[int], dtype: Kind) -> ndarray:
    """Return a vector of numbers."""
    return ndarray([dtype.held(value) for value in values], dtype)


def where(condition: ndarray, a: ndarray, b: ndarray) -> ndarray:
    """Return the numbers of a where a condition holds, else those of b."""
    rows = zip(*(vector.values for vector in broadcast_arrays(condition, a, b)), strict=True)
    return ndarray([x if holds else y for holds, x, y in rows], a.dtype)


def broadcast_arrays(*vectors: ndarray) -> list[ndarray]:
    """Return vectors of as many numbers each as the longest has."""
    most = max(map(len, vectors))
    return [vector if len(vector) == most else broadcast_to(vector, (most,)) for vector in vectors]


def broadcast_to(vector: ndarray, shape: tuple[int]) -> ndarray:
    """Return a vector, or one number so many times."""
    return vector if vector.shape == shape else ndarray(_repeated(vector.values, shape[0]), vector.dtype)


def resize(vector: ndarray, length: int) -> ndarray:
    """Return so many of the numbers of a vector, which begins anew at its end."""
    return ndarray((vector.values * -(-length // len(vector)))[:length], vector.dtype)


def concatenate(vectors: Sequence[ndarray]) -> ndarray:
    """Return the numbers of vectors, one after another."""
    return ndarray([value for vector in vectors for value in vector.values], vectors[0].dtype)


def flatnonzero(vector: ndarray) -> ndarray:
    """Return the places of what is not 0."""
    return ndarray([place for place, value in enumerate(vector.values) if value], int64)


def meshgrid(*columns: ndarray) -> list[ndarray]:
    """Return columns of all combinations of their numbers, in numpy's order: the second column is the slowest."""
    order = [1, 0, *range(2, len(columns))] if len(columns) > 1 else [0]
    rows = list(product(*(columns[place].values for place in order)))
    return [ndarray([row[order.index(place)] for row in rows], column.dtype) for place, column in enumerate(columns)]


def _repeated(values: list[int], times: int) -> list[int]:
    if len(values) != 1:
        raise ValueError("vectors of different lengths")
    return values * times
