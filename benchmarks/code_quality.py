"""How good our code is: what it executes and takes, over the code of gcc for the same machine.

    python benchmarks/code_quality.py [--machines riscv32,arm] [--programs kernels,queens] [--levels O2/O2,Os/Os]

A machine may be a description file whose `toolchain:` names a compiler.  A pair of levels is ours over gcc's.  Only the code
of the user's sources counts; user_code.py says how.  All counts are exact, so one run is enough.  gcc's counts stay in the
cache.  benchmarks/README.md says how to read the tables.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from pathlib import Path

from user_code import FLAGS, PLUGIN, ROOT, SCRIPT, Failed, Quality, Subject, gcc, measured, must, plugin

from ease.run.verify import ToolMissing
from vpo.base.cache import code_version, folder, write
from vpo.base.errors import LinkError
from vpo.build.compiler import Compiler, Settings, UserError
from vpo.libc import SOURCES
from vpo.machines.names import machine_names
from vpo.machines.read.load import load
from vpo.opt.driver import LEVELS

MACHINES = ("riscv32", "m68020", "sparc", "mips", "arm", "i386")
PAIRS = "O2/O2,O2/O1,Os/Os"
METRICS = {"instructions": "instrs", "references": "refs", "bytes": "bytes"}
INDEXES = {
    "samples": ROOT / "samples" / "samples.json",
    "kernels": ROOT / "benchmarks" / "kernels" / "kernels.json",
    "suite": ROOT / "benchmarks" / "suite" / "suite.json",
}


@dataclass
class Measured:
    """A program on a machine: costs by level, and why there are none."""

    ours: dict[str, Quality] = field(default_factory=dict)
    gcc: dict[str, Quality] = field(default_factory=dict)
    failure: str = ""

    def ratio(self, pair: str, metric: str) -> float:
        """Return our costs over gcc's for a pair of levels."""
        ours, theirs = pair.split("/")
        return float(getattr(self.ours[ours], metric) / getattr(self.gcc[theirs], metric))


# ---------------------------------------------------------------------------------------------------------- programs


def groups() -> dict[str, list[Subject]]:
    """Return all programs, by the index that names them; each is a file beside its index."""
    return {
        group: [_subject(name, path.parent / f"{name}.c", entry) for name, entry in json.loads(path.read_text()).items()]
        for group, path in INDEXES.items()
    }


def _subject(name: str, source: Path, entry: Mapping[str, object]) -> Subject:
    """Return a program of an index; samples have their input and output in files."""
    given, expected = entry.get("stdin"), str(entry["expected"])
    stdin = (ROOT / str(given)).read_bytes() if given else b""
    printed = (ROOT / expected).read_bytes() if expected.startswith("samples/") else expected.encode()
    arguments = [str(word) for word in entry["args"]]  # type: ignore[attr-defined]
    return Subject(name, source, [name, *arguments], stdin, printed, int(str(entry.get("exit", 0))))


def chosen(names: Sequence[str]) -> list[Subject]:
    """Return the programs that names mean; a group's name stands for all of them.

    Raises KeyError with a name that is none.
    """
    known = groups()
    by_name = {subject.name: [subject] for subjects in known.values() for subject in subjects}
    found = [subject for name in names for subject in (known[name] if name in known else by_name[name])]
    return list({subject.name: subject for subject in found}.values())


# --------------------------------------------------------------------------------------------------------- measuring


@cache
def compiler(machine: str, level: str) -> Compiler:
    """Return our compiler at a level such as 'O2'."""
    return Compiler(load(machine), Settings(level={f"O{name}": name for name in LEVELS}[level]))


def gcc_quality(subject: Subject, machine: str, level: str, plugin_file: Path) -> Quality:
    """Return what gcc's code costs, from the cache if it is there.

    Raises ToolMissing, Failed.
    """
    kept = folder("gcc")
    path = kept / _key(subject, machine, level) if kept else None
    if path is not None and path.exists():
        return Quality(*json.loads(path.read_text()))
    found = measured(subject, compiler(machine, "O1"), plugin_file, level)
    if path is not None:
        write(path, json.dumps([found.instructions, found.references, found.bytes]).encode())
    return found


def _key(subject: Subject, machine: str, level: str) -> str:
    """Return a digest of all that gcc's costs depend on: the library decides how often it calls the user."""
    command = [*gcc(load(machine)), *FLAGS, f"-{level}"]
    text = must([*command, "-E", "-P", subject.source])
    run = [*subject.arguments, subject.stdin.hex(), subject.expected.hex()]
    tools = [_version(command[0]), code_version(SOURCES), PLUGIN.read_text(), SCRIPT.read_text()]
    return hashlib.sha256("\0".join([*command, text, *run, *tools]).encode()).hexdigest()


@cache
def _version(command: str) -> str:
    return must([command, "--version"])


def measure(task: tuple[Subject, str], pairs: Sequence[str], plugin_file: Path) -> Measured:
    """Measure a program on a machine."""
    subject, machine = task
    found = Measured()
    try:
        for pair in pairs:
            ours, theirs = pair.split("/")
            if theirs not in found.gcc:
                found.gcc[theirs] = gcc_quality(subject, machine, theirs, plugin_file)
            if ours not in found.ours:
                found.ours[ours] = measured(subject, compiler(machine, ours), plugin_file)
    except (ToolMissing, Failed, UserError, LinkError) as error:
        found.failure = str(error)
    return found


# ------------------------------------------------------------------------------------------------------------- tables


def mean(values: Iterable[float]) -> float:
    """Return the geometric mean; of nothing, not a number."""
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms)) if logarithms else math.nan


Table = dict[str, Measured]  # by program
Row = list[float]


