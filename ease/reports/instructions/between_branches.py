"""Instructions between branches: how long the stretches between transfers of control are."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics, Count, total
from ease.reports.report import Report, Table, count_json, distribution, table_json

LONGEST = 30  # longer stretches are one row of the text


def table(c: Characteristics) -> Table:
    """Count stretches by their length; a stretch has its transfer and what is in the delay slots."""
    rows = [((str(length),), count) for length, count in c.runs.items() if length <= LONGEST]
    longer = total(count for length, count in c.runs.items() if length > LONGEST)
    if longer != Count():
        rows.append(((f"over {LONGEST}",), longer))
    average = _ratio(c.instructions.static, c.transfers.static), _ratio(c.instructions.dynamic, c.transfers.dynamic)
    note = f"instructions per branch, jump, call or return: static {average[0]}, dynamic {average[1]}"
    return distribution(["instructions"], rows, note=note)


def _ratio(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "none"


def json(c: Characteristics) -> dict[str, Any]:
    """Return the number of transfers of control, and of stretches by length."""
    return {"instructions_between_branches": {"transfers": count_json(c.transfers), "by_length": table_json(c.runs)}}


BETWEEN_BRANCHES = Report("between-branches", "Instructions between branches", table, json)
