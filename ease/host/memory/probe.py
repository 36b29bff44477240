"""A probe: one check, planned for a place in a program."""

from __future__ import annotations

from dataclasses import dataclass

from cache_sim.native.check import Check
from cache_sim.native.check_code import CheckCode
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

    def cost(self, check_code: CheckCode) -> int:
        """Return the units that the probe takes if it hits; 0 for a guarded reference, whose call takes them."""
        if self.check.guarded:
            return 0
        refetch = check_code.code.cost("fetch") * self.refetch.count if self.refetch else 0
        return check_code.code.cost(self.check.kind) * self.check.count + refetch

    def worst(self, check_code: CheckCode) -> int:
        """Return the most units that the probe takes."""
        refetch = (
            check_code.worst("fetch", 1) + (self.refetch.count - 1) * check_code.code.cost("fetch") if self.refetch else 0
        )
        if self.check.coalesced:
            return sum(check_code.worst(member.kind, member.size) for _, member in self.check.coalesced)
        more = check_code.code.cost(self.check.kind) * (self.check.count - 1)
        return check_code.worst(self.check.kind, self.check.size) + more + refetch
