"""The results of a tool as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

Cell = Any  # a number or text


@dataclass(frozen=True, slots=True)
class Table:
    """Rows below the names of their columns.  Text columns come first; `total` is the last row, if there is one."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    total: Sequence[Cell] = ()

    def __post_init__(self) -> None:
        for row in (*self.rows, *([self.total] if self.total else [])):
            if len(row) != len(self.columns):
                raise ValueError(f"{self.title}: a row has {len(row)} cells, and there are {len(self.columns)} columns: {row}")

    def ordered(self, column: str) -> Table:
        """Return the table with the rows that have most in a column first."""
        at = list(self.columns).index(column)
        return replace(self, rows=sorted(self.rows, key=lambda row: row[at], reverse=True))

    def json(self) -> dict[str, Any]:
        """Return the table as JSON values."""
        result = {"title": self.title, "columns": list(self.columns), "rows": [list(row) for row in self.rows]}
        return {**result, "total": list(self.total)} if self.total else result
