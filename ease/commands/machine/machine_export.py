"""`ease machine export`: instructions in the languages of those who build them next.

A file of its own, since each subcommand with options is.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ease.commands.guard import guarded

TARGETS = """\
targets:
  header         functions of C that assemblers take by `.insn` (RISC-V)
  coredsl        CoreDSL 2
  udb            files of the RISC-V Unified Database, with operations in IDL; -o names a folder
  spike          an extension of the simulator Spike, in C++
  llvm           TableGen: instructions and what they are selected for
  qemu           patterns for decodetree.py
  systemverilog  a decoder

  ease machine export M+./mine.yaml --only MAC --to header -o mine.h
"""


def export_(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, 2: wrong usage."""
    parser = argparse.ArgumentParser(
        "ease machine export", description="Write instructions of a machine in another language.", epilog=TARGETS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("machine", metavar="M", help="a machine, with extensions")
    parser.add_argument("--only", required=True, metavar="A,B", help="these instructions")
    languages = ("header", "coredsl", "udb", "spike", "llvm", "qemu", "systemverilog")
    parser.add_argument("--to", required=True, choices=languages, help="the language")
    parser.add_argument("-o", dest="output", metavar="FILE", help="the file that is written (default: standard output)")
    options = parser.parse_args(words)
    return guarded("ease machine export", lambda: _export(options))


def _export(options: argparse.Namespace) -> int:
    from ease.base.files import write_atomically
    from ease.exchange.exporting import export, files
    from vpo.machines.read.load import load

    wanted = [each for each in options.only.split(",") if each]
    text, problems = export(load(options.machine), options.machine, wanted, options.to)
    for problem in problems:
        print(f"not exported: {problem}", file=sys.stderr)
    if options.output and options.to == "udb":
        for path, file in files(text, Path(options.output)).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(str(path), file)
    elif options.output:
        write_atomically(options.output, text)
    else:
        print(text, end="")
    return 0
