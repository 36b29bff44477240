"""Reads from a store what is known of a program without a run."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from ease.static_kinds import Kind, StaticFunction, StaticProgram
from ease.table_keys import Access, Constant, OperandField, Reference

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
