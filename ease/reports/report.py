"""A report is a record: its name and title, the table of its text, the values of its JSON form, what it needs, pictures.

Most are data: `counted` makes a report of counts of what was executed, from its headings and a function that returns its rows.
What all repeat stands here once: headings, numbers, shares, totals, order and number of rows.  The forms are in `render`.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ease.base.printable import printable
from ease.model.results import NO_COUNT, Characteristics, Line, Measurement
from ease.reports.pictures import Mix, Panel, mix

TOP = 20  # how many rows a table of functions or lines shows
SMALLEST = 0.01  # per cent that are printed as a number
SORTS = ("dynamic", "static", "name")  # orders of rows: most executed, largest, by name
WHOLE = "whole"  # what shares are of, unless they are of another count of their row


@dataclass(frozen=True, slots=True)
class Table:
    """A table as text: `keys` columns stand to the left of the numbers; rows sum to `total`, if there is one.

    `arranged` returns the table with so many rows, the others added up in one, if it shows only the first of many, and in an
    order of SORTS (empty: its own).
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    total: Sequence[str] = ()
    keys: int = 1
    note: str = ""
    arranged: Callable[[int, str], Table] | None = None

    def seen(self, most: int | None, sort: str = "") -> Table:
        """Return the table with so many rows (None: as many as it has) in an order of SORTS, as far as it can be had."""
        if self.arranged is None or (most is None and not sort):
            return self
        return self.arranged(TOP if most is None else most, sort)

    def lines(self) -> Iterator[str]:
        """Yield the lines of the table, its note not included."""
        yield from aligned([self.headings, *self.rows, *([self.total] if self.total else [])], self.keys)


@dataclass(frozen=True, slots=True)
class TitledTable:
    """A table that stands alone: the first row is its head, and the first `keys` columns stand to the left."""

    title: str
    rows: Sequence[Sequence[str]]
    keys: int = 1
    note: str = ""

    def lines(self) -> Iterator[str]:
        """Yield its lines."""
        yield self.title
        yield ""
        yield from aligned(self.rows, self.keys)
        if self.note:
            yield ""
            yield self.note

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def markdown(self) -> str:
        """Return the table for pull requests."""
        head, *body = self.rows
        lines = [head, ["---" if column < self.keys else "--:" for column in range(len(head))], *body]
        text = "\n".join(f"| {' | '.join(cell.replace('|', '&#124;').strip() for cell in line)} |" for line in lines)
        note = "\n\n" + "  \n".join(self.note.splitlines()) if self.note else ""
        return printable(f"**{self.title}**\n\n{text}{note}\n")

    def csv(self) -> str:
        """Return the rows as CSV, the head first."""
        return as_csv(self.rows)


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV; None is an empty cell."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return printable(text.getvalue())


@dataclass(frozen=True, slots=True)
class Report:
    """One report.  `json` returns top-level keys of the JSON form; reports may add to the same key.

    `about`: the field of `Measurement` that all are made of; where that is None there is no report.  `panels` returns what a
    picture of it has, if there are pictures, and `sections` several tables with titles of their own, if there are several.
    `parts` returns measurements of parts of the run, if it is about such: the JSON form has all reports of each.
    """

    name: str
    title: str
    table: Callable[[Any], Table]
    json: Callable[[Any], dict[str, Any]]
    about: str = "characteristics"
    panels: Callable[[Any], Sequence[Panel | Mix]] | None = None
    sections: Callable[[Any], Sequence[tuple[str, Table]]] | None = None
    parts: Callable[[Any], Mapping[str, Measurement]] | None = None

    def titled(self, subject: Any) -> Sequence[tuple[str, Table]]:
        """Return the tables of the text form with their titles."""
        return [(self.title, self.table(subject))] if self.sections is None else self.sections(subject)


