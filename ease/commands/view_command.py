"""`ease view`: a function before and after each change of each phase, as a page to look at."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from ease.base.files import check_place, write_atomically
from ease.commands.compile.command import Command, UsageError, program_name
from ease.commands.compile.command_line import parse
from ease.commands.messages import tell
from ease.commands.own_words import run_command, take

USAGE = """\
usage: ease view prog.c FUNCTION -o FILE.html [easecc options] [-- args]     what each change of each phase did

With -run, or with arguments behind --, the program is run, and blocks tell how often they were executed.
"""


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, 2: wrong usage."""
    return run_command("ease view", USAGE, words, _action)


def _action(words: list[str]) -> Callable[[], int]:
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
