"""How right predictions are: what extensions save, as other compilers found it and as ours does, program by program.

    python benchmarks/calibration.py [--of riscv32+zba,riscv32+c+zcb] [--programs suite,crc] [--embench DIR] [--page FILE]

All compilers translate the same sources for a machine with and without an extension.  What another compiler made is run in
qemu-user, where a plugin counts; what ours made is counted as `ease` counts.  The library is left out on both sides: only the
code of the user's sources counts, and theirs is linked with our library of the machine without the extension (user_code.py).
Counts are exact, so one run is enough; they stay in the cache.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import chdir
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from calibration_page import Found, Program, page
from code_quality import INDEXES, chosen
from real_compilers import Cost, compilers, full, knows, name_of, new_instructions, their_cost, version_of
from suites import embench
from user_code import PLUGIN, ROOT, SCRIPT, Failed, Subject, must, plugin

import ease
from ease.model.static_program import describe
from ease.run.verify import ToolMissing
from vpo.base.cache import code_version, folder, write
from vpo.base.errors import LinkError, UserError
from vpo.libc import SOURCES
from vpo.machines.read.load import full_text, load
from vpo.opt.driver import LEVELS

OURS = "ease"
MISSES = 3  # places that are told of an instruction which ours did not use


@dataclass(frozen=True, slots=True)
class Extension:
    """A machine, what it is extended by, and what is compared: 'instructions' executed, or 'bytes' of the user's code."""

    base: str
    name: str
    level: str = "O2"
    metric: str = "instructions"

    @property
    def machine(self) -> str:
        """The extended machine."""
        return f"{self.base}+{self.name}"


EXTENSIONS = (
    *(Extension("riscv32", name) for name in ("zba", "zbb", "zbs", "zicond")),
    Extension("riscv64", "zba"),
    Extension("riscv32+c", "zcb", "Os", "bytes"),
)


# --------------------------------------------------------------------------------------------------------- what is kept


def kept(parts: Sequence[str], find: Callable[[], Any]) -> Any:
    """Return what is in the cache under a key of these parts, else what is found out, which is kept then."""
    place = folder("gcc")
    path = place / hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest() if place else None
    if path is not None and path.exists():
        return json.loads(path.read_text())
    found = find()
    if path is not None:
        write(path, json.dumps(found).encode())
    return found


@cache
def text_of(source: Path, command: tuple[str, ...], level: str) -> str:
    """Return a source with all that it includes."""
    return must([*full(command, level), "-E", "-P", source])


def run_of(subject: Subject) -> list[str]:
    """Return what a run depends on, beside its code."""
    return [*subject.arguments, subject.stdin.hex(), subject.expected.hex(), str(subject.exit_status)]


# ----------------------------------------------------------------------------------------------------------- measuring


@dataclass
class Measuring:
    """Measures programs for one extension; `plugin_file` counts in the emulator."""

    extension: Extension
    plugin_file: Path
    pairs: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=dict)  # commands without and with it

    def __post_init__(self) -> None:
        """Find the compilers that know the extension."""
        both = (compilers(load(name)) for name in (self.extension.base, self.extension.machine))
        self.pairs = {name_of(base): (base, more) for base, more in zip(*both, strict=True) if knows(more)}

    @cached_property
    def names(self) -> list[str]:
        """The instructions that are new."""
        return new_instructions(self.extension.base, self.extension.machine)

    def program(self, subject: Subject) -> Program:
        """Measure a program with all compilers.

        Raises ToolMissing, Failed, UserError, LinkError, ease.Error.
        """
        found = {}
        for name, commands in self.pairs.items():
            costs = [self.theirs(subject, command) for command in commands]
            found[name] = self.measured(costs)
        found[OURS] = self.measured([self.ours(subject, name) for name in (self.extension.base, self.extension.machine)])
        return Program(subject.name, found)

    def measured(self, costs: Sequence[Cost]) -> Found:
        """Return what is compared of two costs."""
        values = [int(getattr(cost, self.extension.metric)) for cost in costs]
        return Found(values[0], values[1], costs[1].by)

    def theirs(self, subject: Subject, command: tuple[str, ...]) -> Cost:
        """Return what a program costs as another compiler makes it."""
        wanted, level = self.extension, self.extension.level
        tools = [version_of(command[0]), code_version(SOURCES), PLUGIN.read_text(), SCRIPT.read_text(), wanted.machine]
        parts = ["theirs", *full(command, level), text_of(subject.source, command, level), *run_of(subject), *tools]
        counting = self.plugin_file if wanted.metric == "instructions" else None

        def find() -> dict[str, Any]:
            return asdict(their_cost(subject, command, level, wanted.base, self.names, wanted.machine, counting))

        return Cost(**kept(parts, find))

    def ours(self, subject: Subject, machine: str) -> Cost:
        """Return what a program costs as ours makes it."""
        command, _ = next(iter(self.pairs.values()))
        level = self.extension.level
        parts = ["ours", *ease.measuring_code(), full_text(machine), level, text_of(subject.source, command, level)]
        find = self._ours if self.extension.metric == "instructions" else self._our_code
        return Cost(**kept([*parts, *run_of(subject), find.__name__], lambda: asdict(find(subject, machine))))

    def _our_code(self, subject: Subject, machine: str) -> Cost:
        """Compile a program."""
        program, names = self._compiled(subject, machine)
        known, by = describe(program.linked), dict.fromkeys(self.names, 0)
        for kind in (known.kinds[number] for name in names for number in known.functions[name].kinds):
            by[kind.instruction] = by.get(kind.instruction, 0) + kind.size
        return Cost(0, _size(program, names), {name: by[name] for name in self.names if by[name]})

    def _ours(self, subject: Subject, machine: str) -> Cost:
        """Compile and run a program."""
        run, names = self._run(subject, machine)
        known = run.measurement.program
        assert known is not None
        executed, by = 0, dict.fromkeys(self.names, 0)
        for name in names:
            for number, times in zip(known.functions[name].kinds, run.counts.rtls[name], strict=True):
                kind = known.kinds[number]
                executed += times if kind.counted else 0
                by[kind.instruction] = by.get(kind.instruction, 0) + times
        assert run.program is not None
        return Cost(executed, _size(run.program, names), {name: by[name] for name in self.names if by[name]})

    def _run(self, subject: Subject, machine: str) -> tuple[ease.Run, list[str]]:
        """Return a run of a program, and the names of the user's functions."""
        program, names = self._compiled(subject, machine)
        with chdir(ROOT):
            run = program.measure(args=subject.arguments[1:], stdin=subject.stdin, quick=True)
        if (run.exit_status, run.output) != (subject.exit_status, subject.expected):
            raise Failed(f"{subject.name}: exit status {run.exit_status}, or it prints something else than expected")
        return run, names

    def _compiled(self, subject: Subject, machine: str) -> tuple[ease.Program, list[str]]:
        """Return a program, and the names of the user's functions."""
        level = {f"O{name}": name for name in LEVELS}[self.extension.level]
        program = ease.Machine(machine).compile(str(subject.source), level=level)
        return program, [name for name, each in program.linked.functions.items() if each.file == str(subject.source)]

    def why_not(self, subject: Subject, instruction: str) -> list[str]:
        """Return why ours does not use an instruction, at the places that are executed most."""
        command, _ = next(iter(self.pairs.values()))
        machine, level = self.extension.machine, self.extension.level
        parts = ["why", *ease.measuring_code(), full_text(machine), level, text_of(subject.source, command, level)]

        def find() -> list[str]:
            run, _ = self._run(subject, machine)
            rows = [row for row in run.why_not(instruction) if row["file"] == str(subject.source)]
            return [f"{row['executed']:,} times in line {row['line']}: {row['reason']}" for row in rows[:MISSES]]

        return list(kept([*parts, *run_of(subject), instruction], find))


