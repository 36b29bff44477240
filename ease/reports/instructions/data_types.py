"""Data types of operand fields."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics
from ease.reports.pictures.mixes import Mix, mix
from ease.reports.report import Report, Table, simple, table_json


def table(c: Characteristics) -> Table:
    """Count operand fields by data type."""
    return simple("data type", c.data_types(), "operand fields of all instructions; CODE: where control goes")


def json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers by type."""
    return {"data_types": table_json(c.data_types())}


def panels(c: Characteristics) -> list[Mix]:
    """Return the mix as bars."""
    return mix("Data types", c.data_types())


DATA_TYPES = Report("data-types", "Data types", table, json, panels=panels)
