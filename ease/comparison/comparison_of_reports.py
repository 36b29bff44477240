"""Compares what two JSON reports say: totals, instructions, functions and source lines.

Reports do not have what is executed at each line, so reasons and causes are not known.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ease.comparison.comparison import Comparison, Difference, LineDifference
from ease.model.tables import Line
from ease.reports.render import FORMAT
from vpo.build.compiler import UserError

NEEDED = ("instructions", "instruction_types", "functions", "lines", "memory_references")


def read_report(file: str) -> dict[str, Any]:
    """Return what a file says that `-report FILE.json` wrote.

    Raises OSError, UserError.
    """
    try:
        found = json.loads(Path(file).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise UserError([f"{file}: this is no JSON: {error}"]) from None
    if not isinstance(found, dict) or not isinstance(found.get("run", {}), dict):
        raise UserError([f"{file}: this is no report; expected what `easecc -report FILE.json` writes"])
    if found.get("format") != FORMAT:
        raise UserError([f"{file}: expected a report of format {FORMAT}, not {found.get('format')!r}"])
    lacking = [name for name in NEEDED if not isinstance(found.get(name), dict)]
    if lacking:
        raise UserError([f"{file}: the report has no '{lacking[0]}'; write it with `easecc -report FILE.json`, without -show"])
    return found


def compare_reports(before: Mapping[str, Any], after: Mapping[str, Any]) -> Comparison:
    """Compare two reports.

    Raises KeyError, TypeError, ValueError, AttributeError for reports that lack parts.
    """
    one, other = _totals(before), _totals(after)
    return Comparison(
        {name: Difference(number, other[name]) for name, number in one.items() if name in other},
        _ordered(*(_dynamic(side["instruction_types"]) for side in (before, after))),
        {},
        _ordered(*(_dynamic(side["functions"]) for side in (before, after))),
        tuple(_lines(before["lines"], after["lines"])),
    )


def title(report: Mapping[str, Any]) -> str:
    """Return the command that a report comes from, and its machine."""
    return f"{' '.join(map(str, report.get('run', {}).get('words', [])))} ({report.get('machine', '')})".strip()


def _totals(report: Mapping[str, Any]) -> dict[str, int]:
    """Return the totals under the names that comparisons of runs have for them."""
    found, references = report["instructions"], report["memory_references"]
    totals = {
        "instructions": found["dynamic"],
        "references": references["reads"]["dynamic"] + references["writes"]["dynamic"],
        "bytes fetched": found["dynamic_bytes"],
        "static instructions": found["static"],
        "static bytes": found["static_bytes"],
    }
    return totals | {"cycles": report["timing"]["cycles"]} if "timing" in report else totals


def _dynamic(table: Mapping[str, Any]) -> dict[str, int]:
    return {name: count["dynamic"] for name, count in table.items()}


def _ordered(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, Difference]:
    found = {name: Difference(before.get(name, 0), after.get(name, 0)) for name in sorted({*before, *after})}
    return dict(sorted(((n, d) for n, d in found.items() if d.change), key=lambda item: -abs(item[1].change)))


def _lines(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[LineDifference]:
    """Yield the lines that are not executed alike, the largest differences first."""
    sides = [
        {f"{file}:{line}": count["dynamic"] for file, lines in side.items() for line, count in lines.items()}
        for side in (before, after)
    ]
    for name, difference in _ordered(*sides).items():
        file, _, line = name.rpartition(":")
        yield LineDifference(Line(file, int(line)), difference, {})
