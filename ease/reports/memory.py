"""Reports of a simulated memory system: hits, cost and traffic of its caches, and misses by part of the program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import asdict
from operator import add
from typing import Any, TypeVar

from cache_sim.config import Switch
from cache_sim.describe import plain
from ease.model.results import MAIN, Line, MemoryMeasurement, MissSite, SiteMisses, SpacesMeasurement
from ease.reports.report import Report, Table, by_file, number, percent, shares

K = TypeVar("K", bound=Hashable)


# ----------------------------------------------------------------------------------------------------------------------
# Caches: Table VII of the paper is made of such.


def _caches(memory: MemoryMeasurement) -> Table:
    """Count accesses and misses of each cache by kind of reference."""
    results = memory.results
    rows = []
    for found in results.caches:
        kinds = {kind: count for kind, count in asdict(found.accesses).items() if count}
        per_thousand = f"{results.misses_per_thousand_instructions(found.cache.name):.3f}"
        for kind, accesses in kinds.items():
            misses = getattr(found.misses, kind)
            rows.append([found.cache.name, kind, number(accesses), number(misses), percent(accesses - misses, accesses), ""])
        whole, missed = found.accesses.total, found.misses.total
        rows.append([found.cache.name, "all", number(whole), number(missed), percent(whole - missed, whole), per_thousand])
    return Table(["cache", "kind", "accesses", "misses", "hit ratio", "MPKI"], rows, keys=2, note=_switches(memory))


def _switches(memory: MemoryMeasurement) -> str:
    switch = memory.results.system.switch
    if switch is None:
        return ""
    unit = "instructions" if switch.unit == "instructions" else f"units of work (hit {switch.hit}, miss {switch.miss})"
    return f"{number(memory.results.switches)} context switches, one every {number(switch.every)} {unit}"


def _caches_json(memory: MemoryMeasurement) -> dict[str, Any]:
    """Return all that `cache_sim` says of the system, and misses per thousand instructions."""
    values = plain(memory.results)
    del values["format"]
    for name, found in values["caches"].items():
        del found["sites"]
        found["mpki"] = memory.results.misses_per_thousand_instructions(name)
    return {"memory_system": values}


def _cost(memory: MemoryMeasurement) -> Table:
    """Count references and what their misses add; a reference to several lines costs one hit."""
    results = memory.results
    switch = results.system.switch or Switch(every=1)
    references = results.references.total
    rows = [["references", number(references), number(references * switch.hit)]]
    for found in results.caches:
        if found.cache in (results.system.instruction, results.system.data):
            misses = found.misses.total
            rows.append([f"misses in {found.cache.name}", number(misses), number(misses * (switch.miss - switch.hit))])
    note = f"a hit is {switch.hit}, a miss {switch.miss}; {results.work / references if references else 0:.3f} a reference"
    return Table(["", "number", "units of work"], rows, ["total", "", number(results.work)], note=note)


def _traffic(memory: MemoryMeasurement) -> Table:
    """Count lines by what became of them."""
    rows = [
        [found.cache.name, number(found.writebacks), number(found.passed), number(found.prefetches)]
        for found in memory.results.caches
    ]
    below = memory.results.memory
    note = f"memory: {number(below.reads)} lines read, {number(below.writes)} writes"
    return Table(["cache", "written back", "passed on", "prefetched"], rows, note=note)


def _miss_causes(memory: MemoryMeasurement) -> Table:
    """Count the misses of each cache whose misses are told apart."""
    caused = {found.cache.name: found.causes for found in memory.results.caches if found.causes is not None}
    rows = [[name, *map(number, asdict(causes).values()), number(causes.total)] for name, causes in caused.items()]
    return Table(["cache", "compulsory", "capacity", "conflict", "switch", "all"], rows)


def _miss_causes_json(memory: MemoryMeasurement) -> dict[str, Any]:
    """Return the causes by cache, null where nobody asked."""
    caused = {found.cache.name: found.causes for found in memory.results.caches}
    values = {name: {"causes": None if causes is None else asdict(causes)} for name, causes in caused.items()}
    return {"memory_system": {"caches": values}}


# ----------------------------------------------------------------------------------------------------------------------
# Misses by part of the program: a column for each cache, a row for each part.


def misses_by(memory: MemoryMeasurement, key: Callable[[MissSite], K]) -> dict[K, tuple[int, ...]]:
    """Add up the misses of sites by a part of them; most misses in all caches together come first."""
    found: dict[K, tuple[int, ...]] = {}
    for site, counts in memory.sites.items():
        part = key(site)
        found[part] = tuple(map(add, found[part], counts.misses)) if part in found else counts.misses
    return dict(sorted(found.items(), key=lambda item: -sum(item[1])))


def by_cache(memory: MemoryMeasurement, misses: Sequence[int]) -> dict[str, int]:
    """Return numbers of misses by the name of their cache: the JSON form."""
    return {found.cache.name: count for found, count in zip(memory.results.caches, misses, strict=True)}


def _missed(
    name: str, title: str, headings: Sequence[str], part: Callable[[MissSite], K], texts: Callable[[K], Sequence[str]],
    others: str, json: Callable[[MemoryMeasurement], Any],
) -> Report:  # fmt: skip
    """Return a report of misses by a part of their sites, of which `texts` are the cells; `json` returns the part's key."""

    def table(memory: MemoryMeasurement) -> Table:
        rows = [(texts(key), misses) for key, misses in misses_by(memory, part).items()]
        return shares(headings, rows, {found.cache.name: found.misses.total for found in memory.results.caches}, others)

    return Report(name, title, table, lambda memory: {"memory_system": json(memory)}, about="memory")


