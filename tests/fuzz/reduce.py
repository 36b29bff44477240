"""Cuts a program down that goes wrong: `python -m tests.fuzz.reduce program.c -m riscv32 -O 2` writes `reduced.c` beside it.

Blocks and lines are left out as long as the program fails as it did, and nothing in it is undefined if nothing was.
"""

from __future__ import annotations

import argparse
import itertools
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from tests.fuzz import oracles
from tests.fuzz.child import freeze, in_child
from tests.fuzz.trying import Job
from vpo.opt.driver import Level

SECONDS = 600  # for one program, unless told
ONE = 60  # seconds of processor time that one attempt may take


def cut_down(text: str, fails: Callable[[str], bool], seconds: float = SECONDS) -> str:
    """Return a program of fewer lines that still fails; the best so far when the time is over."""
    end = time.monotonic() + seconds
    lines = text.splitlines()
    smaller = True
    while smaller:
        smaller = False
        for start, left in itertools.chain(_without_blocks(lines), _without_pieces(lines)):
            if time.monotonic() > end:
                break
            if len(left) < len(lines) and lines[:start] == left[:start] and fails("\n".join(left) + "\n"):
                lines[:] = left  # the iterators go on from here
                smaller = True
    return "\n".join(lines) + "\n"


def _depth(lines: list[str]) -> int:
    return sum(line.count("{") - line.count("}") for line in lines)


def _without_blocks(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield what is left of lines without each block, and with what is in it alone; with the number of its first line."""
    start = 0
    while start < len(lines):
        count = len(lines)
        if _depth([lines[start]]) > 0:
            inside = 1
            while start + inside < len(lines) and _depth(lines[start : start + inside]) > 0:
                inside += 1
            yield start, lines[:start] + lines[start + inside :]
            if len(lines) == count:
                yield start, lines[:start] + lines[start + 1 : start + inside - 1] + lines[start + inside :]
        start += len(lines) == count


def _without_pieces(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield what is left without each half, quarter, ... line that holds whole blocks."""
    size = len(lines) // 2
    while size:
        start = 0
        while start < len(lines):
            count = len(lines)
            if _depth(lines[start : start + size]) == 0:
                yield start, lines[:start] + lines[start + size :]
            start += size if len(lines) == count else 0
        size //= 2


class Question:
    """Whether a program fails on a machine at a level as it did at first."""

    def __init__(self, machine: str, level: Level, library: tuple[Level, ...], folder: Path, text: str) -> None:
        self.source = folder / "program.c"
        self.job = Job([machine], [level], library=library, check=False)
        self.job.warm(folder)
        self.source.write_text(text)
        with suppress(Exception):  # what the program needs of the library is compiled once
            self.job.compilers[machine, level].program([str(self.source)])
        freeze()
        self.clean = self._is_clean(text)
        self.kinds = self._kinds(text)

    def _is_clean(self, text: str) -> bool:
        self.source.write_text(text)
        try:
            return oracles.report(self.source)[0] == ""
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            return False

    def _kinds(self, text: str) -> set[str]:
        """Return how a program fails: the failures up to their first colon."""
        self.source.write_text(text)
        answer = in_child(lambda: self.job.try_program(0, [self.source]), ONE)
        failures = answer.get("failures", [])
        return {str(line).split(":")[0] for line in failures} if isinstance(failures, list) else set()

    def fails(self, text: str) -> bool:
        """Return whether a program fails in one of the ways of the first one."""
        self.source.write_text(text)
        command = ["gcc", "-fsyntax-only", "-w", f"-I{oracles.HEADERS}", str(self.source)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return False
        return (not self.clean or self._is_clean(text)) and bool(self._kinds(text) & self.kinds)


def main() -> int:
    """Cut a program down; exit status 1 if it does not fail."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.reduce", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("-m", "--machine", default="riscv32")
    parser.add_argument("-O", "--level", default="2")
    parser.add_argument("--library", default="", help="the library's level, if it is not the program's")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"how long to try (default {SECONDS})")
    given = parser.parse_args()
    level, *library = (int(word) if word.isdigit() else word for word in (given.level, given.library) if word)
    text = given.program.read_text()
    with tempfile.TemporaryDirectory() as folder:
        question = Question(given.machine, level, tuple(library), Path(folder), text)
        if not question.kinds:
            print("it does not fail", file=sys.stderr)
            return 1
        result = cut_down(text, question.fails, given.seconds)
    target = given.program.with_name("reduced.c")
    target.write_text(result)
    print(f"{target}: {len(text.splitlines())} lines, now {len(result.splitlines())} ({', '.join(sorted(question.kinds))})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
