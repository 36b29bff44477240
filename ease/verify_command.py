"""`ease verify`: build with the real tools, run on the real emulator, compare with what ease says."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ease.easecc import EXIT_USAGE, UsageError, guarded, parse, program_name
from ease.verify import Comparison, compare_sizes, executed, truth
from vpo.compiler import Compiler
from vpo.machines.load import load


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 0: no difference, 1: some, or an error, 2: wrong usage."""
    try:
        command = parse(words)
    except UsageError as error:
        print(f"ease verify: {error}", file=sys.stderr)
        return EXIT_USAGE

    def action() -> int:
        from ease.measure import counted_run

        machine = load(command.machine, command.sets)
        program = Compiler(machine, command.settings()).program(command.files)
        arguments = [program_name(command.files[0]), *command.arguments]
        stdin = b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
        real = truth(program, arguments, stdin)
        run, counts = counted_run(program, arguments, stdin=stdin, capture=True)
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
                f"{machine.name}: the same output and exit status, {real.instructions:,} instructions executed on both, "
                f"{count:,} instructions of the same size"
            )
        return 1 if comparison.differences else 0

    return guarded("ease verify", action)
