"""The forms of reports: text, Markdown, JSON and CSV; pictures through the templates beside this file."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ease.base.printable import printable
from ease.model.results import Measurement
from ease.reports import REPORTS, pictures
from ease.reports.overview import NOTHING, overview
from ease.reports.pictures import HeatMap, Mix, Panel, as_plots, as_png
from ease.reports.report import Report, Table

FORMAT = 2  # of the JSON form; changes when a key changes its meaning or goes away
PICTURES = (".svg", ".png")
ALL = ("all",)  # in place of names: every report
LESS = (
    "INCOMPLETE: counts of the loops and calls under way when the run was cut short are missing (-limit N stops with exact "
    "counts)"
)
BAR = "\\|"  # in a cell of Markdown
ACROSS = 3  # panels of a picture side by side
_OF_RUNS = ("format", "machine", "exit_status", "partial", "exact", "fault", "run")
_INNER = re.compile(r"\{[^{}]{1,200}\}")
_BREAK = re.compile(r"\n\s*")  # never inside a string, where line ends are escaped


def render(
    measurement: Measurement,
    suffix: str = ".txt",
    names: Iterable[str] | None = None,
    most: int | None = None,
    sources: Mapping[str, str] = NOTHING,
    sort: str = "",
) -> str:
    """Return the reports in the form that belongs to a file's suffix, which is one of SUFFIXES, but none of BYTES.

    Text without `names` is an overview, in which `sources` show what hot lines say.  `most`: rows of long tables;
    `sort`: order of rows in text, one of SORTS.

    Raises KeyError for another suffix.
    """
    suffix = suffix.lower()
    if suffix in TEXTS:
        if names is None:
            return _written(suffix, measurement, overview(measurement, sources, most, sort))
        return as_text(measurement, None if tuple(names) == ALL else names, most, suffix, sort)
    return _DATA[suffix](measurement, None if names is None or tuple(names) == ALL else names)


def render_file(
    measurement: Measurement,
    suffix: str,
    names: Iterable[str] | None = None,
    most: int | None = None,
    sources: Mapping[str, str] = NOTHING,
    sort: str = "",
    plot: bool = False,
) -> str | bytes:
    """Return what belongs into a file with one of SUFFIXES; `plot`: in text, pictures instead of tables.  Else as `render`."""
    chosen = None if names is None or tuple(names) == ALL else names
    if suffix.lower() in BYTES:
        return as_png(as_picture(measurement, chosen))
    if plot and suffix.lower() in TEXTS:
        return _written(suffix.lower(), measurement, []) + "\n" + as_plots(panels_of(measurement, chosen))
    return render(measurement, suffix, names, most, sources, sort)


def as_text(
    measurement: Measurement, names: Iterable[str] | None = None, most: int | None = None, suffix: str = ".txt",
    sort: str = "",
) -> str:
    """Return reports, all that have something to tell unless `names` says which, in the form of one of TEXTS.

    Raises KeyError for a name that no report has.
    """
    titled = [section for report, subject in _chosen(measurement, names) for section in report.titled(subject)]
    for region, part in list((measurement.regions or {}).items())[1:]:
        for report, subject in _chosen(part, names):
            titled += [(f"{region}: {title}", table) for title, table in report.titled(subject)]
    found = [(title, table.seen(most, sort)) for title, table in titled]
    return _written(suffix, measurement, [(title, table) for title, table in found if names is not None or table.rows])


Section = tuple[str, Table]


def _written(suffix: str, measurement: Measurement, sections: Iterable[Section]) -> str:
    """Return tables below what was run."""
    return printable("".join(f"{line}\n" for line in TEXTS[suffix](_heading(measurement), sections)))


def _heading(measurement: Measurement) -> Iterator[str]:
    """Yield the lines that say what was run, and how it ended."""
    if not measurement.exact:
        yield LESS
    identity = measurement.identity
    how = f", -O{identity.level}, ease {identity.version}" if identity else ""
    yield f"machine {measurement.machine}{how}, exit status {measurement.exit_status}"
    if identity:
        yield identity.command
    if measurement.fault:
        yield measurement.fault
    if measurement.partial:
        known = "What follows is exact up to that moment." if measurement.exact else "What follows is less than it did."
        yield f"The run was cut short. {known}"


def _text(heading: Iterable[str], sections: Iterable[Section]) -> Iterator[str]:
    yield from heading
    for title, table in sections:
        yield from ("", title, "", *table.lines())
        if table.note:
            yield f"({table.note})"


def _markdown(heading: Iterable[str], sections: Iterable[Section]) -> Iterator[str]:
    yield from ("```", *heading, "```")
    for title, table in sections:
        yield from ("", f"### {title}", "", _row(table.headings))
        yield "|" + "".join("---|" if column < table.keys else "--:|" for column in range(len(table.headings)))
        yield from map(_row, [*table.rows, *([table.total] if table.total else [])])
        if table.note:
            yield from ("", table.note)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |"


def environment() -> Any:
    """Return what fills the templates of pictures."""
    import jinja2  # only those who want pictures wait for it

    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    return jinja2.Environment(loader=loader, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)


def _heat_map(map_: HeatMap) -> str:
    sizes = {"left": pictures.MAP_LEFT, "top": pictures.MAP_TOP, "cell": pictures.CELL, "height": pictures.CELL_HEIGHT}
    return str(environment().get_template("heat_map.svg.j2").render(map=map_, **sizes))


def as_picture(measurement: Measurement, names: Iterable[str] | None = None) -> str:
    """Return the panels of reports as SVG.

    Raises KeyError for a name that no report has.
    """
    return picture(panels_of(measurement, names))


def panels_of(measurement: Measurement, names: Iterable[str] | None = None) -> list[Panel | Mix]:
    """Return the panels of reports; without `names` curves, or if there are none, mixes.

    Raises KeyError for a name that no report has.
    """
    chosen = _chosen(measurement, names)
    found = [panel for report, subject in chosen if report.panels is not None for panel in report.panels(subject)]
    return (names is None and [panel for panel in found if isinstance(panel, Panel)]) or found


def picture(panels: HeatMap | Sequence[Panel | Mix]) -> str:
    """Return a heat map, or panels side by side, as SVG."""
    if isinstance(panels, HeatMap):
        return _heat_map(panels)
    columns = max(1, min(ACROSS, len(panels)))
    return str(
        environment().get_template("plot.svg.j2").render(
            panels=panels, columns=columns, rows=-(-len(panels) // columns), style=pictures.style,
            width=pictures.WIDTH, height=pictures.HEIGHT, left=pictures.LEFT, right=pictures.RIGHT, bottom=pictures.BOTTOM,
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
        if report.parts is not None:
            result[report.name] = {name: _part(part) for name, part in report.parts(subject).items()}
    return result


def _part(measurement: Measurement) -> dict[str, Any]:
    """Return the reports of a part of a run, without what is the same for the whole of it."""
    return {key: value for key, value in as_dictionary(measurement).items() if key not in _OF_RUNS}


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


def as_csv(measurement: Measurement, names: Iterable[str] | None = None) -> str:
    """Return what the JSON form says, a number in each row, with its keys before it, outermost first."""
    rows = list(_leaves(as_dictionary(measurement, names)))
    depth = max(len(row) for row in rows) - 1
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*(f"key {number}" for number in range(1, depth + 1)), "value"])
    writer.writerows([*row[:-1], *[""] * (depth - len(row) + 1), row[-1]] for row in rows)
    return printable(text.getvalue())


def _leaves(value: Any) -> Iterator[list[Any]]:
    """Yield each value that has no parts, behind its keys; those of lists are numbers, from 1."""
    if not isinstance(value, dict | list):
        yield [value]
        return
    for key, part in value.items() if isinstance(value, dict) else enumerate(value, 1):
        for row in _leaves(part):
            yield [key, *row]


TEXTS = {".txt": _text, "": _text, ".md": _markdown}
_DATA = {".json": as_json, ".csv": as_csv, ".svg": as_picture}
BYTES = (".png",)  # suffixes of files that are no text
SUFFIXES = (*_DATA, *BYTES, *TEXTS)
