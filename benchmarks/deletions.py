"""Takes one instruction at a time away from a machine, and tells whether programs still compile and do the same.

    python benchmarks/deletions.py [--machine riscv32] [--narrow imm] [--only SUB,LUI] samples/queens.c ...

With `--narrow`, the ranges of these operands are also narrowed, bit by bit down to four bits.
"""

from __future__ import annotations

import argparse

from vpo.compiler import Compiler, Settings, UserError
from vpo.interpret.interpreter import interpret
from vpo.link import LinkError
from vpo.machines.edits import Edit, deletions, edited
from vpo.machines.load import build, read_description
from vpo.machines.machine import Machine
from vpo.machines.source import DescriptionError, Map

LIMIT = 100_000_000  # instructions: a program that is compiled wrongly may not end


def outcome(machine: Machine, source: str) -> str:
    """Return what a program does on a machine: its status and output, or why it could not be compiled."""
    try:
        result = interpret(Compiler(machine, Settings(level=1)).program([source]), capture=True, limit=LIMIT)
    except (UserError, LinkError) as error:
        return f"not compiled: {str(error).splitlines()[0]}"
    except Exception as error:  # a traceback is what this is to find
        return f"traceback: {type(error).__name__}: {str(error)[:100]}"
    return f"{result.exit_status} {result.fault or ''} {result.output!r}"


def chosen(description: Map, narrowed: list[str], wanted: list[str]) -> list[Edit]:
    """Return the edits that take an instruction away or narrow one of some operands, those of some names if any are wanted."""
    edits = [edit for edit in deletions(description) if edit.kind == "instruction" or edit.name.split(":")[0] in narrowed]
    return [edit for edit in edits if not wanted or edit.name in wanted]


def tried(description: Map, edit: Edit, expected: dict[str, str]) -> str:
    """Return what went wrong with the programs on a changed machine, nothing if all is well."""
    try:
        machine = build(edited(description, edit))
    except DescriptionError as error:
        return f"not loaded: {error}"
    found = {source: outcome(machine, source) for source in expected}
    return "; ".join(f"{source}: {found[source][:200]}" for source in expected if found[source] != expected[source])


def main() -> None:
    """Print each deletion that fails, and how many do not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--machine", default="riscv32")
    parser.add_argument("--narrow", default="", help="operands, separated by commas")
    parser.add_argument("--only", default="", help="instructions, separated by commas")
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    description = read_description(options.machine)
    machine = build(description)
    expected = {source: outcome(machine, source) for source in options.programs}
    edits = chosen(description, options.narrow.split(","), list(filter(None, options.only.split(","))))
    good = 0
    for edit in edits:
        failure = tried(description, edit, expected)
        good += not failure
        if failure:
            print(f"{edit.name}: {failure}", flush=True)
    print(f"{good} of {len(edits)} deletions compile and run rightly")


if __name__ == "__main__":
    main()
