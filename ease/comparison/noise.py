"""How much the compiler's free choices change: what differs when a description says the same in another order.

A difference between two machines that is no larger says nothing about them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from itertools import chain, count, islice
from typing import Any

from ease.comparison.comparison import Comparison, compare
from ease.model.results import Line, Measurement
from vpo.machines.advice.edits import Edit, edited, random_reordering, reorderings
from vpo.machines.machine import Machine
from vpo.machines.read.load import build
from vpo.machines.read.source import Map


@dataclass(frozen=True, slots=True)
class Noise:
    """The largest changes of each number, by the names that a comparison has for them; 0 for all others."""

    totals: Mapping[str, int] = field(default_factory=dict)
    instructions: Mapping[str, int] = field(default_factory=dict)
    causes: Mapping[str, int] = field(default_factory=dict)
    functions: Mapping[str, int] = field(default_factory=dict)
    lines: Mapping[Line, int] = field(default_factory=dict)


def same_machines(description: Map, number: int) -> Iterator[Machine]:
    """Yield so many machines that are the same but for the order in which a merged description says things.

    Raises DescriptionError.
    """
    edits: Iterator[Edit] = chain(reorderings(description), map(random_reordering, count(1)))
    for edit in islice(edits, number):
        yield build(edited(description, edit))


def noise_of(original: Measurement, others: Iterable[Measurement]) -> Noise:
    """Return the largest changes against an original among measurements of the same program on the same machine."""
    return loudest(_changes(compare(original, other)) for other in others)


def loudest(found: Iterable[Noise]) -> Noise:
    """Return the larger one of each number."""
    largest: dict[str, dict[Any, int]] = {item.name: {} for item in fields(Noise)}
    for noise in found:
        for name, table in largest.items():
            _raise(table, getattr(noise, name))
    return Noise(**largest)


def _raise(table: dict[Hashable, int], other: Mapping[Hashable, int]) -> None:
    for key, number in other.items():
        table[key] = max(table.get(key, 0), number)


def _changes(comparison: Comparison) -> Noise:
    tables = {
        name: {key: abs(item.change) for key, item in getattr(comparison, name).items()}
        for name in ("totals", "instructions", "causes", "functions")
    }
    return Noise(**tables, lines={item.line: abs(item.executed.change) for item in comparison.lines})
