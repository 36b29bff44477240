"""What parts of a run came to: intervals of so many instructions, regions of the source, lines of an interpreted program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cache_sim.results import Results
from ease.host.memory.facts import DataSite, data_sites
from ease.model.results import Counts, Line, Measurement, MemoryMeasurement, MissSite, Reference, SiteMisses
from ease.model.run_identity import file_name
from ease.model.static_kinds import kinds_of_references
from vpo.program import Program
from vpo.rtl import Rtl
from vpo.rtl.function import Function
from vpo.text import show

# ----------------------------------------------------------------------------------------------------------------------
# What a run did in each interval of so many instructions: figures, each a ratio of two counts.


@dataclass(frozen=True, slots=True)
class Figure:
    """A ratio in each interval, such as misses in accesses: the counts above and below."""

    name: str
    above: Sequence[int]
    below: Sequence[int]

    def values(self) -> list[float | None]:
        """Return the ratio in each interval, None where nothing is below."""
        return [above / below if below else None for above, below in zip(self.above, self.below, strict=True)]


@dataclass(frozen=True, slots=True)
class Timeline:
    """The intervals of a run, from its start to its end.

    `every`: instructions asked for; `stride` such intervals are kept as one; `distance`: how many instructions late one may
    end.  `ends`: instructions executed up to the end of each.
    """

    every: int
    stride: int
    distance: int
    ends: Sequence[int]
    figures: Sequence[Figure]

    def thinned(self, most: int) -> Timeline:
        """Return a timeline of at most so many intervals, in which neighbours are put together."""
        step = -(-len(self.ends) // most)
        if step <= 1:
            return self
        starts = range(0, len(self.ends), step)
        ends = [self.ends[min(start + step, len(self.ends)) - 1] for start in starts]
        figures = [Figure(each.name, *(self._sums(part, step) for part in (each.above, each.below))) for each in self.figures]
        return Timeline(self.every, self.stride * step, self.distance, ends, figures)

    @staticmethod
    def _sums(counts: Sequence[int], step: int) -> list[int]:
        return [sum(counts[start : start + step]) for start in range(0, len(counts), step)]


# ----------------------------------------------------------------------------------------------------------------------
# What is attributed to parts of a program: to regions of its source, or to the lines of a program that it interprets.


@dataclass(frozen=True, slots=True)
class Attribution:
    """Figures by row, a region or a line: `by` says which of the two, `instructions` how many each row executed."""

    by: str
    names: Sequence[str]
    instructions: Sequence[int]
    figures: Sequence[Figure]


# ----------------------------------------------------------------------------------------------------------------------
# What simulators counted, by the function and the source line that it belongs to.


Sites = dict[tuple[str, Line], int]  # how often something happened, by function and line


def line_events(measurement: Measurement) -> dict[str, Sites]:
    """Return the misses of each cache and the mistakes of each predictor, by the name of the event."""
    found: dict[str, Sites] = {}
    memory, prediction = measurement.memory, measurement.prediction
    if memory is not None:
        for place, cache in enumerate(memory.results.caches):
            sites = found.setdefault(f"{cache.cache.name} misses", {})
            for site, seen in memory.sites.items():
                _add(sites, (site.function, site.line), seen.misses[place])
    if prediction is not None:
        for place, name in enumerate(prediction.predictors):
            sites = found.setdefault(f"{name} mistakes", {})
            for transfer, result in prediction.sites.items():
                _add(sites, (transfer.function, transfer.line), result.mispredicted[place])
    return found


def _add(sites: Sites, place: tuple[str, Line], count: int) -> None:
    if count:
        sites[place] = sites.get(place, 0) + count


# ----------------------------------------------------------------------------------------------------------------------
# Which instruction, cell, line and function the misses of a simulated memory system belong to.


def attribute(program: Program, counts: Counts, results: Results) -> MemoryMeasurement:
    """Join the results of a run of a program with what its sites are (`ease.host.memory.facts` numbers them)."""
    executed = dict(_instructions(program, counts))
    cells = dict(enumerate(data_sites(program), program.numbers))
    sites: dict[MissSite, SiteMisses] = {}
    for number in sorted({site for cache in results.caches for site in cache.sites}):
        cell = cells.get(number)
        name, function, rtl, count = executed[number if cell is None else cell.number]
        place = MissSite(
            number,
            name.removeprefix("_"),
            Line(file_name(function.file), rtl.lines[0]),
            program.machine.record(rtl).name,
            Reference("fetch", rtl.cause, "", "") if cell is None else _kind(program, rtl, cell),
            "" if cell is None else show(cell.reference.cell),
        )
        sites[place] = SiteMisses(count, tuple(cache.sites.get(number, 0) for cache in results.caches))
    return MemoryMeasurement(results.without_sites(), sites)


def _instructions(program: Program, counts: Counts) -> Iterator[tuple[int, tuple[str, Function, Rtl, int]]]:
    """Yield the number of each RTL in the program, and with its function how often it was executed."""
    for name, function in program.functions.items():
        rtls = zip(function.rtls(), counts.rtls[name], strict=True)
        for number, (rtl, count) in enumerate(rtls, program.first(name)):
            yield number, (name, function, rtl, count)


def _kind(program: Program, rtl: Rtl, site: DataSite) -> Reference:
    """Return the kind of a reference to data, the same that the reports of references count."""
    direction = "write" if site.reference.write else "read"
    kinds = kinds_of_references(program.machine, rtl, program.machine.record(rtl))
    return next(kind for cell, kind in kinds if kind.direction == direction and cell == site.reference.cell)
