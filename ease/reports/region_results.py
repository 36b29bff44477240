"""What regions of a program executed, with what was called in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ease.reports.report import Report, Table, number, percent

if TYPE_CHECKING:
    from ease.model.results import Measurement

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


def parts(regions: Regions) -> Regions:
    """Return the regions but the first, which is the whole program."""
    return dict(list(regions.items())[1:])


REGIONS = Report("regions", "Regions", table, lambda _: {}, about="regions", parts=parts)
