"""Pages: HTML files with everything in them, of one run, of two side by side, and of what phases did to a function."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ease.comparison.comparison import Comparison, compare_runs
from ease.comparison.reasons import in_words
from ease.comparison.verdict import Verdict, verdict_of
from ease.model.attribution import line_events
from ease.model.call_costs import CallCosts, costs_of
from ease.model.kept_run import KeptRun
from ease.model.results import Measurement
from ease.model.run_identity import is_library
from ease.model.static_kinds import Kind, StaticFunction
from ease.pages.graphs import EXIT, blocks_with_code, edges, layout
from ease.reports import REPORTS
from ease.reports.overview import overview
from ease.reports.pictures import Panel
from ease.reports.render import panels_of, picture
from ease.reports.report import Table, TitledTable
from vpo.opt.changes import ChangeRecord, Row, Step
from vpo.opt.driver import PHASES

if TYPE_CHECKING:
    from jinja2 import Environment


# ----------------------------------------------------------------------------------------------------------------------
# Bar charts as SVG: a group of bars for each name, a bar for each run.


WIDTH, LABELS, VALUES = 560, 170, 86  # of a chart, of the names at its left, of the numbers at its right, in pixels
BAR, GAP = 14, 8  # height of a bar, and between groups
LONGEST = 24  # characters of a name that fit


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, with where it is; `run` is the number of the run."""

    y: int
    width: float
    value: int
    run: int


@dataclass(frozen=True, slots=True)
class Group:
    """The bars of a name."""

    name: str
    y: int
    bars: tuple[Bar, ...]

    @property
    def shown(self) -> str:
        """The name, cut if it is too long."""
        return self.name if len(self.name) <= LONGEST else "…" + self.name[1 - LONGEST :]


@dataclass(frozen=True, slots=True)
class Chart:
    """Groups of bars with the same scale."""

    title: str
    groups: tuple[Group, ...]
    runs: int

    @property
    def height(self) -> int:
        """The height of the picture."""
        return len(self.groups) * (self.runs * BAR + GAP)


