"""Tables of misses: a column for each cache, a row for each part of the program that misses belong to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from operator import add
from typing import TypeVar

from ease.model.results import MemoryMeasurement, MissSite
from ease.reports.report import Table, shares

K = TypeVar("K", bound=Hashable)


def misses_by(memory: MemoryMeasurement, key: Callable[[MissSite], K]) -> dict[K, tuple[int, ...]]:
    """Add up the misses of sites by a part of them; most misses in all caches together come first."""
    found: dict[K, tuple[int, ...]] = {}
    for site, counts in memory.sites.items():
        part = key(site)
        found[part] = tuple(map(add, found[part], counts.misses)) if part in found else counts.misses
    return dict(sorted(found.items(), key=lambda item: -sum(item[1])))


def by_cache(memory: MemoryMeasurement, misses: Sequence[int]) -> dict[str, int]:
    """Return numbers of misses by the name of their cache: the JSON form."""
    return {found.cache.name: count for found, count in zip(memory.results.caches, misses, strict=True)}


def misses_table(
    memory: MemoryMeasurement, headings: Sequence[str], rows: Sequence[tuple[Sequence[str], Sequence[int]]], what: str
) -> Table:
    """Build the table of misses in each cache and their shares; rows behind the first TOP are added up in one."""
    totals = {found.cache.name: found.misses.total for found in memory.results.caches}
    return shares(headings, rows, totals, what)
