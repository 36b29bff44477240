"""A probe: one check, planned for a place in a program."""

from __future__ import annotations

from dataclasses import dataclass

from cache_sim.native.check import Check
from cache_sim.native.system import SystemCode
from vpo.analysis.references import Reference


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
