"""Tells whether `ease compare` names the true reason: descriptions are edited, and differences are put down to reasons.

    python benchmarks/reasons.py [--edits MAC,...] [--levels 1,2] [--programs queens,cpp,...] [--jobs 2] [--least 95]

Each edit changes one thing of a machine, so that all that programs execute otherwise is known to come from it.  `named` is
the share of the difference whose reason names the edit, `specific` that whose reason says how the edit brings it about, such
as `new: MAC` or `spilling`; the rest are changes of other kinds, such as addresses computed elsewhere because a register is
missing.  The largest reasons that do not name the edit, or do not say how, are shown.  The exit status is 1 if a share of
names is less than `--least` per cent.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ease.comparison.comparison import Comparison, compare_runs
from ease.host.process.job import RunOptions
from ease.model.kept_run import KeptRun, keep
from ease.run.measuring import measure
from vpo.build.compiler import Compiler, Settings
from vpo.machines.read.load import full_text, load

RUNS = {
    "queens": ["8"],
    "matmult": ["20"],
    "puzzle": [],
    "cpp": ["-Isamples/input", "-DLEVEL=2", "samples/input/preprocess.c"],
}
REST = 3  # of other reasons, so many are shown


@dataclass(frozen=True, slots=True)
class Trial:
    """An edit of a machine: lines that extend its description, or what is taken out of that (a regular expression).

    `names`: which reasons name the edit, `ways`: which say how it works (regular expressions, too).
    """

    machine: str
    lines: str
    names: str
    ways: str
    without: str = ""

    def text(self) -> str:
        """Return the edited description."""
        if self.without:
            return re.sub(self.without, "", full_text(self.machine))
        return f"machine: edited\nextends: {self.machine}\n{self.lines}\n"


ADDRESS = """operands: {address: [
    {rtl: "r[b]", asm: "0($b)", mode: REGDFR}, {rtl: "r[b]+c", c: imm, asm: "$c($b)", mode: DISP},
    {rtl: "r[b]+LO[s]", s: symbol, asm: "%lo($s)($b)", mode: DISP}, {rtl: "c", c: imm, asm: "$c(zero)", mode: DISP},
    {rtl: "r[b]+(r[i]<<2)", asm: "$b($i)", mode: INDEX}]}"""
INDEXED = r"(?m)^  - .*\n(?:    .*\n)*?    mode: INDEX\n(?:    .*\n)*"
EDITS = {
    "registers": Trial("riscv32", "registers: {r: {count: 20}}", r"registers\.r", "spilling|saving registers"),
    "allocable": Trial("riscv32", 'allocable: {r: ["r[15]..r[10]", "r[8]"]}', r"allocable\.r", "spilling|saving registers"),
    "more": Trial(
        "riscv32",
        """registers: {r: {count: 64, names: [zero, ra, sp, gp, tp, t0..t2, s0, s1, a0..a7, s2..s11, t3..t38]}}
allocable:
  r: ["r[15]..r[10]", "r[16]", "r[17]", "r[5]..r[7]", "r[28]..r[47]", "r[8]", "r[9]", "r[18]..r[27]",
      "r[48]..r[63]", "r[1]"]
