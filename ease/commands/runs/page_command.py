"""`ease page`: runs that are kept, as a page to look at.

A file of its own, since a command is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from ease.commands.guard import guarded
from ease.commands.runs.store_options import RUN_HELP, parser, runs


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
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
