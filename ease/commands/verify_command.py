"""`ease verify`: build with the real tools, run on the real emulator, compare with what ease says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ease.commands.command import UsageError, program_name
from ease.commands.command_line import parse
from ease.commands.guard import EXIT_USAGE, guarded
from ease.verify import Comparison, Truth, compare_sizes, executed, truth
from vpo.compiler import Compiler
from vpo.machines.load import load
from vpo.program import Program

if TYPE_CHECKING:
    from ease.host.run import RunResult
    from ease.results import Counts

TIMEOUT = 600  # seconds that each of the two runs may take when nobody says


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 0: no difference, 1: some, or an error, 2: wrong usage."""
    try:
        command = parse(words)
    except UsageError as error:
        print(f"ease verify: {error}", file=sys.stderr)
        return EXIT_USAGE

    def action() -> int:
        from ease.measuring import counted_run

        machine = load(command.machine, command.sets)
        program = Compiler(machine, command.settings()).program(command.files)
        arguments = [program_name(command.files[0]), *command.arguments]
        stdin = b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
        timeout = TIMEOUT if command.timeout is None else command.timeout
        late, real = [], Truth(b"", b"", 0, 0, {})
        try:
            real = truth(program, arguments, stdin, timeout)
        except subprocess.TimeoutExpired as expired:
            late.append(f"the emulator ({Path(expired.cmd[0]).name})")
        files = command.folders
        run, counts = counted_run(program, arguments, stdin=stdin, capture=True, timeout=timeout, roots=files)
        if run.fault is not None and run.fault.kind == "interrupted":
            raise KeyboardInterrupt
        if run.fault is not None and run.fault.kind == "timeout":
            late.append("ease")
        if late:
            print(f"ease verify: {' and '.join(late)} did not end within {timeout:g} seconds (-timeout)", file=sys.stderr)
            return 1
        return _compare(program, real, run, counts)

    return guarded("ease verify", action)


def _compare(program: Program, real: Truth, run: RunResult, counts: Counts) -> int:
    """Print how the two runs differ, or that they do not; return the exit status."""
    comparison = Comparison()
    comparison.check("standard output", real.output, run.output)
    comparison.check("standard error", real.errors, run.errors)
    comparison.check("exit status", real.exit_status, run.exit_status)
    comparison.check("instructions executed", real.instructions, executed(program, counts))
    compare_sizes(program, real, comparison)
    for difference in comparison.differences:
        print(f"ease verify: {difference}", file=sys.stderr)
    if not comparison.differences:
        count = sum(len(f.rtls()) for f in program.functions.values())
        print(
            f"{program.machine.name}: the same output and exit status, {real.instructions:,} instructions executed on both, "
            f"{count:,} instructions of the same size"
        )
    return 1 if comparison.differences else 0
