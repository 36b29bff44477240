"""The programs of experiments: command lines, or files that list them."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

from cache_sim.config import MemorySystem
from cache_sim.sweeps import Grid
from ease import Machine, Run
from ease import Program as Compiled
from vpo.base.errors import UserError
from vpo.build.settings import Settings
from vpo.opt.driver import LEVELS, Level, without


@dataclass(frozen=True, slots=True)
class Program:
    """A program and how to run it: C files, arguments, the file that is its standard input, where it is run."""

    name: str
    files: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    stdin: str | None = None
    folder: str = "."

    def compiled(self, machine: Machine, level: Level, left_out: Sequence[str] = ()) -> Compiled:
        """Return the program, and what it needs of the library, compiled for a machine, some phases left out.

        Raises ease.Error.
        """
        settings = Settings(phases=without(LEVELS[level], left_out) if left_out else None)
        return machine.compile([os.path.abspath(file) for file in self.files], level=level, settings=settings)

    def run(
        self, compiled: Compiled, system: str | MemorySystem | Grid | None = None, *, predict: str | None = None,
        timing: bool | None = None, timeout: float | None = None, quick: bool = False, sample: str | None = None,
        tools: Sequence[str] = (),
    ) -> Run:  # fmt: skip
        """Run the program, compiled, where it is to be run, and return what happened.

        Raises ease.Error, and UserError for a run that does not end by itself.
        """
        with chdir(self.folder):
            stdin = Path(self.stdin).read_bytes() if self.stdin else b""
            run = compiled.measure(
                args=self.arguments, stdin=stdin, cache=system, predict=predict, timing=timing, timeout=timeout, quick=quick,
                sample=sample, tools=tools,
            )  # fmt: skip
        if run.fault:
            raise UserError([f"{self.name} on {compiled.machine}: {run.fault}"])
        return run

    def plain_seconds(self, compiled: Compiled) -> float:
        """Return the processor's time of a run in which nothing is measured.

        Raises ease.Error.
        """
        with chdir(self.folder):
            return compiled.seconds(args=self.arguments, stdin=Path(self.stdin).read_bytes() if self.stdin else b"")


def read_suite(specifications: Sequence[str]) -> list[Program]:
    """Return the programs that the words of a command line name.

    A word is a command line (`"samples/cpp.c -P in.c"`, `"wc.c < text"`) or a suite: a JSON file as samples.json is.
    Raises UserError, OSError.
    """
    programs: list[Program] = []
    for word in specifications:
        programs += _suite(Path(word)) if word.endswith(".json") else [_program(word)]
    names = [program.name for program in programs]
    for name in names:
        if names.count(name) > 1:
            raise UserError([f"two programs are called '{name}'"])
    return programs


def _program(line: str) -> Program:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UserError([f"'{line}': {str(error).lower()}"]) from None
    stdin = None
    if "<" in words:
        at = words.index("<")
        if at + 2 != len(words):
            raise UserError([f"'{line}': one file name stands behind '<', at the end"])
        stdin = words[-1]
        words = words[:at]
    files = [word for word in words if word.endswith((".c", ".rtl"))][:1]
    if not words or words[:1] != files:
        raise UserError([f"'{line}': a program is a C file and its arguments, such as \"prog.c 10\""])
    return Program(Path(words[0]).stem, (words[0],), tuple(words[1:]), stdin)


def _suite(path: Path) -> list[Program]:
    """Read a suite: `{"name": {"args": [...], "stdin": file or null}}`; name.c lies beside it, runs start above it."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        folder = path.resolve().parent
        return [
            Program(name, (str(folder / f"{name}.c"),), tuple(entry["args"]), entry.get("stdin"), str(folder.parent))
            for name, entry in entries.items()
        ]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError([f'{path}: a suite is {{"name": {{"args": [...], "stdin": null}}}}']) from None
