"""`ease machine prove`: tries the instructions of a machine by witnesses that know nothing of each other.

A file of its own, since each subcommand with options is.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ease.commands.guard import guarded


def prove_(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an instruction is not what it is said to be, or an error, 2: wrong usage."""
    parser = argparse.ArgumentParser(
        "ease machine prove",
        description="Try each instruction with many operands: in the plain interpreter, as host code, by the real assembler "
        "and emulator if the machine has them, and against the source that it was imported from.",
    )  # fmt: skip
    parser.add_argument("machine", metavar="M", help="a machine, with extensions")
    parser.add_argument("--only", default="", metavar="A,B", help="these instructions only")
    parser.add_argument("--against", metavar="KIND:PATH", help="what instructions must mean, as in ease machine import")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change one value of the description")
    options = parser.parse_args(words)
    return guarded("ease machine prove", lambda: _prove(options))


def _prove(options: argparse.Namespace) -> int:
    from ease.exchange.proving import prove
    from ease.exchange.sources import instructions
    from ease.exchange.trees import SourceError
    from vpo.base.errors import UserError
    from vpo.machines.read.load import load
    from vpo.rtl import BITS

    machine = load(options.machine, options.set)
    only = [each for each in options.only.split(",") if each]
    try:
        source = list(instructions(options.against, (), BITS[machine.address_type])) if options.against else []
    except SourceError as error:
        raise UserError([str(error)]) from None
    findings = prove(machine, options.machine, only, source)
    for told in findings.wrong:
        print(told, file=sys.stderr)
    for why in findings.untried:
        print(f"not tried: {why}")
    counts = ", ".join(f"{count} by {witness}" for witness, count in findings.tried.items())
    wrong = f"{len(findings.wrong)} wrong" if findings.wrong else "none wrong"
    print(f"{options.machine}: instructions tried: {counts or 'none'}; {wrong}")
    return 1 if findings.wrong else 0
