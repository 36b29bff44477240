"""Studies of memory systems: what waiting costs, and how several caches share the work."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cache_sim.config import ConfigurationError, MemorySystem
from cache_sim.parse import load as load_system
from cache_sim.sweeps import SIDES, Grid, parse_sweep
from cache_sim.words import format_size, parse_size
from ease import Curve, Panel, TitledTable, number, percent
from ease.lab.experiments.studies.questions import Answer, Answers, Measured, Study, list_of

# ----------------------------------------------------------------------------------------------------------------------
# Cycles under caches around one that is given, with other lines, ways and write buffers: IDtrace's Tables 6 and 7.


VARIED = ("line", "ways", "buffers")  # in the order of a configuration
Configuration = tuple[int, int, int]


def _timing_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the memory system and what is varied of it."""
    parser.add_argument(
        "--cache", metavar="SYSTEM", required=True, help="a unified cache, or two alike, with delays and write buffers (YAML)"
    )
    sizes = list_of(lambda word: parse_size("line", word))
    parser.add_argument("--line", type=sizes, default=[8, 16, 32, 64], help="bytes of lines (8,16,32,64)")
    parser.add_argument("--ways", type=list_of(int), default=[8, 4, 2, 1], help="ways (8,4,2,1)")
    parser.add_argument("--buffers", type=list_of(int), default=[4, 2, 1], help="write buffers (4,2,1)")


def base(options: argparse.Namespace) -> MemorySystem:
    """Return the memory system around which is varied.

    Raises ConfigurationError, OSError.
    """
    system = load_system(options.cache)
    if system.data is None or system.instruction is None or system.delays is None or not system.delays.buffers:
        raise ConfigurationError(f"{options.cache}: the study needs caches for instructions and data, and write buffers")
    return system


def _of(system: MemorySystem) -> Configuration:
    assert system.data is not None
    assert system.delays is not None
    return system.data.line, system.data.ways, system.delays.buffers


def configurations(options: argparse.Namespace) -> dict[str, list[Configuration]]:
    """Return, for each thing that is varied, the configurations that differ from the given one in it alone."""
    own = _of(base(options))
    return {
        what: [(*own[:place], value, *own[place + 1 :]) for value in getattr(options, what)]
        for place, what in enumerate(VARIED)
    }


def system_of(system: MemorySystem, configuration: Configuration) -> MemorySystem:
    """Return a memory system with other lines, ways and write buffers.

    Raises ConfigurationError for one that cannot be.
    """
    line, ways, buffers = configuration
    assert system.instruction is not None
    assert system.data is not None
    assert system.delays is not None
    instruction, data = (replace(cache, line=line, ways=ways) for cache in (system.instruction, system.data))
    return replace(system, instruction=instruction, data=data, delays=replace(system.delays, buffers=buffers))


def _timing_check(options: argparse.Namespace) -> object:
    """Raise ConfigurationError for a memory system that cannot be."""
    system = base(options)
    return [system_of(system, each) for found in configurations(options).values() for each in found]


def _timing_ask(measured: Measured, options: argparse.Namespace) -> Answer:
    """Return what each configuration comes to: cycles, misses by kind, how often all write buffers were in use."""
    system = base(options)
    wanted = dict.fromkeys(each for found in configurations(options).values() for each in found)
    return {title(each): _came_to(measured, system_of(system, each)) for each in wanted}


def _came_to(measured: Measured, system: MemorySystem) -> dict[str, int]:
    run = measured(system, timing=True).measurement
    assert run.timing is not None
    assert run.memory is not None
    first = {system.instruction, system.data}
    caches = [cache for cache in run.memory.results.caches if cache.cache in first]
    return {
        "instructions": run.timing.instructions,
        "cycles": run.timing.total,
        "read_misses": sum(cache.misses.read for cache in caches),
        "instruction_misses": sum(cache.misses.fetch for cache in caches),
        "prefetches": sum(cache.prefetches for cache in caches),
        "buffers_full": run.timing.buffers_full or 0,
    }


def title(configuration: Configuration) -> str:
    """Return what the report calls a configuration."""
    return "{}B, {}-way, {}wb".format(*configuration)


def _timing_tables(options: argparse.Namespace, found: Answers) -> Sequence[TitledTable]:
    """Show cycles by program, then everything of all programs together."""
    varied = configurations(options)
    shown = []
    for machine, answers in found.items():
        rows = [["varied", "configuration", *answers]]
        for what, name in _named(varied):
            rows.append([what, name, *(f"{each[name]['cycles'] / 1e6:.2f}" for each in answers.values())])
        shown.append(TitledTable(f"Estimated cycles in millions, {machine}", rows, keys=2))
        heads = ["cycles", "read misses", "instruction misses", "prefetched", "buffers full"]
        rows = [["varied", "configuration", *heads]]
        for what, name in _named(varied):
            whole = _timing_together(answers, name)
            rows.append([what, name, *(number(whole[key]) for key in _COLUMNS)])
        shown.append(TitledTable(f"All programs together, {machine}", rows, keys=2))
    return shown


_COLUMNS = ("cycles", "read_misses", "instruction_misses", "prefetches", "buffers_full")


