"""Random doubles written and read by the library as by this machine's own: printf in all formats, strtod, scanf.

    python -m tests.libc.doubles --count 10000000
    python -m tests.libc.doubles --count 100000 --machines riscv32,m68020,short16   # compiled by our compiler, too
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.libc import native

BLOCK = 1000  # doubles behind one checksum
CHUNK = 200  # blocks that a program tries in one run
EASECC = [sys.executable, "-c", "from ease.start import easecc; raise SystemExit(easecc())", "-O2"]


def lines_of(program: Path, *arguments: int) -> list[str]:
    """Run a program; return the lines that it prints."""
    words = [str(program), *map(str, arguments)]
    return subprocess.run(words, capture_output=True, check=True, timeout=3600).stdout.decode("latin-1").splitlines()


def differences(ours: Path, theirs: Path, first: int, blocks: int) -> list[str]:
    """Compare two programs; return the first lines that differ in each differing block, ours and theirs."""
    pairs = zip(lines_of(ours, first, blocks), lines_of(theirs, first, blocks), strict=True)
    different = [int(a.split()[0]) for a, b in pairs if a != b]
    found = []
    for block in different:
        pairs = zip(lines_of(ours, block, 1, block), lines_of(theirs, block, 1, block), strict=True)
        before = ""
        for a, b in pairs:
            if a != b:
                found.append(f"block {block}: {before!r}: {a!r}, but {b!r}")
                break
            before = a
    return found


def compile_for(machine: str, folder: Path) -> Path:
    """Compile the program with our compiler; return the file that runs it."""
    program = folder / f"random_doubles.{machine}"
    subprocess.run([*EASECC, "-m", machine, native.PROGRAMS / "random_doubles.c", "-o", program], check=True)
    return program


def main() -> int:
    """Compare as many doubles as asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.libc.doubles", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000, help="doubles (default 100,000)")
    parser.add_argument("--first", type=int, default=1, metavar="BLOCK", help=f"begin with this block of {BLOCK}")
    parser.add_argument("--machines", default="", help="compile for these, in place of with gcc for this machine")
    given = parser.parse_args()
    blocks = -(-given.count // BLOCK)
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        native.build_library(folder)
        ours, theirs = native.build_both(folder, "random_doubles")
        for machine in given.machines.split(",") if given.machines else [""]:
            program = compile_for(machine, folder) if machine else ours
            for first in range(given.first, given.first + blocks, CHUNK):
                for line in differences(program, theirs, first, min(CHUNK, given.first + blocks - first)):
                    failed += 1
                    print(machine, line, flush=True)
            print(f"{machine or 'this machine'}: {blocks * BLOCK} doubles, {failed} differences", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
