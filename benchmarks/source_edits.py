"""How long the answer to an edit of a C file takes.

    python benchmarks/source_edits.py [--machines riscv32,m68020] [--edits N] [--seed N] [-O LEVEL] FILE.c

One edit after another of one line (a number, a statement once more or no more, an empty line, an object, a string): seconds of
the processor to compile the file, with the editions before in the cache and with nothing there; how many phases ran on
functions; and whether both are the same code.  Edits that are no C are left out.  Exit status 1 if code differs.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from edits import Phases, timed

from vpo.base.errors import UserError
from vpo.build.compiler import Compiler, Settings
from vpo.machines.machine import Machine
from vpo.machines.read.load import load
from vpo.text import print_unit

CALL = re.compile(r"^\s+\w+\(.*\);$")
SIMPLE = re.compile(r"^\s+\w+(\(.*\)|\+\+| [-+]?= .*);$")
HEAD = re.compile(r"^(static )?[a-z ]*\**\w+\(.*\)$")
KINDS = ("number", "line", "again", "gone", "object", "string")
TRIES = 200


def edited(text: str, chosen: random.Random) -> tuple[str, str]:
    """Return which kind of edit was made, and the text with it."""
    kind, lines = chosen.choice(KINDS), text.split("\n")
    for _ in range(TRIES):
        at = chosen.randrange(len(lines))
        line = lines[at]
        if line.startswith("#"):
            continue
        if kind == "line":
            lines.insert(at, "")
        elif kind == "number" and re.search(r"\b\d+\b", line):
            lines[at] = re.sub(r"\b\d+\b", str(chosen.randrange(40)), line, count=1)
        elif kind == "again" and CALL.match(line):
            lines.insert(at, line)
        elif kind == "gone" and SIMPLE.match(line):
            lines[at] = ""
        elif kind == "object" and HEAD.match(line):
            lines.insert(at, f"static int object_{chosen.randrange(10**6)};")
        elif kind == "string" and CALL.match(line):
            lines.insert(at, f'    extern int puts(const char *); puts("{chosen.randrange(100)}");')
        else:
            continue
        break
    return kind, "\n".join(lines)


def editions(text: str, number: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield edits, each of the text before."""
    chosen = random.Random(seed)
    for _ in range(number):
        kind, text = edited(text, chosen)
        yield kind, text


def code(machine: Machine, level: Any, file: str) -> str:
    """Return the code of a file; none if it is no C."""
    try:
        return print_unit(Compiler(machine, Settings(level)).unit(file), machine.cells)
    except UserError:
        return ""


def main() -> int:
    """Print a line for each edit, and means."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--machines", default="riscv32")
    parser.add_argument("--edits", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-O", dest="level", default="2")
    parser.add_argument("file")
    asked = parser.parse_args()
    level: Any = asked.level if asked.level == "s" else int(asked.level)
    phases, wrong = Phases(), 0
    phases.watch()
    for name in asked.machines.split(","):
        machine, ratios = load(name), []
        with tempfile.TemporaryDirectory() as folder:
            file, kept = Path(folder, Path(asked.file).name), f"{folder}/cache"
            text = Path(asked.file).read_text(encoding="utf-8")
            for kind, edition in [("as it is", text), *editions(text, asked.edits, asked.seed)]:
                file.write_text(edition, encoding="utf-8")
                os.environ["EASE_CACHE"] = kept
                made, seconds, ran = timed(phases, code, machine, level, str(file))
                os.environ["EASE_CACHE"] = ""
                fresh, whole, all_phases = timed(phases, code, machine, level, str(file))
                if not fresh:
                    continue
                ratios.append(seconds / whole)
                wrong += made != fresh
                same = "same" if made == fresh else "DIFFERS"
                print(f"  {kind:8} {seconds:6.2f} of {whole:.2f} s  {ran:5} of {all_phases} phases  {same}", flush=True)
        print(f"{name}: {sum(ratios[1:]) / max(len(ratios) - 1, 1):.2f} in the mean of {len(ratios) - 1} edits")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
