"""The tables that users' tools make of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ease.reports.report import Report, Table, arrangeable, number

if TYPE_CHECKING:
    from ease.tools.tool_file import Cell
    from ease.tools.tool_file import Table as ToolTable

    Tools = Mapping[str, Sequence[ToolTable]]


def _cell(value: Cell) -> str:
    if isinstance(value, str):
        return value
    return number(value) if isinstance(value, int) else f"{value:,.2f}"


def _text(table: ToolTable) -> Table:
    """Return a table of a tool as text; columns of text come first."""
    keys = 0
    while keys < len(table.columns) and all(isinstance(row[keys], str) for row in table.rows):
        keys += 1

    def built(most: int, sort: str) -> Table:
        rows = [[_cell(value) for value in row] for row in table.rows]
        shown = sorted(rows) if sort == "name" else rows
        note = f"{len(rows) - most:,} rows more (--top N)" if len(rows) > most else ""
        return Table(table.columns, shown[:most], [_cell(value) for value in table.total], keys, note)

    return arrangeable(built)


def sections(tools: Tools) -> list[tuple[str, Table]]:
    """Return each tool's tables with their titles."""
    return [(table.title, _text(table)) for tables in tools.values() for table in tables]


def table(tools: Tools) -> Table:
    """Count the rows of each tool's tables."""
    rows = [[name, found.title, number(len(found.rows))] for name, tables in tools.items() for found in tables]
    return Table(["tool", "table", "rows"], rows, keys=2)


def json(tools: Tools) -> dict[str, Any]:
    """Return the tables of each tool."""
    return {"tools": {name: [found.json() for found in tables] for name, tables in tools.items()}}


TOOLS = Report("tools", "Tools", table, json, about="tools", sections=sections)
