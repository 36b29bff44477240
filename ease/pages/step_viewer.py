"""The page that shows what each change of each phase did to a function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ease.pages.page import render_page
from vpo.opt.changes import ChangeRecord, Row, Step
from vpo.opt.driver import PHASES

EXPAND = "The code that the expander makes of the source"


def step_page(record: ChangeRecord, machine: str, command: str, source: str, executed: Mapping[str, int] | None = None) -> str:
    """Return the page of a function that was followed; `executed` tells how often blocks were, by label."""
    rows: dict[Row, int] = {}
    steps = [
        [step.run, step.phase, step.change, *edit] for step, edit in zip(record.steps, _edits(record.steps, rows), strict=True)
    ]
    data = {
        "rows": [[row.number, row.text, row.lines, row.cause] for row in rows],
        "steps": steps,
        "phases": {name: phase.summary for name, phase in PHASES.items()} | {"expand": EXPAND},
        "source": source.splitlines(),
        "executed": executed or {},
    }
    name = record.name.removeprefix("_")
    return render_page("view.html.j2", data, name=name, machine=machine, command=command, file=record.file, count=len(steps))


def _edits(steps: Sequence[Step], rows: dict[Row, int]) -> list[list[Any]]:
    """Return for each step what it put in the place of what: first row, how many, and the numbers of the new ones.

    All rows that occur are given numbers.
    """
    found: list[list[Any]] = []
    before: list[int] = []
    for step in steps:
        after = [rows.setdefault(row, len(rows)) for row in step.rows]
        first = _common(before, after)
        behind = _common(before[first:][::-1], after[first:][::-1])
        found.append([first, len(before) - first - behind, after[first : len(after) - behind]])
        before = after
    return found


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many numbers at the beginning are the same."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
