"""Random C programs from YARPGen (https://github.com/intel/yarpgen): loops over arrays, in two files.

No distribution has it; `cmake` and `make` build it, and PATH or YARPGEN says where it is.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

LENGTHS = range(600, 9000)  # of the function tested
CELLS = 20_000  # in the arrays together
ATTEMPT = 1 << 32  # from the seed of one attempt to that of the next
SECONDS = 10  # that it may take for a program
_ARRAY = re.compile(r"^\S[\w ]*\barr_\d+ ((?:\[\d+\] ?)+)", re.MULTILINE)


def command() -> str | None:
    """Return the generator's path, None if it is not there."""
    return shutil.which(os.environ.get("YARPGEN") or "yarpgen")


def generate(seed: int) -> dict[str, str]:
    """Return the files of the program of a seed, by name: the first program that is neither trivial nor long."""
    while True:
        with tempfile.TemporaryDirectory() as folder:
            words = [str(command()), "--std=c", f"--seed={seed}", f"--out-dir={folder}"]
            try:
                subprocess.run(words, capture_output=True, timeout=SECONDS, check=True)
            except subprocess.TimeoutExpired:
                seed += ATTEMPT
                continue
            files = {path.name: path.read_text() for path in sorted(Path(folder).iterdir())}
        if len(files["func.c"]) in LENGTHS and cells(files["driver.c"]) <= CELLS:
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
