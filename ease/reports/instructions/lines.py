"""Instructions by source line."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics
from ease.reports.pictures.mixes import Mix, mix
from ease.reports.report import Report, Table, count_json, top


def table(c: Characteristics) -> Table:
    """Count instructions by source line, those with most executed first."""
    return top(["line"], [((str(line),), count) for line, count in c.lines.items()], "lines")


def json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers of all lines by file; an instruction of several lines counts for the first."""
    files: dict[str, Any] = {}
    for line, count in c.lines.items():
        files.setdefault(line.file, {})[str(line.number)] = count_json(count)
    return {"lines": files}


def panels(c: Characteristics) -> list[Mix]:
    """Return what lines execute as bars."""
    return mix("Source lines", {str(line): count for line, count in c.lines.items()})


LINES = Report("lines", "Source lines", table, json, panels=panels)
