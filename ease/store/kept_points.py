"""What the points of sweeps came to, kept in a store, so that a sweep goes on where it was interrupted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime

from ease.sweeps.points import Outcome, digest_of

MANY = 500  # keys in a question


def known_points(connection: sqlite3.Connection, keys: Iterable[str]) -> dict[str, Outcome]:
    """Return what is kept under keys, if the source files are what they were."""
    wanted = list(keys)
    found: dict[str, Outcome] = {}
    for first in range(0, len(wanted), MANY):
        part = wanted[first : first + MANY]
        marks = ", ".join("?" * len(part))
        for key, content in connection.execute(f"SELECT key, content FROM point WHERE key IN ({marks})", part):
            outcome = _outcome(content)
            if outcome is not None and all(digest_of(file) == digest for file, digest in outcome.files.items()):
                found[key] = outcome
    return found


def _outcome(content: str) -> Outcome | None:
    try:
        return Outcome(**json.loads(content))
    except (ValueError, TypeError):
        return None


def keep_point(connection: sqlite3.Connection, key: str, about: str, outcome: Outcome) -> None:
    """Keep what a point came to; `about` says in words what it is."""
    values = {"measures": outcome.measures, "status": outcome.status, "output": outcome.output, "files": outcome.files}
    time = datetime.now(UTC).isoformat(timespec="seconds")
    connection.execute("INSERT OR REPLACE INTO point VALUES (?, ?, ?, ?)", (key, time, about, json.dumps(values)))
