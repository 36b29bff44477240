"""The page of one run, or of two side by side: an HTML file with everything in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ease.comparison.comparison import Comparison, compare_runs
from ease.comparison.reasons import in_words
from ease.model.results import Measurement
from ease.model.run_identity import is_library
from ease.model.static_kinds import Kind
from ease.pages import bars
from ease.pages.bars import Chart, chart
from ease.pages.run_data import run_data
from ease.reports import REPORTS
from ease.reports.overview import overview
from ease.reports.pictures import Panel
from ease.reports.render import panels_of, picture
from ease.reports.report import Table
from ease.store.kept_run import KeptRun

if TYPE_CHECKING:
    from jinja2 import Environment

MOST = 2  # runs on a page
FEW = 12  # bars of a chart
ROWS = 100  # of a table
LESS = "\\u003c"  # in place of <, which could end the script that data stand in, or begin a comment


def page(runs: Sequence[KeptRun]) -> str:
    """Return the page of one run or of two, with what differs.

    Raises ValueError for another number, and for sums of runs.
    """
    if not 1 <= len(runs) <= MOST:
        raise ValueError(f"a page shows one run, or two side by side, not {len(runs)}")
    comparison = compare_runs(*runs) if len(runs) > 1 else None
    sources = {file: text for run in runs for file, text in run.sources.items()}
    data = {
        "runs": [run_data(run) for run in runs],
        "sources": {file: text.splitlines() for file, text in sources.items()},
        "latencies": [_executed_by(run.measurement, lambda kind: kind.latency) for run in runs],
        "sizes": [_executed_by(run.measurement, lambda kind: kind.size) for run in runs],
        "swept": [_swept(run.measurement) for run in runs],
        "cycles": _estimates(runs),
    }
    return render_page(
        "page.html.j2", data, runs=runs, letters="AB"[: len(runs)], charts=list(_charts(runs)), sections=_sections(runs),
        estimated=data["cycles"] is not None, comparison=comparison, quotes=_quotes(comparison, sources), bars=bars,
        pictures=[picture(panels) for run in runs if (panels := _curves(run.measurement))],
    )  # fmt: skip


def _curves(measurement: Measurement) -> list[Panel]:
    """Return the panels that have curves; the page has charts of its own for mixes."""
    return [panel for panel in panels_of(measurement) if isinstance(panel, Panel)]


def page_of_run(run: KeptRun) -> str:
    """Return the page of one run."""
    return page([run])


def render_page(template: str, data: Mapping[str, Any], **values: Any) -> str:
    """Return a page from its template, with data for its script."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", LESS)
    return str(_environment().get_template(template).render(data=text, **values))


def _environment() -> Environment:
    import jinja2

    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    made = jinja2.Environment(
        loader=loader, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined, autoescape=True
    )
    made.filters["count"] = lambda value: f"{value:,}"
    made.filters["change"] = lambda value: f"{value:+,}"
    made.filters["in_words"] = in_words
    return made


def _charts(runs: Sequence[KeptRun]) -> Iterator[Chart]:
    """Yield the pictures of the summary."""
    tables = [run.measurement.characteristics for run in runs]
    yield chart("Hottest functions", [_functions(run.measurement) for run in runs], FEW)
    yield chart("Instruction types", [{name: n.dynamic for name, n in table.types.items()} for table in tables], FEW)
    yield chart("Hottest lines", [{str(line): n.dynamic for line, n in table.lines.items()} for table in tables], FEW)
    causes: list[dict[str, int]] = []
    for table in tables:
        found: dict[str, int] = {}
        for kind, count in table.references.items():
            name = f"{kind.direction}, {kind.cause}"
            found[name] = found.get(name, 0) + count.dynamic
        causes.append(found)
    yield chart("References to memory by cause", causes, FEW)


def _functions(measurement: Measurement) -> dict[str, int]:
    """Return the instructions executed by function, those of the library together."""
    assert measurement.program is not None
    found: dict[str, int] = {}
    for name, count in measurement.characteristics.functions.items():
        own = not is_library(measurement.program.functions[name].file)
        shown = name.removeprefix("_") if own else "(the library)"
        found[shown] = found.get(shown, 0) + count.dynamic
    return found


def _executed_by(measurement: Measurement, of: Callable[[Kind], int]) -> dict[str, dict[int, int]]:
    """Return how often instructions of each name and number, such as a latency, were executed."""
    assert measurement.program is not None
    assert measurement.counts is not None
    found: dict[str, dict[int, int]] = {}
    for name, function in measurement.program.functions.items():
        for number, count in zip(function.kinds, measurement.counts.rtls[name], strict=True):
            kind = measurement.program.kinds[number]
            if count and kind.counted:
                by = found.setdefault(kind.instruction, {})
                by[of(kind)] = by.get(of(kind), 0) + count
    return found


def _estimates(runs: Sequence[KeptRun]) -> list[int] | None:
    """Return the cycles of runs as -timing estimated them, with which the sliders begin; None if it did not of each."""
    found = [run.measurement.timing for run in runs]
    return None if None in found else [timing.total for timing in found if timing is not None]


def _swept(measurement: Measurement) -> dict[str, list[tuple[int, int, int, int]]]:
    """Return the size, ways, line and misses of each cache of a sweep, by side."""
    found: dict[str, list[tuple[int, int, int, int]]] = {}
    for cache, misses in measurement.sweep.caches() if measurement.sweep is not None else ():
        found.setdefault(cache.name, []).append((cache.size, cache.ways, cache.line, misses))
    return found


def _sections(runs: Sequence[KeptRun]) -> list[tuple[str, list[tuple[int, Table]]]]:
    """Return the totals, then every report, each with its tables by the number of their run."""
    found: dict[str, list[tuple[int, Table]]] = {}
    for number, run in enumerate(runs):
        title, totals = overview(run.measurement, run.sources)[0]
        found.setdefault(title, []).append((number, totals))
        for report in REPORTS.values():
            subject = getattr(run.measurement, report.about)
            table = None if subject is None else report.table(subject).seen(ROWS)
            if table is not None and table.rows:
                found.setdefault(report.title, []).append((number, table))
    return list(found.items())


def _quotes(comparison: Comparison | None, sources: Mapping[str, str]) -> list[str]:
    """Return what the lines of a comparison say."""
    texts = {file: text.splitlines() for file, text in sources.items()}
    found = []
    for item in comparison.lines if comparison is not None else ():
        lines = texts.get(item.line.file, [])
        found.append(lines[item.line.number - 1].strip() if 0 < item.line.number <= len(lines) else "")
    return found
