"""`ease bisect`, `phases` and `view`: what the compiler did to a program, change by change."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ease.base.files import check_place, write_atomically
from ease.commands.compile.command import Command, UsageError, program_name
from ease.commands.compile.command_line import parse
from ease.commands.guard import EXIT_USAGE, guarded
from ease.commands.messages import print_tables, put_json, tell
from ease.commands.own_words import run_command, take

if TYPE_CHECKING:
    from vpo.build.settings import Settings
    from vpo.machines.machine import Machine

# ----------------------------------------------------------------------------------------------------------------------
# `ease bisect`: find the first improving change that alters what a program does.
#
# This is what vpoiso did: D. Whalley, "Automatic isolation of compiler errors", TOPLAS 16(5), 1994.


def bisect(words: Sequence[str]) -> int:
    """`ease bisect`: find the first improving change that alters what a program does.

    Returns the exit status, 0: nothing breaks, 1: a change was found, or an error, 2: wrong usage.
    """
    try:
        command = parse(words)
    except UsageError as error:
        print(f"ease bisect: {error}", file=sys.stderr)
        return EXIT_USAGE
    return guarded("ease bisect", lambda: _bisect(command))


def _bisect(command: Command) -> int:
    from vpo.build.compiler import Compiler
    from vpo.machines.read.load import load

    machine = load(command.machine, command.sets)
    stdin = b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
    base = command.settings()

    def outcome(limit: int | None) -> tuple[object, ...]:
        return _outcome(command, machine, replace(base, max_changes=limit), stdin)

    good = outcome(0)
    compiler = Compiler(machine, replace(base, max_changes=1 << 60))
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
    from ease.host.process.job import RunOptions
    from ease.host.process.run import run
    from vpo.build.compiler import Compiler

    program = Compiler(machine, settings).program(command.files)
    arguments = [program_name(command.files[0]), *command.arguments]
    result = run(program, arguments, RunOptions(stdin, capture=True, limit=command.limit, tier="quick"))
    return result.exit_status, result.fault is None, result.output



# ----------------------------------------------------------------------------------------------------------------------
# `ease phases`: what each phase does to each function of a program.


PHASES_USAGE = """\
usage: ease phases [options] prog.c ...     for each function and phase: changes, RTLs before and after, time
           --total          all functions together only
           --json FILE      as JSON; - is the standard output, instead of tables

Other options are those of easecc (-m, --set, -O, -phases, -max-changes, ...). The library's functions are not listed.
"""


def tell_phases(words: Sequence[str]) -> int:
    """`ease phases`: what each phase does to each function of a program.

    Returns the exit status, 1: an error, 2: wrong usage.
    """
    return run_command("ease phases", PHASES_USAGE, words, _phases_action)


def _phases_action(words: list[str]) -> Callable[[], int]:
    own, rest = take(words, ("--total",), {"--json": "a file"})
    command = parse(rest)
    return lambda: _phases(command, "--total" in own, own.get("--json"))


def _phases(command: Command, total: bool, target: str | None) -> int:
    from ease.reports.phase_report import as_json, function_tables, total_table
    from vpo.build.compiler import Compiler
    from vpo.machines.read.load import load
    from vpo.opt.phase_list import PhaseLog

    if target not in (None, "-"):
        check_place(target or "")
    machine = load(command.machine, command.sets)
    compiler = Compiler(machine, command.settings(), warn=tell)
    compiler.options.log = log = PhaseLog()
    for file in command.files:
        compiler.unit(file)
    if not put_json(target, lambda: as_json(machine.name, log)):
        print_tables([*(() if total else function_tables(log)), total_table(log)])
    return 0



# ----------------------------------------------------------------------------------------------------------------------
# `ease view`: a function before and after each change of each phase, as a page to look at.


VIEW_USAGE = """\
usage: ease view prog.c FUNCTION -o FILE.html [easecc options] [-- args]     what each change of each phase did

With -run, or with arguments behind --, the program is run, and blocks tell how often they were executed.
"""


def write_view(words: Sequence[str]) -> int:
    """`ease view`: a function before and after each change of each phase, as a page to look at.

    Returns the exit status, 1: an error, 2: wrong usage.
    """
    return run_command("ease view", VIEW_USAGE, words, _view_action)


def _view_action(words: list[str]) -> Callable[[], int]:
    if len(words) < 2 or words[0].startswith("-") or words[1].startswith("-"):
        raise UsageError("a file and the name of a function come first")
    file, name, *rest = words
    own, rest = take(rest, (), {"-o": "a file"})
    if "-o" not in own:
        raise UsageError("-o FILE.html says where the page goes")
    command = parse([file, *rest])
    if command.stops_early or command.measure or command.link:
        raise UsageError("-S, -c, -E, -link and measuring have no place here")
    return lambda: _view(shlex.join(("ease", "view", *words)), command, name, own["-o"])


def _view(words: str, command: Command, name: str, output: str) -> int:
    from ease.model.run_identity import readable
    from ease.pages.page import step_page
    from vpo.base.errors import UserError
    from vpo.build.compiler import Compiler
    from vpo.machines.read.load import load
    from vpo.opt.changes import ChangeRecord
    from vpo.opt.phase_list import PhaseLog

    check_place(output)
    machine = load(command.machine, command.sets)
    compiler = Compiler(machine, command.settings(), warn=tell)
    compiler.options.log, compiler.options.record = PhaseLog(), ChangeRecord("_" + name)
    units = [compiler.unit(file) for file in command.files]
    if not compiler.options.record.steps:
        known = ", ".join(function.name.removeprefix("_") for unit in units for function in unit.functions)
        raise UserError([f"{command.files[0]}: error: no function '{name}' is left in the code (there are: {known})"])
    record = compiler.options.record
    executed = _executed(command, record.name) if command.run or command.arguments else None
    write_atomically(output, step_page(record, machine.name, words, readable(record.file), executed))
    return 0


def _executed(command: Command, name: str) -> dict[str, int]:
    """Run the program, and return how often each block of a function was executed, by label."""
    from ease.run.measuring import counted_run
    from vpo.build.compiler import Compiler
    from vpo.machines.read.load import load

    program = Compiler(load(command.machine, command.sets), command.settings()).program(command.files)
    arguments = [program_name(command.files[0]), *command.arguments]
    result, counts = counted_run(program, arguments, replace(command.run_options(), capture=True))
    if result.fault is not None:
        print(f"ease view: {result.fault}", file=sys.stderr)
    function = program.functions.get(name)
    if function is None:
        return {}
    executed = [*counts.rtls[name], 0]
    return {block.label: executed[start] for block, start in zip(function.blocks, function.block_starts(), strict=True)}
