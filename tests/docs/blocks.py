"""The blocks of the pages: the commands, and what the pages show of their output.

A block that is indented by four columns holds commands, one a line, or begins with `$ COMMAND`, and what the command prints
follows. Lines `...` in an output stand for any others. Blocks of all other kinds stand between ``` with their language.

    python -m tests.docs.blocks --bless [PAGE...]     run the commands, and write the outputs anew
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.docs.setting import Setting

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(path for path in (ROOT / "docs").glob("*.md") if path.name != "reference.md")]
COMMAND = re.compile(r"(easecc|ease|ease-cc|ease-ar|cache-sim) ")
INDENT = " " * 4
REST = "..."  # lines that a page leaves out
TIMEOUT = 600  # seconds for one command
NUMBER = re.compile(r"[-+]?\d[\d,.]*|<\d[\d.]*")


@dataclass(frozen=True)
class File:
    """A block between ``` with the language and the name of the file that it is, if it is one."""

    language: str
    name: str | None
    text: str


@dataclass(frozen=True)
class Step:
    """A command of a page; `shown` is what the page has of its output, in lines from `first` on, or None."""

    line: int
    command: str
    shown: tuple[str, ...] | None = None
    first: int = 0


def parts(text: str) -> Iterator[File | Step]:
    """Yield the blocks of a page in their order; lines count from 0.

    Raises ValueError for a block that is neither.
    """
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        if fence := re.match(r"( *)```(\w*)", lines[number]):
            end = next(n for n in range(number + 1, len(lines)) if lines[n].strip() == "```")
            yield _file(fence[2], lines, number, end)
            number = end + 1
        elif lines[number].startswith(INDENT) and not (number and lines[number - 1].strip()):
            end = _end(lines, number)
            yield from _steps(lines, number, end)
            number = end
        else:
            number += 1


def _end(lines: list[str], start: int) -> int:
    """Return where an indented block ends, without blank lines behind it."""
    end = start
    while end < len(lines) and (lines[end].startswith(INDENT) or not lines[end].strip()):
        end += 1
    while not lines[end - 1].strip():
        end -= 1
    return end


def _file(language: str, lines: list[str], start: int, end: int) -> File:
    """Return a block between ```: the file that the line before names (`NAME`:), or a machine NAME.yaml."""
    text = "".join(f"{line}\n" for line in lines[start + 1 : end])
    before = next((line for line in reversed(lines[:start]) if line.strip()), "")
    named = re.search(r"`([\w./-]+\.\w+)`:$", before)
    machine = re.match(r"machine: (\w+)\n", text)
    return File(language, named[1] if named else f"{machine[1]}.yaml" if machine else None, text)


def _steps(lines: list[str], start: int, end: int) -> Iterator[Step]:
    """Yield the commands of an indented block."""
    block = [line.removeprefix(INDENT) for line in lines[start:end]]
    if COMMAND.match(block[0]):
        yield from (Step(start + n, line) for n, line in enumerate(block))
    elif block[0].startswith("$ "):
        begins = [n for n, line in enumerate(block) if line.startswith("$ ")]
        for begin, stop in zip(begins, [*begins[1:], len(block)], strict=True):
            first = begin + 1
            while block[first - 1].endswith("\\"):
                first += 1
            command = "\n".join(block[begin:first])[2:]
            while not block[stop - 1].strip():  # between two commands
                stop -= 1
            yield Step(start + begin, command, tuple(block[first:stop]), start + first)
    elif not block[0].startswith(">>> "):  # those are run by doctest
        raise ValueError(f"line {start + 1}: is neither of commands nor begins with $: write it between ```")


def run(step: Step, setting: Setting) -> tuple[int, list[str]]:
    """Run a command of a page in its folder; returns the exit status, and the lines of both its streams."""
    setting.before(shown=step.shown is not None)
    result = subprocess.run(
        ["bash", "-c", step.command], cwd=setting.folder, env=setting.environment, stdin=subprocess.DEVNULL, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT,
    )  # fmt: skip
    return result.returncode, [line.rstrip() for line in result.stdout.splitlines()]


