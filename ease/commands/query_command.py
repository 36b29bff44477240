"""`ease query`: answers from the tables of a store, in SQL."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence

from ease.commands.guard import guarded
from ease.commands.store_options import parser


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    options = parser("query", "An answer from the tables of a store (docs/store.md), one row a line.")
    options.add_argument("sql", metavar='"SELECT ..."')
    options.add_argument("--csv", action="store_true", help="as CSV; else with tabs between columns")
    given = options.parse_args(words)
    return guarded("ease query", lambda: _query(given.db, given.sql, given.csv))


def _query(db: str, sql: str, as_csv: bool) -> int:
    from ease.store.database import asking

    with asking(db) as connection:
        rows = connection.execute(sql)
        writer = csv.writer(sys.stdout, "excel" if as_csv else "excel-tab", lineterminator="\n")
        if rows.description is not None:
            writer.writerow(column[0] for column in rows.description)
        writer.writerows(rows)
    return 0
