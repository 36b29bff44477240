"""Path size: how many bytes of instructions."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics, Count
from ease.reports.report import Report, Table, distribution, table_json


def table(c: Characteristics) -> Table:
    """Count bytes by the size of the instruction."""
    rows = [((str(size),), Count(size * n.static, size * n.dynamic)) for size, n in c.sizes.items()]
    return distribution(["instruction size"], rows, note="bytes in instructions of each size")


def json(c: Characteristics) -> dict[str, Any]:
    """Return the bytes, and the number of instructions of each size."""
    size = c.bytes()
    sums = {"static_bytes": size.static, "dynamic_bytes": size.dynamic}
    return {"instructions": sums, "instruction_sizes": table_json(c.sizes)}


PATH_SIZE = Report("path-size", "Path size in bytes", table, json)
