"""`ease phases`: what each phase does to each function of a program."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from ease.base.files import check_place, write_atomically
from ease.commands.compile.command import Command, UsageError
from ease.commands.compile.command_line import parse
from ease.commands.guard import EXIT_USAGE, guarded
from ease.commands.help_asked import asks_for_help
from ease.commands.messages import tell

USAGE = """\
usage: ease phases [options] prog.c ...     for each function and phase: changes, RTLs before and after, time
           --total          all functions together only
           --json FILE      as JSON; - is the standard output, instead of tables

Other options are those of easecc (-m, --set, -O, -phases, -max-changes, ...). The library's functions are not listed.
"""


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, 2: wrong usage."""
    if not words or asks_for_help(words):
        print(USAGE, end="")
        return 0 if words else EXIT_USAGE
    try:
        total, target, command = _parse(list(words))
    except UsageError as error:
        print(f"ease phases: {error}\n{USAGE}", end="", file=sys.stderr)
        return EXIT_USAGE
    return guarded("ease phases", lambda: _phases(command, total, target))


def _parse(words: list[str]) -> tuple[bool, str | None, Command]:
    """Take out the words that are not for easecc: whether only totals are wanted, and where JSON goes."""
    total, target, rest = False, None, []
    while words and words[0] != "--":
        word = words.pop(0)
        if word == "--total":
            total = True
        elif word == "--json":
            if not words:
                raise UsageError("'--json' needs a file")
            target = words.pop(0)
        else:
            rest.append(word)
    return total, target, parse(rest + words)


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
    if target is not None:
        write_atomically(target, json.dumps(as_json(machine.name, log), indent=2) + "\n")
    if target != "-":
        tables = [*(() if total else function_tables(log)), total_table(log)]
        print("\n\n".join("\n".join(table.lines()) for table in tables))
    return 0
