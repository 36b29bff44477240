"""Sizes of references to memory."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics, project
from ease.reports.report import Report, Table, distribution, table_json


def table(c: Characteristics) -> Table:
    """Count references by data type and direction."""
    return distribution(["data type", ""], project(c.references, lambda r: (r.type, r.direction)).items())


def json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers by data type."""
    return {"memory_references": {"by_size": table_json(project(c.references, lambda r: r.type))}}


REFERENCE_SIZES = Report("reference-sizes", "Memory reference sizes", table, json)
