"""Programs: compiled once, measured as often as one likes, and looked at: their functions, instructions and RTLs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ease.api.errors import Error, told
from ease.api.frame import Frame
from ease.api.run_tables import INSTRUCTION, instructions_of
from ease.api.runs import Run
from ease.base.version import VERSION
from ease.counters.plan import plan_counters
from ease.model.kept_run import sources_of, texts_of
from ease.model.run_identity import RunIdentity
from ease.model.static_program import describe
from ease.run.interpreting import host_code_is_possible, interpreted_run
from vpo.build.compiler import Compiler
from vpo.build.settings import Settings as CompilerSettings
from vpo.interpret.result import Result
from vpo.link.layout import placed_otherwise
from vpo.opt.driver import Level
from vpo.program import Program as Linked
from vpo.text import print_function

if TYPE_CHECKING:
    from cache_sim.config import MemorySystem
    from cache_sim.sweeps import Grid
    from ease.api.machine_handle import Machine
    from ease.host.process.job import RunResult

LEVELS = (0, 1, 2, "s")
QUICK = "quick"  # how host code is made of a program that runs for a moment
Names = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


@dataclass(frozen=True)
class _Origin:
    """What a program was compiled from: the machine, the level, the files, and the options of easecc that say the same."""

    machine: Machine
    level: Level
    files: tuple[str, ...]
    options: tuple[str, ...]


class Program:
    """A linked program: `Machine.compile` returns one, and `Program(linked)` stands for one that `vpo` linked otherwise.

    `linked` is what `vpo` has of it (`vpo/program.py`), `name` its first argument; `sources` are the texts of its files, but
    for those of the library; `read` names the files that were read, with headers.
    """

    def __init__(self, linked: Linked, name: str = "program") -> None:
        self.linked, self.name = linked, name
        self.read: tuple[str, ...] = ()
        self._origin: _Origin | None = None
        self.sources = sources_of(linked)

    @property
    def machine(self) -> str:
        """The name of the machine."""
        return self.linked.machine.name

    @property
    def description(self) -> str:
        """The whole description of the machine, empty if the program was linked otherwise."""
        return "" if self._origin is None else self._origin.machine.text

    @property
    def instructions(self) -> Frame:
        """All instructions of the program, in the order of its code."""
        known = describe(self.linked)
        return Frame(INSTRUCTION, tuple(row for _, _, row in instructions_of(known, texts_of(known, self.linked))))

    @property
    def functions(self) -> Frame:
        """The functions in the order of the code: where each comes from, its instructions, its bytes of code."""
        known = describe(self.linked)
        rows = []
        for name, function in known.functions.items():
            kinds = [known.kinds[number] for number in function.kinds]
            size = sum(kind.size for kind in kinds)
            rows.append((name.removeprefix("_"), function.file, sum(kind.counted for kind in kinds), size))
        return Frame(("function", "file", "instructions", "size"), tuple(rows))

    @property
    def counters(self) -> Frame:
        """The functions in the order of the code: blocks, branches, and the counters that tell how often each ran."""
        plan = plan_counters(self.linked)
        rows = []
        for name, function in self.linked.functions.items():
            own = plan.functions[name]
            counted = sum(chord in plan.counted for chord in own.chords.values())
            rows.append((name.removeprefix("_"), len(function.blocks), len(own.taken), counted))
        return Frame(("function", "blocks", "branches", "counters"), tuple(rows))

    @property
    def size(self) -> int:
        """The bytes of code."""
        total: int = self.functions.total("size")
        return total

    def rtls(self, *functions: str) -> str:
        """Return the RTLs of functions as text, of the whole program if none is named.

        Raises Error for a function that there is not.
        """
        known = {name.removeprefix("_"): function for name, function in self.linked.functions.items()}
        for name in functions:
            if name not in known:
                raise Error(f"there is no function '{name}' in the program ({', '.join(known)})")
        return "\n".join(print_function(known[name]) for name in functions or known)

    def measure(
        self,
        *,
        args: Iterable[object] = (),
        stdin: bytes | str = b"",
        cache: str | MemorySystem | Grid | None = None,
        predict: str | None = None,
        timing: bool | None = None,
        tools: Iterable[str | os.PathLike[str]] = (),
        regions: Iterable[str] = (),
        over_time: int | None = None,
        sample: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        quick: bool = False,
        interpreted: bool | None = None,
    ) -> Run:
        """Run the program with arguments, and return what happened.

        `timing`: estimate cycles (None: if the description says how long instructions take).  `quick`: spend little time on
        the code that the host executes, as pays for short runs.  `interpreted`: run in the interpreter, which only counts
        (None: if LLVM is not installed).  The other arguments are options of easecc.  A run that a
        limit or a fault ends is returned, too: see `Run.fault`.  Raises Error.
        """
        words, tool_names, region_names = [str(word) for word in args], [os.fspath(tool) for tool in tools], list(regions)
        timed = self.linked.machine.timing.stated if timing is None else timing
        given, arguments = stdin.encode() if isinstance(stdin, str) else stdin, [self.name, *words]
        with told():
            if not host_code_is_possible() if interpreted is None else interpreted:
                if cache is not None or predict or over_time is not None or sample or tool_names or region_names:
                    raise Error("the interpreter only counts; what else is measured needs host code")
                result: Result | RunResult
                result, measurement = interpreted_run(self.linked, arguments, given, limit, timeout, timed)
            else:
                from ease.api.host_runs import measured  # it needs what host code needs, and is slow to load

                how, others = (limit, timeout, QUICK if quick else "auto"), (tool_names, sample, region_names)
                result, measurement = measured(self.linked, arguments, given, timed, *how, cache, predict, over_time, *others)
        options: dict[str, Iterable[object]] = {
            "-tool": tool_names, "-region": region_names, "-cache": [cache], "-predict": [predict], "-over-time": [over_time],
            "-sample": [sample], "-limit": [limit], "-timeout": [timeout],
        }  # fmt: skip
        identity = self._identity([*_words(options), "-timing" if timed else "-measure"], words)
        seconds = None if isinstance(result, Result) else result.run_seconds
        return Run(replace(measurement, identity=identity), result.output, result.errors, self, seconds=seconds)

    def placed(self, number: int) -> Program:
        """Return the program with its functions and data in another order in memory, which a number decides.

        Caches and predictors then see other conflicts: how much a result owes to chance.  Raises Error.
        """
        with told():
            other = Program(placed_otherwise(self.linked, number), self.name)
        other.read = self.read
        return other

    def seconds(self, *, args: Iterable[object] = (), stdin: bytes | str = b"", timeout: float | None = None) -> float:
        """Run the program without measuring anything, and return the processor's time that its own code took.

        Raises Error, also for a run that does not end by itself.
        """
        from ease.api.host_runs import seconds

        given, arguments = stdin.encode() if isinstance(stdin, str) else stdin, [self.name, *map(str, args)]
        with told():
            return seconds(self.linked, arguments, given, timeout)

    def _identity(self, options: Sequence[str], words: Sequence[str]) -> RunIdentity | None:
        """Return the command line that measures the same, if the program was compiled as one would."""
        origin = self._origin
        if origin is None:
            return None
        command = ("easecc", *origin.options, *options, *origin.files, *(["--", *words] if words else []))
        changes = tuple(origin.machine.settings)
        return RunIdentity(
            command, origin.files, tuple(words), origin.machine.origin, changes, str(origin.level), VERSION
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"<Program {self.name} for {self.machine}: {self.size:,} bytes of code>"


def _words(options: Mapping[str, Iterable[object]]) -> Iterator[str]:
    """Yield the words of a command that give options their values, of which None is none."""
    for option, values in options.items():
        for value in values:
            if value is not None:
                yield from (option, str(value))


def compiled(
    machine: Machine,
    files: Names,
    level: Level = 1,
    defines: Mapping[str, object] | None = None,
    include: Iterable[str | os.PathLike[str]] = (),
    settings: CompilerSettings | None = None,
) -> Program:
    """Return what `Machine.compile` returns.

    Raises Error.
    """
    if level not in LEVELS:
        raise Error(f"there is no level {level!r} (0, 1, 2, 's')")
    names = [os.fspath(files)] if isinstance(files, str | os.PathLike) else [os.fspath(file) for file in files]
    if not names:
        raise Error("which files are to be measured?")
    macros = tuple((name, str(value)) for name, value in (defines or {}).items())
    folders = tuple(os.fspath(path) for path in include)
    usual = settings or CompilerSettings()
    how = replace(usual, level=level, c=replace(usual.c, defines=(*usual.c.defines, *macros)))
    how = replace(how, c=replace(how.c, include_paths=(*how.c.include_paths, *folders)))
    compiler = Compiler(machine.built, how)
    with told():
        program = Program(compiler.program(names), Path(names[0]).stem)
    program.read = tuple(sorted({*names, *(name for file, own in compiler.included.items() for name in (file, *own))}))
    options = ["-m", machine.origin, f"-O{level}", *_words({"--set": machine.settings})]
    options += [*(f"-D{name}={value}" for name, value in macros), *(f"-I{path}" for path in folders)]
    program._origin = _Origin(machine, level, tuple(names), tuple(options))
    return program
