"""What stands in delay slots, and how often it was executed or annulled."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics, SlotCount
from ease.reports.report import Report, Table, number, percent

EMPTY = "(nothing)"  # a slot that no instruction of the program was found for


def table(c: Characteristics) -> Table:
    """Count slots by the type of instruction in them."""
    whole = _whole(c)
    rows = [[name or EMPTY, *_cells(count, whole)] for name, count in c.slots.items()]
    filled = whole.static - c.slots.get("", SlotCount()).static
    note = f"filled: {percent(filled, whole.static)} per cent of the slots" if whole.static else "the program has none"
    headings = ("in the slot", "static", "per cent", "dynamic", "per cent", "annulled", "per cent")
    return Table(headings, rows, ["total", *_cells(whole, whole)], note=note)


def _whole(c: Characteristics) -> SlotCount:
    return sum(c.slots.values(), SlotCount())


def _cells(count: SlotCount, whole: SlotCount) -> list[str]:
    pairs = (count.static, whole.static), (count.dynamic, whole.dynamic), (count.annulled, whole.annulled)
    return [cell for part, of in pairs for cell in (number(part), percent(part, of))]


def json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers by type; the empty name is that of slots with nothing in them."""
    return {
        "delay_slots": {
            name: {"static": count.static, "dynamic": count.dynamic, "annulled": count.annulled}
            for name, count in c.slots.items()
        }
    }


DELAY_SLOTS = Report("delay-slots", "Delay slots", table, json)
