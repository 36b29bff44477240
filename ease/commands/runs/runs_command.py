"""`ease runs`: list the measurements that are kept, or remove some.

A file of its own, since a command is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from ease.commands.guard import guarded
from ease.commands.runs.store_options import RUN_HELP, numbers, parser


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
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
