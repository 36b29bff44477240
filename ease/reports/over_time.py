"""What a run did in each interval: all that it counts and simulates, as a table, as JSON and as pictures."""

from __future__ import annotations

from typing import Any

from ease.model.timeline import Timeline
from ease.reports.memory.misses_over_time import LABELS, PLACES, ROWS, short
from ease.reports.pictures.plot import Curve, Panel
from ease.reports.report import Report, Table, number


def table(timeline: Timeline) -> Table:
    """Show each figure in each interval; some intervals are put together if there are many."""
    shown = timeline.thinned(ROWS)
    columns = [figure.values() for figure in shown.figures]
    rows = [
        [number(end), *("-" if column[place] is None else f"{column[place]:.5f}" for column in columns)]
        for place, end in enumerate(shown.ends)
    ]
    return Table(["up to", *(figure.name for figure in shown.figures)], rows, keys=0, note=_note(timeline, shown))


def _note(timeline: Timeline, shown: Timeline) -> str:
    together = shown.stride // timeline.stride
    left_out = f"; {together} intervals are put together in a row, JSON has all" if together > 1 else ""
    return (
        f"intervals of {number(timeline.every * timeline.stride)} instructions, "
        f"each at most {timeline.distance} late{left_out}"
    )


def json(timeline: Timeline) -> dict[str, Any]:
    """Return the counts of each interval."""
    return {
        "over_time": {
            "every": timeline.every * timeline.stride,
            "distance": timeline.distance,
            "ends": list(timeline.ends),
            "figures": {each.name: {"above": list(each.above), "below": list(each.below)} for each in timeline.figures},
        }
    }


def panels(timeline: Timeline) -> list[Panel]:
    """Draw each figure, as wide as its intervals are."""
    shown = timeline.thinned(PLACES)
    step = max(1, len(shown.ends) // LABELS)
    places = ["" if index % step else short(end) for index, end in enumerate(shown.ends)]
    interval = f"{number(shown.every * shown.stride)} instructions"
    return [
        Panel(f"{figure.name}, in each {interval}", "instructions", places, [Curve("", figure.values())], shown.ends)
        for figure in shown.figures
    ]


OVER_TIME = Report("over-time", "Over time", table, json, about="timeline", panels=panels)