def sections(shown: tuple[str, ...]) -> list[list[str]]:
    """Return the runs of lines between those that are left out; the first and the last may be empty."""
    found: list[list[str]] = [[]]
    for line in shown:
        if line.strip() == REST:
            found.append([])
        else:
            found[-1].append(line.rstrip())
    return found


def differs(shown: tuple[str, ...], printed: list[str]) -> str:
    """Return what a page shows and a command does not print, or nothing."""
    found = _placed(sections(shown), printed, str)
    return "" if isinstance(found, list) else found


def anew(shown: tuple[str, ...], printed: list[str]) -> list[str]:
    """Return an output as the page should show it: the lines with the same words, with the numbers of now.

    Raises ValueError where the words are others.
    """
    found = _placed(sections(shown), printed, words)
    if isinstance(found, str):
        if REST not in (line.strip() for line in shown):
            return printed
        raise ValueError(found)
    lines: list[str] = []
    for number, (start, length) in enumerate(found):
        lines += [REST] * (number > 0) + printed[start : start + length]
    return lines


def words(line: str) -> str:
    """Return a line without its numbers and widths."""
    return " ".join(NUMBER.sub("#", line).split())


def _placed(wanted: list[list[str]], printed: list[str], key: Callable[[str], str]) -> list[tuple[int, int]] | str:
    """Return where each section stands in an output and how long it is, or the text of the first that is not there."""
    have = [key(line) for line in printed]
    places: list[tuple[int, int]] = []
    start = 0
    for number, section in enumerate(wanted):
        want = [key(line) for line in section]
        tries = list(range(start, len(have) - len(want) + 1))
        if number == 0:  # the output begins with it
            tries = tries[:1]
        if number == len(wanted) - 1:
            tries = [place for place in tries if place + len(want) == len(have)]
        place = next((place for place in tries if have[place : place + len(want)] == want), None)
        if place is None:
            return "\n".join(section)
        places.append((place, len(want)))
        start = place + len(want)
    return places


def shows(step: Step) -> bool:
    """Whether a page has some of a command's output."""
    return step.shown is not None


def walk(page: Path, setting: Setting, wanted: Callable[[Step], bool]) -> Iterator[tuple[Step, int, list[str]]]:
    """Do what a page says, in its order: write its files, run those of its commands that are wanted.

    Yields each command with its exit status and what it printed.
    """
    for part in parts(page.read_text()):
        if isinstance(part, Step):
            if wanted(part):
                yield part, *run(part, setting)
        elif part.name:
            (setting.folder / part.name).write_text(part.text)


def bless(page: Path) -> None:
    """Write the outputs of a page anew, but those of commands that crash."""
    lines = page.read_text().splitlines()
    changes: list[tuple[Step, list[str]]] = []
    with tempfile.TemporaryDirectory() as folder:
        for step, _, printed in walk(page, Setting(page, Path(folder)), shows):
            place = f"{page.name}:{step.line + 1}: {step.command}"
            assert step.shown is not None
            if any(line.startswith("Traceback ") for line in printed):
                print(f"{place}: a crash, which no page shows\n" + "\n".join(printed))
                continue
            try:
                changes.append((step, anew(step.shown, printed)))
            except ValueError as missing:
                print(f"{place}: does not print this any more; edit it by hand\n{missing}\n" + "\n".join(printed))
    for step, new in reversed(changes):
        assert step.shown is not None
        lines[step.first : step.first + len(step.shown)] = [f"{INDENT}{line}".rstrip() for line in new]
    page.write_text("\n".join(lines) + "\n")


def main() -> None:
    """Run the commands of pages, and write their outputs anew if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES)
    parser.add_argument("--bless", action="store_true", required=True)
    for page in parser.parse_args().pages:
        bless(page.resolve())


if __name__ == "__main__":
    sys.exit(main())