def _size(program: ease.Program, names: Sequence[str]) -> int:
    """Return the bytes of functions."""
    addresses = program.linked.addresses
    return sum(addresses[name][-1] - addresses[name][0] for name in names)


# ------------------------------------------------------------------------------------------------------- command line


def asked(words: str) -> list[Extension]:
    """Return the extensions that are named, as in riscv32+zba or riscv32+c+zcb:Os:bytes."""
    known = {each.machine: each for each in EXTENSIONS}
    found = []
    for word in words.split(","):
        machine, *more = word.split(":")
        base, _, name = machine.rpartition("+")
        found.append(known[machine] if machine in known and not more else Extension(base, name, *more))
    return found


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("--of", default=",".join(each.machine for each in EXTENSIONS), help="default: %(default)s")
    made.add_argument("--programs", default=",".join(INDEXES), help="names, or groups; default: %(default)s")
    made.add_argument("--embench", type=Path, metavar="DIR", help="also the programs of Embench, which is there")
    made.add_argument("--page", type=Path, metavar="FILE", help="write the page here, not to the output")
    made.add_argument("--json", type=Path, metavar="FILE", help="also write all counts")
    return made


def measure(extension: Extension, subjects: Sequence[Subject], plugin_file: Path) -> tuple[Measuring, list[Program]]:
    """Measure programs; what cannot be measured is told."""
    measuring, found = Measuring(extension, plugin_file), []
    for subject in subjects:
        try:
            found.append(measuring.program(subject))
            print(f"{extension.machine} {subject.name}", file=sys.stderr)
        except (ToolMissing, Failed, UserError, LinkError, ease.Error) as error:
            print(f"{extension.machine}, {subject.name}: {error}", file=sys.stderr)
    return measuring, found


def main() -> None:
    """Measure and write the page."""
    options = parser().parse_args()
    with tempfile.TemporaryDirectory(prefix="calibration-") as temporary:
        subjects = chosen(options.programs.split(",")) if options.programs else []
        subjects += embench(options.embench, Path(temporary)) if options.embench else []
        by_name = {subject.name: subject for subject in subjects}
        plugin_file = plugin(Path(temporary))
        found = {each: measure(each, subjects, plugin_file) for each in asked(options.of)}
        why = {
            each.machine: lambda program, name, measuring=measuring: measuring.why_not(by_name[program], name)
            for each, (measuring, _) in found.items()
        }
        tables: Mapping[Extension, list[Program]] = {each: programs for each, (_, programs) in found.items() if programs}
        shown = {each.machine: (each.level, each.metric, programs) for each, programs in tables.items()}
        text = page(shown, why, shlex.join(["python", "benchmarks/calibration.py", *sys.argv[1:]]))
    if options.json:
        facts = {each.machine: [asdict(program) for program in programs] for each, programs in tables.items()}
        options.json.write_text(json.dumps(facts, indent=1) + "\n")
    if options.page:
        options.page.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
