"""Operand fields by instruction, field, addressing mode and data type: Table VI of the paper."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics, project
from ease.reports.report import Report, Table, count_json, distribution


def table(c: Characteristics) -> Table:
    """Count operand fields; shares refer to one field of one instruction type."""
    fields = project(c.operands, lambda operand: (operand.instruction, operand.field))
    rows = [((o.instruction, o.field, o.mode, o.type), count) for o, count in sorted(c.operands.items())]
    headings = ["inst type", "field", "addr mode", "data type"]
    return distribution(headings, rows, lambda key: fields[key[0], key[1]], "per cent of the field")


def json(c: Characteristics) -> dict[str, Any]:
    """Return one object for each combination."""
    return {
        "operand_fields": [
            {"instruction": o.instruction, "field": o.field, "mode": o.mode, "type": o.type, **count_json(count)}
            for o, count in sorted(c.operands.items())
        ]
    }


OPERAND_FIELDS = Report("operand-fields", "Operand fields", table, json)