calls: {saved: ["r[8]", "r[9]", "r[18]..r[27]", "r[48]..r[63]", "f[8]", "f[9]", "f[18]..f[27]"]}""",
        r"registers\.|allocable|calls\.saved",
        "spilling|saving registers",
    ),
    "mode": Trial("riscv32", ADDRESS, r"INDEX|operands\.address", "INDEX"),
    "without mode": Trial("m68020", "", r"INDEX|operands\.mem", "INDEX", without=INDEXED),
    "wide": Trial(
        "riscv32", "operands: {imm: {constant: -32768..32767}}", r"operands\.imm|constants that fit", "constants that"
    ),
    "narrow": Trial("riscv32", "operands: {imm: {constant: -128..127}}", r"operands\.imm|constants that", "constants that"),
    "MAC": Trial("riscv32", 'instructions: {MAC: {rtl: "r[d]=r[d]+(r[a]*r[b]);", asm: "mac $d,$a,$b"}}', "MAC", "MAC"),
    "LWP": Trial("riscv32", 'instructions: {LWP: {rtl: "r[d]=L[r[b]]; r[b]=r[b]+4;", asm: "lwp $d,($b)"}}', "LWP", "LWP"),
    "no MUL": Trial("riscv32", "instructions: {MUL: null}", "MUL", "MUL"),
    "no LBU": Trial("riscv32", "instructions: {LB: null, LBU: null}", "LB", "LB"),
    "no slots": Trial("mips", "", "slots", "delay slots", without=r"(?m)^ +slots: 1\n"),
    "caller saves": Trial("riscv32", "calls: {save: caller}", r"calls\.save", "saving registers"),
    "three arguments": Trial(
        "riscv32",
        'calls: {arguments: {integer: ["r[10]..r[12]"], float: ["f[10]", "f[11]"]}}',
        r"calls\.arguments",
        "calls|saving registers",
    ),
}


def run_of(machine: str, level: int, program: str) -> KeptRun:
    """Compile and measure a sample."""
    compiled = Compiler(load(machine), Settings(level=level)).program([f"samples/{program}.c"])
    return keep(measure(compiled, [program, *RUNS[program]], options=RunOptions(capture=True)), compiled, full_text(machine))


def reasons_of(comparison: Comparison) -> dict[str, int]:
    """Return how much each reason changes what is executed, more or less."""
    return {item.name: abs(item.change) for item in comparison.reasons if item.change}


def judged(reasons: dict[str, int], pattern: str) -> tuple[float, list[str]]:
    """Return the share of reasons that match, in per cent, and the largest others."""
    whole = sum(reasons.values())
    others = {name: number for name, number in reasons.items() if re.search(pattern, name) is None}
    share = 100 * (1 - sum(others.values()) / whole) if whole else 100.0
    shown = sorted(others, key=lambda name: -others[name])[:REST]
    return share, [f"{name} {100 * others[name] / whole:.1f} %" for name in shown]


def tried(level: int, programs: Sequence[str], name: str) -> list[tuple[str, int, dict[str, int]]]:
    """Return the reasons of each program for an edit."""
    trial = EDITS[name]
    with tempfile.TemporaryDirectory() as folder:
        edited = Path(folder) / "edited.yaml"
        edited.write_text(trial.text())
        found = []
        for program in programs:
            runs = [run_of(machine, level, program) for machine in (trial.machine, str(edited))]
            comparison = compare_runs(*runs)
            found.append((program, comparison.totals["instructions"].change, reasons_of(comparison)))
    return found


def main() -> None:
    """Print the shares of each edit at each level, over all programs and of the worst one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", default=",".join(EDITS))
    parser.add_argument("--levels", default="1,2")
    parser.add_argument("--programs", default=",".join(RUNS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--least", type=float, default=95)
    options = parser.parse_args()
    edits, levels, programs = (
        options.edits.split(","),
        [int(n) for n in options.levels.split(",")],
        options.programs.split(","),
    )
    failed = False
    print(f"{'edit':15}level  {'changed':>12}  named  worst           specific  the largest others")
    with ProcessPoolExecutor(options.jobs) as pool:
        for level in levels:
            for name, found in zip(edits, pool.map(partial(tried, level, programs), edits), strict=True):
                failed |= shown(name, level, found) < options.least
    sys.exit(failed)


def shown(name: str, level: int, found: Sequence[tuple[str, int, dict[str, int]]]) -> float:
    """Print a row of the table; return the least share of names of a program."""
    trial, whole = EDITS[name], Counter[str]()
    for _, _, reasons in found:
        whole.update(reasons)
    worst, of = min((judged(reasons, trial.names)[0], program) for program, _, reasons in found)
    named, unnamed = judged(whole, trial.names)
    specific, others = judged(whole, trial.ways)
    changed = sum(abs(change) for _, change, _ in found)
    rest = "; ".join(unnamed or others)
    print(f"{name:15}-O{level}  {changed:14,}  {named:5.1f}  {worst:5.1f} {of:9}  {specific:8.1f}  {rest}", flush=True)
    return worst


if __name__ == "__main__":
    main()
