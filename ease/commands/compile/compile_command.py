"""What `easecc` does when its command line is right: compile, then write, run or measure.

What only some of this needs is imported where it is needed, since importing takes longer than many a run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ease.base.files import check_place, write_atomically
from ease.base.printable import commanding, printable
from ease.commands.compile.build_systems import find_libraries, write_rule
from ease.commands.compile.command import Command, program_name
from ease.commands.compile.executable_file import NAME, write_executable
from ease.commands.messages import tell
from ease.commands.runs.program_run import check_store, memory_of, run_program
from ease.commands.runs.repeated_run import setting_key
from ease.commands.runs.run_origin import compiled_origin
from ease.commands.runs.trace_run import OPERATIONS
from vpo.base.cache import store
from vpo.build.compiler import Compiler
from vpo.frontend.preprocess import without_markers
from vpo.link.assembly import assembly
from vpo.link.input_files import Member, archive_bytes, input_kind, read_archive
from vpo.machines.read.load import load
from vpo.program import Program

if TYPE_CHECKING:
    from ease.counters.reconstruction import Plan
    from ease.host.process.job import Job, SystemCalls
    from ease.tools.tool_file import Tool
    from vpo.machines.machine import Machine


# ----------------------------------------------------------------------------------------------------------------------
# `-shared`: the archive that takes the place of a shared library; programs have what they use of it linked into them.


def shared_library(compiler: Compiler, files: Sequence[str]) -> bytes:
    """Return an archive of everything that files are compiled to, or have: also of the libraries that it needs itself.

    Raises UserError, ArchiveError, OSError.
    """
    return archive_bytes(list(_members(compiler, files)))


def _members(compiler: Compiler, files: Sequence[str]) -> Iterator[Member]:
    for file in files:
        kind = input_kind(file)
        if kind == "archive":
            yield from read_archive(file).members
        elif kind == "object":
            yield Member(file, Path(file).read_bytes())
        else:
            yield Member(str(Path(file).with_suffix(".o")), compiler.object_text(file).encode())


# ----------------------------------------------------------------------------------------------------------------------


def execute(command: Command, key: str | None = None) -> int:
    """Do what a command line asks for; returns the exit status.  A run is kept in the cache under a key."""
    if command.may_sweep:
        from ease.commands.studies.sweep_command import sweep_of_settings

        status = sweep_of_settings(command)
        if status is not None:
            return status
    machine = _machine(command)
    _check_measurements(command, machine)
    tools = _tools(command)
    told: list[str] = []

    def warn(message: str) -> None:
        told.append(message)
        tell(message)

    compiler = Compiler(machine, command.settings(), warn=warn)
    if command.stops_early:
        _write_files(command, compiler)
        return 0
    files = [*command.files, *find_libraries(command.libraries, command.library_paths)]
    if command.shared:
        write_atomically(command.output or NAME, shared_library(compiler, files))
        return 0
    if command.verbose:
        print(f"easecc: {machine.name}: {' '.join(files)}", file=sys.stderr)
        _tell_of_walls(command)
    if command.report is not None and not command.link:
        check_place(command.report)
    if command.save and not command.link:
        check_store(command)
    program = _program(command, compiler, files)
    _tell_of_samples(command, compiler)
    if command.link:
        write_executable(command, compiler.linked_text(program))
        return 0
    arguments = [program_name(command.files[0]), *command.arguments]
    watch = None if key is None or told else _remembering(key, command, compiler, files, program)
    if command.record is None:
        return run_program(command, program, arguments, watch, tools)
    from ease.commands.runs.record_run import recorded

    def setting() -> bytes:
        return _setting(command, compiler, program, None if watch is None else key)

    def run(given: Command, calls: SystemCalls) -> int:
        return run_program(given, program, arguments, watch, tools, calls)

    return recorded(command, arguments, setting, run)


def _program(command: Command, compiler: Compiler, files: Sequence[str]) -> Program:
    """Compile and link; progress is shown, and rules for make are written if asked for."""
    with _progress() as show:
        compiler.progress = show
        program = compiler.program(files)
    if command.dependencies_too:
        _write_rules(command, compiler)
    return program


def _machine(command: Command) -> Machine:
    """Load the machine for which a command compiles."""
    if command.trace is not None and OPERATIONS in command.trace:
        from ease.traces.operations import untargeted

        return untargeted(command.machine, command.sets)
    return load(command.machine, command.sets)


def _check_measurements(command: Command, machine: Machine) -> None:
    """Find what is wrong with the measurements that a command asks for, before anything is compiled."""
    memory_of(command)
    if command.predict is not None:
        from cache_sim.predictors.predictors import load as load_predictors

        load_predictors(command.predict)
    if command.sample is not None:
        from ease.model.sampling import parse_sample

        parse_sample(command.sample)
    if command.wrong_path is not None:
        from ease.run.wrong_paths import deciding_predictors, parse_wrong_path

        parse_wrong_path(command.wrong_path)
        deciding_predictors(command.predict or "")
    if command.why_not is not None:
        from ease.comparison.why_not import check_instruction

        check_instruction(machine, command.why_not)


def _remembering(
    key: str, command: Command, compiler: Compiler, files: Sequence[str], program: Program
) -> Callable[[Job, Plan | None], None]:
    """Return what keeps a run in the cache, once it is known how it ran."""
    from ease.commands.runs.remembering import remembering

    kept = remembering(key, command, compiler.included, files)
    return lambda job, plan: kept.keep(job, plan, program)


def _setting(command: Command, compiler: Compiler, program: Program, key: str | None) -> bytes:
    """Return the sections of a record that say what runs; they are kept in the cache under a key."""
    from ease.commands.runs.record_run import setting_of
    from ease.records.record_file import setting_sections

    sections = setting_sections(setting_of(compiler.linked_text(program), compiled_origin(command, program)))
    if key is not None:
        store(setting_key(key), sections)
    return sections


def _tools(command: Command) -> Sequence[Tool]:
    """Read the tools that a command asks for."""
    if not command.tools:
        return ()
    from ease.tools.tool_file import Tool

    return [Tool(name) for name in command.tools]


def compiled(command: Command) -> Program:
    """Return the program of a command that ran before, and so told all that there was to tell."""
    return Compiler(load(command.machine, command.sets), command.settings()).program(command.files)


class _progress:
    """Shows what is being compiled on a terminal, after a moment; nothing when piped."""

    def __enter__(self) -> Callable[[str], None]:
        self.status = None
        if not sys.stderr.isatty():
            return lambda text: None
        from rich.console import Console

        self.status = Console(file=commanding(sys.stderr)).status("compiling")
        self.status.start()
        return lambda text: self.status.update(f"compiling {printable(text)}") if self.status else None

    def __exit__(self, *_: object) -> None:
        if self.status is not None:
            self.status.stop()


def _tell_of_walls(command: Command) -> None:
    """Say if the kernel cannot confine the process in which the program will run."""
    from ease.host.process.wall import missing

    if not command.link and missing():
        print(f"easecc: the program runs without a second wall: this kernel lacks {missing()}", file=sys.stderr)


def _write_files(command: Command, compiler: Compiler) -> None:
    """Write what is less than a program: preprocessed text, assembly text or objects."""
    if command.assembly:
        _write_assembly(command, compiler)
    for file in command.files if not command.assembly else ():
        if command.verbose:
            print(f"easecc: {compiler.machine.name}: {file}", file=sys.stderr)
        if command.preprocessed:
            _write_preprocessed(command, compiler, file)
        elif command.syntax_only:
            compiler.check_file(file)
        elif input_kind(file) != "archive":
            write_atomically(command.output or str(Path(file).with_suffix(".o").name), compiler.object_text(file))
    _tell_of_samples(command, compiler)
    if command.dependencies_too:
        _write_rules(command, compiler)


def _tell_of_samples(command: Command, compiler: Compiler) -> None:
    """Say of which functions `-verify` ran none."""
    names = sorted(name[1:] for file, name in compiler.unsampled if file in command.files)
    if command.verbose and names:
        print(f"easecc: -verify has no inputs for {', '.join(names)}: their phases are checked without runs", file=sys.stderr)


def _write_rules(command: Command, compiler: Compiler) -> None:
    for file in filter(command.is_source, command.files):
        write_rule(command, compiler, file)


def _write_preprocessed(command: Command, compiler: Compiler, file: str) -> None:
    text = compiler.preprocessed(Path(file), compiler.settings, command.macros, alone=True)
    if command.dependencies:
        write_rule(command, compiler, file)
    else:
        write_atomically(command.output or "-", without_markers(text) if command.no_markers else text)


def _write_assembly(command: Command, compiler: Compiler) -> None:
    """Write one listing for each file, or one for all if there is one name for it or there are several files."""
    units, machine = compiler.units(command.files), compiler.machine
    target = command.output or str(Path(command.files[0]).with_suffix(".s").name)
    write_atomically(target, assembly(machine, [f for u in units for f in u.functions], [d for u in units for d in u.data]))
