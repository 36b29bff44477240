"""Random C programs from YARPGen (https://github.com/intel/yarpgen): loops over arrays, in two files.

No distribution has it; `cmake` and `make` build it, and PATH or YARPGEN says where it is.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Size:
    """Which programs are taken: by the length of the function tested, and by the cells of all arrays together."""

    lengths: range
    cells: int


SMALL, LARGE = Size(range(600, 9000), 20_000), Size(range(9000, 60_000), 100_000)
ATTEMPT = 1 << 32  # from the seed of one attempt to that of the next
SECONDS = 10  # that it may take for a program
MOST_FAILURES = 100  # of the generator for a seed
# Parts of programs are changed again; code that is never executed may do what is undefined; loops have parameters.
MUTATED = ("--mutate=all", "--mutation-seed=1", "--allow-ub-in-dc=all", "--expl-loop-param=true", "--allow-dead-data=true")
_ARRAY = re.compile(r"^\S[\w ]*\barr_\d+ ((?:\[\d+\] ?)+)", re.MULTILINE)


def command() -> str | None:
    """Return the generator's path, None if it is not there."""
    return shutil.which(os.environ.get("YARPGEN") or "yarpgen")


def generate(seed: int, size: Size = SMALL, options: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the files of the program of a seed, by name: the first program of this size.

    Raises CalledProcessError or TimeoutExpired if the generator fails again and again (some seeds crash it).
    """
    failures = 0
    while True:
        with tempfile.TemporaryDirectory() as folder:
            words = [str(command()), "--std=c", f"--seed={seed}", f"--out-dir={folder}", *options]
            try:
                subprocess.run(words, capture_output=True, timeout=SECONDS, check=True)
            except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
                failures += 1
                if failures == MOST_FAILURES:
                    raise
                seed += ATTEMPT
                continue
            files = {path.name: path.read_text() for path in sorted(Path(folder).iterdir())}
        if len(files["func.c"]) in size.lengths and cells(files["driver.c"]) <= size.cells:
            return files
        seed += ATTEMPT


def cells(text: str) -> int:
    """Return how many numbers the arrays that a file defines hold."""
    total = 0
    for bounds in _ARRAY.findall(text):
        product = 1
        for bound in re.findall(r"\d+", bounds):
            product *= int(bound)
        total += product
    return total
