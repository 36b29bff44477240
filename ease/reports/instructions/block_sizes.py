"""Instructions a block: how large basic blocks are, and how often those of each size were entered."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics, Count, total
from ease.reports.report import Report, Table, distribution, table_json

LARGEST = 30  # instructions; larger blocks are one row of the text


def table(c: Characteristics) -> Table:
    """Count blocks by their size."""
    rows = [((str(size),), count) for size, count in c.blocks.items() if size <= LARGEST]
    larger = total(count for size, count in c.blocks.items() if size > LARGEST)
    if larger != Count():
        rows.append(((f"over {LARGEST}",), larger))
    whole = total(c.blocks.values())
    pairs = (c.instructions.static, whole.static), (c.instructions.dynamic, whole.dynamic)
    static, dynamic = (f"{part / of:.2f}" if of else "none" for part, of in pairs)
    note = f"instructions a block: static {static}, dynamic {dynamic}; the largest has {max(c.blocks, default=0)}"
    return distribution(["instructions"], rows, note=note)


def json(c: Characteristics) -> dict[str, Any]:
    """Return the number of blocks, and of times that they were entered, by size."""
    return {"blocks": {"by_size": table_json(c.blocks)}}


BLOCKS = Report("blocks", "Instructions a block", table, json)
