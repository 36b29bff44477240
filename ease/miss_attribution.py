"""Which instruction, cell, line and function the misses of a simulated memory system belong to."""

from __future__ import annotations

from collections.abc import Iterator

from cache_sim.results import Results
from ease.host.memory.facts import DataSite, data_sites
from ease.reference_kinds import kinds_of_references
from ease.results import Counts, MemoryMeasurement, MissSite, SiteMisses
from ease.source_names import file_name
from ease.table_keys import Line, Reference
from vpo.function import Function
from vpo.program import Program
from vpo.rtl import Rtl
from vpo.text import show


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
