"""`ease query`: answers from the tables of a store, in SQL.

A file of its own, since a command is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ease.commands.guard import guarded
from ease.commands.runs.store_options import parser


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
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