def aligned(rows: Sequence[Sequence[str]], keys: int) -> Iterator[str]:
    """Yield rows as lines: the first `keys` columns to the left, the others, which are numbers, to the right."""
    rows = [[printable(cell).replace("\n", "\\n") for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (c.ljust(w) if i < keys else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        yield "  ".join(cells).rstrip()


def number(value: int) -> str:
    """Print a number as the tables of the paper do."""
    return f"{value:,}"


def percent(part: float, whole: int) -> str:
    """Print a share in per cent: 0 is zero, and what only rounds to it is not."""
    share = 100 * part / whole if whole else 0
    if share and abs(share) < SMALLEST:
        return f"<{SMALLEST}" if share > 0 else f">-{SMALLEST}"
    return f"{share:.2f}" if share else "0"


def natural(name: str) -> tuple[Any, ...]:
    """Order names so that r2 comes before r10."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name) if part)


def arrangeable(built: Callable[[int, str], Table]) -> Table:
    """Return a table with TOP rows that can have more, or fewer, or another order, as `built` makes it."""
    return replace(built(TOP, ""), arranged=built)


# ----------------------------------------------------------------------------------------------------------------------
# Tables of counts: how often things stand in a program and happen in its run.


@dataclass(frozen=True, slots=True)
class Column:
    """A column: a field of each row's count; with `of` its share of that field in the WHOLE, or of another of the row's."""

    heading: str
    field: str
    of: str = ""

    def cell(self, count: Any, whole: Any) -> str:
        """Print the cell of a row."""
        value = getattr(count, self.field)
        if not self.of:
            return number(value)
        return percent(value, getattr(whole, self.field) if self.of == WHOLE else getattr(count, self.of))


def with_share(field: str) -> tuple[Column, Column]:
    """Return the columns of a field and of its share of the whole."""
    return Column(field, field), Column("per cent", field, WHOLE)


COUNTS = (*with_share("static"), *with_share("dynamic"))
COUNT_HEADINGS = tuple(column.heading for column in COUNTS)
Row = tuple[Sequence[str], Any]  # a key and its count


def cells(count: Any, whole: Any, columns: Sequence[Column] = COUNTS) -> list[str]:
    """Print a count and its shares of the whole."""
    return [column.cell(count, whole) for column in columns]


def distribution(
    headings: Sequence[str], rows: Sequence[Row], note: str = "", within: int = 0, columns: Sequence[Column] = COUNTS,
    zero: Any = NO_COUNT,
) -> Table:  # fmt: skip
    """Build a table of counts and their shares, static and dynamic side by side.

    `headings` name the parts of a row's key; parts that repeat those above are left out.  Shares refer to the rows with the
    same first parts of the key, as many as `within` says.
    """
    wholes: dict[tuple[str, ...], Any] = {}
    for key, count in rows:
        group = tuple(key[:within])
        wholes[group] = wholes.get(group, zero) + count
    everything = sum((count for _, count in rows), zero)
    last = ["total", *[""] * (len(headings) - 1), *cells(everything, everything, columns)]

    def built(_: int, sort: str) -> Table:
        lines = []
        above: Sequence[str] = ()
        for key, count in in_order(rows, sort):
            lines.append([*_without_repetition(key, above), *cells(count, wholes[tuple(key[:within])], columns)])
            above = key
        return Table([*headings, *(column.heading for column in columns)], lines, last, len(headings), note)

    return arrangeable(built)


def in_order(rows: Sequence[Row], sort: str) -> Sequence[Row]:
    """Return rows in an order of SORTS; as they are if that is empty."""
    match sort:
        case "dynamic":
            return sorted(rows, key=lambda row: (-row[1].dynamic, -row[1].static))
        case "static":
            return sorted(rows, key=lambda row: (-row[1].static, -row[1].dynamic))
        case "name":
            return sorted(rows, key=lambda row: [natural(part) for part in row[0]])
    return rows


def _without_repetition(key: Sequence[str], above: Sequence[str]) -> list[str]:
    """Blank the leading parts that are the same as in the row above."""
    shown = list(key)
    for i, (part, before) in enumerate(zip(key[:-1], above, strict=False)):
        if part != before:
            break
        shown[i] = ""
    return shown


def top(headings: Sequence[str], table: Sequence[Row], what: str) -> Table:
    """Build a table of the rows that count most when the program runs; the others are added up in one."""

    def built(most: int, sort: str = "") -> Table:
        ordered = in_order(table, sort or "dynamic")
        rows, others = ordered[:most], ordered[most:]
        if len(others) == 1:
            rows, others = ordered, []
        if others:
            name = [f"{len(others):,} other {what}", *[""] * (len(headings) - 1)]
            rows = [*rows, (name, sum((count for _, count in others), NO_COUNT))]
        return distribution(headings, rows)

    return arrangeable(built)


def counted(
    name: str, title: str, headings: Sequence[str], rows: Callable[[Characteristics], Mapping[Any, Any]],
    json: str | Callable[[Characteristics], dict[str, Any]], *, note: str | Callable[[Characteristics], str] = "",
    bars: str = "", others: str = "", within: int = 0, columns: Sequence[Column] = COUNTS, zero: Any = NO_COUNT,
) -> Report:  # fmt: skip
    """Return a report of counts.  `rows` maps a key, or the parts of one, to its count; the JSON key `json` has the same.

    `bars`: the title of a picture of the rows, if there is one; `others`: what rows are called, if only the first are shown.
    """

    def table(c: Characteristics) -> Table:
        listed = [(_texts(key), count) for key, count in rows(c).items()]
        if others:
            return top(headings, listed, others)
        return distribution(headings, listed, note if isinstance(note, str) else note(c), within, columns, zero)

    def values(c: Characteristics) -> dict[str, Any]:
        return {json: table_json(rows(c))} if isinstance(json, str) else json(c)

    def panels(c: Characteristics) -> list[Mix]:
        return mix(bars, {", ".join(_texts(key)): count for key, count in rows(c).items()})

    return Report(name, title, table, values, panels=panels if bars else None)


def _texts(key: Any) -> tuple[str, ...]:
    return tuple(map(str, key)) if isinstance(key, tuple) else (str(key),)


# ----------------------------------------------------------------------------------------------------------------------
# Tables of numbers of several simulators: a column for each.


def shares(
    headings: Sequence[str],
    rows: Sequence[tuple[Sequence[str], Sequence[int]]],
    totals: Mapping[str, int],
    what: str,
    keys: int | None = None,
) -> Table:
    """Build a table of numbers, a column for each of `totals`, and their shares; rows behind the first TOP are added up.

    `keys`: how many of the columns before those are no numbers; all, if it is not given.
    """
    blanks = [""] * (len(headings) - 1)
    whole = list(totals.values())
    columns = [column for name in totals for column in (name, "per cent")]

    def shared(counts: Sequence[int]) -> list[str]:
        return [cell for count, of in zip(counts, whole, strict=True) for cell in (number(count), percent(count, of))]

    def built(most: int, sort: str) -> Table:
        ordered = sorted(rows, key=lambda row: [natural(part) for part in row[0]]) if sort == "name" else rows
        lines = [[*key, *shared(counts)] for key, counts in ordered[:most]]
        others = ordered[most:]
        if others:
            sums = [sum(column) for column in zip(*(counts for _, counts in others), strict=True)]
            lines.append([f"{len(others):,} other {what}", *blanks, *shared(sums)])
        last = ["total", *blanks, *shared(whole)]
        return Table([*headings, *columns], lines, last, len(headings) if keys is None else keys)

    return arrangeable(built)


# ----------------------------------------------------------------------------------------------------------------------
# JSON forms.


def table_json(table: Mapping[Any, Any]) -> dict[str, dict[str, int]]:
    """Return the JSON form of counts by a name."""
    return {str(key): asdict(count) for key, count in table.items()}


def list_json(table: Mapping[Any, Any]) -> list[dict[str, Any]]:
    """Return the JSON form of counts by records."""
    return [{**asdict(key), **asdict(count)} for key, count in sorted(table.items())]


def by_file(lines: Iterable[tuple[Line, Any]]) -> dict[str, dict[str, Any]]:
    """Return values of source lines by file and number."""
    files: dict[str, dict[str, Any]] = {}
    for line, value in lines:
        files.setdefault(line.file, {})[str(line.number)] = value
    return files
