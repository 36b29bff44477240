"""Register usage."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics, Count
from ease.model.tables import Access
from ease.reports.report import Report, Table, count_json, distribution, natural


def table(c: Characteristics) -> Table:
    """Count the instructions that read and write each register."""
    ordered = sorted(c.registers, key=lambda access: (natural(access.register), access.direction))
    return distribution(["register", ""], [((a.register, a.direction), c.registers[a]) for a in ordered])


def json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers by register."""
    return {
        "registers": {
            name: {
                "reads": count_json(c.registers.get(Access(name, "read"), Count())),
                "writes": count_json(c.registers.get(Access(name, "write"), Count())),
            }
            for name in sorted({access.register for access in c.registers}, key=natural)
        }
    }


REGISTERS = Report("registers", "Register usage", table, json)
