"""Coalesce accesses: one check for consecutive references to data in one line.

The references have the same base register with the same value, as when registers are saved in a frame or members of a
structure are read.  The program tests whether they are all in one line.  A reference that an earlier run often found in
another line keeps its own check.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

from cache_sim.native.cache import CacheCode
from cache_sim.native.check import Check
from ease.host.memory.probe import Probe
from vpo.addresses import split_address
from vpo.function import Block
from vpo.machines.machine import Machine
from vpo.rtl import Register


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

    def coalesce(self, checks: Sequence[Probe]) -> Iterator[Probe]:
        """Yield probes in order, without those that have joined an earlier one."""
        group: _Group | None = None
        for probe in checks:
            if probe.reference is None:
                yield probe
                continue
            if group is not None and self._joins(group, probe):
                continue
            group = self._begin(probe)
            yield probe

    def _begin(self, probe: Probe) -> _Group | None:
        check = probe.check
        found = self._place(probe)
        if check.guarded or check.kind not in self.kinds or found is None:
            return None
        base, offset = found
        return _Group(base, check.kind, probe, offset, offset, offset + check.size, [(0, check)], probe.index)

    def _place(self, probe: Probe) -> tuple[Register, int] | None:
        """Return the base register and the offset of an address; None if it has another form."""
        assert probe.reference is not None
        base, offset = split_address(probe.reference.cell.address)
        if isinstance(base, tuple) and isinstance(base[0], Register) and base[1] is None:
            return base[0], offset
        return None

    def _joins(self, group: _Group, probe: Probe) -> bool:
        """Add a reference to a group; return whether that was possible."""
        check, found = probe.check, self._place(probe)
        if found is None or check.guarded or check.kind != group.kind or check.site in self.apart:
            return False
        base, offset = found
        low, high = min(group.low, offset), max(group.high, offset + check.size)
        if base is not group.base or high - low > self.line or self._changes(base, group.index, probe.index):
            return False
        group.low, group.high, group.index = low, high, probe.index
        group.coalesced.append((offset - group.offset, check))
        low, span = group.low - group.offset, group.high - group.low
        first, coalesced = group.first, tuple(group.coalesced)
        first.check = replace(first.check, count=len(coalesced), coalesced=coalesced, low=low, span=span)
        return True

    def _changes(self, base: Register, start: int, end: int) -> bool:
        """True if RTLs [start, end) may set a register or move the register window."""
        storage = set(self.machine.storage(base))
        return any(
            not storage.isdisjoint(part for register in rtl.sets for part in self.machine.storage(register))
            or self.machine.window_move(rtl.effects)
            for rtl in self.block.rtls[start:end]
        )
