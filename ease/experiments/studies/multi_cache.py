"""Misses of many caches out of one run, machines side by side: Table 8 of the IDtrace report."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence

from cache_sim.sweeps import SIDES, Grid, parse_sweep
from cache_sim.words import format_size
from ease.experiments.experiment import Table
from ease.experiments.studies.questions import Answer, Answers, Measured, Study
from ease.reports.pictures import Curve, Panel
from ease.reports.report import number, percent

GRID = "sweep+U+size:8k-64k+line:32-64+ways:1-4"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the caches."""
    parser.add_argument("--caches", metavar="SWEEP", default=GRID, help=f"LRU caches, as easecc's -cache sweep ({GRID})")


def check(options: argparse.Namespace) -> Grid:
    """Return the caches.

    Raises ConfigurationError.
    """
    return parse_sweep(options.caches)


def ask(measured: Measured, options: argparse.Namespace) -> Answer:
    """Return references on each side and the misses of each cache."""
    swept = measured(check(options)).sweep
    assert swept is not None
    return {
        "references": {side: swept.made(side) for side in swept.grid.sides},
        "misses": {_name(cache.name, cache.line, cache.size, cache.ways): misses for cache, misses in swept.caches()},
    }


def _name(side: str, line: int, size: int, ways: int) -> str:
    return f"{side}:{format_size(size)},{line},{ways}"


def tables(options: argparse.Namespace, found: Answers) -> Sequence[Table]:
    """Show misses and their share of the references: sizes and ways down, machines and lines across."""
    grid = check(options)
    lines = sorted(grid.lines)
    shown = []
    for side in grid.sides:
        columns = [(machine, line) for machine in found for line in lines]
        heads = [cell for machine, line in columns for cell in (f"{machine} {line}B", "per cent")]
        rows = [["cache", *heads]]
        sums = {machine: _together(answers, side) for machine, answers in found.items()}
        for size in grid.sizes:
            for ways in grid.ways:
                cells = [_cells(*sums[machine], _name(side, line, size, ways)) for machine, line in columns]
                if any(map(any, cells)):
                    rows.append([f"{format_size(size)} {ways}-way", *(cell for pair in cells for cell in pair)])
        made = "; ".join(f"{machine}: {number(references)} references" for machine, (references, _) in sums.items())
        what = "instructions and data" if side == "U" else " and ".join(f"{kind}s" for kind in SIDES[side])
        shown.append(Table(f"Misses, {what}", rows, note=f"{made} ({len(next(iter(found.values())))} programs)"))
    return shown


def _together(answers: Mapping[str, Answer], side: str) -> tuple[int, Counter[str]]:
    """Add up the references of a side, and the misses of each cache, of all programs."""
    misses = Counter[str]()
    for each in answers.values():
        misses.update(each["misses"])
    return sum(each["references"][side] for each in answers.values()), misses


def _cells(references: int, misses: Mapping[str, int], name: str) -> tuple[str, str]:
    return (number(misses[name]), percent(misses[name], references)) if name in misses else ("", "")


def panels(options: argparse.Namespace, found: Answers) -> Sequence[Panel]:
    """Draw ratios of misses against sizes, a panel for each side and line, a curve for each machine and number of ways."""
    grid = check(options)
    result = []
    for side in grid.sides:
        sums = {machine: _together(answers, side) for machine, answers in found.items()}
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
    "multi-cache", "misses of many caches out of one run of each program", arguments, check, ask, tables, panels
)
