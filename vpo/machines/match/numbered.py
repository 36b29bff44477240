"""What instructions with one open number of few values compute on samples, with all of these numbers at once.

Additions of shifted registers have 31 or 63 distances, in each order of two registers, with each kind of shift.  Which of them
computes a value is looked up: each row of samples is a number of 64 bits, and all of a machine are one vector.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import merge
from operator import itemgetter
from typing import Any

try:
    import numpy as np
except ModuleNotFoundError:  # as in a browser
    from vpo.algebra import vectors as np  # type: ignore[no-redef]

from vpo.algebra import wrap
from vpo.algebra.samples import UNSIGNED, NotSampledError, Vector, evaluate
from vpo.machines.match.meaning import Meaning
from vpo.rtl import BITS, Const

FEW = 64  # numbers of an instruction of which all results are kept
IS_QUICK = np.__name__ == "numpy"  # else what is looked up costs more than it spares
Order = tuple[int, ...]  # which of the leaves of a value each leaf of an instruction is


def on_samples(meaning: Meaning, given: Sequence[Any], numbers: Sequence[Any]) -> Vector | None:
    """Return what an instruction computes of vectors, or of numbers; None if samples are not made for it."""
    vectors: dict[Any, Any] = dict(zip(meaning.leaves, given, strict=True))
    vectors.update(zip(meaning.numbers, numbers, strict=True))
    try:
        return evaluate(meaning.source, vectors, meaning.type)
    except NotSampledError:
        return None


def low_part(vector: Vector, part: str) -> Vector:
    """Return the low parts of values, if only these are wanted."""
    return vector.astype(UNSIGNED[part]) if part else vector


def few_numbers(meaning: Meaning) -> tuple[int, ...]:
    """Return the numbers of an instruction that has one, if these are few, whatever numbers the program has."""
    if len(meaning.forms) != 1 or meaning.plain or meaning.type not in UNSIGNED:
        return ()
    (form,) = meaning.forms
    if not form.values and (form.high - form.low) // form.multiple >= FEW:
        return ()
    every = form.values or form.multiples
    found = [value for value in every if form.accepts(Const(value)) and form.holds({"v": Const(value)})]
    return tuple(wrap(value, BITS[meaning.type]) for value in found) if len(found) <= FEW else ()


@dataclass(frozen=True, slots=True)
class Tried:
    """Instructions for registers of some classes: those of which all numbers are looked up, and the others."""

    candidates: Sequence[tuple[Meaning, Order]]
    numbers: dict[int, tuple[int, ...]]  # by place among the candidates
    rows: Sequence[tuple[int, int]]  # places and their numbers
    others: Sequence[tuple[int, None]]  # places of those that have to be tried

    def hashes(self, vectors: Sequence[Vector], part: str) -> Vector:
        """Return a number for each row, by the values of the registers; of a part of results, if only that is wanted."""
        length = len(vectors[0])
        found = []
        tiled: dict[tuple[int, int], Vector] = {}
        for place, numbers in self.numbers.items():
            meaning, order = self.candidates[place]
            for leaf in order:
                if (leaf, len(numbers)) not in tiled:
                    tiled[leaf, len(numbers)] = np.resize(vectors[leaf], length * len(numbers))
            given = [tiled[leaf, len(numbers)] for leaf in order]
            vector = on_samples(meaning, given, [_repeated(numbers, meaning.type, length)])
            found.append(_hashes(low_part(vector, part), length))
        return np.concatenate(found) if found else None

    def likely(self, hashes: Vector, vector: Vector) -> Iterator[tuple[Meaning, Order, int | None]]:
        """Yield instructions, in order, with the number that makes a vector, or with none where numbers are to be found."""
        known = () if hashes is None else np.flatnonzero(hashes == _hashes(vector, len(vector))[0]).tolist()
        for place, number in merge(self.others, (self.rows[row] for row in known), key=itemgetter(0)):
            yield *self.candidates[place], number


def tried(candidates: Sequence[tuple[Meaning, Order]], vectors: Sequence[Vector]) -> Tried:
    """Return which numbers of some instructions are looked up; `vectors` are values of their registers."""
    numbers: dict[int, tuple[int, ...]] = {}
    for place, (meaning, order) in enumerate(candidates if IS_QUICK else ()):
        own = few_numbers(meaning)
        if own and on_samples(meaning, [vectors[leaf] for leaf in order], own[:1]) is not None:
            numbers[place] = own
    rows = [(place, number) for place, own in numbers.items() for number in own]
    return Tried(candidates, numbers, rows, [(place, None) for place in range(len(candidates)) if place not in numbers])


def _repeated(numbers: tuple[int, ...], type_: str, times: int) -> Vector:
    mask = (1 << BITS[type_]) - 1
    return np.repeat(np.array([number & mask for number in numbers], UNSIGNED[type_]), times)


def _hashes(vector: Vector, length: int) -> Vector:
    """Return a number for each so many values of a vector."""
    return (vector.astype(np.uint64).reshape(-1, length) * _weights(length)).sum(axis=1, dtype=np.uint64)


@cache
def _weights(length: int) -> Vector:
    numbers = random.Random(7)
    return np.array([numbers.getrandbits(64) | 1 for _ in range(length)], np.uint64)
