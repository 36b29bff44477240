"""Addressing modes of references to memory."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics, project
from ease.reports.report import Report, Table, distribution, table_json


def table(c: Characteristics) -> Table:
    """Count references by addressing mode and direction."""
    return distribution(["addr mode", ""], project(c.references, lambda r: (r.mode, r.direction)).items())


def json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers by mode."""
    return {"memory_references": {"by_mode": table_json(project(c.references, lambda r: r.mode))}}


REFERENCE_MODES = Report("reference-modes", "Memory reference addressing modes", table, json)
