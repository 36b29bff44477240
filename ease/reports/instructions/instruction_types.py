"""Instruction types: Table V of the paper."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics
from ease.reports.pictures.mixes import Mix, mix
from ease.reports.report import Report, Table, simple, table_json


def table(c: Characteristics) -> Table:
    """Count instructions by name."""
    return simple("inst type", c.types)


def json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers by name."""
    return {"instruction_types": table_json(c.types)}


def panels(c: Characteristics) -> list[Mix]:
    """Return the mix as bars."""
    return mix("Instruction types", c.types)


INSTRUCTION_TYPES = Report("instruction-types", "Instruction types", table, json, panels=panels)
