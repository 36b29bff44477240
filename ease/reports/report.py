"""What a report is made of: the table of its text form and the values of its JSON form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ease.reports.plot import Panel
from ease.results import Count, total

TOP = 20  # how many rows a table of functions or lines shows


@dataclass(frozen=True, slots=True)
class Table:
    """A table as text: `keys` columns stand to the left of the numbers; rows sum to `total`,
    if there is one.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    total: Sequence[str] = ()
    keys: int = 1
    note: str = ""

    def lines(self) -> Iterator[str]:
        """Yield the lines of the table, its note not included."""
        yield from aligned([self.headings, *self.rows, *([self.total] if self.total else [])], self.keys)


@dataclass(frozen=True, slots=True)
class Report:
    """One report.  `json` returns top-level keys of the JSON form; reports may add to the same key.

    `if_any`: the text of all reports leaves it out if it has no rows.  `about`: the field of `Measurement` that all are
    made of; where that is None there is no report.  `panels` returns what a picture of it has, if there are pictures.
    """

    name: str
    title: str
    table: Callable[[Any], Table]
    json: Callable[[Any], dict[str, Any]]
    if_any: bool = False
    about: str = "characteristics"
    panels: Callable[[Any], Sequence[Panel]] | None = None


def aligned(rows: Sequence[Sequence[str]], keys: int) -> Iterator[str]:
    """Yield rows as lines: the first `keys` columns to the left, the others, which are numbers, to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (c.ljust(w) if i < keys else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        yield "  ".join(cells).rstrip()


def number(value: int) -> str:
    """Print a number as the tables of the paper do."""
    return f"{value:,}"


def percent(part: float, whole: int) -> str:
    """Print a share in per cent."""
    return f"{100 * part / whole:.2f}" if whole else "0.00"


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
    for key, count in listed:
        shown = _without_repetition(key, above)
        lines.append([*shown, *cells(count, everything if whole is None else whole(key))])
        above = key
    blanks = [""] * (len(headings) - 1)
    last = ["total", *blanks, *cells(everything, everything)]
    return Table([*headings, *COUNT_HEADINGS], lines, last, len(headings), note)


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
    ordered = sorted(table, key=lambda row: (-row[1].dynamic, -row[1].static))
    rows, others = ordered[:TOP], ordered[TOP:]
    if len(others) == 1:
        rows, others = ordered, []
    if others:
        name = [f"{len(others)} other {what}", *[""] * (len(headings) - 1)]
        rows = [*rows, (name, total(count for _, count in others))]
    return distribution(headings, rows)


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
    shown, others = list(rows[:TOP]), rows[TOP:]
    if others:
        sums = [sum(column) for column in zip(*(counts for _, counts in others), strict=True)]
        shown.append(([f"{len(others)} other {what}", *blanks], sums))
    whole = list(totals.values())

    def shared(counts: Sequence[int]) -> list[str]:
        return [cell for count, of in zip(counts, whole, strict=True) for cell in (number(count), percent(count, of))]

    lines = [[*key, *shared(counts)] for key, counts in shown]
    columns = [column for name in totals for column in (name, "per cent")]
    return Table([*headings, *columns], lines, ["total", *blanks, *shared(whole)], len(headings) if keys is None else keys)


def natural(name: str) -> tuple[Any, ...]:
    """Order names so that r2 comes before r10."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name) if part)


def count_json(count: Count) -> dict[str, int]:
    """Return the JSON form of a count."""
    return {"static": count.static, "dynamic": count.dynamic}


def table_json(table: Mapping[Any, Count]) -> dict[str, dict[str, int]]:
    """Return the JSON form of a table."""
    return {str(key): count_json(count) for key, count in table.items()}
