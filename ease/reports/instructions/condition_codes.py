"""Condition-code usage."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics
from ease.reports.report import Report, Table, count_json, distribution


def table(c: Characteristics) -> Table:
    """Count the instructions that test and set each condition code for its outcome."""
    rows = [((a.register, a.direction, a.instruction), count) for a, count in sorted(c.condition_codes.items())]
    return distribution(["code", "", "inst type"], rows)


def json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers by condition code, direction and instruction."""
    return {
        "condition_codes": [
            {"register": a.register, "direction": a.direction, "instruction": a.instruction, **count_json(count)}
            for a, count in sorted(c.condition_codes.items())
        ]
    }


CONDITION_CODES = Report("condition-codes", "Condition-code usage", table, json)
