"""`ease machine import`: instructions of other descriptions as an extension of a machine."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ease.commands.guard import guarded

if TYPE_CHECKING:
    from ease.exchange.describing import Extension

EXAMPLES = """\
sources:
  udb:DIR       a folder of the RISC-V Unified Database: its instructions with their operations in IDL
  coredsl:FILE  a file in CoreDSL 2
  sesig:FILE    candidates as the Scalar Efficiency group lists them
  opcodes:DIR   a folder of riscv-opcodes: names and encodings, to which you write what instructions mean

  ease machine import udb:spec --extensions Zba,Zbb --over M -o zb.yaml
  easecc -m M+./zb.yaml -O2 prog.c
"""


def import_(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, 2: wrong usage."""
    parser = argparse.ArgumentParser(
        "ease machine import", description="Describe instructions of another description as an extension of a machine.",
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("source", metavar="KIND:PATH", help="what is read")
    parser.add_argument("--extensions", default="", metavar="A,B", help="of these extensions only (default: all)")
    parser.add_argument("--over", required=True, metavar="M", help="the machine that is extended")
    parser.add_argument("-o", dest="output", metavar="FILE", help="the description that is written (default: none, only told)")
    options = parser.parse_args(words)
    return guarded("ease machine import", lambda: _import(options))


def _import(options: argparse.Namespace) -> int:
    from ease.base.files import check_place, write_atomically
    from ease.exchange.describing import imported
    from ease.exchange.sources import instructions
    from ease.exchange.trees import SourceError
    from vpo.base.errors import UserError
    from vpo.machines.read.load import load
    from vpo.rtl import BITS

    if options.output:
        check_place(options.output)
    name = re.sub(r"\W", "_", Path(options.output or "imported").stem).lower()
    word = BITS[load(options.over).address_type]
    wanted = [each for each in options.extensions.split(",") if each]
    try:
        found = list(instructions(options.source, wanted, word))
    except SourceError as error:
        raise UserError([str(error)]) from None
    if not found:
        raise UserError([f"{options.source}: there are no such instructions"])
    source = options.source + (f" ({', '.join(wanted)})" if wanted else "")
    extension = imported(found, options.over, name, source, wanted)
    if options.output:
        write_atomically(options.output, extension.text()[0])
    _tell(extension, options.over, options.output)
    return 0


def _tell(extension: Extension, over: str, output: str | None) -> None:
    """Say what was imported, what the machine has, and what cannot be said."""
    known = [each for each in extension.results if each.known_as and not each.reason]
    failed = [each for each in extension.results if each.reason]
    total = len(extension.results)
    done = len(extension.written) + len(known)
    print(f"{done} of {total} instructions: {len(extension.written)} new, {len(known)} that {over} has")
    if output:
        file = output if os.sep in output else "./" + output
        print(f"{output}: try it with -m {over}+{file}" if done else f"{output}: no instruction that could be tried")
    for each in known:
        print(f"  {each.instruction.name} is {each.known_as}")
    for each in failed:
        print(f"{each.instruction.where}: {each.instruction.name}: {each.reason}", file=sys.stderr)
