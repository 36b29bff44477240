"""The commands about runs that are kept: `ease runs`, `report`, `show`, `query` and `page`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import reduce
from operator import add
from pathlib import Path

from ease.commands.guard import guarded
from ease.commands.runs.store_options import RUN_HELP, numbers, parser, runs

# ----------------------------------------------------------------------------------------------------------------------
# `ease runs`: list the measurements that are kept, or remove some.


def list_runs(words: Sequence[str]) -> int:
    """`ease runs`: list the measurements that are kept, or remove some.

    Returns the exit status.
    """
    options = parser("runs", "What is kept: number, time, machine, instructions executed, command.")
    options.add_argument("--delete", type=int, nargs="+", metavar="RUN", help=f"remove runs ({RUN_HELP})")
    given = options.parse_args(words)
    return guarded("ease runs", lambda: _delete(given.db, given.delete) if given.delete else _list(given.db))


def _list(db: str) -> int:
    from ease.reports.report import Table, number
    from ease.store.database import reading
    from ease.store.loading import entries

    with reading(db) as connection:
        rows = [
            (str(entry.number), entry.time.replace("T", " ")[:19], entry.machine,
             number(entry.instructions) + ("*" if entry.partial else ""), entry.identity.command)
            for entry in entries(connection)
        ]  # fmt: skip
    heads = ("run", "time (UTC)", "machine", "instructions", "command")
    longest = max(len(row[-1]) for row in (heads, *rows))
    head, *body = ((*row[:-1], row[-1].ljust(longest)) for row in (heads, *rows))  # commands are no numbers
    table = Table(head, body, keys=3)
    print("\n".join(table.lines()))
    if any(row[3].endswith("*") for row in rows):
        print("(* the run was cut short)")
    return 0


def _delete(db: str, given: Sequence[int]) -> int:
    from ease.store.database import writing

    with writing(db) as connection:
        for number in numbers(connection, given):
            connection.execute("DELETE FROM run WHERE id = ?", (number,))
        connection.execute("DELETE FROM program WHERE id NOT IN (SELECT program FROM run)")
        connection.execute("DELETE FROM machine WHERE id NOT IN (SELECT machine FROM program)")
    return 0



# ----------------------------------------------------------------------------------------------------------------------
# `ease show`: what a run that is kept was.


def show_run(words: Sequence[str]) -> int:
    """`ease show`: what a run that is kept was.

    Returns the exit status.
    """
    options = parser("show", "What was run, on what, and the command that measures it again.")
    options.add_argument("run", type=int, metavar="RUN", help=RUN_HELP)
    only = options.add_mutually_exclusive_group()
    only.add_argument("--reproduce", action="store_true", help="only the command")
    only.add_argument("--machine", action="store_true", help="only the machine's description, as a file for -m")
    only.add_argument("--source", action="store_true", help="only the source")
    given = options.parse_args(words)
    part = "command" if given.reproduce else "machine" if given.machine else "source" if given.source else ""
    return guarded("ease show", lambda: _show(given.db, given.run, part))


def _show(db: str, number: int, part: str) -> int:
    from ease.store.database import reading

    with reading(db) as connection:
        (run,) = runs(connection, [number])
    measurement, identity = run.measurement, run.measurement.identity
    assert identity is not None
    if part == "command":
        print(identity.command)
    elif part == "machine":
        print(run.description, end="")
    elif part == "source":
        for text in run.sources.values():
            print(text, end="")
    else:
        facts = {
            "run": str(run.number), "time": run.time, "command": identity.command, "ease": identity.version,
            "machine": " ".join([measurement.machine, *(f"--set {change}" for change in identity.changes)]),
            "level": f"-O{identity.level}", "files": " ".join(identity.files), "arguments": " ".join(identity.arguments),
            "input": " ".join(filter(None, [identity.input, identity.input_digest and f"(SHA-256 {identity.input_digest})"])),
            "exit status": str(measurement.exit_status), "fault": measurement.fault,
            "instructions": f"{measurement.characteristics.instructions.dynamic:,}",
        }  # fmt: skip
        width = max(map(len, facts))
        print("\n".join(f"{name:<{width}}  {value}" for name, value in facts.items() if value))
    return 0



# ----------------------------------------------------------------------------------------------------------------------
# `ease query`: answers from the tables of a store, in SQL.


def query_store(words: Sequence[str]) -> int:
    """`ease query`: answers from the tables of a store, in SQL.

    Returns the exit status.
    """
    options = parser("query", "An answer from the tables of a store (docs/store.md), one row a line.")
    options.add_argument("sql", metavar='"SELECT ..."')
    options.add_argument("--csv", action="store_true", help="as CSV; else with tabs between columns")
    options.add_argument("-o", dest="output", metavar="FILE", help="to a file: .csv, .json, .parquet, or with tabs")
    given = options.parse_args(words)
    return guarded("ease query", lambda: _query(given.db, given.sql, given.output, given.csv))


def _query(db: str, sql: str, output: str | None, as_csv: bool) -> int:
    from ease.base.files import check_place, write_atomically
    from ease.exports.forms import ANSWER_FORMS, as_tabs, written
    from ease.store.database import asking

    form = ANSWER_FORMS.get(Path(output or "").suffix.lower(), as_tabs)
    if output is not None:
        check_place(output)
    with asking(db) as connection:
        rows = connection.execute(sql)
        columns = [column[0] for column in rows.description or ()]
        write_atomically(output or "-", written(ANSWER_FORMS[".csv"] if as_csv else form, columns, rows.fetchall()))
    return 0



# ----------------------------------------------------------------------------------------------------------------------
# `ease page`: runs that are kept, as a page to look at.


def page_of_runs(words: Sequence[str]) -> int:
    """`ease page`: runs that are kept, as a page to look at.

    Returns the exit status.
    """
    options = parser("page", "One HTML file about a run, or about two and what differs; it needs no server and no network.")
    options.add_argument("runs", type=int, nargs="+", metavar="RUN", help=RUN_HELP)
    options.add_argument("-o", dest="output", required=True, metavar="FILE", help="the file; - is the standard output")
    given = options.parse_args(words)
    return guarded("ease page", lambda: _page(given.db, given.runs, given.output))


def _page(db: str, given: Sequence[int], output: str) -> int:
    from ease.base.files import write_atomically
    from ease.pages.page import page
    from ease.store.database import StoreError, reading

    with reading(db) as connection:
        kept = runs(connection, given)
    try:
        text = page(kept)
    except ValueError as error:
        raise StoreError(str(error)) from None
    write_atomically(output, text)
    return 0



# ----------------------------------------------------------------------------------------------------------------------
# `ease report`: the reports of runs that are kept.


def report_of_runs(words: Sequence[str]) -> int:
    """`ease report`: the reports of runs that are kept.

    Returns the exit status.
    """
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
