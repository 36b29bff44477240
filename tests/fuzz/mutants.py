"""Fuzzing the front end: C programs with tokens and lines deleted, doubled, swapped and exchanged get diagnostics.

    python -m tests.fuzz.mutants --count 1000 --keep fuzz-failures

A traceback, a crash of Python or a compilation that does not end is a failure; so is an error without a place.  Every tenth
mutant that compiles goes through all phases.
"""

from __future__ import annotations

import os
import random
import re
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path

from tests.fuzz.run import in_child
from tests.fuzz.seeds import parser_of, seeds
from tests.kept_machines import load
from vpo.compiler import Compiler, Settings, UserError
from vpo.frontend.warning_flags import EVERYTHING

ROOT = Path(__file__).parents[2]
FOLDERS = ("samples", "tests/programs", "tests/frontend/programs", "tests/libc/programs", "tests/fuzz/reduced", "vpo/libc/src")
MACHINES = ("riscv32", "riscv64", "m68020", "short16")
SECONDS = 60  # that a compilation may take
LONGEST = 400  # lines of a source, so that compiling takes little
WHOLE = 10  # of so many mutants, one is compiled to the end
_TOKEN = re.compile(r"\s+|\w+|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/|<<=|>>=|\.\.\.|[-+*/%&|^<>=!]=|"
                    r"->|\+\+|--|<<|>>|&&|\|\||##|.", re.DOTALL)  # fmt: skip
_PLACE = re.compile(r"^(?:In file included from [^\n]*\n|\s+from [^\n]*\n)*[^\n:]+:(\d+(:\d+)?:)? (fatal )?error: ")
EXTRA = (
    "(", ")", "[", "]", "{", "}", ";", ",", "*", "&", "0", "-1", "1e400", "0x", "''", "\"", "'", "#", "##", "\\", "\n#if 1\n",
    "\n#endif\n", "\n#else\n", "\n#define f(x, ...) x ## __VA_ARGS__\n", "\n#include \"\n", "sizeof", "_Generic", "typedef",
    "static", "struct", "union", "enum", "int", "void", "double _Complex", "_Alignas(3)", "case", "default:", "goto", "return",
    "break", "...", "__attribute__((packed))", "__attribute__((vector_size(16)))", "typeof", "({", "})", "[-1]", "[1 << 30]",
    ": 0", ": 99", "extern", "inline", "_Atomic", "volatile", "register", "\x00", "\x80", "é", "asm(\"\")", "0b", "9" * 40,
    "__builtin_va_arg(x, int)", "__builtin_offsetof(int, x)", "_Static_assert(0)", "&&label", "1.f", "restrict", "unsigned",
)  # fmt: skip


def sources() -> list[Path]:
    """Return the programs from which mutants are made."""
    found = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.c"))]
    return [path for path in found if path.read_text().count("\n") <= LONGEST]


def mutant(seed: int, paths: list[Path]) -> tuple[Path, str]:
    """Return the program that a seed chooses, and its text with a few changes."""
    rng = random.Random(seed)
    path = rng.choice(paths)
    text = origin = path.read_text()
    while text == origin:  # as it is when a token changes places with another one like it
        text = _mutated(rng, origin)
    return path, text


def _mutated(rng: random.Random, text: str) -> str:
    """Return a text with a few changes, perhaps cut short."""
    for _ in range(rng.choice((1, 1, 2, 3, 5))):
        pieces = text.splitlines(keepends=True) if rng.random() < 0.25 else _TOKEN.findall(text)
        text = "".join(_changed(rng, pieces))
    return text[: rng.randrange(len(text) + 1)] if rng.random() < 0.03 else text


def _changed(rng: random.Random, pieces: list[str]) -> list[str]:
    """Return pieces of a program with one change."""
    solid = [number for number, piece in enumerate(pieces) if piece.strip()]
    if not solid:
        return pieces
    at, other = rng.choice(solid), rng.choice(solid)
    match rng.randrange(6):
        case 0:
            pieces[at] = ""
        case 1:
            pieces[at] += " " + pieces[at]
        case 2:
            pieces[at], pieces[other] = pieces[other], pieces[at]
        case 3:
            pieces[at] = pieces[other]
        case 4:
            pieces[at] += " " + rng.choice(EXTRA) + " "
        case _:
            first, last = sorted((at, rng.choice(solid[solid.index(at) :][:12])))
            del pieces[first : last + 1]
    return pieces


def problem(text: str, origin: Path, machine: str, whole: bool, folder: Path) -> str | None:
    """Return what is wrong with how a program is compiled, None if nothing is."""
    file = folder / "mutant.c"
    file.write_text(text)
    level = 2 if whole else 1
    settings = Settings(level, include_paths=(str(origin.parent),), warnings=EVERYTHING, check=whole)
    compiler = Compiler(load(machine), settings, warn=lambda _: None)
    try:
        if whole:
            compiler.unit(str(file))
        else:
            compiler.check_file(str(file))
    except UserError as error:
        unplaced = [message for message in error.messages if not _PLACE.match(message)]
        return f"no place: {unplaced[0].splitlines()[0]}" if unplaced else None
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        message = (str(error).splitlines() or [""])[0][:200]
        return f"{type(error).__name__}: {message} ({Path(place.filename).name}:{place.lineno}, {place.name})"
    return None


def failure(seed: int, paths: list[Path], folder: Path) -> str | None:
    """Return what goes wrong with the mutant of a seed, None if nothing does."""
    path, text = mutant(seed, paths)
    machine = MACHINES[seed % len(MACHINES)]
    answer = in_child(lambda: {"failures": [problem(text, path, machine, seed % WHOLE == 0, folder)]}, SECONDS)
    (found,) = answer["failures"]  # type: ignore[misc]
    return f"{machine} {path.name}: {found}" if found else None


def main() -> int:
    """Try mutants, and keep those that fail."""
    given = parser_of("mutants", __doc__, 1000).parse_args()
    tried = seeds(given)
    os.environ["EASE_CACHE"] = ""
    kinds: Counter[str] = Counter()
    paths = sources()
    for machine in MACHINES:
        load(machine)
    with tempfile.TemporaryDirectory() as folder:
        for seed in tried:
            found = failure(seed, paths, Path(folder))
            if found:
                kinds[found] += 1
                given.keep.mkdir(parents=True, exist_ok=True)
                (given.keep / f"mutant-{seed}.c").write_text(mutant(seed, paths)[1])
                print(f"seed {seed}: {found}", flush=True)
    print(f"{len(tried)} mutants, {kinds.total()} failures")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
