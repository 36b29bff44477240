"""`ease verify`: build with the real tools, run on the real emulator, compare with what ease says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from ease.commands.compile.command import Command, UsageError, program_name
from ease.commands.compile.command_line import parse
from ease.commands.guard import EXIT_USAGE, guarded
from ease.commands.own_words import take
from ease.run.verify import Comparison, Truth, compare_sizes, emulated, truth
from vpo.build.compiler import Compiler
from vpo.machines.read.load import load
from vpo.program import Program

if TYPE_CHECKING:
    from ease.host.process.run import RunResult
    from ease.model.results import Counts
    from ease.run.emulated_references import ReferenceComparison

TIMEOUT = 600  # seconds that each of the two runs may take when nobody says
FETCHES, KEEP = "-fetches", "-keep"  # the options that `easecc` does not have


SIGNALLED = 128  # exit statuses above it tell of a signal


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 0: no difference, 1: some, or an error, 2: wrong usage."""
    try:
        own, rest = take(words, (FETCHES,), {KEEP: "the name of a file"})
        command = parse(rest)
        if command.limit is not None:
            raise UsageError("the emulator runs to the end: give -timeout SECONDS instead of -limit")
    except UsageError as error:
        print(f"ease verify: {error}", file=sys.stderr)
        return EXIT_USAGE
    return guarded("ease verify", lambda: _verify(command, FETCHES in own, own.get(KEEP)))


def _verify(command: Command, fetches: bool, kept: str | None) -> int:
    """Run the program in host code and in the emulator, whose executable may be kept; return the exit status."""
    from ease.host.process.job import RunOptions
    from ease.run.emulated_references import ReferenceComparison
    from ease.run.measuring import exact_run
    from ease.traces.traced_run import traced_run

    program = Compiler(load(command.machine, command.sets), command.settings()).program(command.files)
    arguments = [program_name(command.files[0]), *command.arguments]
    stdin = b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
    timeout = TIMEOUT if command.timeout is None else command.timeout
    options = RunOptions(stdin, capture=True, timeout=timeout, roots=command.folders)
    references = ReferenceComparison(program, arguments) if fetches else None
    late = []
    with NamedTemporaryFile() as trace:
        if references is not None:
            run, counts = traced_run(program, arguments, trace.file, options=options)
        else:
            run, counts = exact_run(program, arguments, options)
        if run.fault is not None and run.fault.kind == "interrupted":
            raise KeyboardInterrupt
        watch = references.watcher(trace.name) if references is not None and not run.partial else None
        try:
            real = truth(program, arguments, stdin, timeout, watch, kept)
        except subprocess.TimeoutExpired as expired:
            late.append(f"the emulator ({Path(expired.cmd[0]).name})")
    if run.fault is not None and run.fault.kind == "timeout":
        late.append("ease")
    if late:
        print(f"ease verify: {' and '.join(late)} did not end within {timeout:g} seconds (-timeout)", file=sys.stderr)
        return 1
    return _compare(program, real, run, counts, references)


def _compare(program: Program, real: Truth, run: RunResult, counts: Counts, references: ReferenceComparison | None) -> int:
    """Print how the two runs differ, or that they do not; return the exit status."""
    comparison = Comparison()
    comparison.check("standard output", real.output, run.output)
    comparison.check("standard error", real.errors, run.errors)
    begun = emulated(program, counts)
    if run.fault is None:
        comparison.check("exit status", real.exit_status, run.exit_status)
    else:  # the emulator counts the instruction that fails, and knows but one kind of signal
        begun += 1
        comparison.check("ends by a signal", real.exit_status > SIGNALLED, True)
    comparison.check("instructions executed", real.instructions, begun)
    compare_sizes(program, real, comparison)
    if references is not None and references.difference:
        comparison.differences.append(references.difference)
    for difference in comparison.differences:
        print(f"ease verify: {difference}", file=sys.stderr)
    if not comparison.differences:
        count = sum(len(f.rtls()) for f in program.functions.values())
        print(
            f"{program.machine.name}: the same output and exit status, {real.instructions:,} instructions executed on both, "
            f"{count:,} instructions of the same size{references.equal if references is not None else ''}"
        )
    return 1 if comparison.differences else 0
