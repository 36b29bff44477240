"""Reads runs from a store."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cache_sim.config import Cache, Delays, MemorySystem, Switch
from cache_sim.distances import Estimate, Histogram, Sample
from cache_sim.predictors.predictor import Kind as TransferKind
from cache_sim.predictors.predictor import SiteResults
from cache_sim.results import CacheResults, Causes, History, Kinds, Results, Traffic
from cache_sim.sweeps import Grid, Swept
from ease.model.characterise import characterise
from ease.model.kept_run import EncodingError, KeptRun, decode
from ease.model.results import (
    Counts,
    Line,
    Measurement,
    MemoryMeasurement,
    MissSite,
    PredictionMeasurement,
    SiteMisses,
    SpaceSite,
    SpacesMeasurement,
    SpaceUse,
    Spent,
    Table,
    TimingMeasurement,
    TransferSite,
)
from ease.model.run_identity import RunIdentity
from ease.model.static_kinds import Access, Constant, Kind, OperandField, Reference, StaticFunction, StaticProgram
from ease.model.timeline import Attribution, Figure, Timeline
from ease.store.database import StoreError

# ----------------------------------------------------------------------------------------------------------------------
# Reads from a store what is known of a program without a run.


CALL = re.compile(r"ST=[^;]*?\(((?:[a-z]\w*\[\d+\],?)*)\)(?:,RT\([^;]*\))?;")  # and the registers with arguments
Rows = dict[int, list[tuple[Any, ...]]]


def load_program(connection: sqlite3.Connection, program: int) -> tuple[StaticProgram, tuple[tuple[str, str], ...]]:
    """Return a program, and the RTL and the assembly of each of its kinds."""
    operands = _grouped(connection, program, "operand", "kind, field, mode, type", "kind, position")
    references = _grouped(connection, program, "reference", "kind, direction, cause, type, mode", "kind, position")
    constants = _grouped(connection, program, "constant", "kind, use, bits", "kind, position")
    accesses = _grouped(connection, program, "access", "kind, code, register, direction", "kind, register, direction")
    columns = "number, instruction, cause, size, latency, counted, transfers, rtl, assembly"
    kinds, texts = [], []
    for number, (found,) in _grouped(connection, program, "kind", columns, "number").items():
        name, cause, size, latency, counted, transfers, *text = found
        used = accesses.get(number, ())
        kinds.append(Kind(
            name, cause, size, latency, bool(counted), bool(transfers),
            tuple(OperandField(name, *words) for words in operands.get(number, ())),
            tuple(Reference(*words) for words in references.get(number, ())),
            tuple(Access(register, direction) for code, register, direction in used if not code),
            tuple(Access(register, direction, name) for code, register, direction in used if code),
            tuple(Constant(*words) for words in constants.get(number, ())),
            tuple(len(call[1].split(",")) if call[1] else 0 for call in CALL.finditer(text[0])),
        ))  # fmt: skip
        texts.append((text[0], text[1]))
    (machine,) = connection.execute(
        "SELECT machine.name FROM machine JOIN program ON machine.id = program.machine WHERE program.id = ?", (program,)
    ).fetchone()
    spilled: dict[str, tuple[Reference, ...]] = {"enter": (), "leave": ()}
    for window, *words in connection.execute(
        "SELECT window, direction, cause, type, mode FROM spilled WHERE program = ? ORDER BY window, position", (program,)
    ):
        spilled[window] = (*spilled[window], Reference(*words))
    return StaticProgram(machine, kinds, _functions(connection, program, kinds), spilled), tuple(texts)


def _functions(connection: sqlite3.Connection, program: int, kinds: Sequence[Kind]) -> dict[str, StaticFunction]:
    instructions = _grouped(connection, program, "instruction", "function, kind, line, run_end, window", "function, position")
    blocks = _grouped(connection, program, "block", "function, first, branch, label", "function, number")
    return {
        name: _function(name, file, instructions.get(number, []), blocks.get(number, []), kinds)
        for number, [(name, file)] in _grouped(connection, program, "function", "number, name, file", "number").items()
    }


def _function(
    name: str, file: str, instructions: list[tuple[Any, ...]], blocks: list[tuple[Any, ...]], kinds: Sequence[Kind]
) -> StaticFunction:
    """Return a function from the rows of its instructions and blocks."""
    ends, counted = set(), -1
    for kind, _, run_end, _ in instructions:
        counted += kinds[kind].counted
        if run_end:
            ends.add(counted)
    return StaticFunction(
        name, file, tuple(row[0] for row in instructions), tuple(row[1] for row in instructions),
        tuple(first for first, *_ in blocks),
        {block: branch for block, (_, branch, _) in enumerate(blocks) if branch is not None}, frozenset(ends),
        {position: row[3] for position, row in enumerate(instructions) if row[3]},
        tuple(label for *_, label in blocks) if any(label for *_, label in blocks) else (),
    )  # fmt: skip


def _grouped(connection: sqlite3.Connection, program: int, table: str, columns: str, order: str) -> Rows:
    """Return the rows that a table has of a program by their first column, without it."""
    found: Rows = {}
    for first, *rest in connection.execute(f"SELECT {columns} FROM {table} WHERE program = ? ORDER BY {order}", (program,)):
        found.setdefault(first, []).append(tuple(rest))
    return found


# ----------------------------------------------------------------------------------------------------------------------


_PARTS = (
    Cache, CacheResults, Causes, Delays, Estimate, Grid, Histogram, History, Kinds, Line, MemoryMeasurement, MemorySystem,
    MissSite, PredictionMeasurement, Reference, Results, Sample, SiteMisses, SiteResults, Spent, Swept, Switch,
    TimingMeasurement, Traffic, TransferKind, TransferSite, Table, Timeline, Figure, Attribution, SpacesMeasurement,
    SpaceSite, SpaceUse,
)  # fmt: skip
CLASSES: dict[str, type] = {part.__name__: part for part in _PARTS}


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list of runs."""

    number: int
    time: str
    machine: str
    instructions: int
    exit_status: int
    partial: bool
    identity: RunIdentity


