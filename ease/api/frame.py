"""Tables with typed columns: printed as text, shown as HTML, given to pandas if that is installed."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from ease.api.errors import Error
from ease.reports.report import TitledTable, aligned, as_csv

if TYPE_CHECKING:
    import pandas

SHOWN = 30  # rows of a table that is printed or displayed
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """A table: names of columns, and rows with a value for each of them."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    @overload
    def __getitem__(self, what: str) -> list[Any]: ...

    @overload
    def __getitem__(self, what: int) -> dict[str, Any]: ...

    def __getitem__(self, what: str | int) -> list[Any] | dict[str, Any]:
        """Return a column by its name, or a row by its number."""
        if isinstance(what, int):
            return dict(zip(self.columns, self.rows[what], strict=True))
        position = self._position(what)
        return [row[position] for row in self.rows]

    def _position(self, column: str) -> int:
        if column not in self.columns:
            raise Error(f"there is no column '{column}' (columns: {', '.join(self.columns)})")
        return self.columns.index(column)

    def total(self, column: str) -> Any:
        """Return the sum of a column."""
        return sum(self[column])

    def head(self, rows: int = 10) -> Frame:
        """Return the first rows."""
        return Frame(self.columns, self.rows[:rows])

    def where(self, **values: Any) -> Frame:
        """Return the rows that have given values in given columns; a function as a value says which it accepts."""
        tests: list[tuple[int, Callable[[Any], bool]]] = [
            (self._position(column), value if callable(value) else value.__eq__) for column, value in values.items()
        ]
        return Frame(self.columns, tuple(row for row in self.rows if all(test(row[i]) is True for i, test in tests)))

    def sort(self, column: str, descending: bool = True) -> Frame:
        """Return the rows in the order of a column; rows that are equal there stay as they are."""
        position = self._position(column)
        return Frame(self.columns, tuple(sorted(self.rows, key=lambda row: row[position], reverse=descending)))

    def sums(self, *by: str, of: str) -> Frame:
        """Return the sums of a column for each value of others, the largest first."""
        keys, summed = [self._position(column) for column in by], self._position(of)
        found: dict[Row, Any] = {}
        for row in self.rows:
            key = tuple(row[position] for position in keys)
            found[key] = found.get(key, 0) + row[summed]
        return Frame((*by, of), tuple((*key, value) for key, value in found.items())).sort(of)

    def to_csv(self) -> str:
        """Return the table as CSV."""
        return as_csv([self.columns, *self.rows])

    def titled(self, title: str, note: str = "") -> TitledTable:
        """Return the table with a title and a note, for reports: `str`, `markdown()`, `csv()`; all its rows are there."""
        return TitledTable(title, [list(self.columns), *(list(map(shown, row)) for row in self.rows)], self._keys(), note)

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as a DataFrame.

        Raises Error if pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise Error("pandas is not installed: pip install pandas") from None
        return pandas.DataFrame.from_records(list(self.rows), columns=list(self.columns))

    def __str__(self) -> str:
        lines = list(aligned([self.columns, *(list(map(shown, row)) for row in self.rows[:SHOWN])], self._keys()))
        return "\n".join([*lines, *self._rest()])

    __repr__ = __str__

    def _keys(self) -> int:
        """Return how many columns stand before the first one with numbers."""
        return next((i for i, cell in enumerate(self.rows[0]) if is_number(cell)), len(self.columns)) if self.rows else 0

    def _rest(self) -> Sequence[str]:
        return [f"... {len(self.rows) - SHOWN:,} more rows"] if len(self.rows) > SHOWN else []

    def _repr_html_(self) -> str:
        """Return the table for notebooks."""
        head = "".join(f"<th>{html.escape(column)}</th>" for column in self.columns)
        body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in self.rows[:SHOWN])
        rest = "".join(f"<p>{line}</p>" for line in self._rest())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"


def is_number(value: Any) -> bool:
    """Return whether a cell is a number, which stands to the right."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def shown(value: Any) -> str:
    """Return a cell as text."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.4g}"
    return f"{value:,}" if is_number(value) else str(value)


def _cell(value: Any) -> str:
    side = "right" if is_number(value) else "left"
    return f'<td style="text-align: {side}">{html.escape(shown(value))}</td>'
