"""`ease propose`: instructions that would pay, found in counted programs and tried by compiling again with them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from ease import Machine
from ease.base.files import write_atomically
from ease.commands.guard import guarded
from ease.commands.messages import print_tables, put_json, telling
from ease.commands.studies.study_options import PROGRAMS, add_level
from ease.lab.experiments.suites import read_suite
from ease.lab.proposals import cover as tables
from ease.lab.proposals.cover import propose
from vpo.base.errors import UserError

EPILOG = PROGRAMS + """\
docs/proposals.md explains what is found, and how it is measured.
"""


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, 2: wrong usage."""
    options = _parser().parse_args(words)
    return guarded("ease propose", lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ease propose", description="Find instructions that would pay, as entries of a description.", epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("-m", dest="machine", required=True, metavar="M", help="the machine")
    add_level(parser)
    parser.add_argument("--set", action="append", default=[], metavar="K=V", help="change the description")
    parser.add_argument("--top", type=int, default=10, metavar="N", help="how many instructions are proposed (10)")
    parser.add_argument("--held-out", action="append", default=[], metavar="PROGRAM", help="measure on this one, too")
    parser.add_argument("--write", metavar="FILE", help="write a description that adds the proposals to the machine")
    parser.add_argument("--json", metavar="FILE", help="write the numbers, too; - is the standard output, alone")
    parser.add_argument("-j", dest="jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument("-q", dest="quiet", action="store_true", help="do not tell what is done")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    return parser


def _run(options: argparse.Namespace) -> int:
    if options.top < 1:
        raise UserError([f"--top {options.top}: at least one instruction must be wanted"])
    extended = _extended(options) if options.write else ""
    machine = Machine(options.machine, options.set)
    programs, apart = read_suite(options.programs), read_suite(options.held_out)
    found = propose(machine, programs, apart, options.level, options.top, max(1, options.jobs), telling(options.quiet))
    entries = tables.entry_lines(found)
    if options.write:
        head = f"machine: proposals\nextends: {extended}\ndescription: {options.machine} with proposals\n"
        write_atomically(options.write, head + "toolchain: null\n" * ("toolchain" in machine.description) + entries)
    if put_json(options.json, lambda: {"format": 1, "propose": tables.as_json(found, str(options.level))}):
        return 0
    if not found.trials:
        print(f"At -O{options.level}, no instruction was found that would pay")
        return 0
    print(tables.verdict(found, str(options.level)).text)
    print_tables(tables.tables(found))
    print(f"\nEntries for the description:\n\n{entries}", end="")
    return 0


def _extended(options: argparse.Namespace) -> str:
    """Return what a description that is written extends.

    Raises UserError if that is not in a file.
    """
    if options.set:
        raise UserError(["--write: what is written extends a description, which --set changes have no place in"])
    name: str = options.machine
    return os.path.relpath(name, os.path.dirname(options.write) or ".") if name.endswith((".yaml", ".yml")) else name
