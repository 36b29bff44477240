"""Addressing modes of operand fields: Table IV of the paper."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics
from ease.reports.pictures.mixes import Mix, mix
from ease.reports.report import Report, Table, simple, table_json


def table(c: Characteristics) -> Table:
    """Count operand fields by addressing mode."""
    return simple("addr mode", c.addressing_modes(), "operand fields of all instructions")


def json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers by mode."""
    return {"addressing_modes": table_json(c.addressing_modes())}


def panels(c: Characteristics) -> list[Mix]:
    """Return the mix as bars."""
    return mix("Addressing modes", c.addressing_modes())


ADDRESSING_MODES = Report("addressing-modes", "Addressing modes", table, json, panels=panels)
