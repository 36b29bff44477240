"""Opens the file of a store: makes it, checks that it is one, and brings older ones to this version."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

APPLICATION = 0x45415345  # marks the file: "EASE"
VERSION = 4
DEFAULT = "measurements.ease"
PATIENCE = 60.0  # seconds to wait for another writer
SCHEMA = Path(__file__).with_name("schema.sql")
MIGRATIONS = {  # by version: what makes its tables those of the next
    1: "ALTER TABLE block ADD COLUMN label TEXT NOT NULL DEFAULT '';",
    2: "CREATE TABLE point (key TEXT PRIMARY KEY, time TEXT NOT NULL, about TEXT NOT NULL, content TEXT NOT NULL)"
       " WITHOUT ROWID;",
    3: "CREATE TABLE constant (program INTEGER NOT NULL, kind INTEGER NOT NULL, position INTEGER NOT NULL, use TEXT NOT NULL,"
       " bits INTEGER NOT NULL, PRIMARY KEY (program, kind, position),"
       " FOREIGN KEY (program, kind) REFERENCES kind ON DELETE CASCADE) WITHOUT ROWID;",
}  # fmt: skip


class StoreError(Exception):
    """A file is not a store, or cannot be used as one; says which and why."""


@contextmanager
def reading(path: str) -> Iterator[sqlite3.Connection]:
    """Open a store to read it.

    Raises StoreError, FileNotFoundError.
    """
    if not Path(path).is_file():
        raise StoreError(f"{path}: there is no such file (`easecc -save` makes one)")
    with _connection(path) as connection:
        yield connection


@contextmanager
def asking(path: str) -> Iterator[sqlite3.Connection]:
    """Open a store for questions of users, who can change nothing.

    Raises StoreError.
    """
    with reading(path) as connection:
        connection.execute("PRAGMA query_only = ON")
        yield connection


@contextmanager
def writing(path: str) -> Iterator[sqlite3.Connection]:
    """Open a store, made if need be, for one transaction: all of it is kept, or nothing.

    Raises StoreError.
    """
    with _connection(path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


@contextmanager
def _connection(path: str) -> Iterator[sqlite3.Connection]:
    """Open a file and see to it that its tables are those of this version."""
    try:
        with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("BEGIN")  # what is asked about the file is true at one moment
            version = _version(connection, path)
            connection.execute("COMMIT")
            if version != VERSION:
                _prepare(connection, path)
            yield connection
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path}: {_reason(error)}") from None


def _version(connection: sqlite3.Connection, path: str) -> int:
    """Return the version of the tables of a file, 0 for an empty one.

    Raises StoreError for a file of somebody else, and for one of a later version.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION and (application or version or tables):
        raise StoreError(f"{path}: this is a database, but no store of measurements")
    if version > VERSION:
        raise StoreError(f"{path}: the store has version {version}; this ease reads up to {VERSION}: use a newer one")
    return int(version)


def _prepare(connection: sqlite3.Connection, path: str) -> None:
    """Make the tables, or change those of an older version; another process may be about the same."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection, path)
        scripts = [SCHEMA.read_text()] if version == 0 else [MIGRATIONS[step] for step in range(version, VERSION)]
        for statement in (part for script in scripts for part in _statements(script)):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script one by one, as those of a transaction must be executed."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _reason(error: sqlite3.DatabaseError) -> str:
    """Return what a message of SQLite means to who asked for a store."""
    text = str(error)
    if "not a database" in text:
        return "this is no store of measurements"
    if "malformed" in text:
        return "the file is damaged or cut short"
    if "locked" in text:
        return f"another process has been writing for {PATIENCE:.0f} s"
    return text
