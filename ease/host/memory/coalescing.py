"""Coalesce accesses: one check for adjacent references to data in one line.

This is memory access coalescing (Davidson and Jinturkar, "Memory Access Coalescing", 1994) of checks instead of accesses.
The references have the same base register with the same value, as when registers are saved in a frame or members of a
structure are read.  The program tests whether the bytes from the first to the last of them are in one line.  If so, the
first reference makes that line the last used of its set, and the others change nothing.  Else each is made by itself.  A
reference that an earlier run often found in another line keeps its own check.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

from cache_sim.native.cache import CacheCode
from cache_sim.native.check_code import Check
from cache_sim.native.system import SystemCode
from ease.host.memory.facts import base_and_offset, may_set
from vpo.analysis.references import Reference
from vpo.machines.machine import Machine
from vpo.rtl import Register
from vpo.rtl.function import Block

# ----------------------------------------------------------------------------------------------------------------------
# A probe: one check, planned for a place in a program.


@dataclass(slots=True)
class Probe:
    """A check before the RTL at an index of its block; `reference` is the reference to data, None for a fetch.

    `refetch` has the fetches that directly follow the reference to data.
    """

    index: int
    check: Check
    reference: Reference | None = None
    refetch: Check | None = None

    def cost(self, code: SystemCode) -> int:
        """Return the units that the probe takes if it hits; 0 for a guarded reference, whose call takes them."""
        if self.check.guarded:
            return 0
        refetch = code.cost("fetch") * self.refetch.count if self.refetch else 0
        return code.cost(self.check.kind) * self.check.count + refetch

    def worst(self, code: SystemCode) -> int:
        """Return the most units that the probe takes."""
        if self.check.coalesced:
            return sum(code.worst(member.kind, member.size) for _, member in self.check.coalesced)
        refetch = code.worst("fetch", 1) + (self.refetch.count - 1) * code.cost("fetch") if self.refetch else 0
        more = code.cost(self.check.kind) * (self.check.count - 1)
        return code.worst(self.check.kind, self.check.size) + more + refetch


# ----------------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Group:
    """Coalesced accesses: they reach from `low` up to `high` relative to the value of `base` before the RTL at `index`."""

    base: Register
    kind: str
    first: Probe
    offset: int
    low: int
    high: int
    coalesced: list[tuple[int, Check]]
    index: int


class Coalescer:
    """Coalesces the references to data of one block; `apart` has the sites that must not join others."""

    def __init__(self, machine: Machine, block: Block, caches: Sequence[CacheCode], apart: Container[int]) -> None:
        self.machine, self.block, self.apart = machine, block, apart
        self.line = min((cache.cache.line for cache in caches), default=0)
        writes = all(cache.cache.allocate and not cache.shows_writes for cache in caches)
        last = any(cache.cache.sets == 1 and cache.cache.prefetch != "none" for cache in caches)  # with prefetching
        self.kinds = () if last or not caches else ("read", "write") if writes else ("read",)

    def coalesce(self, probes: Sequence[Probe]) -> Iterator[Probe]:
        """Yield probes in order, without those that have joined an earlier one."""
        group: _Group | None = None
        for probe in probes:
            if probe.reference is None:
                yield probe
            elif group is None or not self._joins(group, probe):
                group = self._begin(probe)
                yield probe

    def _begin(self, probe: Probe) -> _Group | None:
        found = self._place(probe)
        if found is None or probe.check.kind not in self.kinds:
            return None
        (base, offset), check = found, probe.check
        return _Group(base, check.kind, probe, offset, offset, offset + check.size, [(0, check)], probe.index)

    def _place(self, probe: Probe) -> tuple[Register, int] | None:
        """Return the base register and the offset of a reference that is certain; None if its address has another form."""
        return base_and_offset(probe.reference.cell) if probe.reference is not None and not probe.check.guarded else None

    def _joins(self, group: _Group, probe: Probe) -> bool:
        """Add a reference to a group; return whether that was possible."""
        check, found = probe.check, self._place(probe)
        if found is None or check.kind != group.kind or check.site in self.apart:
            return False
        base, offset = found
        low, high = min(group.low, offset), max(group.high, offset + check.size)
        far = base is not group.base or high - low > self.line
        if far or may_set(self.machine, self.block, base, group.index, probe.index):
            return False
        group.low, group.high, group.index = low, high, probe.index
        group.coalesced.append((offset - group.offset, check))
        low, span = group.low - group.offset, group.high - group.low
        first, coalesced = group.first, tuple(group.coalesced)
        first.check = replace(first.check, count=len(coalesced), coalesced=coalesced, low=low, span=span)
        return True
