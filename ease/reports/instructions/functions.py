"""Instructions by function."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics
from ease.reports.pictures.mixes import Mix, mix
from ease.reports.report import Report, Table, table_json, top


def table(c: Characteristics) -> Table:
    """Count instructions by function, those with most executed first."""
    return top(["function"], [((name.removeprefix("_"),), count) for name, count in c.functions.items()], "functions")


def json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers of all functions."""
    return {"functions": {name.removeprefix("_"): value for name, value in table_json(c.functions).items()}}


def panels(c: Characteristics) -> list[Mix]:
    """Return what functions execute as bars."""
    return mix("Functions", {name.removeprefix("_"): count for name, count in c.functions.items()})


FUNCTIONS = Report("functions", "Functions", table, json, panels=panels)
