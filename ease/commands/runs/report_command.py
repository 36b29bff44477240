"""`ease report`: the reports of runs that are kept."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import reduce
from operator import add
from pathlib import Path

from ease.commands.guard import guarded
from ease.commands.runs.store_options import RUN_HELP, parser, runs


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    options = parser("report", "The reports of a run that was kept; of several runs on one machine, those of their sum.")
    options.add_argument("runs", type=int, nargs="+", metavar="RUN", help=RUN_HELP)
    options.add_argument(
        "-show", metavar="LIST", help="these reports (`easecc -show help` lists them), or all, not an overview"
    )
    options.add_argument("--top", type=int, metavar="N", help="rows that long tables show")
    options.add_argument("--sort", default="", metavar="ORDER", help="of rows: dynamic (most executed first), static or name")
    options.add_argument("--plot", action="store_true", help="draw the reports that have a picture, as text for a terminal")
    options.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        help="to a file: .txt, .md, .json, .csv, .svg, .png, or of one run .html, .callgrind, .folded, .gcov",
    )
    given = options.parse_args(words)
    if given.top is not None and given.top < 0:
        options.error("--top needs a number that is not negative")
    return guarded("ease report", lambda: _report(given))


def _report(given: argparse.Namespace) -> int:
    from ease.base.files import write_atomically
    from ease.exports.forms import FORMS, render_run
    from ease.reports import check_asked
    from ease.reports.render import SUFFIXES, render_file
    from ease.store.database import StoreError, reading

    names = None if given.show is None else tuple(name for name in given.show.split(",") if name)
    check_asked(names or (), given.sort)
    output: str | None = given.output
    suffix = Path(output).suffix.lower() if output else ".txt"
    if suffix in FORMS and (len(given.runs) > 1 or names is not None):
        raise StoreError(f"-o {output}: '{suffix}' is for one run, without -show")
    if suffix not in (*SUFFIXES, *FORMS):
        raise StoreError(
            f"-o {output}: there are no reports in '{suffix}' ({', '.join(filter(None, (*SUFFIXES, *FORMS)))}, or no ending)"
        )
    with reading(given.db) as connection:
        kept = runs(connection, given.runs)
    if suffix in FORMS:
        write_atomically(output or "-", render_run(kept[0], suffix))
        return 0
    try:
        measurement = reduce(add, [run.measurement for run in kept])
    except ValueError as error:
        raise StoreError(str(error)) from None
    sources = {file: text for run in kept for file, text in run.sources.items()}
    write_atomically(output or "-", render_file(measurement, suffix, names, given.top, sources, given.sort, given.plot))
    if measurement.partial:
        print("ease report: a run was cut short", file=sys.stderr)
    return 0
