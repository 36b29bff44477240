"""Runs: measuring a program, and what a measurement says, as tables and reports."""

from __future__ import annotations

import html
import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ease.api.errors import Error, told
from ease.api.frame import Frame, shown
from ease.api.machine_handle import Machine, Settings, as_settings
from ease.api.run_tables import TABLES, executed
from ease.comparison.comparison import totals_of
from ease.model.kept_run import KeptRun, keep
from ease.model.results import Measurement

if TYPE_CHECKING:
    from ease.host.process.job import RunOptions
    from ease.host.process.run_result import RunResult
    from ease.model.run_identity import RunIdentity
    from ease.run.measuring import MeasureOptions
    from vpo.opt.driver import Level
    from vpo.program import Program

TOP = 10  # lines of a run that is displayed
LEVELS = (0, 1, 2, "s")
Files = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


@dataclass(frozen=True)
class Run:
    """A run of a program on a machine: what was executed, how often, where and why.

    `output` and `errors` are what the program wrote, empty for runs out of a store.
    """

    kept: KeptRun = field(repr=False)
    output: bytes = b""
    errors: bytes = b""

    @property
    def measurement(self) -> Measurement:
        """Everything that was measured."""
        return self.kept.measurement

    @property
    def machine(self) -> str:
        """The name of the machine."""
        return self.measurement.machine

    @property
    def exit_status(self) -> int:
        """What the program returned."""
        return self.measurement.exit_status

    @property
    def fault(self) -> str:
        """What ended a run that was cut short; empty for a whole run."""
        return self.measurement.fault

    @property
    def command(self) -> str:
        """The command that measures the same."""
        return self.measurement.identity.command if self.measurement.identity is not None else ""

    @property
    def totals(self) -> dict[str, int]:
        """The totals by name: instructions, references, bytes fetched, static instructions, static bytes, perhaps cycles."""
        return totals_of(self.measurement)

    @property
    def instructions(self) -> int:
        """The number of executed instructions."""
        return self.measurement.characteristics.instructions.dynamic

    @property
    def references(self) -> int:
        """The number of references to data in memory."""
        return self.totals["references"]

    @property
    def size(self) -> int:
        """The bytes of code."""
        return self.totals["static bytes"]

    @property
    def cycles(self) -> int | None:
        """The estimated cycles, None if they were not estimated."""
        return self.totals.get("cycles")

    @property
    def executed(self) -> Frame:
        """All instructions of the program, each with how often it was executed."""
        return executed(self.kept)

    @property
    def tables(self) -> list[str]:
        """The names of the tables that there are of this run."""
        return [name for name, made in TABLES.items() if made(self.measurement) is not None]

    def table(self, name: str) -> Frame:
        """Return a table by its name: `lines`, `functions`, `types`, `causes`, ...; the largest counts first.

        Raises Error for a table that there is not.
        """
        found = TABLES[name](self.measurement) if name in TABLES else None
        if found is None:
            raise Error(f"there is no table '{name}' of this run (tables: {', '.join(self.tables)})")
        return found

    @property
    def tools(self) -> dict[str, list[Frame]]:
        """The tables of each tool, in its order."""
        made = self.measurement.tools or {}
        return {
            name: [Frame(tuple(table.columns), tuple(map(tuple, table.rows))) for table in tables]
            for name, tables in made.items()
        }

    @property
    def lines(self) -> Frame:
        """Source lines and how many instructions were executed for each."""
        return self.table("lines")

    @property
    def functions(self) -> Frame:
        """Functions and how many instructions each executed."""
        return self.table("functions")

    def report(self, *names: str, top: int | None = None, sort: str = "") -> str:
        """Return reports as text, an overview if none is named; `easecc -show help` lists the names.

        `sort`: the order of rows: dynamic, static or name.  Raises Error for a report or an order that there is not.
        """
        from ease.reports import check_asked
        from ease.reports.render import render

        with told():
            check_asked(names, sort)
        return render(self.measurement, ".txt", names or None, top, self.kept.sources, sort)

    def write(self, file: str | os.PathLike[str]) -> None:
        """Write the run to a file in the form that its ending says, as `easecc -report` does.

        Raises Error.
        """
        from ease.base.files import write_atomically
        from ease.exports.forms import FORMS, render_run
        from ease.reports.render import SUFFIXES, render_file

        suffix = Path(file).suffix.lower()
        if suffix not in (*FORMS, *SUFFIXES):
            raise Error(f"{file}: there are no reports in '{suffix}' ({', '.join(filter(None, (*SUFFIXES, *FORMS)))})")
        with told():
            text = render_run(self.kept, suffix) if suffix in FORMS else render_file(self.measurement, suffix)
            write_atomically(os.fspath(file), text)

    def save(self, db: str | os.PathLike[str] = "measurements.ease") -> int:
        """Keep the run in a store; returns its number there.

        Raises Error.
        """
        from ease.store.database import writing
        from ease.store.saving import save

        if self.measurement.sampling is not None:
            raise Error("what samples tell is not kept in a store")
        with told(), writing(os.fspath(db)) as connection:
            return save(connection, self.kept)

    def __repr__(self) -> str:
        numbers = ", ".join(f"{number:,} {name}" for name, number in self.totals.items())
        return f"<Run of {self.command}: {numbers}{f' (cut short: {self.fault})' if self.fault else ''}>"

    def _repr_html_(self) -> str:
        """Return the totals and the hottest lines for notebooks."""
        cut = f"<p><b>cut short: {html.escape(self.fault)}</b></p>" if self.fault else ""
        totals = "".join(
            f'<tr><td>{name}</td><td style="text-align: right">{shown(n)}</td></tr>' for name, n in self.totals.items()
        )
        head = f"<p><code>{html.escape(self.command)}</code></p>{cut}<table>{totals}</table>"
        return f"{head}<p>Hottest lines</p>{self.lines.head(TOP)._repr_html_()}"


