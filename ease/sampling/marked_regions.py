"""Regions of a run between marks: found in one run, measured in another one, of another machine if one likes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ease.host.sampling.function_sampling import PLACE
from ease.host.sampling.sampled import Sampled
from ease.sampling.estimates import Estimate, Stratum, stratified
from ease.sampling.loop_marks import Header, Mark, MarkedRegion, SourceLoop, headers_of, loops_of
from ease.sampling.measured_phases import ENDLESS, LoopArrival, Mode, Phase, Schedule
from ease.sampling.phases import Phases
from ease.sampling.ratios import Ratio
from vpo.analysis.program import Program
from vpo.system.faults import HostError


def at_loops(program: Program) -> dict[str, frozenset[int]]:
    """Return the headers of the user's loops, by function."""
    found: dict[str, set[int]] = {}
    for name, block in loops_of(program):
        found.setdefault(name, set()).add(block)
    return {name: frozenset(blocks) for name, blocks in found.items()}


def marks_of(sampled: Sampled, rows: Sequence[Sequence[int]]) -> list[Mark | None]:
    """Return the marks at which intervals end, given what a run recorded of them; None where the program ends."""
    loops, width = loops_of(sampled.program), len(sampled.columns)
    headers = {number: (name, block) for name, found in sampled.headers.items() for block, number in found.items()}
    place = sampled.columns.index(PLACE)
    marks: list[Mark | None] = []
    for row in rows[:-1]:
        name, block = headers[row[place]]
        counter = sampled.metering.layouts[name].segments[block, 0]
        marks.append(Mark(loops[name, block], row[width + counter] + 1))
    return [*marks, None]


def regions_of(phases: Phases, marks: Sequence[Mark | None]) -> list[MarkedRegion]:
    """Return the regions that are to be measured, in the order of the run; `marks` are the ends of intervals."""
    found: dict[int, MarkedRegion] = {}
    for phase, (members, chosen) in enumerate(zip(phases.alike, phases.chosen, strict=True)):
        scale = phases.length(members) / max(phases.length(chosen), 1)
        for number in chosen:
            begin = marks[number - 1] if number else None
            found[number] = MarkedRegion(begin, marks[number], phase, len(members), scale)
    return [found[number] for number in sorted(found)]


def schedule_of(regions: Sequence[MarkedRegion], program: Program, always: bool, confidence: float) -> Schedule:
    """Return the schedule that measures regions of a program.

    Raises ConfigurationError for a loop that the program does not have.
    """
    headers: Mapping[SourceLoop, Header] = headers_of(regions, program)
    usual, measured = Phase(Mode.WARM if always else Mode.FAST, ENDLESS), Phase(Mode.MEASURED, ENDLESS)
    at_once = regions[0].begin is None
    phases = (measured, usual) if at_once else (usual, measured)
    marks: list[LoopArrival] = []

    def go_on(mark: Mark | None, phase: Phase) -> None:
        if mark is not None:
            marks.append(LoopArrival(*headers[mark.loop], mark.count, phases.index(phase)))

    go_on(regions[0].begin, measured)
    for before, after in pairwise(regions):
        if after.begin != before.end:
            go_on(before.end, usual)
        go_on(after.begin, measured)
    go_on(regions[-1].end, usual)
    return Schedule(phases, 0, confidence=confidence, marks=tuple(marks))


@dataclass(frozen=True, slots=True)
class MarkedRegions:
    """Regions that were measured, in the order of the run."""

    regions: tuple[MarkedRegion, ...]

    def estimate(self, ratio: Ratio, samples: Sequence[Mapping[str, int]], confidence: float) -> Estimate:
        """Estimate a ratio of the whole run from sums of each region.

        Raises HostError if not all regions were found.
        """
        if len(samples) != len(self.regions):
            raise HostError(f"{len(samples)} of {len(self.regions)} regions were found: the marks are of another run")
        strata: dict[int, Stratum] = {}
        for each, sample in zip(self.regions, samples, strict=True):
            above, below = (sum(n * sample[name] for name, n in part.items()) for part in (ratio.above, ratio.below))
            before = strata.get(each.phase, Stratum(each.size, each.scale, (), ()))
            strata[each.phase] = Stratum(each.size, each.scale, (*before.above, above), (*before.below, below))
        return stratified(ratio.name, list(strata.values()), confidence)
