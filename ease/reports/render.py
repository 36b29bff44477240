"""The forms of reports: text and pictures through the templates beside this file, and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ease.reports import REPORTS, plot
from ease.reports.report import Report
from ease.results import Measurement

FORMAT = 1  # of the JSON form; changes when a key changes its meaning or goes away
PICTURE = ".svg"
SUFFIXES = (".json", PICTURE, ".txt", "")
ACROSS = 3  # panels of a picture side by side
_INNER = re.compile(r"\{[^{}]{1,200}\}")
_BREAK = re.compile(r"\n\s*")  # never inside a string, where line ends are escaped


def render(measurement: Measurement, suffix: str = ".txt", names: Iterable[str] | None = None) -> str:
    """Return the reports in the form that belongs to a file's suffix.

    Raises KeyError for a suffix that is none of SUFFIXES.
    """
    forms = dict(zip(SUFFIXES, (as_json, as_picture, as_text, as_text), strict=True))
    return forms[suffix.lower()](measurement, names)


def as_text(measurement: Measurement, names: Iterable[str] | None = None) -> str:
    """Return reports, all unless `names` says which, as text.

    Raises KeyError for a name that no report has.
    """
    environment = _environment()
    sections = []
    for report, subject in _chosen(measurement, names):
        table = report.table(subject)
        if names is None and report.if_any and not table.rows:
            continue
        sections.append({"title": report.title, "table": table})
    return str(environment.get_template("report.txt.j2").render(measurement=measurement, sections=sections))


def _environment() -> Any:
    import jinja2  # only those who want text wait for it

    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    return jinja2.Environment(loader=loader, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)


def as_picture(measurement: Measurement, names: Iterable[str] | None = None) -> str:
    """Return the panels of reports that have some, all unless `names` says which, as SVG.

    Raises KeyError for a name that no report has.
    """
    chosen = _chosen(measurement, names)
    panels = [panel for report, subject in chosen if report.panels is not None for panel in report.panels(subject)]
    columns = max(1, min(ACROSS, len(panels)))
    return str(
        _environment().get_template("plot.svg.j2").render(
            panels=panels, columns=columns, rows=-(-len(panels) // columns), style=plot.style, width=plot.WIDTH,
            height=plot.HEIGHT, left=plot.LEFT, right=plot.RIGHT, bottom=plot.BOTTOM,
        )
    )  # fmt: skip


def _chosen(measurement: Measurement, names: Iterable[str] | None) -> Iterator[tuple[Report, Any]]:
    """Yield each report with what it is about, if that was measured."""
    for name in REPORTS if names is None else names:
        subject = getattr(measurement, REPORTS[name].about)
        if subject is not None:
            yield REPORTS[name], subject


def as_dictionary(measurement: Measurement, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return reports, all unless `names` says which, as JSON values.

    Raises KeyError for a name that no report has.
    """
    result: dict[str, Any] = {
        "format": FORMAT,
        "machine": measurement.machine,
        "exit_status": measurement.exit_status,
        "partial": measurement.partial,
        "exact": measurement.exact,
        "fault": measurement.fault or None,
    }
    if measurement.identity is not None:
        result["run"] = asdict(measurement.identity)
    for report, subject in _chosen(measurement, names):
        _merge(result, report.json(subject))
    return result


def _merge(into: dict[str, Any], values: dict[str, Any]) -> None:
    for key, value in values.items():
        if isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def as_json(measurement: Measurement, names: Iterable[str] | None = None) -> str:
    """Return reports, all unless `names` says which, as a JSON text; objects without objects in them are one line."""
    text = json.dumps(as_dictionary(measurement, names), indent=2)
    return _INNER.sub(lambda inner: _BREAK.sub(" ", inner.group()), text) + "\n"
