"""Reads runs from a store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from cache_sim.config import Cache, Delays, MemorySystem, Switch
from cache_sim.distances import Histogram
from cache_sim.grid import Grid
from cache_sim.history import History
from cache_sim.predictors.predictor import Kind as TransferKind
from cache_sim.predictors.predictor_results import SiteResults
from cache_sim.results import CacheResults, Causes, Kinds, Results, Traffic
from cache_sim.shards import Estimate, Sample
from cache_sim.swept import Swept
from ease.attribution import Attribution
from ease.characterise import characterise
from ease.results import (
    Counts,
    Measurement,
    MemoryMeasurement,
    MissSite,
    PredictionMeasurement,
    SiteMisses,
    Spent,
    TimingMeasurement,
    TransferSite,
)
from ease.run_identity import RunIdentity
from ease.static_kinds import StaticProgram
from ease.store.database import StoreError
from ease.store.encoding import EncodingError, decode
from ease.store.kept_run import KeptRun
from ease.store.loading_program import load_program
from ease.table_keys import Line, Reference
from ease.timeline import Figure, Timeline
from ease.tools.table import Table

_PARTS = (
    Cache, CacheResults, Causes, Delays, Estimate, Grid, Histogram, History, Kinds, Line, MemoryMeasurement, MemorySystem,
    MissSite, PredictionMeasurement, Reference, Results, Sample, SiteMisses, SiteResults, Spent, Swept, Switch,
    TimingMeasurement, Traffic, TransferKind, TransferSite, Table, Timeline, Figure, Attribution,
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
