"""What samples tell of a whole run, with the intervals that hold the true values."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ease.reports.report import Report, Table, number, percent

if TYPE_CHECKING:
    from ease.sampling.estimates import Estimate
    from ease.sampling.spec import Sampling


def table(sampling: Sampling) -> Table:
    """Show the estimates; without any, what was measured."""
    rows = [_row(estimate) for estimate in sampling.estimates]
    if not rows:
        rows = [["instructions measured", number(sampling.measured), "", "", ""]]
    return Table(["", "estimate", "+-", "from", "to"], rows, note=_note(sampling))


def _row(estimate: Estimate) -> list[str]:
    value, half = estimate.value, estimate.half
    if half is None:
        return [estimate.name, f"{value:.5f}", "?", "", ""]
    return [estimate.name, f"{value:.5f}", f"{half:.5f}", f"{max(value - half, 0.0):.5f}", f"{value + half:.5f}"]


def _note(sampling: Sampling) -> str:
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


def json(sampling: Sampling) -> dict[str, Any]:
    """Return all there is."""
    values = asdict(sampling)
    values["estimates"] = {e.name: {"value": e.value, "half_width": e.half} for e in sampling.estimates}
    return {"sampling": values}


SAMPLES = Report("samples", "Samples", table, json, about="sampling")
