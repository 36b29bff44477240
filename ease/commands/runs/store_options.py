"""What the commands about kept measurements have in common.

A file of its own, since seven commands share it.
"""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Iterable, Sequence

from ease.model.kept_run import KeptRun
from ease.store.database import DEFAULT, StoreError
from ease.store.loading import load_run

RUN_HELP = "number of a run; -1 is the last one, -2 the one before"


def parser(name: str, description: str) -> argparse.ArgumentParser:
    """Return a parser of a command's words that knows the option for the store."""
    made = argparse.ArgumentParser(prog=f"ease {name}", description=description, allow_abbrev=False)
    made.add_argument("-db", default=DEFAULT, metavar="FILE", help="the store (default: %(default)s)")
    return made


def numbers(connection: sqlite3.Connection, given: Iterable[int]) -> list[int]:
    """Return the numbers of runs, of which negative ones count from the last.

    Raises StoreError if there is none of a number.
    """
    known = [number for (number,) in connection.execute("SELECT id FROM run ORDER BY id")]
    found = []
    for number in given:
        if number < 0 and -number <= len(known):
            found.append(known[number])
        elif number in known:
            found.append(number)
        else:
            raise StoreError(f"there is no run {number} (`ease runs` lists them)")
    return found


def runs(connection: sqlite3.Connection, given: Sequence[int]) -> list[KeptRun]:
    """Return runs.

    Raises StoreError.
    """
    return [load_run(connection, number) for number in numbers(connection, given)]