def _named(varied: Mapping[str, Sequence[Configuration]]) -> Iterator[tuple[str, str]]:
    for what, found in varied.items():
        for place, each in enumerate(found):
            yield "" if place else what, title(each)


def _timing_together(answers: Mapping[str, Answer], name: str) -> Counter[str]:
    return sum((Counter(each[name]) for each in answers.values()), Counter())


def _timing_panels(options: argparse.Namespace, found: Answers) -> Sequence[Panel]:
    """Draw cycles an instruction against what is varied, a panel for each, a curve for each program."""
    result = []
    for machine, answers in found.items():
        for what, configured in configurations(options).items():
            places = [str(value) for value in getattr(options, what)]
            curves = [
                Curve(name, [each[title(c)]["cycles"] / max(each[title(c)]["instructions"], 1) for c in configured])
                for name, each in answers.items()
            ]
            result.append(Panel(f"cycles an instruction, {machine}", what, places, curves))
    return result


MEMORY_TIMING = Study(
    "memory-timing", "cycles with other lines, ways and write buffers than a cache has", _timing_arguments,
    _timing_check, _timing_ask, _timing_tables, _timing_panels,
)  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------
# Misses of many caches out of one run, machines side by side: Table 8 of the IDtrace report.


GRID = "sweep+U+size:8k-64k+line:32-64+ways:1-4"


def _sharing_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the caches."""
    parser.add_argument("--caches", metavar="SWEEP", default=GRID, help=f"LRU caches, as easecc's -cache sweep ({GRID})")


def _sharing_check(options: argparse.Namespace) -> Grid:
    """Return the caches.

    Raises ConfigurationError.
    """
    return parse_sweep(options.caches)


def _sharing_ask(measured: Measured, options: argparse.Namespace) -> Answer:
    """Return references on each side and the misses of each cache."""
    swept = measured(_sharing_check(options)).measurement.sweep
    assert swept is not None
    return {
        "references": {side: swept.made(side) for side in swept.grid.sides},
        "misses": {_name(cache.name, cache.line, cache.size, cache.ways): misses for cache, misses in swept.caches()},
    }


def _name(side: str, line: int, size: int, ways: int) -> str:
    return f"{side}:{format_size(size)},{line},{ways}"


def _sharing_tables(options: argparse.Namespace, found: Answers) -> Sequence[TitledTable]:
    """Show misses and their share of the references: sizes and ways down, machines and lines across."""
    grid = _sharing_check(options)
    lines = sorted(grid.lines)
    shown = []
    for side in grid.sides:
        columns = [(machine, line) for machine in found for line in lines]
        heads = [cell for machine, line in columns for cell in (f"{machine} {line}B", "per cent")]
        rows = [["cache", *heads]]
        sums = {machine: _sharing_together(answers, side) for machine, answers in found.items()}
        for size in grid.sizes:
            for ways in grid.ways:
                cells = [_cells(*sums[machine], _name(side, line, size, ways)) for machine, line in columns]
                if any(map(any, cells)):
                    rows.append([f"{format_size(size)} {ways}-way", *(cell for pair in cells for cell in pair)])
        made = "; ".join(f"{machine}: {number(references)} references" for machine, (references, _) in sums.items())
        what = "instructions and data" if side == "U" else " and ".join(f"{kind}s" for kind in SIDES[side])
        shown.append(TitledTable(f"Misses, {what}", rows, note=f"{made} ({len(next(iter(found.values())))} programs)"))
    return shown


def _sharing_together(answers: Mapping[str, Answer], side: str) -> tuple[int, Counter[str]]:
    """Add up the references of a side, and the misses of each cache, of all programs."""
    misses = Counter[str]()
    for each in answers.values():
        misses.update(each["misses"])
    return sum(each["references"][side] for each in answers.values()), misses


def _cells(references: int, misses: Mapping[str, int], name: str) -> tuple[str, str]:
    return (number(misses[name]), percent(misses[name], references)) if name in misses else ("", "")


def _sharing_panels(options: argparse.Namespace, found: Answers) -> Sequence[Panel]:
    """Draw ratios of misses against sizes, a panel for each side and line, a curve for each machine and number of ways."""
    grid = _sharing_check(options)
    result = []
    for side in grid.sides:
        sums = {machine: _sharing_together(answers, side) for machine, answers in found.items()}
        for line in sorted(grid.lines):
            curves = []
            for machine, (references, misses) in sums.items():
                for ways in grid.ways:
                    names = [_name(side, line, size, ways) for size in grid.sizes]
                    values = [100 * misses[name] / max(references, 1) if name in misses else None for name in names]
                    curves.append(Curve(f"{machine} {ways}-way", values))
            title = f"{side}, lines of {line} bytes: % of the references that miss"
            result.append(Panel(title, "size", list(map(format_size, grid.sizes)), curves))
    return result


MULTI_CACHE = Study(
    "multi-cache", "misses of many caches out of one run of each program", _sharing_arguments, _sharing_check, _sharing_ask,
    _sharing_tables, _sharing_panels,
)  # fmt: skip
