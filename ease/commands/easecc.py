"""`easecc`: compile C programs for a machine, run them, and report what the machine did; `ease-cc` links as others do.

Only the command line is read here, and nothing imported that takes long: help, version and mistakes should be quick.
"""

from __future__ import annotations

import ast
import errno
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ease.base.version import ASKED, show_version
from ease.commands.compile.command import STDIN, UsageError, program_name
from ease.commands.compile.command_line import parse
from ease.commands.compile.consistency import HELP
from ease.commands.guard import EXIT_USAGE, EXIT_USER, guarded, print_errors
from ease.commands.help_asked import asks_for_help
from vpo.base.clock import CLOCK
from vpo.base.suggestions import suggested_file
from vpo.machines.names import default_machine

if TYPE_CHECKING:
    from vpo.program import Program


def main(words: Sequence[str] | None = None, links: bool = False) -> int:
    """Run the command, which links a program if `links` and nothing else is asked for; returns the exit status."""
    words = sys.argv[1:] if words is None else words
    own = words[: words.index("--") if "--" in words else None]
    if asks_for_help(own):
        from ease.commands.compile.options import usage

        print(usage(default_machine()), end="")
        return 0
    if "--help-warnings" in own:
        from vpo.frontend.warnings.flags import listing

        print(listing(), end="")
        return 0
    if any(word in ASKED for word in own) or list(own) == ["-v"]:
        return show_version("easecc")
    if any(word.startswith(("-print-", "-dumpm", "-dumpv", "-dumpf")) for word in own):
        from ease.commands.compile.build_systems import tell

        return tell(own)
    try:
        command = parse(words, links)
    except UsageError as error:
        print(f"easecc: {error}\n(easecc -help lists the options)", file=sys.stderr)
        return EXIT_USAGE
    if command.phases == "help":
        return _list_phases()
    if command.show == HELP:
        return _list_reports()
    if HELP[0] in command.tools:

        return list_tools()
    if _report_missing(command.files):
        return EXIT_USER

    def action() -> int:
        from ease.commands.runs.repeated_run import key_of, repeated_run

        if command.times:
            CLOCK.start()
        key = key_of(command)
        if key is not None:
            status = repeated_run(command, key, [program_name(command.files[0]), *command.arguments], program)
            if status is not None:
                return status
        from ease.commands.compile.compile_command import execute

        return execute(command, key)

    def program() -> Program:
        from ease.commands.compile.compile_command import compiled

        return compiled(command)

    status = guarded("easecc", action)
    if command.times:
        print(CLOCK.stop(), end="", file=sys.stderr)
    return status


def _report_missing(files: Sequence[str]) -> bool:
    """Say which files do not exist, before anything that takes time; returns whether there are such."""
    missing = [file for file in files if file != STDIN and not os.path.lexists(file)]
    for file in missing:
        print(f"{file}: error: cannot read: {os.strerror(errno.ENOENT)}{suggested_file(file)}", file=sys.stderr)
    if missing:
        print_errors("easecc", len(missing))
    return bool(missing)


def _list_phases() -> int:
    from vpo.opt.driver import LEVELS, PHASES
    from vpo.opt.phase_list import show_phases

    for phase in PHASES.values():
        print(f"{phase.name:<16} {phase.summary}{' (always needed)' if phase.needed else ''}")
    for level, steps in LEVELS.items():
        print(f"-O{level} is -phases {show_phases(steps)}")
    return 0


def _list_reports() -> int:
    from ease.reports import REPORTS

    print(f"{'all':<20} Every report below that has something to tell; without -show there is an overview")
    for report in REPORTS.values():
        print(f"{report.name:<20} {report.title}")
    return 0


if __name__ == "__main__":
    sys.exit(main())


# ----------------------------------------------------------------------------------------------------------------------
# The option `-tool`: which tools there are.


def list_tools() -> int:
    """List the supplied tools with what their files say first; returns the exit status."""
    from ease.tools.tool_file import find, supplied

    for name in supplied():
        text = ast.get_docstring(ast.parse(find(name).read_text(encoding="utf-8"))) or ""
        print(f"{name:<20} {text.partition(chr(10))[0]}")
    return 0
