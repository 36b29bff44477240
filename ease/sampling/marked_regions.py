"""Regions of a run between marks that hold on other machines, too: found in one run, measured in another."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from cache_sim.config import ConfigurationError
from ease.host.sampling.function_sampling import PLACE
from ease.host.sampling.sampled import Sampled
from ease.model.estimates import Estimate, Ratio, Stratum, stratified
from ease.model.run_identity import file_name, is_library
from ease.model.sampling import ENDLESS, LoopArrival, Mode, Phase, Schedule
from ease.sampling.phases import Phases
from vpo.analysis.cfg import build_cfg
from vpo.analysis.dominators import dominators, natural_loops
from vpo.program import Program
from vpo.rtl.function import Function
from vpo.system.faults import HostError

# ----------------------------------------------------------------------------------------------------------------------
# Marks of a run that hold on other machines, too: the n-th arrival at a loop of the source (LoopPoint, HPCA 2022).
#
# A loop is named by its file, its function, the first of its lines, and which of the loops there it is.  What a loop executes
# differs between machines and levels of optimisation; how often control comes to it mostly does not.


Header = tuple[str, int]  # a function of the program, and a block of it
FORMAT = 1


@dataclass(frozen=True, slots=True)
class SourceLoop:
    """A loop of the source; `number` tells loops of one line apart."""

    file: str
    function: str
    line: int
    number: int

    def __str__(self) -> str:
        return f"loop {self.number + 1} at {self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Mark:
    """The `count`-th arrival at a loop."""

    loop: SourceLoop
    count: int


@dataclass(frozen=True, slots=True)
class MarkedRegion:
    """A part of a run between two marks; without one, from the begin or to the end of the run.

    It belongs to a phase that has `size` intervals, and stands for `scale` times its length.
    """

    begin: Mark | None
    end: Mark | None
    phase: int
    size: int
    scale: float


def loops_of(program: Program) -> dict[Header, SourceLoop]:
    """Return the loops of the user's functions, by their headers; not those whose header is the first block."""
    found: dict[Header, SourceLoop] = {}
    for name, function in program.functions.items():
        file = file_name(function.file)
        if not is_library(file):
            found |= {(name, block): loop for block, loop in _loops(name, file, function).items()}
    return found


def _loops(name: str, file: str, function: Function) -> dict[int, SourceLoop]:
    cfg = build_cfg(function)
    lines: dict[int, int] = {}
    for loop in natural_loops(cfg, dominators(cfg)):
        within = [line for block in loop.blocks for rtl in function.blocks[block].rtls for line in rtl.lines if line]
        if loop.header and within and function.blocks[loop.header].rtls:
            lines[loop.header] = min(within)
    seen: Counter[int] = Counter()
    made: dict[int, SourceLoop] = {}
    for header, line in sorted(lines.items()):
        made[header] = SourceLoop(Path(file).name, name.removeprefix("_"), line, seen[line])
        seen[line] += 1
    return made


def write_marks(path: str, regions: Sequence[MarkedRegion]) -> None:
    """Write regions to a file.

    Raises OSError.
    """
    Path(path).write_text(json.dumps({"format": FORMAT, "regions": [asdict(each) for each in regions]}, indent=1) + "\n")


def read_marks(path: str) -> list[MarkedRegion]:
    """Read regions from a file.

    Raises OSError, ConfigurationError.
    """
    try:
        content = json.loads(Path(path).read_text())
        if content["format"] != FORMAT:
            raise ConfigurationError(f"{path} has marks of format {content['format']}; this reads {FORMAT}", "sample")
        return [
            MarkedRegion(_mark(each["begin"]), _mark(each["end"]), each["phase"], each["size"], float(each["scale"]))
            for each in content["regions"]
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(f"{path} has no marks of a run: {error}", "sample") from None


def _mark(found: Mapping[str, Any] | None) -> Mark | None:
    return None if found is None else Mark(SourceLoop(**found["loop"]), int(found["count"]))


def headers_of(regions: Sequence[MarkedRegion], program: Program) -> dict[SourceLoop, Header]:
    """Return the headers of the loops at which regions begin and end.

    Raises ConfigurationError for a loop that the program does not have.
    """
    known = {loop: header for header, loop in loops_of(program).items()}
    wanted = {mark.loop for each in regions for mark in (each.begin, each.end) if mark is not None}
    for loop in wanted:
        if loop not in known:
            raise ConfigurationError(f"the program has no {loop} in {loop.function}: marks are of another one", "sample")
    return {loop: known[loop] for loop in sorted(wanted, key=str)}


# ----------------------------------------------------------------------------------------------------------------------
# Regions of a run between marks: found in one run, measured in another one, of another machine if one likes.


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
