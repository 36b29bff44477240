"""The programs of experiments: command lines, or files that list them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from contextlib import chdir
from dataclasses import dataclass, replace
from pathlib import Path

from cache_sim.config import MemorySystem
from cache_sim.sweeps import Grid
from ease import Machine, Run
from ease import Program as Compiled
from vpo.base.errors import UserError
from vpo.build.settings import Settings
from vpo.opt.driver import LEVELS, Level, without

UNTYPED = "-fno-strict-aliasing"
OPTIONS = ("-D", "-I", UNTYPED)  # of the compiler, that a program may need
SOURCES = (".c", ".rtl")


@dataclass(frozen=True, slots=True)
class Program:
    """A program and how to run it: C files, arguments, the file that is its standard input, where it is run.

    `options`: how its files are compiled, in words of easecc: `-DNAME=VALUE`, `-DNAME`, `-IFOLDER`, `-fno-strict-aliasing`.
    """

    name: str
    files: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    stdin: str | None = None
    folder: str = "."
    options: tuple[str, ...] = ()

    def settings(self, usual: Settings) -> Settings:
        """Return the settings of the compiler with those of the program."""
        given = {letter: [word[2:] for word in self.options if word[1] == letter] for letter in "DI"}
        macros = [(name, value if equals else "1") for name, equals, value in (word.partition("=") for word in given["D"])]
        folders = map(os.path.abspath, given["I"])
        own = replace(usual.c, defines=(*usual.c.defines, *macros), include_paths=(*usual.c.include_paths, *folders))
        return replace(usual, c=own, strict_aliasing=usual.strict_aliasing and UNTYPED not in self.options)

    def compiled(self, machine: Machine, level: Level, left_out: Sequence[str] = ()) -> Compiled:
        """Return the program, and what it needs of the library, compiled for a machine, some phases left out.

        Raises ease.Error.
        """
        settings = self.settings(Settings(phases=without(LEVELS[level], left_out) if left_out else None))
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


def words_of(line: str) -> list[str]:
    """Return the words of a command line, as a shell takes them apart.

    Raises UserError.
    """
    try:
        return shlex.split(line)
    except ValueError as error:
        raise UserError([f"'{line}': {str(error).lower()}"]) from None


def program_of_line(line: str) -> Program:
    """Return the program of a command line: `-D` and `-I`, a C file, its arguments; or several files, `--`, the arguments.

    Raises UserError.
    """
    words = words_of(line)
    first = next((at for at, word in enumerate(words) if not word.startswith(OPTIONS)), len(words))
    end = words.index("--") if "--" in words else first + 1
    if not all(word.endswith(SOURCES) for word in words[first:end]):  # an argument of the program
        end = first + 1
    if not any(word.endswith(SOURCES) for word in words[first:end]):
        raise UserError([f"'{line}': a program is a C file and its arguments, such as \"prog.c 10\""])
    return program_of_words(Path(words[first]).stem, words[:end], words[end + (words[end : end + 1] == ["--"]) :])


def program_of_words(name: str, built: Sequence[str], run: Sequence[str], folder: str = ".") -> Program:
    """Return the program that options and files make, and that runs with arguments, perhaps with a file behind `<`.

    Raises UserError.
    """
    stdin = None
    if "<" in run:
        at = run.index("<")
        if at + 2 != len(run):
            raise UserError([f"'{shlex.join(run)}': one file name stands behind '<', at the end"])
        stdin, run = run[-1], run[:at]
    files = tuple(word for word in built if not word.startswith(OPTIONS))
    return Program(name, files, tuple(run), stdin, folder, tuple(word for word in built if word.startswith(OPTIONS)))