FETCHES = "instructions"  # the group of fetches, whose cause is that of the instruction


def _reference(site: MissSite) -> tuple[str, ...]:
    """Return why memory is referenced: the causes of Figure 12 of the paper, and fetches."""
    group = FETCHES if site.kind.direction == "fetch" else site.kind.group
    return group, site.kind.cause, site.kind.direction


def _references_json(memory: MemoryMeasurement) -> dict[str, Any]:
    names = ("group", "cause", "direction")
    rows = misses_by(memory, _reference).items()
    listed = [dict(zip(names, key, strict=True)) | {"misses": by_cache(memory, misses)} for key, misses in rows]
    return {"references_that_miss": listed}


def _functions_json(memory: MemoryMeasurement) -> dict[str, Any]:
    functions = misses_by(memory, lambda site: site.function)
    return {"functions": {name: by_cache(memory, misses) for name, misses in functions.items()}}


def _lines_json(memory: MemoryMeasurement) -> dict[str, Any]:
    lines = sorted(misses_by(memory, lambda site: site.line).items())
    return {"lines": by_file((line, by_cache(memory, misses)) for line, misses in lines)}


def _site(site: MissSite) -> tuple[str, ...]:
    reference = f"{site.kind.direction} {site.cell}".rstrip()
    return str(site.number), str(site.line), site.instruction, reference, site.kind.mode, site.kind.cause


def _sites_json(memory: MemoryMeasurement) -> dict[str, Any]:
    """Return a list of all sites that miss; a fetch has neither cell nor type nor mode."""
    return {"sites": list(_site_values(memory, sorted(memory.sites.items())))}


def _site_values(memory: MemoryMeasurement, sites: Iterable[tuple[MissSite, SiteMisses]]) -> Iterable[dict[str, Any]]:
    for site, counts in sites:
        yield {
            "site": site.number,
            "function": site.function,
            "file": site.line.file,
            "line": site.line.number,
            "instruction": site.instruction,
            "direction": site.kind.direction,
            "cause": site.kind.cause,
            "cell": site.cell or None,
            "type": site.kind.type or None,
            "mode": site.kind.mode or None,
            "executed": counts.executed,
            "misses": by_cache(memory, counts.misses),
        }


# ----------------------------------------------------------------------------------------------------------------------
# References by memory, on machines that have several.


