"""Fuzzing the front end: C programs with tokens, lines and bytes deleted, doubled, swapped and exchanged get diagnostics.

    python -m tests.fuzz.mutants --count 1000 --keep fuzz-failures
    python -m tests.fuzz.mutants --seeds 1-10000 --sources ~/zlib ~/lua/src     # of other programs

A traceback, a crash of Python or a compilation that does not end is a failure; so is an error without a place.  Every ninth
mutant that compiles goes through all phases.  Machines and editions of C take turns; all warnings are on.
"""

from __future__ import annotations

import os
import random
import re
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from tests.fuzz.child import each_in_child, freeze, in_child
from tests.fuzz.seeds import parser_of, seeds
from tests.kept_machines import load
from vpo.base.c_standard import DEFAULT_STANDARD, Standard, find_standard
from vpo.build.compiler import Compiler, Settings, UserError
from vpo.frontend.c_options import COptions
from vpo.frontend.warnings.flags import EVERYTHING

ROOT = Path(__file__).parents[2]
FOLDERS = ("samples", "tests/programs", "tests/frontend/programs", "tests/libc/programs", "tests/fuzz/reduced", "vpo/libc/src")
MACHINES = ("riscv32", "riscv64", "m68020", "short16")
EDITIONS = ("gnu17", "gnu2x", "c89", "gnu2x", "c99", "gnu89", "c2x")  # each with each machine
SECONDS = 60  # that a compilation may take
QUICK = 5  # that one may take of a program whose mutants are worth their time
LONGEST = 16_000  # characters of a source, so that compiling takes little
OTHERS = 300  # programs of others that mutants are made of
INCLUDED = ("include", "inc", "src", "lib")  # names of folders in which programs keep headers
TOLD = 1000  # seeds between two words about how far it is
WHOLE = 9  # of so many mutants, one is compiled to the end
_TOKEN = re.compile(r"\s+|\w+|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/|<<=|>>=|\.\.\.|[-+*/%&|^<>=!]=|"
                    r"->|\+\+|--|<<|>>|&&|\|\||##|.", re.DOTALL)  # fmt: skip
_PLACE = re.compile(r"^(?:In file included from [^\n]*\n|\s+from [^\n]*\n)*[^\n:]+:(\d+(:\d+)?:)? (fatal )?(error|warning): ")
EXTRA = (
    "(", ")", "[", "]", "{", "}", ";", ",", "*", "&", "0", "-1", "1e400", "0x", "''", "\"", "'", "#", "##", "\\", "\n#if 1\n",
    "\n#endif\n", "\n#else\n", "\n#define f(x, ...) x ## __VA_ARGS__\n", "\n#include \"\n", "sizeof", "_Generic", "typedef",
    "static", "struct", "union", "enum", "int", "void", "double _Complex", "_Alignas(3)", "case", "default:", "goto", "return",
    "break", "...", "__attribute__((packed))", "__attribute__((vector_size(16)))", "typeof", "({", "})", "[-1]", "[1 << 30]",
    ": 0", ": 99", "extern", "inline", "_Atomic", "volatile", "register", "\x00", "\x80", "é", "asm(\"\")", "0b", "9" * 40,
    "__builtin_va_arg(x, int)", "__builtin_offsetof(int, x)", "_Static_assert(0)", "&&label", "1.f", "restrict", "unsigned",
    "nullptr", "constexpr", "typeof_unqual(x)", "[[deprecated]]", "[[", "_BitInt(7)", "auto", "__VA_OPT__(", "1'0", "u8'x'",
    "\n#embed __FILE__ limit(3)\n", "\n#elifdef X\n", "\n#pragma GCC diagnostic push\n", "\n#undef f\n", "0x.p1", "\\u00c4",
    "= {}", "__label__ l;", "__auto_type", "__builtin_constant_p(", "__attribute__((cleanup(f)))",
    "__attribute__((aligned(x)))", "__attribute__((alias(\"f\")))", "?:", "[0 ... 3] =", "[n]", "[static 1]", "1i",
    "L\"é\"", "u'", "__func__", "true",
)  # fmt: skip
TYPES = (
    "char", "short", "int", "long", "unsigned", "signed", "float", "double", "void", "_Bool", "struct", "union", "enum",
    "const", "volatile", "static", "extern", "typedef", "size_t", "uint8_t", "int64_t", "long double", "_Complex", "__int128",
    "auto",
)  # fmt: skip


@dataclass(frozen=True)
class Manner:
    """How a mutant is compiled: for which machine, as which edition of C, and whether to the end or only by the front end."""

    machine: str = MACHINES[0]
    standard: Standard = DEFAULT_STANDARD
    whole: bool = False


@dataclass(frozen=True)
class Source:
    """A program to make mutants of, and the folders with its headers."""

    path: Path
    headers: tuple[str, ...]

    def text(self) -> str:
        """Return the program, a character for each byte."""
        return self.path.read_text("latin-1")


