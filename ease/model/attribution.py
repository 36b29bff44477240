"""To which instructions, lines and functions belongs what simulators counted: misses of caches, mistakes of predictors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from cache_sim.predictors.predictor import Results as PredictorResults
from cache_sim.predictors.predictor import SiteResults
from cache_sim.results import Results
from ease.model.operand_kinds import kinds_of_references
from ease.model.results import (
    MAIN,
    Counts,
    Line,
    Measurement,
    MemoryMeasurement,
    MissSite,
    PredictionMeasurement,
    SiteMisses,
    SpaceSite,
    SpacesMeasurement,
    SpaceUse,
    TransferSite,
)
from ease.model.run_identity import file_name
from ease.model.static_kinds import Reference
from vpo.analysis.references import DataSite, data_sites
from vpo.analysis.transfers import transfers
from vpo.program import Program
from vpo.rtl import Rtl
from vpo.rtl.function import Function
from vpo.text import show

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
    """Join the results of a run of a program with what its sites are (`vpo.analysis.references` numbers them)."""
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


def attribute_spaces(program: Program, found: Mapping[tuple[int, int], int]) -> SpacesMeasurement:
    """Join how often each site referred to each space (-1: the main memory) with what the sites are."""
    spaces, machine = program.machine.layout.spaces, program.machine
    used = dict.fromkeys(spaces, 0)
    for data in program.data:
        space = machine.layout.space_of(data.section)
        if space is not None:
            used[space] = max(used[space], program.symbols[data.name] + data.size - space.at)
    sites, cells = Counter[SpaceSite](), data_sites(program)
    for (number, place), count in found.items():
        function, index = program.place(cells[number].number)
        name = MAIN if place < 0 else spaces[place].name
        direction = "write" if cells[number].reference.write else "read"
        line = Line(file_name(function.file), function.rtls()[index].lines[0])
        sites[SpaceSite(name, direction, function.name.removeprefix("_"), line)] += count
    uses = tuple(SpaceUse(space.name, space.size, used[space], space.wait) for space in spaces)
    return SpacesMeasurement(uses, dict(sorted(sites.items())))


# ----------------------------------------------------------------------------------------------------------------------
# Which instruction, line and function the transfers belong to that branch predictors predicted.


def attribute_predictions(program: Program, counts: Counts, results: PredictorResults) -> PredictionMeasurement:
    """Join the results of a run of a program with what its transfers are."""
    sites: dict[TransferSite, SiteResults] = {}
    for transfer in transfers(program):
        found = results.sites.get(transfer.address)
        if found is not None:
            function = program.functions[transfer.function]
            rtl = function.blocks[transfer.block].rtls[transfer.index]
            line = Line(file_name(function.file), rtl.lines[0])
            name = program.machine.record(rtl).name
            sites[TransferSite(transfer.number, transfer.function.removeprefix("_"), line, name, transfer.address)] = found
    counted = (
        count
        for name, function in program.functions.items()
        for rtl, count in zip(function.rtls(), counts.rtls[name], strict=True)
        if program.machine.record(rtl).counted
    )
    return PredictionMeasurement(results.predictors, sites, sum(counted))
