"""What a report is made of: the table of its text form and the values of its JSON form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ease.base.printable import printable
from ease.model.results import Count, Measurement, total
from ease.reports.pictures.mixes import Mix
from ease.reports.pictures.plot import Panel

TOP = 20  # how many rows a table of functions or lines shows
SMALLEST = 0.01  # per cent that are printed as a number
SORTS = ("dynamic", "static", "name")  # orders of rows: most executed, largest, by name


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


def cells(count: Count, whole: Count) -> list[str]:
    """Print a count and its shares of the whole."""
    return [
        number(count.static),
        percent(count.static, whole.static),
        number(count.dynamic),
        percent(count.dynamic, whole.dynamic),
    ]


COUNT_HEADINGS = ("static", "per cent", "dynamic", "per cent")


def distribution(
    headings: Sequence[str],
    rows: Iterable[tuple[Sequence[str], Count]],
    whole: Callable[[Sequence[str]], Count] | None = None,
    note: str = "",
) -> Table:
    """Build a table of counts and their shares, static and dynamic side by side.

    `headings` name the parts of a row's key; parts that repeat those above are left out.  `whole` gives what the
    shares of a row refer to, if not the total.
    """
    listed = list(rows)
    everything = total(count for _, count in listed)
    lines = []
    above: Sequence[str] = ()

    def arranged(_: int, sort: str) -> Table:
        return distribution(headings, in_order(listed, sort), whole, note)

    for key, count in listed:
        shown = _without_repetition(key, above)
        lines.append([*shown, *cells(count, everything if whole is None else whole(key))])
        above = key
    blanks = [""] * (len(headings) - 1)
    last = ["total", *blanks, *cells(everything, everything)]
    return Table([*headings, *COUNT_HEADINGS], lines, last, len(headings), note, arranged)


def in_order(rows: Sequence[tuple[Sequence[str], Count]], sort: str) -> Sequence[tuple[Sequence[str], Count]]:
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


def simple(heading: str, table: Mapping[str, Count], note: str = "") -> Table:
    """Build the table of counts by one name."""
    return distribution([heading], [((name,), count) for name, count in table.items()], note=note)


def top(headings: Sequence[str], table: Sequence[tuple[Sequence[str], Count]], what: str) -> Table:
    """Build a table of the rows that count most when the program runs; the others are added up in one."""

    def built(most: int, sort: str = "") -> Table:
        ordered = in_order(table, sort or "dynamic")
        rows, others = ordered[:most], ordered[most:]
        if len(others) == 1:
            rows, others = ordered, []
        if others:
            name = [f"{len(others):,} other {what}", *[""] * (len(headings) - 1)]
            rows = [*rows, (name, total(count for _, count in others))]
        return distribution(headings, rows)

    return arrangeable(built)


def arrangeable(built: Callable[[int, str], Table]) -> Table:
    """Return a table with TOP rows that can have more, or fewer, or another order, as `built` makes it."""
    return replace(built(TOP, ""), arranged=built)


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


def natural(name: str) -> tuple[Any, ...]:
    """Order names so that r2 comes before r10."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name) if part)


def count_json(count: Count) -> dict[str, int]:
    """Return the JSON form of a count."""
    return {"static": count.static, "dynamic": count.dynamic}


def table_json(table: Mapping[Any, Count]) -> dict[str, dict[str, int]]:
    """Return the JSON form of a table."""
    return {str(key): count_json(count) for key, count in table.items()}
