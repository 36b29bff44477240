"""What caches, predictors and cycles come to in each region, or for each line of the program that is interpreted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ease.reports.report import Report, Table, arrangeable, natural, number, percent
from ease.sampling.ratios import ALWAYS_MADE

if TYPE_CHECKING:
    from ease.model.attribution import Attribution


def table(attribution: Attribution) -> Table:
    """Show the counts of each row, and, of what is simulated, the ratios; the rows that execute most come first."""
    counted = {ratio.name for ratio in ALWAYS_MADE}
    headings = [attribution.by, "instructions"]
    for figure in attribution.figures:
        what = figure.name.removesuffix(", an instruction").removesuffix(" an instruction")
        headings += [what] if figure.name in counted else [what, _below(figure.name)]
    rows = [_row(attribution, place, counted) for place in range(len(attribution.names))]

    def built(most: int, sort: str) -> Table:
        order = sorted(range(len(rows)), key=lambda place: -attribution.instructions[place])
        order = sorted(order, key=lambda place: natural(attribution.names[place])) if sort == "name" else order
        left = f"{len(rows) - most:,} more {attribution.by}s are in the JSON form" if len(rows) > most else ""
        return Table(headings, [rows[place] for place in order[:most]], note=left)

    return arrangeable(built)


def _below(name: str) -> str:
    return "an instruction" if name.endswith("an instruction") else "per cent"


def _row(attribution: Attribution, place: int, counted: set[str]) -> list[str]:
    cells = [attribution.names[place], number(attribution.instructions[place])]
    for figure in attribution.figures:
        above, below = figure.above[place], figure.below[place]
        cells.append(number(above))
        if figure.name not in counted:
            every = figure.name.endswith("an instruction")
            cells.append((f"{above / below:.5f}" if every else percent(above, below)) if below else "-")
    return cells


def json(attribution: Attribution) -> dict[str, Any]:
    """Return the counts of each row."""
    rows = {
        name: {
            "instructions": attribution.instructions[place],
            **{each.name: {"above": each.above[place], "below": each.below[place]} for each in attribution.figures},
        }
        for place, name in enumerate(attribution.names)
    }
    return {"attribution": {"by": attribution.by, "rows": rows}}


ATTRIBUTION = Report("attribution", "Attributed", table, json, about="attribution")
