"""Who calls whom in a run, and what functions cost with all that they call.

Counts belong to functions, not to calls, so what a function cost is shared out among its callers by how often each called it,
as gprof does.  Functions that call each other in a circle cost what the circle does.  Calls to computed addresses
are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ease.model.kept_run import KeptRun
from ease.model.results import Counts
from ease.model.static_kinds import StaticProgram

_CALL = re.compile(r"ST=([\w.$]+)[(,;]")  # as RTLs are written


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call that was executed: the symbols of who calls and who is called, the place in the caller, and how often."""

    caller: str
    position: int
    callee: str
    count: int


def call_sites(program: StaticProgram, texts: Sequence[tuple[str, str]], counts: Counts) -> Iterator[CallSite]:
    """Yield the calls of a run whose callee is known; `texts` has the RTL of each kind first."""
    called = {number: found[1] for number, (rtl, _) in enumerate(texts) if (found := _CALL.search(rtl))}
    for name, function in program.functions.items():
        for position, (kind, count) in enumerate(zip(function.kinds, counts.rtls[name], strict=True)):
            if count and called.get(kind) in program.functions:
                yield CallSite(name, position, called[kind], count)


def costs_of(run: KeptRun) -> CallCosts:
    """Return what the calls of a run cost in instructions."""
    known, counts = run.measurement.program, run.measurement.counts
    assert known is not None
    assert counts is not None
    own = {name: count.dynamic for name, count in run.measurement.characteristics.functions.items()}
    return CallCosts(own, tuple(call_sites(known, run.texts, counts)))


class CallCosts:
    """What functions and calls cost, from what functions cost by themselves and the calls between them."""

    def __init__(self, own: Mapping[str, int], sites: Sequence[CallSite]) -> None:
        self.own, self.sites = own, sites

    @cached_property
    def inclusive(self) -> dict[str, float]:
        """What each function cost with all that it called."""
        found: dict[str, float] = {}
        for name in sorted(self.own, key=lambda name: len(self._reached[name])):  # callees first
            circle = self.circle(name)
            outgoing = [site for site in self.sites if site.caller in circle and site.callee not in circle]
            found[name] = sum(self.own[member] for member in circle) + sum(self._share(site, found) for site in outgoing)
        return found

    def cost(self, site: CallSite) -> float:
        """Return what the callee cost in the calls of a site; within a circle nothing."""
        return 0.0 if site.callee in self.circle(site.caller) else self._share(site, self.inclusive)

    def circle(self, name: str) -> set[str]:
        """Return the functions that call each other in a circle with one, and itself."""
        return {other for other in self._reached[name] if name in self._reached[other]}

    def roots(self) -> list[str]:
        """Return functions that nothing called that is known; of circles of such, the first."""
        found: list[str] = []
        for name, cost in self.own.items():
            if cost and name not in self._entered and not any(name in self.circle(other) for other in found):
                found.append(name)
        return found

    def calls_out_of(self, name: str) -> dict[str, float]:
        """Return the functions outside its circle that one calls, each with its share of all calls from outside theirs."""
        found: dict[str, float] = {}
        for site in self.sites:
            if site.caller == name and site.callee not in self.circle(name):
                found[site.callee] = found.get(site.callee, 0.0) + site.count / self._entered[site.callee]
        return found

    def _share(self, site: CallSite, inclusive: Mapping[str, float]) -> float:
        return site.count / self._entered[site.callee] * inclusive[site.callee]

    @cached_property
    def _entered(self) -> dict[str, int]:
        """How often each function was called from outside its circle."""
        found: dict[str, int] = {}
        for site in self.sites:
            if site.callee in self.circle(site.caller):
                continue
            for member in self.circle(site.callee):
                found[member] = found.get(member, 0) + site.count
        return found

    @cached_property
    def _reached(self) -> dict[str, set[str]]:
        """The functions that each reaches by calls, itself included."""
        callees: dict[str, set[str]] = {name: set() for name in self.own}
        for site in self.sites:
            callees[site.caller].add(site.callee)
        found = {}
        for name in self.own:
            reached, waiting = {name}, [name]
            while waiting:
                new = callees[waiting.pop()] - reached
                reached |= new
                waiting += new
            found[name] = reached
        return found
