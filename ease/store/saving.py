"""Writes a run to a store.  A program that is there already is not written again."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ease.model.kept_run import SIMULATED, KeptRun, encode
from ease.model.results import Counts
from ease.model.static_kinds import Kind, StaticProgram


def save(connection: sqlite3.Connection, run: KeptRun) -> int:
    """Write a run within the transaction that is open; return its number.

    Raises ValueError for a sum of several runs.
    """
    measurement = run.measurement
    known, counts, identity = measurement.program, measurement.counts, measurement.identity
    if known is None or counts is None or identity is None:
        raise ValueError("only single runs can be kept")
    program = _program(connection, _machine(connection, run), run, known, identity.files[0])
    time = run.time or datetime.now(UTC).isoformat(timespec="seconds")
    cursor = connection.execute(
        "INSERT INTO run (program, time, identity, exit_status, partial, exact, fault, instructions)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            program, time, identity.as_json(), measurement.exit_status, measurement.partial, measurement.exact,
            measurement.fault, measurement.characteristics.instructions.dynamic,
        ),
    )  # fmt: skip
    number = cursor.lastrowid
    assert number is not None
    _counts(connection, number, counts, {name: i for i, name in enumerate(known.functions)})
    for kind in SIMULATED:
        part = getattr(measurement, kind)
        if part is not None:
            connection.execute("INSERT INTO simulation VALUES (?, ?, ?)", (number, kind, encode(part)))
    return number


def _machine(connection: sqlite3.Connection, run: KeptRun) -> int:
    digest = hashlib.sha256(run.description.encode()).hexdigest()
    connection.execute(
        "INSERT OR IGNORE INTO machine (digest, name, description) VALUES (?, ?, ?)",
        (digest, run.measurement.machine, run.description),
    )
    return int(connection.execute("SELECT id FROM machine WHERE digest = ?", (digest,)).fetchone()[0])


def _program(connection: sqlite3.Connection, machine: int, run: KeptRun, program: StaticProgram, name: str) -> int:
    """Write a program with everything known of it without a run, unless it is there; return its number."""
    content = repr((machine, program, run.texts, sorted(run.sources.items())))
    digest = hashlib.sha256(content.encode(errors="surrogateescape")).hexdigest()
    found = connection.execute("SELECT id FROM program WHERE digest = ?", (digest,)).fetchone()
    if found is not None:
        return int(found[0])
    cursor = connection.execute("INSERT INTO program (digest, machine, name) VALUES (?, ?, ?)", (digest, machine, name))
    number = cursor.lastrowid
    assert number is not None
    _insert(connection, "source", ((number, file, text) for file, text in run.sources.items()))
    _kinds(connection, number, program.kinds, run.texts)
    _functions(connection, number, program)
    spilled = ((number, window, i, *_words(r)) for window, found in program.spilled.items() for i, r in enumerate(found))
    _insert(connection, "spilled", spilled)
    return number


def _kinds(connection: sqlite3.Connection, program: int, kinds: Sequence[Kind], texts: Sequence[tuple[str, str]]) -> None:
    _insert(connection, "kind", (
        (program, number, kind.instruction, kind.cause, kind.size, kind.latency, kind.counted, kind.transfers, *text)
        for number, (kind, text) in enumerate(zip(kinds, texts, strict=True))
    ))  # fmt: skip
    _insert(connection, "operand", (
        (program, number, position, operand.field, operand.mode, operand.type)
        for number, kind in enumerate(kinds) for position, operand in enumerate(kind.operands)
    ))  # fmt: skip
    _insert(connection, "constant", (
        (program, number, position, constant.use, constant.bits)
        for number, kind in enumerate(kinds) for position, constant in enumerate(kind.constants)
    ))  # fmt: skip
    _insert(connection, "reference", (
        (program, number, position, *_words(reference))
        for number, kind in enumerate(kinds) for position, reference in enumerate(kind.references)
    ))  # fmt: skip
    _insert(connection, "access", (
        (program, number, access.register, access.direction, code)
        for number, kind in enumerate(kinds)
        for code, accesses in enumerate((kind.registers, kind.condition_codes)) for access in accesses
    ))  # fmt: skip


def _functions(connection: sqlite3.Connection, program: int, whole: StaticProgram) -> None:
    for number, function in enumerate(whole.functions.values()):
        _insert(connection, "function", [(program, number, function.name, function.file)])
        blocks = enumerate(zip(function.blocks, function.labels or [""] * len(function.blocks), strict=True))
        _insert(connection, "block", (
            (program, number, i, first, function.branches.get(i), label) for i, (first, label) in blocks
        ))  # fmt: skip
        counted = -1
        rows = []
        for position, (kind, line) in enumerate(zip(function.kinds, function.lines, strict=True)):
            counted += whole.kinds[kind].counted
            run_end = whole.kinds[kind].counted and counted in function.ends
            rows.append((program, number, position, kind, line, run_end, function.windows.get(position, "")))
        _insert(connection, "instruction", rows)


def _counts(connection: sqlite3.Connection, run: int, counts: Counts, numbers: Mapping[str, int]) -> None:
    """Write how often RTLs were executed and branches taken, where that was at all; `numbers` are those of functions."""
    for table, lists in (("execution", counts.rtls), ("taken", counts.taken)):
        _insert(connection, table, (
            (run, numbers[name], position, count)
            for name, found in lists.items() for position, count in enumerate(found) if count
        ))  # fmt: skip
    _insert(connection, "trap", (
        (run, numbers[name], position, count) for name, found in counts.traps.items() for position, count in found.items()
    ))  # fmt: skip


def _words(reference: Any) -> tuple[str, str, str, str]:
    return reference.direction, reference.cause, reference.type, reference.mode


def _insert(connection: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Insert rows that have all columns of a table."""
    columns = len(connection.execute(f"SELECT * FROM {table} LIMIT 0").description)
    connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})", rows)