def ratios(found: Measured, pairs: Sequence[str]) -> Row:
    """Return all columns of a program."""
    return [found.ratio(pair, metric) for pair in pairs for metric in METRICS]


def means(table: Table, pairs: Sequence[str]) -> Row:
    """Return the geometric means of all columns over the programs that could be measured."""
    rows = [ratios(found, pairs) for found in table.values() if not found.failure]
    return [mean(column) for column in zip(*rows, strict=True)] if rows else [math.nan] * len(pairs) * len(METRICS)


def heading(what: str, pairs: Sequence[str]) -> str:
    """Return the two lines above a table."""
    width = 8 * len(METRICS)
    upper = "".join(f"{pair:^{width + 2}}" for pair in pairs)
    lower = "".join("  " + "".join(f"{word:>8}" for word in METRICS.values()) for _ in pairs)
    return f"\n{'':<16}{upper}\n{what:<16}{lower}"


def line(name: str, row: Row) -> str:
    """Return a line of a table."""
    size = len(METRICS)
    parts = [row[start : start + size] for start in range(0, len(row), size)]
    return f"{name:<16}" + "".join("  " + "".join(f"{value:>8.2f}" for value in part) for part in parts)


def report(tables: Mapping[str, Table], pairs: Sequence[str], every: bool) -> list[str]:
    """Return the lines of the report: with `every`, also those of each program."""
    lines = []
    members = {group: [subject.name for subject in subjects] for group, subjects in groups().items()}
    for machine, table in tables.items() if every else ():
        lines += [heading(machine, pairs)]
        lines += [line(name, ratios(found, pairs)) for name, found in table.items() if not found.failure]
        for group, names in members.items():
            part = {name: found for name, found in table.items() if name in names}
            lines += [line(f"mean {group}", means(part, pairs))] if len(part) > 1 else []
    lines += [heading("geometric mean", pairs)]
    lines += [line(machine, means(table, pairs)) for machine, table in tables.items()]
    rows = [means(table, pairs) for table in tables.values()]
    return lines + ([line("all", [mean(column) for column in zip(*rows, strict=True)])] if len(rows) > 1 else [])


def as_json(tables: Mapping[str, Table], pairs: Sequence[str]) -> dict[str, object]:
    """Return all counts, by machine and program, and the means of the ratios."""
    keys = [f"{pair} {metric}" for pair in pairs for metric in METRICS]
    return {
        "programs": {machine: {name: asdict(found) for name, found in table.items()} for machine, table in tables.items()},
        "means": {
            machine: {key: round(value, 4) for key, value in zip(keys, means(table, pairs), strict=True)}
            for machine, table in tables.items()
        },
    }


# ------------------------------------------------------------------------------------------------------- command line


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("--machines", default=",".join(MACHINES), help="default: %(default)s")
    made.add_argument("--programs", help=f"names, or groups; default: all of {', '.join(INDEXES)}")
    made.add_argument("--levels", default=PAIRS, help="pairs, ours/gcc's; default: %(default)s")
    made.add_argument("--index", type=Path, metavar="FILE", help="programs of your own instead, listed as in suite/suite.json")
    made.add_argument("--means", action="store_true", help="no ratios of each program")
    made.add_argument("--jobs", type=int, default=1, help="programs that are measured at a time; default: %(default)s")
    made.add_argument("--json", metavar="FILE", help="also write all counts")
    return made


def leave(text: str) -> None:
    """End with a message."""
    sys.exit(f"code_quality.py: {text}")


def check(machines: Sequence[str], pairs: Sequence[str]) -> None:
    """Leave if the command line names what is not there."""
    for machine in machines:
        if machine not in machine_names() and not machine.endswith(".yaml"):
            leave(f"there is no machine '{machine}' (there are {', '.join(MACHINES)})")
        if not load(machine).toolchain.compiler:
            leave(f"machine '{machine}' names no compiler to compare with (those that do: {', '.join(MACHINES)})")
    for pair in pairs:
        ours, slash, theirs = pair.partition("/")
        if not (slash and ours[:1] == theirs[:1] == "O" and ours in ("O0", "O1", "O2", "Os")):
            leave(f"'{pair}' is no pair of levels such as O2/O2 or Os/Os (ours: O0, O1, O2, Os)")


def main() -> None:
    """Measure and print the tables; the exit status is 1 if anything could not be measured."""
    options = parser().parse_args()
    machines, pairs = options.machines.split(","), options.levels.split(",")
    check(machines, pairs)
    if options.index:
        INDEXES.clear()
        INDEXES[options.index.stem] = options.index
    try:
        subjects = chosen((options.programs or ",".join(INDEXES)).split(","))
    except KeyError as error:
        leave(f"there is no program {error}")
    except (OSError, ValueError) as error:
        leave(f"cannot read {options.index}: {error}")
    tasks = [(subject, machine) for machine in machines for subject in subjects]
    with tempfile.TemporaryDirectory(prefix="quality-") as temporary, ProcessPoolExecutor(options.jobs) as pool:
        work = partial(measure, pairs=pairs, plugin_file=plugin(Path(temporary)))
        found = dict(zip([(machine, subject.name) for subject, machine in tasks], pool.map(work, tasks), strict=True))
    tables = {machine: {subject.name: found[machine, subject.name] for subject in subjects} for machine in machines}
    print(f"ours over gcc's, user code, {len(subjects)} programs")
    print("\n".join(report(tables, pairs, not options.means)))
    failures = [f"{machine}, {name}: {each.failure}" for (machine, name), each in found.items() if each.failure]
    print("\n".join(failures), file=sys.stderr, end="\n" if failures else "")
    if options.json:
        Path(options.json).write_text(json.dumps(as_json(tables, pairs), indent=1) + "\n")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
