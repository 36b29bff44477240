"""`ease report`: the reports of runs that are kept."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import reduce
from operator import add
from pathlib import Path

from ease.commands.guard import guarded
from ease.commands.store_options import RUN_HELP, parser, runs


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    options = parser("report", "The reports of a run that was kept; of several runs on one machine, those of their sum.")
    options.add_argument("runs", type=int, nargs="+", metavar="RUN", help=RUN_HELP)
    options.add_argument("-show", metavar="LIST", help="only these reports (`easecc -show help` lists them)")
    options.add_argument("-o", dest="output", metavar="FILE", help="to a file: .json, .svg or .txt")
    given = options.parse_args(words)
    return guarded("ease report", lambda: _report(given.db, given.runs, given.show, given.output))


def _report(db: str, given: Sequence[int], show: str | None, output: str | None) -> int:
    from ease.files import write_atomically
    from ease.reports import REPORTS
    from ease.reports.render import SUFFIXES, render
    from ease.store.database import StoreError, reading

    names = None if show is None else [name for name in show.split(",") if name]
    for name in names or ():
        if name not in REPORTS:
            raise StoreError(f"there is no report '{name}' (reports: {', '.join(REPORTS)})")
    suffix = Path(output).suffix.lower() if output else ".txt"
    if suffix not in SUFFIXES:
        raise StoreError(f"-o {output}: there are no reports in '{suffix}': .json and .svg, text is .txt or has no ending")
    with reading(db) as connection:
        measurements = [run.measurement for run in runs(connection, given)]
    try:
        measurement = reduce(add, measurements)
    except ValueError as error:
        raise StoreError(str(error)) from None
    write_atomically(output or "-", render(measurement, suffix, names))
    if measurement.partial:
        print("ease report: a run was cut short", file=sys.stderr)
    return 0
