"""Hit ratios of the caches of a memory system: Table VII of the paper is made of such."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from cache_sim.table import plain
from ease.model.results import MemoryMeasurement
from ease.reports.report import Report, Table, number, percent


def table(memory: MemoryMeasurement) -> Table:
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


def json(memory: MemoryMeasurement) -> dict[str, Any]:
    """Return all that `cache_sim` says of the system, and misses per thousand instructions."""
    values = plain(memory.results)
    del values["format"]
    for name, found in values["caches"].items():
        del found["sites"]
        found["mpki"] = memory.results.misses_per_thousand_instructions(name)
    return {"memory_system": values}


CACHES = Report("caches", "Caches: hit ratios in per cent", table, json, about="memory")
