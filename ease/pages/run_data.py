"""What the script of a page needs of a run, as JSON values: texts once, everything else as numbers."""

from __future__ import annotations

from itertools import compress
from typing import Any

from ease.model.attribution import line_events
from ease.model.call_costs import CallCosts, costs_of
from ease.model.run_identity import is_library
from ease.model.static_kinds import StaticFunction
from ease.pages.flow_edges import EXIT, blocks_with_code, edges
from ease.pages.layered_layout import layout
from ease.store.kept_run import KeptRun


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
