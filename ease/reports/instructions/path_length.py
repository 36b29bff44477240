"""Path length: how many instructions."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics, Count
from ease.reports.report import Report, Table, count_json, simple


def table(c: Characteristics) -> Table:
    """Split instructions into those that transfer control and the others."""
    others = Count(c.instructions.static - c.transfers.static, c.instructions.dynamic - c.transfers.dynamic)
    return simple("instructions", {"transfers of control": c.transfers, "others": others})


def json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers of instructions."""
    return {"instructions": count_json(c.instructions)}


PATH_LENGTH = Report("path-length", "Path length", table, json)
