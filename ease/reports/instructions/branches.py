"""Conditional branches, and how often they are taken."""

from __future__ import annotations

from typing import Any

from ease.model.results import BranchCount, Characteristics
from ease.reports.report import Report, Table, number, percent

HEADINGS = ("branch", "static", "per cent", "dynamic", "per cent", "taken", "per cent of dynamic")


def table(c: Characteristics) -> Table:
    """Count branches by name."""
    whole = c.conditional_branches()
    rows = [[name, *_cells(count, whole)] for name, count in c.branches.items()]
    return Table(HEADINGS, rows, ["total", *_cells(whole, whole)])


def _cells(count: BranchCount, whole: BranchCount) -> list[str]:
    return [
        number(count.static),
        percent(count.static, whole.static),
        number(count.dynamic),
        percent(count.dynamic, whole.dynamic),
        number(count.taken),
        percent(count.taken, count.dynamic),
    ]


def json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers by name."""
    whole = c.conditional_branches()
    return {
        "branches": {
            "conditional": {"static": whole.static, "dynamic": whole.dynamic},
            "taken": whole.taken,
            "by_type": {
                name: {"static": count.static, "dynamic": count.dynamic, "taken": count.taken}
                for name, count in c.branches.items()
            },
        }
    }


BRANCHES = Report("branches", "Conditional branches taken", table, json)
