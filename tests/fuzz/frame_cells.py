"""Random programs whose functions add up the cells of the stack: host code must find there what the interpreter finds.

    python -m tests.fuzz.frame_cells --count 100 [--start SEED] [--machines m68020,riscv32]

Each function of a program of csmith adds up the words from a local variable of its own to one of main's: what functions save,
where they return to, and what others have left.  No other compiler has the same frames, so nothing else is compared.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from pathlib import Path

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from tests.fuzz import csmith
from vpo.base.c_standard import LIBRARY_STANDARD
from vpo.build.compiler import Compiler, Settings
from vpo.frontend.c_options import COptions
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.names import machine_names
from vpo.machines.read.load import load

LEVELS = (0, 1, 2)
ADDING = """
static uint32_t *bottom, sum;
#define ADD(top) do { uint32_t *low = (top), *high = bottom; \\
    if (high < low) low = high, high = (top); \\
    for (; low < high; low++) sum = 31 * sum + *low; } while (0)
static void __attribute__((noinline)) add(uint32_t *top) { ADD(top); }
"""
_FUNCTION = re.compile(r"^((?:static|inline)\b.*\bfunc_\d+\s*\([^;]*\)\n\{)", re.MULTILINE)
_MAIN = "    platform_main_begin();\n"


def write(text: str, seed: int) -> str:
    """Return a program of csmith whose functions add up cells, by themselves or by another function."""
    chance = random.Random(seed)

    def adding(match: re.Match[str]) -> str:
        return f"{match[1]}\n    uint32_t here = 1; {chance.choice(('ADD', 'add'))}(&here);"

    text = text.replace("static long __undefined;\n", f"static long __undefined;\n{ADDING}", 1)
    text = text.replace(_MAIN, f"    uint32_t here = 2;\n    bottom = &here;\n{_MAIN}", 1)
    return _FUNCTION.sub(adding, text).replace("print_checksum(crc32_context", "print_checksum(sum ^ crc32_context")


def failure(seed: int, machine: str, level: int, folder: Path) -> str | None:
    """Run a program as host code and in the interpreter; return how they differ, if they do."""
    source = folder / "program.c"
    source.write_text(write(csmith.generate(seed), seed))
    settings = Settings(level=level, c=COptions((str(csmith.HEADERS),), standard=LIBRARY_STANDARD))
    program = Compiler(load(machine), settings).program([str(source)])
    expected = interpret(program, ["program"], capture=True, limit=20_000_000)
    if not expected.output:
        return None  # it does not end
    found = run(program, ["program"], RunOptions(capture=True)).output
    return None if found == expected.output else f"{seed} {machine} -O{level}: {found!r}, interpreted {expected.output!r}"


def main() -> int:
    """Try seeds, machines and levels by turns; return how many failed."""
    parser = argparse.ArgumentParser(description="host code against the interpreter, for programs that read their stacks")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--start", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--machines", default=",".join(machine_names()))
    options = parser.parse_args()
    machines, failed = options.machines.split(","), 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.start, options.start + options.count):
            found = failure(seed, machines[seed % len(machines)], LEVELS[seed % len(LEVELS)], Path(folder))
            failed += found is not None
            if found:
                print(found, flush=True)
    print(f"{options.count} seeds from {options.start}, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(main() != 0)