def measure(
    files: Files,
    machine: str | os.PathLike[str] | Machine = "",
    *,
    args: Iterable[object] = (),
    set: Settings = (),
    stdin: bytes | str = b"",
    level: Level = 1,
    cache: str | None = None,
    predict: str | None = None,
    timing: bool | None = None,
    defines: Mapping[str, object] | None = None,
    include: Iterable[str | os.PathLike[str]] = (),
    limit: int | None = None,
    timeout: float | None = None,
    tools: Iterable[str | os.PathLike[str]] = (),
    regions: Iterable[str] = (),
    over_time: int | None = None,
    sample: str | None = None,
) -> Run:
    """Compile files for a machine, run them with arguments, and return what happened.

    `set` changes values of the description; `cache`, `predict` are those of easecc; `timing`: estimate cycles (None: if the
    description says how long instructions take); `tools`: names or files, as `-tool` takes them; `regions`: as `-region`;
    `over_time`: also in intervals of so many instructions; `sample`: only samples of the run.  A run that a limit
    or a fault ends is returned, too: see `Run.fault`.  Raises Error.
    """
    from cache_sim.parse import load_any
    from ease.host.process.job import RunOptions
    from ease.run.measuring import MeasureOptions
    from ease.tools.tool_file import Tool
    from vpo.build.compiler import Compiler
    from vpo.build.compiler import Settings as Options
    from vpo.frontend.c_options import COptions

    if level not in LEVELS:
        raise Error(f"there is no level {level!r} (0, 1, 2, 's')")
    names = [os.fspath(files)] if isinstance(files, str | os.PathLike) else [os.fspath(file) for file in files]
    if not names:
        raise Error("which files are to be measured?")
    words, tool_names, region_names = [str(word) for word in args], [os.fspath(tool) for tool in tools], list(regions)
    on = machine if isinstance(machine, Machine) else Machine(machine)
    if settings := as_settings(set):
        on = on.with_settings(settings)
    definitions = tuple((name, str(value)) for name, value in (defines or {}).items())
    paths = tuple(os.fspath(path) for path in include)
    with told():
        program = Compiler(on.built, Options(level, COptions(paths, defines=definitions))).program(names)
        timed = on.built.timing.stated if timing is None else timing
        wanted = MeasureOptions(
            None if cache is None else load_any(cache), predict, timed, over_time, [Tool(name) for name in tool_names]
        )
        given = RunOptions(stdin.encode() if isinstance(stdin, str) else stdin, capture=True, limit=limit, timeout=timeout)
        result, measurement = _measured(program, [Path(names[0]).stem, *words], sample, region_names, wanted, given)
    options_given: dict[str, Iterable[object]] = {
        "-tool": tool_names, "-region": region_names, "-cache": [cache], "-predict": [predict], "-over-time": [over_time],
        "-sample": [sample], "-limit": [limit], "-timeout": [timeout],
    }  # fmt: skip
    command = ["easecc", "-m", on.origin, f"-O{level}", *_words({"--set": on.settings})]
    command += [*(f"-D{name}={value}" for name, value in definitions), *(f"-I{path}" for path in paths)]
    command += [*_words(options_given), "-timing" if timed else "-measure", *names, *(["--", *words] if words else [])]
    identity = _identity(command, names, words, on, level)
    return Run(keep(replace(measurement, identity=identity), program, on.text), result.output, result.errors)


def _measured(
    program: Program, arguments: list[str], sample: str | None, regions: list[str], wanted: MeasureOptions, given: RunOptions
) -> tuple[RunResult, Measurement]:
    """Run a program and measure it, or samples of it; return the run and the measurement.

    Raises Error for options that do not go with samples.
    """
    from ease.model.regions import INTERPRETED, find_regions
    from ease.run.measuring import measured_run

    if sample is None:
        found = find_regions([name for name in regions if name != INTERPRETED], program)
        return measured_run(program, arguments, replace(wanted, regions=found, lines=INTERPRETED in regions), given)
    if given.limit or wanted.moments or regions:
        raise Error("sample excludes limit, over_time and regions")
    from ease.model.sampling import parse_sample
    from ease.sampling.sampled_run import sampled_run

    return sampled_run(program, arguments, parse_sample(sample), sample, wanted, given)


def _words(options: Mapping[str, Iterable[object]]) -> Iterator[str]:
    """Yield the words of a command that give options their values, of which None is none."""
    for option, values in options.items():
        for value in values:
            if value is not None:
                yield from (option, str(value))


def _identity(command: list[str], names: list[str], words: list[str], machine: Machine, level: Level) -> RunIdentity:
    from importlib.metadata import version

    from ease.model.run_identity import RunIdentity

    return RunIdentity(
        tuple(command), tuple(names), tuple(words), machine.origin, machine.settings, str(level), version("ease")
    )  # fmt: skip


def load(run: int = -1, db: str | os.PathLike[str] = "measurements.ease") -> Run:
    """Return a run that is kept in a store, the last one if no number is given.

    Raises Error.
    """
    from ease.store.database import StoreError, reading
    from ease.store.loading import entries, load_run

    with told(), reading(os.fspath(db)) as connection:
        known = [entry.number for entry in entries(connection)]
        if run < 0 and -run <= len(known):
            run = known[run]
        if run not in known:
            raise StoreError(f"{db}: there is no run {run} (runs: {shlex.join(map(str, known))})")
        return Run(load_run(connection, run))
