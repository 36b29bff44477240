"""Fuzzing what reads traces and records: files that are damaged or cut short give a message, never a traceback or other facts.

    python -m tests.fuzz.damage --count 1000 --keep fuzz-failures

Bits are flipped, ends cut off, sections exchanged, doubled and left out, sizes made absurd; and contents are changed behind
checksums that fit.  Where the checksums do not fit, the answer must be that of the whole file, or a message.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zstandard

from cache_sim.command import main as cache_sim
from cache_sim.traces.container import section
from ease.commands.ease_command import main as ease
from ease.commands.easecc import main as easecc
from ease.executable import main as executable
from tests.fuzz.child import in_child
from tests.fuzz.seeds import parser_of, seeds

ROOT = Path(__file__).parents[2]
MACHINE = "riscv32"
SECONDS = 60  # that a command may take
PROGRAM = r"""
#include <stdio.h>
static int choose(int x) { switch (x & 3) { case 0: return 3; case 1: return 9; case 2: return x * 2; } return 7; }
static int (*table[2])(int) = {choose, choose};
int main(void)
{
    int i, sum = 0;
    char line[40] = "";
    for (i = 0; i < 30; i++)
        sum += table[i & 1](i);
    printf("%d %s\n", sum, fgets(line, sizeof line, stdin) ? line : "none");
    return 3;
}
"""
HOSTILE = (None, True, -1, 0, 1 << 31, 1 << 63, 1 << 64, -(1 << 70), 0.5, "", "x", "\x00", [], {}, [[]], [None], {"a": {}})
SIZES = (0, 1, 7, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, 1 << 62, 1 << 63, (1 << 64) - 1)
_TRACES = (
    ("ease", "trace", "check"), ("ease", "trace", "info"), ("ease", "trace", "stats"), ("ease", "trace", "view"),
    ("cache-sim", "I:1k,16,1+D:1k,16,1"), ("ease", "trace", "repeats"), ("ease", "trace", "view", "--from", "main"),
)  # fmt: skip
_RECORDS = (("ease", "replay"), ("ease", "replay", "-info"), ("ease", "replay", "-slice", "200", "-o", "cut.run"))
_SLICES = (("ease", "replay"), ("ease", "replay", "-measure"))
MAINS: dict[str, Callable[[list[str]], int]] = {"ease": ease, "cache-sim": cache_sim, "easecc": easecc, "program": executable}
_HEAD = struct.Struct("<4sIQQ")
_MAGIC = 8  # bytes


@dataclass(frozen=True, slots=True)
class Subject:
    """A file that is damaged: its name, its bytes, the commands that read it, what each says of the whole file."""

    name: str
    content: bytes
    commands: tuple[tuple[str, ...], ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command came to."""

    status: int
    output: str
    messages: str
    crash: str = ""


def subjects(folder: Path, few: bool = False) -> list[Subject]:
    """Return the files, which are made in a folder; a few of them: one trace, a record and a slice of it."""
    (folder / "program.c").write_text(PROGRAM)

    def run(*words: str) -> None:
        command = [sys.executable, "-m", f"ease.commands.{words[0]}", *words[1:]]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        subprocess.run(command, cwd=folder, env=environment, input=b"given\n", stdout=subprocess.DEVNULL, check=False)

    for kind in ("execution",) if few else ("execution", "branch", "profile", "cache"):
        run("easecc", "-m", MACHINE, "-trace", kind, "-trace-to", f"{kind}.trace", "program.c")
    if not few:
        run("ease_command", "trace", "convert", "execution.trace", "-o", "list.trace", "--to", "ease", "--filter", "D:64,16,1")
    run("easecc", "-m", MACHINE, "-record", "whole.run", "program.c")
    run("ease_command", "replay", "whole.run", "-slice", "300", "-o", "slice.run")
    # profiles have no order, branch traces no data, and where only misses are kept there is no call of main
    readers = {"execution.trace": _TRACES, "branch.trace": _TRACES[:4], "profile.trace": _TRACES[:3],
               "list.trace": _TRACES[:6], "cache.trace": _TRACES, "whole.run": _RECORDS, "slice.run": _SLICES}  # fmt: skip
    return [
        Subject(name, (folder / name).read_bytes(), commands, tuple(answer((*command, name), folder) for command in commands))
        for name, commands in readers.items()
        if (folder / name).exists()
    ]


def answer(command: Sequence[str], folder: Path) -> Answer:
    """Run a command in a folder, in a process of its own."""
    found = in_child(lambda: _run(command, folder), SECONDS)
    if "failures" in found:
        return Answer(-1, "", "", str(found["failures"]))
    return Answer(**found)  # type: ignore[arg-type]


