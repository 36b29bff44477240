"""What a change of a machine does to a program: a question and its answer, both as plain data.

    asked = {"machine": NAME, "changes": "instructions: ...", "source": "int main(void) ...", "arguments": "8"}

The answer has `error`, a text, or what is in `Answer`.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import ease

FILE = "program.c"  # in the folder in which the question is answered
IN_A_BROWSER = sys.platform == "emscripten"
LIMIT = None if IN_A_BROWSER else 30_000_000  # instructions of a run; the interpreter counts faster without
SECONDS = 10.0  # of a run
LONGEST = 4_000  # characters that are shown of what the program writes
NEAREST = 6  # places that are told of an instruction that was not used
LEVELS: dict[str, Any] = {"0": 0, "1": 1, "2": 2, "s": "s"}


@dataclass
class Side:
    """A run on one machine: totals, what the program wrote, and its functions with each instruction's count."""

    machine: str
    totals: dict[str, int | None]
    output: str
    end: str
    functions: dict[str, list[tuple[str, int, int, str]]]  # by name: assembly, line, executed, instruction
    lines: dict[int, int]  # executed, by line of the program


@dataclass
class Answer:
    """Both runs, one if nothing is changed, and what differs."""

    sides: list[Side]
    verdict: str = ""
    changes: dict[str, float] = field(default_factory=dict)  # of totals, as parts of what was before
    instructions: list[tuple[str, int, int, bool]] = field(default_factory=list)  # name, before, after, whether it is new
    unused: dict[str, list[str]] = field(default_factory=dict)  # by new instruction: why it is not used


def answer(asked: Mapping[str, Any], machines: Mapping[str, ease.Machine] | None = None) -> dict[str, Any]:
    """Return the answer to a question, which the current folder is used for; `machines` are known besides those by name."""
    try:
        return asdict(_answer(asked, machines or {}))
    except ease.Error as error:
        return {"error": str(error)}


def _answer(asked: Mapping[str, Any], machines: Mapping[str, ease.Machine]) -> Answer:
    name, changes, level = str(asked.get("machine", "")), str(asked.get("changes", "")), str(asked.get("level", "2"))
    if level not in LEVELS:
        raise ease.Error(f"there is no level '{level}' (0, 1, 2, s)")
    try:
        arguments = shlex.split(str(asked.get("arguments", "")))
    except ValueError as problem:
        raise ease.Error(f"the arguments: {problem}") from None
    source = str(asked.get("source", ""))
    base = machines.get(name) or _named(name)
    tried = [base, base.changed(changes)] if changes.strip() else [base]
    runs = [_run(machine, level, tuple(arguments), source) for machine in tried]
    result = Answer([_side(run) for run in runs])
    if len(runs) == 2:
        _compare(result, runs[0], runs[1], _added(*tried))
    return result


@lru_cache(maxsize=8)
def _named(name: str) -> ease.Machine:
    """Return a machine that is there by name; a file is somebody else's.

    Raises Error.
    """
    if os.sep in name or name.endswith(".yaml"):
        raise ease.Error(f"'{name}' is no machine that comes with ease; write its changes below")
    return ease.Machine(name)


@lru_cache(maxsize=8)
def _run(machine: ease.Machine, level: str, arguments: tuple[str, ...], source: str) -> ease.Run:
    """Measure a program; the machine that is changed stays what it is while somebody changes it."""
    Path(FILE).write_text(source, encoding="utf-8")
    program = machine.compile(FILE, level=LEVELS[level])
    return program.measure(args=arguments, limit=LIMIT, timeout=SECONDS, quick=True)


def _side(run: ease.Run) -> Side:
    functions: dict[str, list[tuple[str, int, int, str]]] = {}
    lines: dict[int, int] = {}
    for row in run.executed:
        if row["file"] == FILE:
            place = functions.setdefault(row["function"], [])
            place.append((row["assembly"], row["line"], row["executed"], row["instruction"]))
            lines[row["line"]] = lines.get(row["line"], 0) + row["executed"]
    totals = {"instructions": run.instructions, "references": run.references, "cycles": run.cycles, "bytes of code": run.size}
    written = (run.output + run.errors).decode(errors="replace")
    shown = written if len(written) <= LONGEST else f"{written[:LONGEST]}\n[and {len(written) - LONGEST} characters more]"
    return Side(run.machine, totals, shown, run.fault or f"exit status {run.exit_status}", functions, lines)


def _compare(result: Answer, before: ease.Run, after: ease.Run, added: Iterable[str]) -> None:
    """Add to an answer what differs."""
    difference = ease.compare(before, after)
    verdict = difference.verdict
    result.verdict, result.changes = " ".join(verdict.sentences), dict(verdict.changes)
    new = set(added)
    rows = [(row["instruction"], row["before"], row["after"], row["instruction"] in new) for row in difference.instructions]
    result.instructions = sorted(rows, key=lambda row: -abs(row[2] - row[1]))
    used = {row["instruction"] for row in after.executed}
    for name in sorted(new - used):
        near = after.why_not(name)
        result.unused[name] = [_place(row) for row in near.head(NEAREST)]


def _place(row: Mapping[str, Any]) -> str:
    where = f"line {row['line']}" if row["file"] == FILE else f"{row['function']} (library)"
    return f"{where}: {row['reason']}"


def _added(before: ease.Machine, after: ease.Machine) -> set[str]:
    """Return the names of the instructions that only the changed machine has."""
    return set(after.description["instructions"]) - set(before.description["instructions"])
