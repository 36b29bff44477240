"""Reports of parts of a run, and of what users' tools found in it: samples, regions, attribution, tables of tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ease.model.estimates import ALWAYS_MADE
from ease.reports.report import Report, Table, arrangeable, natural, number, percent

if TYPE_CHECKING:
    from ease.model.estimates import Estimate
    from ease.model.results import Cell, Measurement
    from ease.model.results import Table as ToolTable
    from ease.model.sampling import Sampling
    from ease.model.timeline import Attribution

    Regions = Mapping[str, Measurement]
    Tools = Mapping[str, Sequence[ToolTable]]


# ----------------------------------------------------------------------------------------------------------------------
# What samples tell of a whole run, with the intervals that hold the true values.


def _samples(sampling: Sampling) -> Table:
    """Show the estimates; without any, what was measured."""
    rows = [_estimate_row(estimate) for estimate in sampling.estimates]
    if not rows:
        rows = [["instructions measured", number(sampling.measured), "", "", ""]]
    return Table(["", "estimate", "+-", "from", "to"], rows, note=_samples_note(sampling))


def _estimate_row(estimate: Estimate) -> list[str]:
    value, half = estimate.value, estimate.half
    if half is None:
        return [estimate.name, f"{value:.5f}", "?", "", ""]
    return [estimate.name, f"{value:.5f}", f"{half:.5f}", f"{max(value - half, 0.0):.5f}", f"{value + half:.5f}"]


def _samples_note(sampling: Sampling) -> str:
    whole = sampling.instructions
    part = "" if not whole else f" of {number(whole)}, {percent(sampling.measured, whole)} per cent"
    bars = (
        f"; from ... to holds the true value at {100 * sampling.confidence:g} per cent confidence"
        if any(estimate.half is not None for estimate in sampling.estimates)
        else ""
    )
    every = f"a checkpoint each {sampling.measured / sampling.passed:.0f}, " if sampling.passed else ""
    return (
        f"{number(sampling.samples)} samples with {number(sampling.measured)} instructions{part}{bars}; "
        f"{every}at most {sampling.distance} instructions between checkpoints"
    )


def _samples_json(sampling: Sampling) -> dict[str, Any]:
    """Return all there is."""
    values = asdict(sampling)
    values["estimates"] = {e.name: {"value": e.value, "half_width": e.half} for e in sampling.estimates}
    return {"sampling": values}


# ----------------------------------------------------------------------------------------------------------------------
# What regions of a program executed, with what was called in them.


def _region_row(name: str, measurement: Measurement, whole: int) -> Sequence[str]:
    c = measurement.characteristics
    references = {way: sum(n.dynamic for r, n in c.references.items() if r.direction == way) for way in ("read", "write")}
    branches = c.conditional_branches()
    numbers = (references["read"], references["write"], branches.dynamic, branches.taken)
    return [name, number(c.instructions.dynamic), percent(c.instructions.dynamic, whole), *map(number, numbers)]


def _regions(regions: Regions) -> Table:
    """Compare the regions; one that lies within another one belongs to both."""
    whole = next(iter(regions.values())).characteristics.instructions.dynamic
    headings = ["region", "instructions", "per cent", "reads", "writes", "branches", "taken"]
    return Table(headings, [_region_row(name, measurement, whole) for name, measurement in regions.items()])


def _inner(regions: Regions) -> Regions:
    """Return the regions but the first, which is the whole program."""
    return dict(list(regions.items())[1:])


# ----------------------------------------------------------------------------------------------------------------------
# What caches, predictors and cycles come to in each region, or for each line of the program that is interpreted.


def _attributed(attribution: Attribution) -> Table:
    """Show the counts of each row, and, of what is simulated, the ratios; the rows that execute most come first."""
    counted = {ratio.name for ratio in ALWAYS_MADE}
    headings = [attribution.by, "instructions"]
    for figure in attribution.figures:
        what = figure.name.removesuffix(", an instruction").removesuffix(" an instruction")
        headings += [what] if figure.name in counted else [what, _below(figure.name)]
    rows = [_attributed_row(attribution, place, counted) for place in range(len(attribution.names))]

    def built(most: int, sort: str) -> Table:
        order = sorted(range(len(rows)), key=lambda place: -attribution.instructions[place])
        order = sorted(order, key=lambda place: natural(attribution.names[place])) if sort == "name" else order
        left = f"{len(rows) - most:,} more {attribution.by}s are in the JSON form" if len(rows) > most else ""
        return Table(headings, [rows[place] for place in order[:most]], note=left)

    return arrangeable(built)


def _below(name: str) -> str:
    return "an instruction" if name.endswith("an instruction") else "per cent"


def _attributed_row(attribution: Attribution, place: int, counted: set[str]) -> list[str]:
    cells = [attribution.names[place], number(attribution.instructions[place])]
    for figure in attribution.figures:
        above, below = figure.above[place], figure.below[place]
        cells.append(number(above))
        if figure.name not in counted:
            every = figure.name.endswith("an instruction")
            cells.append((f"{above / below:.5f}" if every else percent(above, below)) if below else "-")
    return cells


def _attributed_json(attribution: Attribution) -> dict[str, Any]:
    """Return the counts of each row."""
    rows = {
        name: {
            "instructions": attribution.instructions[place],
            **{each.name: {"above": each.above[place], "below": each.below[place]} for each in attribution.figures},
        }
        for place, name in enumerate(attribution.names)
    }
    return {"attribution": {"by": attribution.by, "rows": rows}}


# ----------------------------------------------------------------------------------------------------------------------
# The tables of users' tools.


def _tool_cell(value: Cell) -> str:
    if isinstance(value, str):
        return value
    return number(value) if isinstance(value, int) else f"{value:,.2f}"


def _tool_table(table: ToolTable) -> Table:
    """Return a table of a tool as text; columns of text come first."""
    keys = 0
    while keys < len(table.columns) and all(isinstance(row[keys], str) for row in table.rows):
        keys += 1

    def built(most: int, sort: str) -> Table:
        rows = [[_tool_cell(value) for value in row] for row in table.rows]
        shown = sorted(rows) if sort == "name" else rows
        note = f"{len(rows) - most:,} rows more (--top N)" if len(rows) > most else ""
        return Table(table.columns, shown[:most], [_tool_cell(value) for value in table.total], keys, note)

    return arrangeable(built)


def _tool_tables(tools: Tools) -> list[tuple[str, Table]]:
    """Return each tool's tables with their titles."""
    return [(table.title, _tool_table(table)) for tables in tools.values() for table in tables]


def _tools(tools: Tools) -> Table:
    """Count the rows of each tool's tables."""
    rows = [[name, found.title, number(len(found.rows))] for name, tables in tools.items() for found in tables]
    return Table(["tool", "table", "rows"], rows, keys=2)


def _tools_json(tools: Tools) -> dict[str, Any]:
    """Return the tables of each tool."""
    return {"tools": {name: [found.json() for found in tables] for name, tables in tools.items()}}


SAMPLES = Report("samples", "Samples", _samples, _samples_json, about="sampling")
TOOLS = Report("tools", "Tools", _tools, _tools_json, about="tools", sections=_tool_tables)
REGIONS = Report("regions", "Regions", _regions, lambda _: {}, about="regions", parts=_inner)
ATTRIBUTION = Report("attribution", "Attributed", _attributed, _attributed_json, about="attribution")