def entries(connection: sqlite3.Connection) -> Iterator[Entry]:
    """Yield all runs, the oldest first."""
    rows = connection.execute(
        "SELECT run.id, time, machine.name, instructions, exit_status, partial, identity"
        " FROM run JOIN program ON program.id = run.program JOIN machine ON machine.id = program.machine ORDER BY run.id"
    )
    for number, time, machine, instructions, status, partial, identity in rows:
        yield Entry(number, time, machine, instructions, status, bool(partial), _identity(identity))


def load_run(connection: sqlite3.Connection, number: int) -> KeptRun:
    """Return a run.

    Raises StoreError if there is none of that number, or if what was kept of it cannot be read.
    """
    row = connection.execute(
        "SELECT program, time, identity, exit_status, partial, exact, fault FROM run WHERE id = ?", (number,)
    ).fetchone()
    if row is None:
        raise StoreError(f"there is no run {number} (`ease runs` lists them)")
    program, time, identity, status, partial, exact, fault = row
    found, texts = load_program(connection, program)
    counts = _counts(connection, number, found, bool(exact))
    measurement = Measurement(
        found.machine, characterise(found, counts), status, bool(partial), fault, exact=bool(exact),
        program=found, counts=counts, identity=_identity(identity),
    )  # fmt: skip
    measurement = _with_simulated(connection, number, measurement)
    sources = dict(connection.execute("SELECT file, text FROM source WHERE program = ?", (program,)))
    (description,) = connection.execute(
        "SELECT description FROM machine JOIN program ON machine.id = program.machine WHERE program.id = ?", (program,)
    ).fetchone()
    return KeptRun(measurement, texts, sources, description, number, time)


def _identity(text: str) -> RunIdentity:
    try:
        return RunIdentity.from_json(text)
    except ValueError as error:
        raise StoreError(f"what was run cannot be read: {error}") from None


def _with_simulated(connection: sqlite3.Connection, number: int, measurement: Measurement) -> Measurement:
    parts: dict[str, Any] = {}
    for kind, content in connection.execute("SELECT kind, content FROM simulation WHERE run = ?", (number,)):
        try:
            parts[kind] = decode(content, CLASSES)
        except EncodingError as error:
            raise StoreError(f"run {number}: {kind}: {error}") from None
    return replace(measurement, **parts)


def _counts(connection: sqlite3.Connection, run: int, program: StaticProgram, exact: bool) -> Counts:
    functions = list(program.functions.values())
    rtls = {function.name: [0] * len(function.kinds) for function in functions}
    taken = {function.name: [0] * len(function.blocks) for function in functions}
    traps: dict[str, dict[int, int]] = {function.name: {} for function in functions}
    columns = "function, position, executed"
    for function, position, count in connection.execute(f"SELECT {columns} FROM execution WHERE run = ?", (run,)):
        rtls[functions[function].name][position] = count
    for function, block, count in connection.execute("SELECT function, block, taken FROM taken WHERE run = ?", (run,)):
        taken[functions[function].name][block] = count
    for function, position, count in connection.execute("SELECT function, position, trapped FROM trap WHERE run = ?", (run,)):
        traps[functions[function].name][position] = count
    return Counts(rtls, taken, traps, exact)
