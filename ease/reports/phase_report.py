"""What phases did to the functions of a program, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ease.reports.report import TitledTable, number
from vpo.opt.phase_list import PhaseLog, PhaseRun

FORMAT = 1  # of the JSON form; changes when a key changes its meaning or goes away
HEAD = ("", "phase", "changes", "RTLs before", "after", "written", "removed", "moved", "ms")
NOTE = (
    "changes: as -max-changes counts them; written: RTLs that are new or have other effects, needed changes included; "
    "removed: RTLs that have gone; moved: the same RTL in another block"
)
COUNTS = ("changes", "written", "removed", "moved")


def function_tables(log: PhaseLog) -> Iterator[TitledTable]:
    """Yield a table for each function of the phases that did something to it, in the order in which they ran."""
    for runs in log.by_function():
        rows = [_row(run.number, run) for run in runs if run.changes or run.written or run.before != run.after]
        yield TitledTable(runs[0].function, [HEAD, *rows, _sums(runs)], keys=2)


def total_table(log: PhaseLog) -> TitledTable:
    """Return a table of the phases of all functions together."""
    totals = totals_of(log)
    return TitledTable("all functions", [HEAD, *(_row(run.number, run) for run in totals), _sums(totals)], keys=2, note=NOTE)


def totals_of(log: PhaseLog) -> list[PhaseRun]:
    """Return the sums of all functions for each place in the list of phases; a group's rounds are one."""
    return [_total([run for run in log.runs if run.place == place]) for place in sorted({run.place for run in log.runs})]


def _total(runs: Sequence[PhaseRun]) -> PhaseRun:
    """Add up the runs at one place: RTLs are those before the first round and those after the last."""
    first = {(run.file, run.function): run.before for run in reversed(runs)}
    last = {(run.file, run.function): run.after for run in runs}
    sums: dict[str, Any] = {key: sum(getattr(run, key) for run in runs) for key in COUNTS}
    sums |= {"before": sum(first.values()), "after": sum(last.values()), "seconds": sum(run.seconds for run in runs)}
    return replace(runs[0], file="", function="", number=runs[0].place + 1, **sums)


def as_json(machine: str, log: PhaseLog) -> dict[str, Any]:
    """Return the JSON form: the runs of each function, and the sums of all functions."""
    functions = [
        {"file": runs[0].file, "function": runs[0].function, "phases": [*map(_values, runs)]} for runs in log.by_function()
    ]
    return {"format": FORMAT, "machine": machine, "functions": functions, "total": [*map(_values, totals_of(log))]}


def _row(place: int, run: PhaseRun) -> tuple[str, ...]:
    numbers = (number(value) for value in (run.changes, run.before, run.after, run.written, run.removed, run.moved))
    return (f"{place:>3}", run.phase, *numbers, _milliseconds(run.seconds))


def _sums(runs: Sequence[PhaseRun]) -> tuple[str, ...]:
    """Return the last row of a table."""
    changes, *others = (number(sum(getattr(run, key) for run in runs)) for key in COUNTS)
    before, after = (number(runs[0].before), number(runs[-1].after)) if runs else ("0", "0")
    return ("", "all phases", changes, before, after, *others, _milliseconds(sum(run.seconds for run in runs)))


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:,.1f}"


def _values(run: PhaseRun) -> dict[str, Any]:
    return {
        "number": run.number, "phase": run.phase, "changes": run.changes, "rtls_before": run.before,
        "rtls_after": run.after, "rtls_written": run.written, "rtls_removed": run.removed, "rtls_moved": run.moved,
        "seconds": round(run.seconds, 6),
    }  # fmt: skip
