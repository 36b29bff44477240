"""Fuzzing what reads files that others may have made: objects, archives, linked programs, stores, caches, descriptions, tools.

    python -m tests.fuzz.hostile --count 1000 --kinds objects,archives

Bytes are flipped, ends cut off, parts left out, doubled and exchanged, tokens and numbers made absurd.  With 2 GB and 60
seconds, the command that reads the file does what it is for, or gives a message; what a damaged cache gives must be right.
Traces and records are `damage.py`'s, C is that of `mutants.py`.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pkgutil
import random
import re
import resource
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cache_sim
import ease
import vpo
from tests.fuzz.child import freeze
from tests.fuzz.damage import PROGRAM, Answer, answer
from tests.fuzz.seeds import parser_of, seeds

ROOT = Path(__file__).parents[2]
MEMORY = 2 << 30  # bytes of data that a command may have
OTHER = "int twice(int x) { return 2 * x; }\n"
TINY = "int twice(int); int main(int argc, char **argv) { return twice(argc) + 1; }\n"
TOOL = """\
from ease.tools import VALUE, Array, Program, Table

zeros = Array()
loads = Array()
calls = 0


def instrument(program: Program) -> None:
    zeros.resize(len(program.references))
    loads.resize(len(program.references))
    program.function("main").before(count, 2)
    for reference in program.references:
        if reference.reads:
            reference.after(load, reference.number, VALUE)


def count(step: int) -> None:
    global calls
    if step > 1:
        calls += step - 1


def load(number: int, value: int) -> None:
    loads[number] += 1
    if value == 0:
        zeros[number] += 1


def report() -> Table:
    return Table("loads", ["loads", "of 0"], [[sum(loads), sum(zeros)]])
"""
DESCRIPTIONS = ("proposed", "accumulator", "m68020", "sparc", "stack", "vax", "x86_64", "short16")
_CHECK = ("ease", "machine", "check", "FILE")
_COMPILE = ("easecc", "-m", "FILE", "-O2", "-S", "-o", "-", "other.c")
COMMANDS = {  # by kind of file; FILE is the damaged one
    "objects": (("easecc", "-m", "riscv32", "main.o", "FILE"), ("easecc", "-m", "riscv32", "-S", "-o", "-", "FILE")),
    "archives": (("easecc", "-m", "riscv32", "main.o", "FILE"), ("ease", "ar", "t", "FILE"), ("ease", "ar", "x", "FILE")),
    "programs": (("program", "FILE"),),
    "stores": (
        ("ease", "runs", "-db", "FILE"), ("ease", "report", "-db", "FILE", "1"), ("ease", "compare", "-db", "FILE", "1", "2"),
        ("ease", "query", "-db", "FILE", "select * from runs"),
        ("easecc", "-m", "riscv32", "-save", "-db", "FILE", "main.o", "other.o"),
    ),
    "caches": (("easecc", "-m", "riscv32", "-O1", "program.c"), ("easecc", "-m", "riscv32", "-O1", "-measure", "program.c")),
    "descriptions": (_CHECK, _COMPILE),
    "tools": (("easecc", "-m", "riscv32", "-tool", "FILE", "main.o", "other.o"),),
}  # fmt: skip
TOKEN = re.compile(rb"\s+|\w+|.", re.DOTALL)
EXTRA = (
    b"-1", b"0", b"1", b"99999999999999999999", b"1e999", b"0x" + b"f" * 40, b"9" * 5000, b"", b"\0", b"\x80",
    b"\xff\xfe", b"\n", b"\t", b" ", b"[", b"]", b"{", b"}", b"(", b")", b"\"", b"'", b":", b";", b",", b"<<", b">>",
    b"*", b"&a", b"*a", b"!!python/name:os", b"~", b"null", b"true", b"|", b"?", b"..", b"..0", b"0..",
    b"0..99999999999", b"$", b"${", b"r[", b"r[99999]", b"L[", b"Q[", b"HI[", b"PC=", b"=", b"==", b"%", b"%n",
    b"[" * 100_000, b"(" * 5000, b"{a: " * 2000, b"-" * 3000, b"not " * 3000, b"label", b"function", b"data",
    b"import os", b"yield", b"lambda: 0", b"while True: pass", b"await", b"raise", b"return", b"None", b"1 / 0",
    b"\xc3\xa9",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: those that are damaged, the commands that read one, and what these must say in spite of the damage."""

    name: str
    files: tuple[Path, ...]
    commands: tuple[tuple[str, ...], ...]
    wanted: tuple[Answer, ...] = ()