def _run(command: Sequence[str], folder: Path) -> dict[str, object]:
    os.chdir(folder)
    crash, status = "", -1
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
        try:
            status = MAINS[command[0]]([*command[1:]])
        except SystemExit as error:
            status = error.code if isinstance(error.code, int) else 1
        except BaseException as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            crash = f"{type(error).__name__}: {str(error)[:150]} ({Path(place.filename).name}:{place.lineno}, {place.name})"
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read(1 << 20))
    return {"status": status, "output": texts[0], "messages": texts[1], "crash": crash}


def sections_of(content: bytes) -> list[bytes]:
    """Return the sections of a file as they are there, heads and all."""
    found, at = [], _MAGIC
    while at < len(content):
        end = at + _HEAD.size + _HEAD.unpack_from(content, at)[3]
        found.append(content[at:end])
        at = end
    return found


def damaged(rng: random.Random, content: bytes) -> tuple[bytes, bool]:
    """Return a file with damage, and whether its checksums were made to fit again."""
    parts = sections_of(content)
    at, other = rng.randrange(len(parts)), rng.randrange(len(parts))
    match rng.randrange(9):
        case 0 | 1:
            changed = _flipped(rng, content)
        case 2:
            return content[: rng.randrange(len(content))], False
        case 3:
            parts[at], parts[other] = parts[other], parts[at]
            return content[:_MAGIC] + b"".join(parts), False
        case 4:
            parts[at : at + 1] = rng.choice(([], [parts[at]] * 2))
            return content[:_MAGIC] + b"".join(parts), False
        case 5:
            kind, checksum, size, length = _HEAD.unpack_from(parts[at])
            sizes = rng.choice(((rng.choice(SIZES), length), (size, rng.choice(SIZES)), (rng.choice(SIZES),) * 2))
            parts[at] = _HEAD.pack(kind, checksum, *sizes) + parts[at][_HEAD.size :]
            changed = content[:_MAGIC] + b"".join(parts)
        case _:
            kind = parts[at][:4].decode()
            parts[at] = section(kind, _other_content(rng, zstandard.ZstdDecompressor().decompress(parts[at][_HEAD.size :])))
            return content[:_MAGIC] + b"".join(parts), True
    return changed, False


def _flipped(rng: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8))):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _other_content(rng: random.Random, content: bytes) -> bytes:
    """Return the content of a section with a change: of one value, if it is JSON text."""
    try:
        value = json.loads(content)
    except ValueError:
        return rng.choice((_flipped(rng, content), content[: rng.randrange(len(content) + 1)], content + content[-12:]))
    return json.dumps(_other_value(rng, value)).encode()


def _other_value(rng: random.Random, value: Any) -> Any:
    """Return a JSON value with one of its parts left out, or another one."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.1:
        return rng.choice(HOSTILE)
    key: Any = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
    copy: Any = value.copy()
    if rng.random() < 0.3:
        del copy[key]
    else:
        copy[key] = _other_value(rng, value[key])
    return copy


def failure(seed: int, files: Sequence[Subject], folder: Path, run: Callable[..., Answer] = answer) -> str | None:
    """Return what goes wrong with the damaged file of a seed, None if nothing does."""
    rng = random.Random(seed)
    subject = rng.choice(files)
    content, fitting = damaged(rng, subject.content)
    number = rng.randrange(len(subject.commands))
    name = f"damaged-{subject.name}"
    (folder / name).write_bytes(content)
    command, whole = subject.commands[number], subject.answers[number]
    found = run((*command, name), folder)
    said = f"{' '.join(command)} {subject.name}"
    if found.crash:
        return f"{said}: {found.crash}"
    told = found.messages != whole.messages or "cut short" in found.output
    if "Traceback" in found.messages or (found.status == 1 and not found.messages):
        return f"{said}: exit status {found.status}: {found.messages[-200:]}"
    same = found.status == whole.status and _facts(found.output.replace(name, subject.name)) == _facts(whole.output)
    if not fitting and not same and not told:
        return f"{said}: other facts and no message"
    if not fitting and not same and found.status != 1 and "cut short" not in found.output + found.messages:
        return f"{said}: exit status {found.status} after damage: {found.messages[-200:]}"
    return None


def _facts(output: str) -> list[str]:
    """Return what is said of a file, but for its size: there may be sections in it that nobody reads."""
    return [line for line in output.splitlines() if not line.startswith("bytes")]


def main() -> int:
    """Try damaged files, and keep those that fail."""
    given = parser_of("damage", __doc__, 1000).parse_args()
    tried, failures = seeds(given), 0
    with tempfile.TemporaryDirectory() as folder:
        files = subjects(Path(folder))
        for seed in tried:
            found = failure(seed, files, Path(folder))
            if found:
                failures += 1
                given.keep.mkdir(parents=True, exist_ok=True)
                for path in Path(folder).glob("damaged-*"):
                    path.replace(given.keep / f"{seed}-{path.name}")
                print(f"seed {seed}: {found}", flush=True)
    print(f"{len(tried)} damaged files, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
