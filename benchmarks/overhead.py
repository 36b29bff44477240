"""What counting costs, and how near host code is to native code.

    python benchmarks/overhead.py [--samples a,b] [--repeat N] [-m MACHINE] [-O LEVEL]

For each sample, on its long input: time of the counted run relative to the uncounted run, and of both relative to the
same program compiled by `gcc -O2`.  The three run in turn, N times each, and the shortest time of each counts.  Times are
those of the program alone: starting a process is taken off the native time.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import make_inputs

from ease.host.run import RunResult, run
from ease.measure import counted_run
from vpo.compiler import Compiler, Settings
from vpo.machines.load import load

ROOT = Path(__file__).parents[1]
SAMPLES: dict[str, dict[str, Any]] = json.loads((ROOT / "samples" / "samples.json").read_text())


class Subject:
    """A sample, ready to run in three ways; each returns the seconds of the program itself."""

    def __init__(self, name: str, folder: Path, inputs: Path, machine: str, level: int) -> None:
        bench = SAMPLES[name]["bench"]
        words = [word.replace("{inputs}", str(inputs)) for word in bench["args"]]
        self.arguments = [name, *words]
        self.stdin = Path(bench["stdin"].replace("{inputs}", str(inputs))).read_bytes() if bench["stdin"] else b""
        self.inputs, self.folder = inputs, folder
        self.program = Compiler(load(machine), Settings(level=level)).program([str(ROOT / "samples" / f"{name}.c")])
        self.native_file = folder / name
        source = str(ROOT / "samples" / f"{name}.c")
        subprocess.run(["gcc", "-O2", "-w", "-o", str(self.native_file), source, "-lm"], check=True)
        self.instructions = 0

    def counted(self) -> float:
        """Run with counters."""
        result, counts = counted_run(
            self.program, self.arguments, stdin=self.stdin, capture=True, tier="full", roots=[self.inputs]
        )
        self.instructions = sum(map(sum, counts.rtls.values()))
        return _seconds(result)

    def uncounted(self) -> float:
        """Run without."""
        return _seconds(run(self.program, self.arguments, stdin=self.stdin, capture=True, tier="full", roots=[self.inputs]))

    def native(self) -> float:
        """Run what gcc made."""
        return native_seconds(self.native_file, self.arguments[1:], self.stdin)


def native_seconds(file: Path, arguments: list[str], stdin: bytes) -> float:
    """Return the time that a process takes."""
    with open(file.parent / "out", "wb") as out:
        start = time.perf_counter()
        subprocess.run([file, *arguments], input=stdin, stdout=out, check=False)
        return time.perf_counter() - start


def start_seconds(folder: Path) -> float:
    """Return the time that a process takes which does nothing."""
    (folder / "nothing.c").write_text("int main(void) { return 0; }\n")
    subprocess.run(["gcc", "-O2", "-o", folder / "nothing", folder / "nothing.c"], check=True)
    return min(native_seconds(folder / "nothing", [], b"") for _ in range(20))


def _seconds(result: RunResult) -> float:
    if result.fault is not None:
        sys.exit(f"the program failed: {result.fault}")
    return result.run_seconds


def mean(values: list[float]) -> float:
    """Return the geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--samples", default=",".join(SAMPLES))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("-m", dest="machine", default="riscv32")
    parser.add_argument("-O", dest="level", type=int, default=2, choices=(0, 1, 2))
    options = parser.parse_args()
    rows = []
    print(f"{options.machine} -O{options.level}, full tier; seconds, shortest of {options.repeat}\n")
    print("sample      instructions   native  uncounted  counted  counted/uncounted  uncounted/native  counted/native")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        inputs = folder / "inputs"
        make_inputs.write(inputs)
        nothing = start_seconds(folder)
        for name in options.samples.split(","):
            subject = Subject(name, folder, inputs, options.machine, options.level)
            ways = (subject.native, subject.uncounted, subject.counted)
            times = [min(column) for column in zip(*([way() for way in ways] for _ in range(options.repeat)), strict=True)]
            native, uncounted, counted = times[0] - nothing, times[1], times[2]
            rows.append((counted / uncounted, uncounted / native, counted / native))
            print(
                f"{name:<10}{subject.instructions:>14,}{native:>9.3f}{uncounted:>11.3f}{counted:>9.3f}"
                f"{rows[-1][0]:>19.2f}{rows[-1][1]:>18.2f}{rows[-1][2]:>16.2f}",
                flush=True,
            )
    means = [mean([row[i] for row in rows]) for i in range(3)]
    print(f"{'geometric mean':<53}{means[0]:>19.2f}{means[1]:>18.2f}{means[2]:>16.2f}")


if __name__ == "__main__":
    main()
