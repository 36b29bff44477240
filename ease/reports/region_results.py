"""What regions of a program executed, with what was called in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ease.reports.report import Report, Table, number, percent

if TYPE_CHECKING:
    from ease.results import Measurement

    Regions = Mapping[str, Measurement]


def _row(name: str, measurement: Measurement, whole: int) -> Sequence[str]:
    c = measurement.characteristics
    references = {way: sum(n.dynamic for r, n in c.references.items() if r.direction == way) for way in ("read", "write")}
    branches = c.conditional_branches()
    numbers = (references["read"], references["write"], branches.dynamic, branches.taken)
    return [name, number(c.instructions.dynamic), percent(c.instructions.dynamic, whole), *map(number, numbers)]


def table(regions: Regions) -> Table:
    """Compare the regions; one that lies within another one belongs to both."""
    whole = next(iter(regions.values())).characteristics.instructions.dynamic
    headings = ["region", "instructions", "per cent", "reads", "writes", "branches", "taken"]
    return Table(headings, [_row(name, measurement, whole) for name, measurement in regions.items()])


def json(regions: Regions) -> dict[str, Any]:
    """Return all reports of each region, but the first, which is the whole program."""
    from ease.reports.render import as_dictionary

    about = ("format", "machine", "exit_status", "partial", "exact", "fault", "run")
    found = {name: as_dictionary(measurement) for name, measurement in list(regions.items())[1:]}
    return {"regions": {name: {k: v for k, v in values.items() if k not in about} for name, values in found.items()}}


REGIONS = Report("regions", "Regions", table, json, about="regions")