def _memories(found: SpacesMeasurement) -> Table:
    """Count references to data by the memory that they are to."""
    reads, writes = (_by_memory(found, direction) for direction in ("read", "write"))
    whole = sum(found.sites.values())
    rows = [[MAIN, "", ""], *([space.name, number(space.size), number(space.used)] for space in found.spaces)]
    waits = {space.name: space.wait for space in found.spaces}
    for row in rows:
        made = reads[row[0]] + writes[row[0]]
        row += [number(reads[row[0]]), number(writes[row[0]]), percent(made, whole)]
        row += [number(made * waits.get(row[0], 0))] * any(waits.values())
    waited = ["cycles waited"] * any(waits.values())
    return Table(["memory", "bytes", "of objects", "reads", "writes", "per cent", *waited], rows)


def _by_memory(found: SpacesMeasurement, direction: str) -> Counter[str]:
    counted = Counter[str]()
    for site, count in found.sites.items():
        counted[site.memory] += count * (site.direction == direction)
    return counted


def _memories_json(found: SpacesMeasurement) -> dict[str, Any]:
    reads, writes = (_by_memory(found, direction) for direction in ("read", "write"))
    own = {space.name: {"bytes": space.size, "used": space.used, "wait": space.wait} for space in found.spaces}
    names = (MAIN, *own)
    return {"memories": {name: own.get(name, {}) | {"reads": reads[name], "writes": writes[name]} for name in names}}


def _memories_of_lines(found: SpacesMeasurement) -> dict[Line, Counter[str]]:
    """Return references by line, then by memory; the lines with most come first."""
    lines: dict[Line, Counter[str]] = {}
    for site, count in found.sites.items():
        lines.setdefault(site.line, Counter())[site.memory] += count
    return dict(sorted(lines.items(), key=lambda line: -line[1].total()))


def _memory_lines(found: SpacesMeasurement) -> Table:
    """Count references by line, a column for each memory."""
    names = [MAIN, *(space.name for space in found.spaces)]
    rows = [((str(line),), [counts[name] for name in names]) for line, counts in _memories_of_lines(found).items()]
    totals = {name: sum(counts[place] for _, counts in rows) for place, name in enumerate(names)}
    return shares(["line"], rows, totals, "lines")


def _memory_lines_json(found: SpacesMeasurement) -> dict[str, Any]:
    return {"memories_of_lines": by_file(sorted((line, dict(by)) for line, by in _memories_of_lines(found).items()))}


MEMORIES = Report("memories", "References by memory", _memories, _memories_json, about="spaces")


OF_MEMORY = (  # in the order of printing
    MEMORIES,
    Report("memory-lines", "References by source line and memory", _memory_lines, _memory_lines_json, about="spaces"),
    Report("caches", "Caches: hit ratios in per cent", _caches, _caches_json, about="memory"),
    Report("fetch-cost", "Fetch cost", _cost, lambda memory: {"memory_system": {"work": memory.results.work}}, about="memory"),
    Report(
        "memory-traffic", "Memory traffic", _traffic,
        lambda memory: {"memory_system": {"memory": asdict(memory.results.memory)}}, about="memory",
    ),
    Report("miss-causes", "Misses by cause", _miss_causes, _miss_causes_json, about="memory"),
    _missed(
        "miss-references", "Misses by cause of the reference", ["group", "cause", ""], _reference, tuple, "causes",
        _references_json,
    ),
    _missed(
        "miss-functions", "Misses by function", ["function"], lambda site: site.function, lambda name: (name,), "functions",
        _functions_json,
    ),
    _missed(
        "miss-lines", "Misses by source line", ["line"], lambda site: site.line, lambda line: (str(line),), "lines",
        _lines_json,
    ),
    _missed(
        "miss-sites", "Misses by reference", ["site", "line", "instruction", "reference", "mode", "cause"],
        lambda site: site, _site, "sites", _sites_json,
    ),
)  # fmt: skip