def kinds(folder: Path, names: Sequence[str]) -> list[Kind]:
    """Make the files in a folder, which becomes the working directory with a cache of its own."""
    os.chdir(folder)
    os.environ["EASE_CACHE"] = str(folder / "cache")
    Path("program.c").write_text(PROGRAM)
    Path("main.c").write_text(TINY)
    Path("other.c").write_text(OTHER)
    Path("tool.py").write_text(TOOL)
    compiling = ("easecc", "-m", "riscv32", "-O1")
    made = [
        (*compiling, "-c", "main.c"), (*compiling, "-c", "other.c"), (*compiling, "-c", "program.c"),
        ("ease", "ar", "rc", "lib.a", "other.o", "program.o"), (*compiling, "-o", "linked", "main.o", "other.o"),
        *([*compiling, "-save", "-db", "kept.ease", "main.o", "other.o", "--", word] for word in "ab"),
    ]  # fmt: skip
    for command in made:
        said = answer(command, folder)
        assert said.status in (0, 4, 5), (command, said)
    for name in DESCRIPTIONS:
        shutil.copy(ROOT / "machine_descriptions" / f"{name}.yaml", f"{name}.yaml")
    of = {
        "objects": ["program.o", "other.o", "other.o"], "archives": ["lib.a"], "programs": ["linked"], "stores": ["kept.ease"],
        "descriptions": [f"{name}.yaml" for name in DESCRIPTIONS], "tools": ["tool.py"],
    }  # fmt: skip
    found = [Kind(name, tuple(map(Path, of[name])), COMMANDS[name]) for name in names if name in of]
    if "caches" in names:
        wanted = tuple(answer(command, folder) for command in COMMANDS["caches"])
        entries = [path for path in sorted(Path("cache").rglob("*")) if path.is_file() and path.stat().st_size < 1 << 20]
        shutil.copytree("cache", "whole")
        found.append(Kind("caches", tuple(entries), COMMANDS["caches"], wanted))
    return found


def load_all() -> None:
    """Import what commands import when they need it, so that not every child does."""
    for package in (vpo, ease, cache_sim):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                with contextlib.suppress(ImportError):  # of what is not installed
                    importlib.import_module(module.name)


def damaged(rng: random.Random, content: bytes) -> bytes:
    """Return a file with one to three changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        content = rng.choice((_bits, _cut, _piece, _token, _token, _token, _line, _number))(rng, content)
    return content


def _bits(rng: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8, 100))):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _cut(rng: random.Random, content: bytes) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _piece(rng: random.Random, content: bytes) -> bytes:
    """Leave out, double or move a piece of a file."""
    begin, other = rng.randrange(len(content) + 1), rng.randrange(len(content) + 1)
    end = min(len(content), begin + rng.choice((1, 4, 40, 512, 4096)))
    piece, rest = content[begin:end], content[:begin] + content[end:]
    return rest[:other] + piece * rng.choice((0, 1, 2)) + rest[other:]


def _token(rng: random.Random, content: bytes) -> bytes:
    tokens = TOKEN.findall(content)
    if not tokens:
        return content
    at = rng.randrange(len(tokens))
    tokens[at] = rng.choice((rng.choice(EXTRA), rng.choice(tokens), tokens[at] * 2, tokens[at] + rng.choice(EXTRA)))
    return b"".join(tokens)


def _line(rng: random.Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(3):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case _:
            lines[at], lines[other] = lines[other], lines[at]
    return b"\n".join(lines)


def _number(rng: random.Random, content: bytes) -> bytes:
    numbers = list(re.finditer(rb"\d+", content))
    if not numbers:
        return content
    found = rng.choice(numbers)
    others = (b"0", b"-1", b"1", b"7", b"64", b"4294967296", b"9" * 19, b"9" * 30, found[0] + b"000000", b"0x" + found[0])
    other = rng.choice(others)
    return content[: found.start()] + other + content[found.end() :]


def failure(seed: int, tried: Sequence[Kind], folder: Path, run: Callable[..., Answer] = answer) -> str | None:
    """Return what goes wrong with the damaged file of a seed, None if nothing does."""
    rng = random.Random(seed)
    kind = rng.choice(tried)
    source = rng.choice(kind.files)
    number = rng.randrange(len(kind.commands))
    if kind.name == "caches":
        shutil.rmtree("cache")
        shutil.copytree("whole", "cache")
        for path in rng.sample(kind.files, min(len(kind.files), rng.choice((1, 4, len(kind.files))))):
            path.write_bytes(damaged(rng, path.read_bytes()))
        name = ""
    else:
        name = f"damaged{source.suffix}"
        Path(name).write_bytes(damaged(rng, source.read_bytes()))
        Path(name).chmod(0o755)
    command = [f"./{name}" if word == "FILE" else word for word in kind.commands[number]]
    found = run(command, folder)
    said = f"{kind.name}: {' '.join(kind.commands[number])} ({source.name})"
    if found.crash:
        return f"{said}: {found.crash}"
    if "Traceback" in found.messages or (found.status == 1 and not (found.messages or found.output)) or found.status < 0:
        return f"{said}: exit status {found.status}: {found.messages[-300:]}"
    if kind.wanted and found != kind.wanted[number]:
        return f"{said}: exit status {found.status}, {found.output!r}: {found.messages[-300:]}"
    return None


def main() -> int:
    """Try damaged files, and keep those that fail."""
    parser = parser_of("hostile", __doc__, 1000)
    parser.add_argument("--kinds", default=",".join(COMMANDS))
    given = parser.parse_args()
    tried, failures, keep = seeds(given), 0, given.keep.absolute()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = kinds(folder, given.kinds.split(","))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        load_all()
        freeze()
        for seed in tried:
            found = failure(seed, files, folder)
            if found:
                failures += 1
                keep.mkdir(parents=True, exist_ok=True)
                for path in folder.glob("damaged*"):
                    shutil.copy(path, keep / f"{seed}-{path.name}")
                print(f"seed {seed}: {found}", flush=True)
        os.chdir("/")
    print(f"{len(tried)} damaged files, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
