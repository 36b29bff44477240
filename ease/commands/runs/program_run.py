"""Running a program as a command line asks: plainly, traced, measured, sampled; and reporting what was measured.

What only some of this needs is imported where it is needed, since importing takes longer than many a run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ease.base.files import check_place
from ease.commands.compile.command import Command
from ease.commands.messages import put_report, tell
from ease.commands.runs.repeated_run import KILLED_BY_PIPE
from ease.commands.runs.run_origin import RunOrigin, compiled_origin
from vpo.base.clock import timed
from vpo.program import Program

if TYPE_CHECKING:
    from cache_sim.config import MemorySystem
    from cache_sim.sweeps import Grid
    from ease.counters.reconstruction import Plan
    from ease.host.process.job import Job, SystemCalls
    from ease.model.kept_run import KeptRun
    from ease.model.regions import Region
    from ease.model.results import Measurement
    from ease.tools.tool_file import Tool


def run_program(
    command: Command, program: Program, arguments: list[str], watch: Callable[[Job, Plan | None], None] | None = None,
    tools: Sequence[Tool] = (), calls: SystemCalls | None = None, origin: RunOrigin | None = None,
) -> int:  # fmt: skip
    """Run a program, with the measurements that a command asks for; returns the exit status.

    `watch` is told how it ran, if that would be the same again.  `calls` are recorded or replayed; `origin`: where the program
    comes from, if the command did not compile it.
    """
    if command.environment:
        program = replace(program, environment=tuple(command.environment))
    if command.trace is not None:
        from ease.commands.runs.trace_run import run_traced

        return run_traced(command, program, arguments, calls, origin or compiled_origin(command, program))
    system, moments = memory_of(command)
    if command.measure:
        origin = origin or compiled_origin(command, program)
        return _measure(command, program, arguments, system, moments, watch, tools, calls, origin)
    if command.why_not is not None:
        return _explain(command, command.why_not, program, arguments, calls)
    from ease.host.process.run import run

    result = run(program, arguments, replace(command.run_options(), calls=calls))
    if result.fault is not None and result.exit_status != KILLED_BY_PIPE:
        print(f"easecc: {result.fault}", file=sys.stderr)
    elif watch is not None and result.job is not None:
        watch(result.job, None)
    return result.exit_status


def memory_of(command: Command) -> tuple[MemorySystem | Grid | None, int | None]:
    """Return the caches to simulate, and after how many instructions intervals of the run end."""
    if command.cache is None and command.over_time is None:
        return None, None
    from cache_sim.history import parse_moments
    from cache_sim.parse import load_any
    from cache_sim.sweeps import Grid

    system = None if command.cache is None else load_any(command.cache)
    if command.over_time is None or isinstance(system, Grid):
        return system, None
    return system, parse_moments(command.over_time, system)


def _measure(
    command: Command, program: Program, arguments: list[str], system: MemorySystem | Grid | None, moments: int | None,
    watch: Callable[[Job, Plan | None], None] | None, tools: Sequence[Tool], calls: SystemCalls | None, origin: RunOrigin,
) -> int:  # fmt: skip
    """Run and report; a partial measurement is reported too, and says so."""
    from ease.model.regions import INTERPRETED
    from ease.run.measure_options import MeasureOptions
    from ease.run.measuring import measured_run
    from ease.run.progress import Progress, progress_line

    identity, options = origin.identity(), replace(command.run_options(), calls=calls)
    wanted = MeasureOptions(
        system, command.predict, command.timing, moments, tools, _regions(command, program), INTERPRETED in command.regions
    )
    if command.sample is not None:
        from ease.model.sampling import cost, parse_sample
        from ease.sampling.sampled_run import sampled_run

        result, sampled = sampled_run(
            program, arguments, parse_sample(command.sample), command.sample, wanted, options
        )
        if took := cost(result.spent, result.run_seconds):
            tell(f"easecc: {took}")
        return report_run(command, replace(sampled, identity=identity), program, origin)
    if command.wrong_path is not None:
        return report_run(command, replace(_followed(command, program, arguments, system), identity=identity), program, origin)
    line = progress_line(command.progress)
    progress = None if line is None else Progress(line)
    try:
        measured = measured_run(program, arguments, wanted, options, watch=watch, progress=progress)[1]
    finally:
        if line is not None:
            line.end()
    return report_run(command, replace(measured, identity=identity), program, origin)


def _regions(command: Command, program: Program) -> Sequence[Region]:
    """Find the regions that a command asks for."""
    if not command.regions:
        return ()
    from ease.model.regions import INTERPRETED, find_regions

    return find_regions([name for name in command.regions if name != INTERPRETED], program)


def _followed(
    command: Command, program: Program, arguments: list[str], system: MemorySystem | Grid | None
) -> Measurement:
    """Measure a run in which wrong paths are followed."""
    from cache_sim.config import MemorySystem
    from ease.run.wrong_paths import parse_wrong_path, wrong_path_run

    tell("easecc: wrong paths are followed by the interpreter, a few hundred times slower than host code")
    length, reaching = parse_wrong_path(command.wrong_path or "")
    one = system if isinstance(system, MemorySystem) else None
    return wrong_path_run(program, arguments, length, reaching, command.predict or "", one, command.run_options())[1]


@timed("reports")
def report_run(command: Command, measurement: Measurement, program: Program, origin: RunOrigin) -> int:
    """Report and keep a measurement, as a command asks; returns the exit status of the run."""
    if measurement.fault and measurement.exit_status != KILLED_BY_PIPE:
        print(f"easecc: {measurement.fault}", file=sys.stderr)
    if command.save:
        _save(command, measurement, program, origin)
    put_report(command.report, _report(command, measurement, program, origin))
    return measurement.exit_status


def _report(command: Command, measurement: Measurement, program: Program, origin: RunOrigin) -> str | bytes:
    """Return the report in the form that is asked for."""
    from ease.exports.forms import FORMS, render_run
    from ease.reports.render import TEXTS, render_file

    suffix = Path(command.report or "").suffix.lower()
    if suffix in FORMS:
        return render_run(_kept(measurement, program, origin), suffix)
    special = [name for name in ("tools", "regions") if getattr(command, name)]
    about = {"samples": measurement.sampling, "over-time": measurement.timeline}
    special = [*(name for name, found in about.items() if found), *special] if special else []
    special += ["attribution"] if measurement.attribution is not None else []
    special += ["wrong-paths"] if measurement.wrong_paths is not None else []
    shown = special if special and command.show is None and suffix in TEXTS else command.show
    return render_file(measurement, suffix, shown, command.top, origin.sources(), command.sort, command.plot)


def check_store(command: Command) -> None:
    """Find out before a long run that a store can be written to."""
    from ease.store.database import writing

    check_place(_store(command))
    with writing(_store(command)):
        pass


def _save(command: Command, measurement: Measurement, program: Program, origin: RunOrigin) -> None:
    """Keep a run."""
    from ease.store.database import writing
    from ease.store.saving import save

    kept = _kept(measurement, program, origin)
    with writing(_store(command)) as connection:
        number = save(connection, kept)
    print(f"easecc: kept as run {number} in {_store(command)}", file=sys.stderr)


def _kept(measurement: Measurement, program: Program, origin: RunOrigin) -> KeptRun:
    """Return all there is to know about a run."""
    from ease.model.kept_run import keep

    return keep(measurement, program, origin.description(), origin.sources())


def _store(command: Command) -> str:
    from ease.store.database import DEFAULT

    return command.db or DEFAULT


def _explain(command: Command, name: str, program: Program, arguments: list[str], calls: SystemCalls | None) -> int:
    """Run, and tell why an instruction was not used more."""
    from ease.comparison.why_not import explain
    from ease.run.measuring import counted_run

    result, counts = counted_run(program, arguments, replace(command.run_options(), calls=calls))
    if result.fault is not None and result.exit_status != KILLED_BY_PIPE:
        print(f"easecc: {result.fault}", file=sys.stderr)
    sys.stderr.write(explain(program, name, counts.rtls))
    return result.exit_status
