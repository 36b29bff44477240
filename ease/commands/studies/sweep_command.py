"""`ease sweep`: programs on every combination of machines, settings, levels and caches."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ease.commands.compile.options import OPTIONS
from ease.commands.guard import EXIT_USER, guarded
from ease.commands.studies.study_options import PROGRAMS

if TYPE_CHECKING:
    from ease.commands.compile.command import Command
    from ease.lab.sweeps.axes import Sweep
    from ease.lab.sweeps.sweep_run import Executor, Swept

INTERRUPTED = 130
DEFAULT_DB = "measurements.ease"
EPILOG = PROGRAMS + """\
--set may be given several times; 8..32..4 are all fourth numbers from 8 to 32, 1..64*2 doubles each time.  Points that the
store knows are not measured again.  docs/sweeps.md has examples.
"""


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, or no point could be measured; 2: wrong usage; 130: interrupted."""
    parser = _parser()
    options = parser.parse_args(words)
    if options.jobs < 1:
        parser.error("-j needs a number of processes, at least 1")
    if options.scheduler and options.executor != "dask":
        parser.error("--scheduler needs --executor dask")
    more = len(options.what) > 1 or options.machines or options.sets or options.levels or options.caches
    if more and any(word.endswith((".yaml", ".yml")) for word in options.what):
        parser.error("machines, settings, levels, caches and programs of a sweep from a file stand in the file")
    return guarded("ease sweep", lambda: _sweep(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ease sweep", description="Measure programs on every combination of choices.", epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
    )  # fmt: skip
    add = parser.add_argument
    add("what", nargs="+", metavar="FILE.yaml|PROGRAM", help="a file that describes the sweep, or programs")
    add("-m", dest="machines", action="append", default=[], metavar="M[,M...]", help="machines (default: the one of easecc)")
    add("--set", dest="sets", action="append", default=[], metavar="KEY=V[,V...]", help="values of a key; A..B is a range")
    add("-O", dest="levels", metavar="L[,L...]", help="levels of optimisation: 0, 1, 2, s (default: 2)")
    add("--cache", dest="caches", action="append", default=[], metavar="SPEC", help="a memory system, or none; a..b: powers")
    add("-timing", action="store_true", help="estimate cycles even where the description says nothing of time")
    add("--measure", metavar="NAME,...", help="what to show, such as instructions, references, cycles, static bytes")
    add("--pareto", metavar="NAME,...", help="mark what nothing is better than in all of these measures")
    add("-o", dest="outputs", action="append", default=[], metavar="FILE", help=".txt, .md, .csv, .json, .svg, .png; -: text")
    add("-db", default=DEFAULT_DB, metavar="FILE", help="the store (default: %(default)s); '' for none")
    add("-j", dest="jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="how many processes (default: one a core)")
    add("--executor", choices=("local", "dask"), default="local", help="where to measure (default: local)")
    add("--scheduler", metavar="ADDRESS", help="of a Dask cluster; without it, Dask starts processes here")
    add("-q", dest="quiet", action="store_true", help="do not tell how far it is")
    return parser


def _sweep(options: argparse.Namespace) -> int:
    from ease import Progress
    from ease.lab.sweeps.sweep_run import run_sweep

    check_outputs(options.outputs)
    sweep = _described(options)
    swept = run_sweep(sweep, _executor(options), options.db or None, Progress(options.quiet))
    return finish(swept, options.outputs)


def _executor(options: argparse.Namespace) -> Executor:
    from ease.lab.sweeps.sweep_run import dask, local

    return dask(options.scheduler, options.jobs) if options.executor == "dask" else local(options.jobs)


def sweep_of_settings(command: Command) -> int | None:
    """Measure a program with several values of settings, as `easecc --set` has them; None if no setting has several.

    Raises UserError, DescriptionError, OSError.
    """
    from ease import Progress
    from ease.lab.experiments.programs import Program
    from ease.lab.sweeps.axes import Configuration, Sweep, axis_of_setting, checked, spread
    from ease.lab.sweeps.sweep_run import local, run_sweep
    from ease.model.run_identity import standard_input
    from vpo.base.errors import UserError

    try:
        single, several = spread(command.machine, command.sets)
    except ValueError as error:
        raise UserError([f"--set {error}"]) from None
    if not several:
        return None
    for option in OPTIONS.values():
        if not option.sweeps and option.is_in(command):
            raise UserError([f"{option.name} has no place where --set has several values ({', '.join(several)})"])
    outputs = [command.report] if command.report is not None else []
    check_outputs(outputs)
    settings = replace(command.settings(), c=command.c_options().placed(), jobs=1)  # points run at the same time
    base = Configuration(
        command.machine, tuple(single), command.level, command.cache or "", command.timing, settings=settings
    )
    given, _ = standard_input()
    program = Program(Path(command.files[0]).stem, tuple(command.files), tuple(command.arguments), given or None)
    axes = tuple(axis_of_setting(key, values) for key, values in several.items())
    db = (command.db or DEFAULT_DB) if command.save else None
    swept = run_sweep(checked(Sweep(axes, (program,), base)), local(os.cpu_count() or 1), db, Progress())
    return finish(swept, outputs)


def check_outputs(outputs: Sequence[str]) -> None:
    """Find out before a long sweep whether files can be written.

    Raises UserError, OSError.
    """
    from ease.base.files import check_place
    from ease.lab.sweeps.sweep_table import FORMS
    from vpo.base.errors import UserError

    for output in outputs:
        if output != "-":
            if Path(output).suffix.lower() not in FORMS:
                known = ", ".join(filter(None, FORMS))
                raise UserError([f"-o {output}: a sweep has no form '{Path(output).suffix}' ({known}, or no ending)"])
            check_place(output)


def finish(swept: Swept, outputs: Sequence[str]) -> int:
    """Print and write what a sweep found; returns the exit status."""
    from ease.base.files import write_atomically
    from ease.commands.messages import print_report
    from ease.lab.sweeps.sweep_table import FORMS, as_text

    if not outputs or swept.interrupted:
        print_report(as_text(swept), sys.stdout)
    for output in outputs:
        if any(outcome.measures for outcome in swept.outcomes.values()):
            write_atomically(output, as_text(swept) if output == "-" else FORMS[Path(output).suffix.lower()](swept))
    if swept.interrupted:
        print("ease sweep: interrupted; the same command goes on with what is missing", file=sys.stderr)
        return INTERRUPTED
    failed = sum(map(len, swept.errors.values()))
    if failed:
        print(f"ease sweep: {failed:,} of {swept.sweep.points:,} points failed", file=sys.stderr)
    return EXIT_USER if failed == swept.sweep.points or swept.unlike else 0


def _described(options: argparse.Namespace) -> Sweep:
    """Return the sweep that a command line asks for.

    Raises UserError, DescriptionError, ConfigurationError, OSError.
    """
    from dataclasses import replace

    from ease.lab.sweeps.sweep_file import read_sweep

    first = options.what[0]
    sweep = read_sweep(first) if first.endswith((".yaml", ".yml")) else _from_words(options)
    if options.timing:
        sweep = replace(sweep, base=replace(sweep.base, timing=True))
    if options.measure:
        sweep = replace(sweep, measures=tuple(options.measure.split(",")))
    if options.pareto:
        sweep = replace(sweep, pareto=tuple(options.pareto.split(",")))
    return sweep


def _from_words(options: argparse.Namespace) -> Sweep:
    from ease.lab.experiments.suites import read_suite
    from ease.lab.sweeps.axes import Axis, Configuration, Sweep, axis_of, axis_of_setting, checked, values_of
    from ease.lab.sweeps.sweep_file import LEVELS, systems
    from vpo.base.errors import UserError
    from vpo.machines.names import default_machine
    from vpo.machines.read.source import find

    axes: list[Axis] = []
    machines = ",".join(options.machines or [default_machine()]).split(",")
    for machine in machines:
        find(machine)
    axes.append(axis_of("machine", "machine", machines))
    if options.levels:
        wrong = [level for level in options.levels.split(",") if level not in LEVELS]
        if wrong:
            raise UserError([f"there is no level '{wrong[0]}' (0, 1, 2, s)"])
        axes.append(axis_of("level", "level", [LEVELS[level] for level in options.levels.split(",")]))
    for word in options.sets:
        key, equals, text = word.partition("=")
        if not equals or not key:
            raise UserError([f"--set {word}: expected key.key=value, as in registers.r.count=16,32"])
        try:
            axes.append(axis_of_setting(key, values_of(text)))
        except ValueError as error:
            raise UserError([f"--set {word}: {error}"]) from None
    if options.caches:
        axes.append(axis_of("cache", "cache", [spec for word in options.caches for spec in systems(word)]))
    return checked(Sweep(tuple(axes), tuple(read_suite(options.what)), Configuration(machines[0])))
