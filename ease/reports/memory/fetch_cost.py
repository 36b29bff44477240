"""What the references of each first-level cache cost: hits and misses times the units that they take."""

from __future__ import annotations

from typing import Any

from cache_sim.config import Switch
from ease.model.results import MemoryMeasurement
from ease.reports.report import Report, Table, number


def table(memory: MemoryMeasurement) -> Table:
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


def json(memory: MemoryMeasurement) -> dict[str, Any]:
    """Return the cost; `caches` has what it is made of."""
    return {"memory_system": {"work": memory.results.work}}


FETCH_COST = Report("fetch-cost", "Fetch cost", table, json, about="memory")
