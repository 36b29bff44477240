"""Results as a text and as plain data for JSON.  No arithmetic here beside what results can say of themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from cache_sim.results import CacheResults, Results
from cache_sim.sweeps import Swept, format_sweep
from cache_sim.words import FULL, format_size
from cache_sim.yaml_form import format_yaml

FORMAT = 1  # a key of the JSON form never changes its meaning without another
_HEAD = [
    "cache", "accesses", "misses", "hit ratio", "fetch", "read", "write", "written back", "prefetched", "passed on",
]  # fmt: skip


def text(results: Results) -> str:
    """Return results as lines of text."""
    lines = _table(_HEAD, map(_row, results.caches))
    if results.system.causes:
        caused = [(found.cache.name, found.causes) for found in results.caches if found.causes]
        rows = [[name, *map(str, asdict(causes).values())] for name, causes in caused]
        lines += ["", *_table(["cause of misses", "compulsory", "capacity", "conflict", "switch"], rows)]
    made, memory = results.references, results.memory
    lines += [
        "",
        f"references        {made.total} ({made.fetch} fetches, {made.read} reads, {made.write} writes)",
        f"work              {results.work}",
        f"context switches  {results.switches}",
        f"memory            {memory.reads} reads, {memory.writes} writes",
    ]
    return "".join(line + "\n" for line in lines)


def _row(found: CacheResults) -> list[str]:
    misses = found.misses
    numbers = (misses.fetch, misses.read, misses.write, found.writebacks, found.prefetches, found.passed)
    return [found.cache.name, str(found.accesses.total), str(misses.total), f"{found.hit_ratio:.4%}", *map(str, numbers)]


def _table(head: list[str], rows: Iterable[list[str]]) -> list[str]:
    """Return lines of columns, the first of them flush left."""
    table = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    ]


def swept_text(swept: Swept) -> str:
    """Return the results of a sweep as lines of text."""
    rows = [
        [row["side"], str(row["line"]), format_size(row["size"]), str(row["ways"]), str(row["accesses"]), str(row["misses"]),
         f"{row['misses'] / row['accesses'] if row['accesses'] else 0:.4%}"]
        for row in _swept_rows(swept)
    ]  # fmt: skip
    made = swept.references
    lines = [
        *_table(["cache", "line", "size", "ways", "accesses", "misses", "miss ratio"], rows), "",
        f"references        {made.total} ({made.fetch} fetches, {made.read} reads, {made.write} writes)",
        f"context switches  {swept.switches}",
    ]  # fmt: skip
    return "".join(line + "\n" for line in lines)


def swept_plain(swept: Swept) -> dict[str, Any]:
    """Return the results of a sweep as dictionaries and numbers."""
    return {
        "format": FORMAT, "sweep": format_sweep(swept.grid), "references": asdict(swept.references),
        "switches": swept.switches, "caches": _swept_rows(swept),
    }  # fmt: skip


def _swept_rows(swept: Swept) -> list[dict[str, Any]]:
    """Return what is told of each cache, fully associative ones last, whose misses may be estimates."""
    rows = [_swept_row(swept, c.name, c.line, c.size, c.ways, misses) for c, misses in swept.caches()]
    for side in swept.grid.sides:
        for line in sorted(swept.grid.lines):
            sizes = swept.grid.full_sizes(line)
            rows += [_swept_row(swept, side, line, n, FULL, round(swept.full_misses(side, n, line).misses)) for n in sizes]
    return rows


def _swept_row(swept: Swept, side: str, line: int, size: int, ways: int | str, misses: int) -> dict[str, Any]:
    accesses = swept.accesses(side, line)
    return {"side": side, "line": line, "size": size, "ways": ways, "accesses": accesses, "misses": misses}


def plain(results: Results) -> dict[str, Any]:
    """Return results as dictionaries and numbers."""
    return {
        "format": FORMAT,
        "system": format_yaml(results.system),
        "instructions": results.instructions,
        "references": asdict(results.references),
        "work": results.work,
        "switches": results.switches,
        "memory": asdict(results.memory),
        "caches": {found.cache.name: _plain_cache(found) for found in results.caches},
    }


def _plain_cache(found: CacheResults) -> dict[str, Any]:
    numbers = asdict(found)
    del numbers["cache"]
    return numbers | {"sites": {str(site): count for site, count in found.sites.items()}, "hit_ratio": found.hit_ratio}