def chart(title: str, tables: Sequence[Mapping[str, int]], most: int) -> Chart:
    """Return a chart of the names with the largest values; a table for each run."""
    whole = {name: sum(table.get(name, 0) for table in tables) for table in tables for name in table}
    names = sorted((name for name in whole if whole[name]), key=lambda name: (-whole[name], name))[:most]
    largest = max((table.get(name, 0) for table in tables for name in names), default=1)
    groups = []
    for place, name in enumerate(names):
        top = place * (len(tables) * BAR + GAP)
        bars = tuple(
            Bar(top + run * BAR, round((WIDTH - LABELS - VALUES) * table.get(name, 0) / largest, 1), table.get(name, 0), run)
            for run, table in enumerate(tables)
        )
        groups.append(Group(name, top + len(tables) * BAR // 2 + 4, bars))
    return Chart(title, tuple(groups), len(tables))


# ----------------------------------------------------------------------------------------------------------------------
# What the script of a page needs of a run, as JSON values: texts once, everything else as numbers.


def run_data(run: KeptRun) -> dict[str, Any]:
    """Return a run: its kinds of instructions, and its functions with most executed first."""
    measurement = run.measurement
    known, costs = measurement.program, costs_of(run)
    assert known is not None
    shown = [name for name, f in known.functions.items() if costs.own[name] or not is_library(f.file)]
    return {
        "machine": measurement.machine,
        "kinds": [
            [kind.instruction, kind.cause, assembly, rtl, int(kind.counted)]
            for kind, (rtl, assembly) in zip(known.kinds, run.texts, strict=True)
        ],
        "functions": [
            _function(run, known.functions[name], costs) for name in sorted(shown, key=lambda name: -costs.own[name])
        ],
        "calls": [
            [site.caller, site.callee, site.count, round(costs.cost(site))] for site in costs.sites
        ],
        "events": _events(run),
    }  # fmt: skip


def _function(run: KeptRun, function: StaticFunction, costs: CallCosts) -> dict[str, Any]:
    """Return a function with its instructions, and the graph of its blocks with a place for each."""
    known, counts = run.measurement.program, run.measurement.counts
    assert known is not None
    assert counts is not None
    executed = counts.rtls[function.name]
    counted = [known.kinds[kind].counted for kind in function.kinds]
    taken = edges(function, run.texts, counts)
    drawn = layout(blocks_with_code(function), [edge for edge in taken if EXIT not in edge]) if function.labels else None
    return {
        "name": function.name.removeprefix("_"), "file": function.file, "own": not is_library(function.file),
        "executed": sum(compress(executed, counted)), "inclusive": round(costs.inclusive[function.name]),
        "kinds": function.kinds, "lines": function.lines, "counts": executed,
        "blocks": function.blocks, "labels": function.labels,
        "edges": [[*edge, count, drawn.bends.get(edge, []) if drawn else []] for edge, count in taken.items()],
        "layers": drawn.layers if drawn else [],
    }  # fmt: skip


def _events(run: KeptRun) -> dict[str, dict[str, int]]:
    """Return what was simulated by line: for each cache and predictor the misses or mistakes at each place."""
    found: dict[str, dict[str, int]] = {}
    for name, sites in line_events(run.measurement).items():
        lines = found.setdefault(name, {})
        for (_, line), count in sites.items():
            lines[str(line)] = lines.get(str(line), 0) + count
    return found


# ----------------------------------------------------------------------------------------------------------------------
# The page of one run, or of two side by side: an HTML file with everything in it.


MOST = 2  # runs on a page
FEW = 12  # bars of a chart
ROWS = 100  # of a table
LESS = "\\u003c"  # in place of <, which could end the script that data stand in, or begin a comment


def page(runs: Sequence[KeptRun], verdict: Verdict | None = None) -> str:
    """Return the page of one run or of two, with what differs, and their verdict if it is known already.

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
        estimated=data["cycles"] is not None, comparison=comparison, quotes=_quotes(comparison, sources),
        verdict=verdict or (None if comparison is None else verdict_of(comparison, runs[0], runs[1])),
        bars={"width": WIDTH, "labels": LABELS, "bar": BAR},
        pictures=[picture(panels) for run in runs if (panels := _curves(run.measurement))],
    )  # fmt: skip


def document(
    title: str, verdicts: Sequence[Verdict], sections: Sequence[tuple[str, Sequence[TitledTable], str]], command: str
) -> str:
    """Return a page of sections, each with a title, tables, and perhaps a picture as SVG; verdicts stand first."""
    return render_page("document.html.j2", {}, title=title, verdicts=verdicts, sections=sections, command=command)


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


# ----------------------------------------------------------------------------------------------------------------------
# The page that shows what each change of each phase did to a function.


EXPAND = "The code that the expander makes of the source"


def step_page(record: ChangeRecord, machine: str, command: str, source: str, executed: Mapping[str, int] | None = None) -> str:
    """Return the page of a function that was followed; `executed` tells how often blocks were, by label."""
    rows: dict[Row, int] = {}
    steps = [
        [step.run, step.phase, step.change, *edit] for step, edit in zip(record.steps, _edits(record.steps, rows), strict=True)
    ]
    data = {
        "rows": [[row.number, row.text, row.lines, row.cause] for row in rows],
        "steps": steps,
        "phases": {name: phase.summary for name, phase in PHASES.items()} | {"expand": EXPAND},
        "source": source.splitlines(),
        "executed": executed or {},
    }
    name = record.name.removeprefix("_")
    return render_page("view.html.j2", data, name=name, machine=machine, command=command, file=record.file, count=len(steps))


def _edits(steps: Sequence[Step], rows: dict[Row, int]) -> list[list[Any]]:
    """Return for each step what it put in the place of what: first row, how many, and the numbers of the new ones.

    All rows that occur are given numbers.
    """
    found: list[list[Any]] = []
    before: list[int] = []
    for step in steps:
        after = [rows.setdefault(row, len(rows)) for row in step.rows]
        first = _common(before, after)
        behind = _common(before[first:][::-1], after[first:][::-1])
        found.append([first, len(before) - first - behind, after[first : len(after) - behind]])
        before = after
    return found


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many numbers at the beginning are the same."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
