"""`ease phases`: what each phase does to each function of a program.

A file of its own, since a command is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ease.base.files import check_place
from ease.commands.compile.command import Command
from ease.commands.compile.command_line import parse
from ease.commands.messages import print_tables, put_json, tell
from ease.commands.own_words import run_command, take

USAGE = """\
usage: ease phases [options] prog.c ...     for each function and phase: changes, RTLs before and after, time
           --total          all functions together only
           --json FILE      as JSON; - is the standard output, instead of tables

Other options are those of easecc (-m, --set, -O, -phases, -max-changes, ...). The library's functions are not listed.
"""


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, 2: wrong usage."""
    return run_command("ease phases", USAGE, words, _action)


def _action(words: list[str]) -> Callable[[], int]:
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
