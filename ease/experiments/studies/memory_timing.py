"""Cycles under caches around one that is given, with other lines, ways and write buffers: IDtrace's Tables 6 and 7."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cache_sim.config import ConfigurationError, MemorySystem
from cache_sim.parse import load as load_system
from cache_sim.words import parse_size
from ease.experiments.experiment import Table
from ease.experiments.studies.questions import Answer, Answers, Measured, Study, list_of
from ease.reports.pictures import Curve, Panel
from ease.reports.report import number

VARIED = ("line", "ways", "buffers")  # in the order of a configuration
Configuration = tuple[int, int, int]


def arguments(parser: argparse.ArgumentParser) -> None:
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


def check(options: argparse.Namespace) -> object:
    """Raise ConfigurationError for a memory system that cannot be."""
    system = base(options)
    return [system_of(system, each) for found in configurations(options).values() for each in found]


def ask(measured: Measured, options: argparse.Namespace) -> Answer:
    """Return what each configuration comes to: cycles, misses by kind, how often all write buffers were in use."""
    system = base(options)
    wanted = dict.fromkeys(each for found in configurations(options).values() for each in found)
    return {title(each): _came_to(measured, system_of(system, each)) for each in wanted}


def _came_to(measured: Measured, system: MemorySystem) -> dict[str, int]:
    run = measured(system, timing=True)
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


def tables(options: argparse.Namespace, found: Answers) -> Sequence[Table]:
    """Show cycles by program, then everything of all programs together."""
    varied = configurations(options)
    shown = []
    for machine, answers in found.items():
        rows = [["varied", "configuration", *answers]]
        for what, name in _named(varied):
            rows.append([what, name, *(f"{each[name]['cycles'] / 1e6:.2f}" for each in answers.values())])
        shown.append(Table(f"Estimated cycles in millions, {machine}", rows, keys=2))
        heads = ["cycles", "read misses", "instruction misses", "prefetched", "buffers full"]
        rows = [["varied", "configuration", *heads]]
        for what, name in _named(varied):
            whole = _together(answers, name)
            rows.append([what, name, *(number(whole[key]) for key in _COLUMNS)])
        shown.append(Table(f"All programs together, {machine}", rows, keys=2))
    return shown


_COLUMNS = ("cycles", "read_misses", "instruction_misses", "prefetches", "buffers_full")


def _named(varied: Mapping[str, Sequence[Configuration]]) -> Iterator[tuple[str, str]]:
    for what, found in varied.items():
        for place, each in enumerate(found):
            yield "" if place else what, title(each)


def _together(answers: Mapping[str, Answer], name: str) -> Counter[str]:
    return sum((Counter(each[name]) for each in answers.values()), Counter())


def panels(options: argparse.Namespace, found: Answers) -> Sequence[Panel]:
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
    "memory-timing", "cycles with other lines, ways and write buffers than a cache has", arguments, check, ask, tables,
    panels,
)  # fmt: skip
