"""Hit ratios, misses and fetch cost of memory systems, on machines side by side: Table VII of the paper."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from cache_sim.config import ConfigurationError
from cache_sim.parse import load as load_system
from cache_sim.results import CacheResults
from cache_sim.results import Results as Simulated
from cache_sim.table import plain
from cache_sim.words import format_size, parse_size
from ease.experiments.experiment import Experiment, Outcome, Results, Table, Variant, total
from ease.reports.report import number, percent

RANGE = re.compile(r"(\d+[kmg]?)\.\.(\d+[kmg]?)")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the memory systems."""
    parser.add_argument(
        "--cache", dest="caches", action="append", required=True, metavar="SYSTEM",
        help="a memory system, as easecc's -cache; a..b stands for powers of two, as in U:1k..8k,16,1..4; may be repeated",
    )  # fmt: skip


def expand(spec: str) -> list[str]:
    """Return the memory systems that a short form with ranges stands for; a YAML file, and what has none, is itself.

    Raises ConfigurationError for a range that has no powers of two from its first number to its last.
    """
    if spec.lower().endswith((".yaml", ".yml")):
        return [spec]
    pieces: list[list[str]] = []
    end = 0
    for found in RANGE.finditer(spec):
        pieces += [[spec[end : found.start()]], _powers(found[0], found[1], found[2])]
        end = found.end()
    return ["".join(choice) for choice in product(*pieces, [spec[end:]])]


def _powers(text: str, first: str, last: str) -> list[str]:
    low, high = parse_size("range", first), parse_size("range", last)
    if low & (low - 1) or high & (high - 1) or low > high:
        raise ConfigurationError(f"'{text}' does not go from a power of two to a larger one, as 1k..8k does")
    return [format_size(1 << bits) for bits in range(low.bit_length() - 1, high.bit_length())]


def systems(options: argparse.Namespace) -> list[str]:
    """Return all memory systems, each once.

    Raises ConfigurationError, OSError for one that cannot be.
    """
    found = list(dict.fromkeys(spec for given in options.caches for spec in expand(given)))
    for spec in found:
        load_system(spec)  # what is wrong with it is told before anything is compiled
    return found


def variants(options: argparse.Namespace) -> Sequence[Variant]:
    """Return each machine with each memory system."""
    return [Variant(machine, tuple(options.set), spec) for machine in options.machines for spec in systems(options)]


def tables(options: argparse.Namespace, results: Results) -> Sequence[Table]:
    """Show each machine's caches, grids of sizes and ways, hit ratios of programs; then machines side by side."""
    found: list[Table] = []
    for machine in options.machines:
        mine = {variant.cache: outcomes for variant, outcomes in results.items() if variant.machine == machine}
        found.append(_overview(machine, mine))
        found += [table for given in options.caches for table in _grids(machine, expand(given), mine)]
        if len(next(iter(mine.values()))) > 1:
            found.append(_by_program(machine, mine))
    if len(options.machines) > 1:
        found.append(_side_by_side(options, results))
    return found


def simulated(outcomes: Mapping[str, Outcome]) -> Simulated:
    """Return what a memory system did in all programs."""
    result = total(outcomes).simulated
    assert result is not None
    return result


def _overview(machine: str, mine: Mapping[str, Mapping[str, Outcome]]) -> Table:
    rows = [["memory system", "cache", "accesses", "misses", "hit ratio", "MPKI", "work", "a reference"]]
    for spec, outcomes in mine.items():
        results = simulated(outcomes)
        cost = [number(results.work), f"{results.work / results.references.total:.3f}" if results.references.total else "-"]
        for cache in results.caches:
            mpki = f"{results.misses_per_thousand_instructions(cache.cache.name):.3f}"
            cells = [number(cache.accesses.total), number(cache.misses.total), _ratio(cache), mpki]
            rows.append([spec, cache.cache.name, *cells, *cost])
            spec, cost = "", ["", ""]
    note = "hit ratios in per cent; work: fetch cost, with the units of the system's context switches, or hit 1 and miss 10"
    return Table(f"Memory systems, {machine}", rows, keys=2, note=note)


def _ratio(cache: CacheResults) -> str:
    return percent(cache.hits, cache.accesses.total)


def _grids(machine: str, specs: Sequence[str], mine: Mapping[str, Mapping[str, Outcome]]) -> Iterator[Table]:
    """Yield a table of sizes by ways for each cache of which both are varied."""
    found = [simulated(mine[spec]) for spec in specs]
    for index, first in enumerate(found[0].caches):
        cells = {(r.caches[index].cache.size, r.caches[index].cache.ways): r.caches[index] for r in found}
        sizes, ways = (list(dict.fromkeys(sorted(numbers))) for numbers in zip(*cells, strict=True))
        if len(sizes) > 1 and len(ways) > 1 and len(cells) == len(found):
            head = ["size", *[f"{way} way{'s' * (way > 1)}" for way in ways]]
            shown = {place: _ratio(cache) for place, cache in cells.items()}
            rows = [[format_size(size), *[shown.get((size, way), "") for way in ways]] for size in sizes]
            yield Table(f"Hit ratios of {first.cache.name} by size and ways, {machine}", [head, *rows])


def _by_program(machine: str, mine: Mapping[str, Mapping[str, Outcome]]) -> Table:
    names = list(next(iter(mine.values())))
    rows = [["memory system", "cache", *names]]
    for spec, outcomes in mine.items():
        each = [outcomes[name].simulated for name in names]
        first = each[0]
        assert first is not None
        for index, cache in enumerate(first.caches):
            rows.append([spec, cache.cache.name, *[_ratio(one.caches[index]) for one in each if one is not None]])
            spec = ""
    return Table(f"Hit ratios by program, {machine}", rows, keys=2)


def _side_by_side(options: argparse.Namespace, results: Results) -> Table:
    rows = [["memory system", *[cell for machine in options.machines for cell in (machine, "ratio")]]]
    for spec in systems(options):
        work = [simulated(results[Variant(machine, tuple(options.set), spec)]).work for machine in options.machines]
        rows.append([spec, *[cell for w in work for cell in (number(w), f"{w / work[0]:.3f}" if work[0] else "-")]])
    return Table("Fetch cost in units of work, relative to the first machine", rows)


def json(options: argparse.Namespace, results: Results) -> Any:
    """Return what `cache-sim --json` prints, and misses per thousand instructions, by machine, system and program."""
    del options
    found: dict[str, dict[str, Any]] = {}
    for variant, outcomes in results.items():
        programs = {name: _plain(outcome.simulated) for name, outcome in outcomes.items() if outcome.simulated is not None}
        found.setdefault(variant.machine, {})[variant.cache] = programs
    return found


def _plain(results: Simulated) -> dict[str, Any]:
    values = plain(results)
    del values["format"]
    for name, cache in values["caches"].items():
        del cache["sites"]
        cache["mpki"] = results.misses_per_thousand_instructions(name)
    return values


CACHES = Experiment(
    "caches", "hit ratios and fetch cost of memory systems, machines side by side", arguments, variants, tables, json
)
