"""Takes one instruction at a time away from a machine, and tells whether programs still compile and do the same.

    python benchmarks/deletions.py [--machine riscv32] [--narrow imm] [--only SUB,LUI] samples/queens.c ...

With `--narrow`, the ranges of these operands are also narrowed, bit by bit down to four bits.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from vpo.compiler import Compiler, Settings, UserError
from vpo.interpret.interpreter import interpret
from vpo.link import LinkError
from vpo.machines.load import load
from vpo.machines.machine import Machine
from vpo.machines.source import DescriptionError

LIMIT = 100_000_000  # instructions: a program that is compiled wrongly may not end
SHORTEST, LONGEST = 4, 16  # bits of an immediate


def outcome(machine: Machine, source: str) -> str:
    """Return what a program does on a machine: its status and output, or why it could not be compiled."""
    try:
        result = interpret(Compiler(machine, Settings(level=1)).program([source]), capture=True, limit=LIMIT)
    except (UserError, LinkError) as error:
        return f"not compiled: {str(error).splitlines()[0]}"
    except Exception as error:  # a traceback is what this is to find
        return f"traceback: {type(error).__name__}: {str(error)[:100]}"
    return f"{result.exit_status} {result.fault or ''} {result.output!r}"


def edits(machine: Machine, narrowed: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each deletion: its name, and the lines that make it of a description which extends the machine's."""
    for name in dict.fromkeys(form.name for form in machine.recognizer.alternatives):
        yield name, f'instructions: {{"{name}": null}}'
    for operand in narrowed:
        for bits in range(LONGEST, SHORTEST - 1, -1):
            half = 1 << bits - 1
            yield f"{operand} of {bits} bits", f"operands: {{{operand}: {{constant: {-half}..{half - 1}}}}}"


def tried(base: str, change: str, expected: dict[str, str]) -> str:
    """Return what went wrong with the programs on a changed machine, nothing if all is well."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "changed.yaml")
        path.write_text(f"machine: {base}\nextends: {base}\n{change}\n")
        try:
            machine = load(str(path))
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
    machine = load(options.machine)
    expected = {source: outcome(machine, source) for source in options.programs}
    wanted = set(filter(None, options.only.split(",")))
    chosen = [e for e in edits(machine, list(filter(None, options.narrow.split(",")))) if not wanted or e[0] in wanted]
    good = 0
    for name, change in chosen:
        failure = tried(options.machine, change, expected)
        good += not failure
        if failure:
            print(f"{name}: {failure}", flush=True)
    print(f"{good} of {len(chosen)} deletions compile and run rightly")


if __name__ == "__main__":
    main()
