"""Caches of which a kept run knows the stack distances: their misses, equal to those of a run with them.

An LRU cache misses where the stack distance within a set is not less than its ways (Mattson and others, 1970), so one run with
`-cache sweep` tells of all caches of the grid.
"""

from __future__ import annotations

from dataclasses import dataclass

from cache_sim.config import Cache, MemorySystem, Switch
from cache_sim.sweep_form import format_sweep
from cache_sim.swept import Swept
from ease.store.database import StoreError
from ease.store.kept_run import KeptRun


@dataclass(frozen=True, slots=True)
class CacheMisses:
    """A cache with its accesses, of lines, and misses."""

    cache: Cache
    accesses: int
    misses: int


def recosted_caches(kept: KeptRun, system: MemorySystem) -> list[CacheMisses]:
    """Return what the caches of a memory system would have missed in a run.

    Raises StoreError if the run has no distances, or not those that the system takes.
    """
    swept = kept.measurement.sweep
    if swept is None:
        raise StoreError(f"run {kept.number} has no stack distances: measure with -cache sweep -save, then ask for caches")
    _check(system, swept)
    return [_found(side, cache, swept) for side, cache in _sides(system)]


def _sides(system: MemorySystem) -> list[tuple[str, Cache]]:
    if system.unified and system.data is not None:
        return [("U", system.data)]
    return [(side, cache) for side, cache in (("I", system.instruction), ("D", system.data)) if cache is not None]


def _check(system: MemorySystem, swept: Swept) -> None:
    """Find out whether stack distances tell of a memory system at all."""
    if system.second or system.instruction_tlb or system.data_tlb or system.delays:
        raise StoreError("stack distances tell of caches of the first level only")
    for _, cache in _sides(system):
        if (cache.policy, cache.allocate, cache.prefetch) != ("lru", True, "none"):
            raise StoreError(f"stack distances tell of LRU caches that allocate and do not prefetch, not of {cache.name}")
    switch = Switch(swept.grid.every, "instructions") if swept.grid.every else None
    if (system.switch and (system.switch.every, system.switch.unit)) != (switch and (switch.every, switch.unit)):
        raise StoreError(f"the run had other context switches: {format_sweep(swept.grid)}")


def _found(side: str, cache: Cache, swept: Swept) -> CacheMisses:
    named = Cache(side, cache.size, cache.line, cache.ways)
    try:
        return CacheMisses(cache, swept.accesses(side, cache.line), swept.misses(named))
    except KeyError:
        raise StoreError(f"{cache.name} is none of the caches of the sweep: {format_sweep(swept.grid)}") from None
