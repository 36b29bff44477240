"""References to data that follow one another and lie side by side: one check for all that are in one line.

They are off the same value of a register, as where registers are saved in a frame, or members of a structure read.  That they
are in one line is tested in the program; where an earlier run found them in two too often, they have checks of their own.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

from cache_sim.native.cache import CacheCode
from cache_sim.native.inline import Check
from ease.host.probe import Planned
from vpo.addresses import split_address
from vpo.function import Block
from vpo.machines.machine import Machine
from vpo.rtl import Register


@dataclass(slots=True)
class _Group:
    """References [low, high) off what `base` is at the RTL at `index`."""

    base: Register
    kind: str
    first: Planned
    offset: int
    low: int
    high: int
    members: list[tuple[int, Check]]
    index: int


class Neighbours:
    """Gathers the references of a block to data that go through caches; `apart` are sites that shall not join others."""

    def __init__(self, machine: Machine, block: Block, caches: Sequence[CacheCode], apart: Container[int]) -> None:
        self.machine, self.block, self.apart = machine, block, apart
        self.line = min((cache.cache.line for cache in caches), default=0)
        writes = all(cache.cache.allocate and not cache.shows_writes for cache in caches)
        last = any(cache.cache.sets == 1 and cache.cache.prefetch != "none" for cache in caches)  # what is prefetched is
        self.kinds = () if last or not caches else ("read", "write") if writes else ("read",)

    def gather(self, checks: Sequence[Planned]) -> Iterator[Planned]:
        """Yield checks, in order, with those left out that are part of one before them."""
        group: _Group | None = None
        for planned in checks:
            if planned.reference is None:
                yield planned
                continue
            if group is not None and self._joins(group, planned):
                continue
            group = self._begin(planned)
            yield planned

    def _begin(self, planned: Planned) -> _Group | None:
        check = planned.check
        found = self._place(planned)
        if check.guarded or check.kind not in self.kinds or found is None:
            return None
        base, offset = found
        return _Group(base, check.kind, planned, offset, offset, offset + check.size, [(0, check)], planned.index)

    def _place(self, planned: Planned) -> tuple[Register, int] | None:
        """Return the register and the offset that an address consists of, if it does."""
        assert planned.reference is not None
        base, offset = split_address(planned.reference.cell.address)
        if isinstance(base, tuple) and isinstance(base[0], Register) and base[1] is None:
            return base[0], offset
        return None

    def _joins(self, group: _Group, planned: Planned) -> bool:
        """Let a reference be part of a group if it can be."""
        check, found = planned.check, self._place(planned)
        if found is None or check.guarded or check.kind != group.kind or check.site in self.apart:
            return False
        base, offset = found
        low, high = min(group.low, offset), max(group.high, offset + check.size)
        if base is not group.base or high - low > self.line or self._changes(base, group.index, planned.index):
            return False
        group.low, group.high, group.index = low, high, planned.index
        group.members.append((offset - group.offset, check))
        low, span = group.low - group.offset, group.high - group.low
        first, members = group.first, tuple(group.members)
        first.check = replace(first.check, count=len(members), members=members, low=low, span=span)
        return True

    def _changes(self, base: Register, start: int, end: int) -> bool:
        """Whether RTLs [start, end) may set a register, or move the register window."""
        storage = set(self.machine.storage(base))
        return any(
            not storage.isdisjoint(part for register in rtl.sets for part in self.machine.storage(register))
            or self.machine.window_move(rtl.effects)
            for rtl in self.block.rtls[start:end]
        )
