"""Register windows: how often functions enter and leave them, and how often there was none free or none resident."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics, WindowCount
from ease.reports.report import Report, Table, arrangeable, number, percent

HEADINGS = ("move", "function", "static", "dynamic", "traps", "per cent of dynamic")
TRAPS = {"enter": "overflows", "leave": "underflows"}


def table(c: Characteristics) -> Table:
    """Count moves by function, those that trap most first; the others are added up."""
    moves: dict[tuple[str, str], WindowCount] = {}
    for move, count in c.windows.items():
        key = move.direction, move.function
        moves[key] = moves.get(key, WindowCount()) + count
    listed = sorted(moves.items(), key=lambda item: (-item[1].traps, -item[1].dynamic, item[0]))
    whole = ["total", "", *_cells(_sum(moves.values()))]

    def built(most: int, _: str = "") -> Table:
        rows, others = listed[:most], listed[most:]
        if others:
            rows.append((("", f"{len(others):,} others"), _sum(count for _, count in others)))
        return Table(HEADINGS, [[*key, *_cells(count)] for key, count in rows], whole, keys=2)

    return arrangeable(built)


def _sum(counts: Any) -> WindowCount:
    return sum(counts, WindowCount())


def _cells(count: WindowCount) -> list[str]:
    return [number(count.static), number(count.dynamic), number(count.traps), percent(count.traps, count.dynamic)]


def json(c: Characteristics) -> dict[str, Any]:
    """Return the traps by kind, and the numbers of each move."""
    traps = {name: _sum(n for move, n in c.windows.items() if move.direction == kind).traps for kind, name in TRAPS.items()}
    moves = [
        {
            "move": move.direction, "function": move.function, "file": move.line.file, "line": move.line.number,
            "static": count.static, "dynamic": count.dynamic, "traps": count.traps,
        }
        for move, count in c.windows.items()
    ]  # fmt: skip
    return {"register_windows": {**traps, "moves": moves}}


REGISTER_WINDOWS = Report("register-windows", "Register windows", table, json)