def sources() -> list[Source]:
    """Return the programs of this project from which mutants are made."""
    found = [Source(path, (str(path.parent),)) for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.c"))]
    return [source for source in found if source.path.stat().st_size <= LONGEST]


def other_sources(folders: Sequence[Path], folder: Path, count: int = OTHERS) -> list[Source]:
    """Return so many C files from below other folders that compile as they are, chosen by chance but always the same."""
    found = [Source(path, headers_of(path, root)) for root in folders for path in sorted(root.rglob("*.c"))]
    random.Random(0).shuffle(found)
    fit = (source for source in found if source.path.stat().st_size <= LONGEST and _compiles(source, folder))
    return list(islice(fit, count))


def headers_of(path: Path, root: Path) -> tuple[str, ...]:
    """Return the folders from a file's own up to a root, and the folders of headers that lie in these."""
    above = [folder for folder in path.parents if folder.is_relative_to(root)]
    return tuple(str(each) for folder in above for each in (folder, *(folder / name for name in INCLUDED)) if each.is_dir())


def _compiles(source: Source, folder: Path) -> bool:
    answer = in_child(lambda: {"failures": _errors(source.text(), source, Manner(), folder)}, QUICK)
    return not answer["failures"]


def mutant(seed: int, programs: list[Source]) -> tuple[Source, str]:
    """Return the program that a seed chooses, and its text with a few changes."""
    rng = random.Random(seed)
    source = rng.choice(programs)
    text = origin = source.text()
    while text == origin:  # as it is when a token changes places with another one like it
        text = _mutated(rng, origin)
    return source, text


def _mutated(rng: random.Random, text: str) -> str:
    """Return a text with a few changes, perhaps cut short."""
    for _ in range(rng.choice((1, 1, 2, 3, 5))):
        kind = rng.random()
        pieces = text.splitlines(keepends=True) if kind < 0.25 else list(text) if kind < 0.35 else _TOKEN.findall(text)
        text = "".join(_changed(rng, pieces))
    return text[: rng.randrange(len(text) + 1)] if rng.random() < 0.03 else text


def _changed(rng: random.Random, pieces: list[str]) -> list[str]:
    """Return pieces of a program with one change."""
    solid = [number for number, piece in enumerate(pieces) if piece.strip()]
    if not solid:
        return pieces
    at, other = rng.choice(solid), rng.choice(solid)
    match rng.randrange(7):
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
        case 5:
            words = [number for number in solid if pieces[number] in TYPES]
            pieces[rng.choice(words or [at])] = rng.choice(TYPES)
        case _:
            first, last = sorted((at, rng.choice(solid[solid.index(at) :][:12])))
            del pieces[first : last + 1]
    return pieces


def manner(seed: int) -> Manner:
    """Return how the mutant of a seed is compiled."""
    standard = find_standard(EDITIONS[seed % len(EDITIONS)])
    assert standard
    return Manner(MACHINES[seed % len(MACHINES)], standard, seed % WHOLE == 0)


def _errors(text: str, origin: Source, how: Manner, folder: Path) -> list[str]:
    """Compile a program; return its errors."""
    file = folder / "mutant.c"
    file.write_bytes(text.encode("latin-1", errors="replace"))
    options = COptions(origin.headers, warnings=EVERYTHING, standard=how.standard)
    settings = Settings(2 if how.whole else 1, options, check="invariants" if how.whole else "nothing")
    compiler = Compiler(load(how.machine), settings, warn=lambda _: None)
    try:
        if how.whole:
            compiler.unit(str(file))
        else:
            compiler.check_file(str(file))
    except UserError as error:
        return list(error.messages)
    return []


def problem(text: str, origin: Source, how: Manner, folder: Path) -> str | None:
    """Return what is wrong with how a program is compiled, None if nothing is."""
    try:
        unplaced = [message for message in _errors(text, origin, how, folder) if not _PLACE.match(message)]
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        message = (str(error).splitlines() or [""])[0][:200]
        return f"{type(error).__name__}: {message} ({Path(place.filename).name}:{place.lineno}, {place.name})"
    return f"no place: {unplaced[0].splitlines()[0]}" if unplaced else None


def failure(seed: int, programs: list[Source], folder: Path) -> dict[str, object]:
    """Return what goes wrong with the mutant of a seed, if anything."""
    source, text = mutant(seed, programs)
    how = manner(seed)
    found = problem(text, source, how, folder)
    return {"failures": [f"{how.machine} {source.path.name}: {found}"] if found else []}


def outcomes(seeds: Sequence[int], programs: list[Source], folder: Path) -> Iterator[tuple[int, str]]:
    """Give the seeds with what goes wrong with their mutants, or nothing."""
    for machine in MACHINES:
        load(machine)
    freeze()
    for seed, answer in each_in_child(partial(failure, programs=programs, folder=folder), seeds, SECONDS):
        yield seed, "".join(answer["failures"])  # type: ignore[arg-type]


def main() -> int:
    """Try mutants, and keep those that fail."""
    parser = parser_of("mutants", __doc__, 1000)
    parser.add_argument("--sources", type=Path, nargs="+", default=(), help="folders of other programs to make mutants of")
    given = parser.parse_args()
    tried = seeds(given)
    os.environ["EASE_CACHE"] = ""
    kinds: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        programs = other_sources(given.sources, Path(folder)) if given.sources else sources()
        print(f"mutants of {len(programs)} programs", flush=True)
        for seed, found in outcomes(tried, programs, Path(folder)):
            if seed % TOLD == 0:
                print(f"before seed {seed}: {kinds.total()} failures", flush=True)
            if not found:
                continue
            kinds[found] += 1
            given.keep.mkdir(parents=True, exist_ok=True)
            kept = given.keep / f"mutant-{seed}.c"
            kept.write_bytes(mutant(seed, programs)[1].encode("latin-1", errors="replace"))
            print(f"seed {seed}: {found}", flush=True)
    print(f"{len(tried)} mutants, {kinds.total()} failures")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
