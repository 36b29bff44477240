"""`ease bisect`: find the first improving change that alters what a program does.

This is what vpoiso did: D. Whalley, "Automatic isolation of compiler errors", TOPLAS 16(5), 1994.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence

from ease.commands.compile.command import Command, UsageError, program_name
from ease.commands.compile.command_line import parse
from ease.commands.guard import EXIT_USAGE, guarded
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.interpreter import interpret
from vpo.machines.machine import Machine
from vpo.machines.read.load import load


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 0: nothing breaks, 1: a change was found, or an error, 2: wrong usage."""
    try:
        command = parse(words)
    except UsageError as error:
        print(f"ease bisect: {error}", file=sys.stderr)
        return EXIT_USAGE
    return guarded("ease bisect", lambda: _bisect(command))


def _bisect(command: Command) -> int:
    machine = load(command.machine, command.sets)
    stdin = b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
    base = command.settings()

    def outcome(limit: int | None) -> tuple[object, ...]:
        return _outcome(command, machine, dataclasses.replace(base, max_changes=limit), stdin)

    good = outcome(0)
    compiler = Compiler(machine, dataclasses.replace(base, max_changes=1 << 60))
    compiler.program(command.files)
    high = compiler.options.changes.made
    if outcome(high) == good:
        print(f"all {high} changes keep what the program does")
        return 0
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        if outcome(middle) == good:
            low = middle
        else:
            high = middle
    print(f"change {high} is the first to alter what the program does: compare -max-changes {low} and -max-changes {high}")
    return 1


def _outcome(command: Command, machine: Machine, settings: Settings, stdin: bytes) -> tuple[object, ...]:
    program = Compiler(machine, settings).program(command.files)
    arguments = [program_name(command.files[0]), *command.arguments]
    result = interpret(program, arguments, stdin=stdin, capture=True, limit=command.limit)
    return result.exit_status, result.fault is None, result.output
