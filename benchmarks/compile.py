"""How fast the compiler is.

    python benchmarks/compile.py [--samples a,b] [--repeat N] [-m MACHINE] [-O LEVEL]

RTLs per second through the whole compiler, from C text to a linked program: the RTLs that the expander wrote for the
samples and the library they need, over the processor's time for everything, nothing cached.  Then the seconds from the
start of `easecc -measure samples/queens.c -- 8` to its report, with the library in the cache, and the processor's
seconds of that, which depend less on what else the machine does.

    python benchmarks/compile.py --native [--samples a,b] [--repeat N] [-m MACHINE] [-O LEVEL]

The processor's seconds for the samples alone, without the library, as plain Python and by the native modules that
`make native` has built, in turns, and how many times as fast these are.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vpo.build import c_file, compiler
from vpo.build.compiler import Compiler, Settings
from vpo.machines.read.load import load
from vpo.opt import driver as fewer_phases
from vpo.opt.phase_list import PhaseLog

ROOT = Path(__file__).parents[1]
NATIVE = ROOT / "build" / "native" / "bin" / "python"
COMPILE_ALONE = """
import gc, sys, time
from vpo.base.collector import COLLECT_AFTER
from vpo.build.compiler import Compiler, Settings
from vpo.machines.read.load import load
machine, level, *files = sys.argv[1:]
gc.set_threshold(COLLECT_AFTER)
compiler = Compiler(load(machine), Settings(level=int(level)))
start = time.process_time()
for file in files:
    compiler.unit(file)
print(time.process_time() - start)
"""
SAMPLES = json.loads((ROOT / "samples" / "samples.json").read_text())
STEPS = {  # and the module that calls each
    "preprocess": c_file, "compile_c": c_file, "optimize_unit": compiler, "expand_unit": compiler,
    "run_phases": fewer_phases, "link": compiler,
}  # fmt: skip


class Clock:
    """Takes the time of the compiler's steps, and counts what the expander makes."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(STEPS, 0.0)
        self.rtls = 0
        self.inside = 0.0  # time of the steps that the step under way called

    def watch(self, name: str) -> Callable[..., Any]:
        """Wrap a step."""
        step = getattr(STEPS[name], name)

        def watched(*arguments: Any, **options: Any) -> Any:
            outer, self.inside = self.inside, 0.0
            start = time.process_time()
            result = step(*arguments, **options)
            seconds = time.process_time() - start
            self.seconds[name] += seconds - self.inside
            self.inside = outer + seconds
            if name == "expand_unit":
                self.rtls += sum(len(function.rtls()) for function in result[0])
            return result

        return watched


def throughput(samples: list[str], machine_name: str, level: int) -> tuple[Clock, dict[str, float], float]:
    """Compile everything once."""
    machine = load(machine_name)
    clock = Clock()
    steps = {name: getattr(module, name) for name, module in STEPS.items()}
    for name, module in STEPS.items():
        setattr(module, name, clock.watch(name))
    try:
        start = time.process_time()
        work = Compiler(machine, Settings(level=level))
        work.options.log = log = PhaseLog()
        for name in samples:
            work.program([str(ROOT / "samples" / f"{name}.c")])
        return clock, log.seconds(), time.process_time() - start
    finally:
        for name, step in steps.items():
            setattr(STEPS[name], name, step)


def queens(machine: str, level: int, repeat: int) -> dict[str, tuple[float, float]]:
    """Return the seconds from start to report, and the processor's, by what the cache holds."""
    easecc = shutil.which("easecc", path=str(Path(sys.executable).parent)) or "easecc"
    best: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "EASE_CACHE": f"{folder}/cache"}

        def seconds() -> tuple[float, float]:
            command = [easecc, "-m", machine, f"-O{level}", "-report", f"{folder}/report.txt", f"{folder}/queens.c", "--", "8"]
            start, used = time.perf_counter(), _children()
            subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
            return time.perf_counter() - start, _children() - used

        text = (ROOT / "samples" / "queens.c").read_text()
        for number in range(repeat + 1):
            Path(folder, "queens.c").write_text(f"{text}int unused_{number};\n")
            for name in ("library cached", "everything cached"):
                taken = seconds()
                if number:  # the first round fills the cache
                    best[name] = min(taken, best.get(name, taken))
    return best


def by_form(samples: list[str], machine: str, level: int, repeat: int) -> dict[str, float]:
    """Return the least of the processor's seconds for the samples, by the form of the compiler."""
    best: dict[str, float] = {}
    files = [str(ROOT / "samples" / f"{name}.c") for name in samples]
    environment = {**os.environ, "EASE_CACHE": ""}
    for _ in range(repeat):
        for form, python in (("plain", sys.executable), ("native", str(NATIVE))):
            command = [python, "-P", "-c", COMPILE_ALONE, machine, str(level), *files]
            taken = float(subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True).stdout)
            best[form] = min(taken, best.get(form, taken))
    return best


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--samples", default=",".join(SAMPLES))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("-m", dest="machine", default="riscv32")
    parser.add_argument("-O", dest="level", type=int, default=1, choices=(0, 1, 2))
    parser.add_argument("--native", action="store_true", help="compare native modules with plain Python")
    options = parser.parse_args()
    if options.native:
        times = by_form(options.samples.split(","), options.machine, options.level, options.repeat)
        print(f"{options.machine} -O{options.level}, best of {options.repeat}, without the library\n")
        print(*(f"{form:<14}{taken:>8.2f} s" for form, taken in times.items()), sep="\n")
        print(f"{'times as fast':<14}{times['plain'] / times['native']:>8.2f}")
        return
    kept = os.environ.get("EASE_CACHE")
    os.environ["EASE_CACHE"] = ""
    runs = [throughput(options.samples.split(","), options.machine, options.level) for _ in range(options.repeat)]
    clock, phases, seconds = min(runs, key=lambda run: run[2])
    print(f"{options.machine} -O{options.level}, best of {options.repeat}, nothing cached\n")
    print(f"{clock.rtls:,} expanded RTLs in {seconds:.2f} s: {clock.rtls / seconds:,.0f} RTLs per second\n")
    other = seconds - sum(clock.seconds.values())
    for name, taken in [*clock.seconds.items(), ("other", other)]:
        print(f"{name:<14}{taken:>8.2f} s{100 * taken / seconds:>7.1f} %")
        if name == "run_phases":
            scale = taken / sum(phases.values())  # they are taken by the wall clock
            for phase, part in sorted(((k, v * scale) for k, v in phases.items()), key=lambda item: -item[1]):
                print(f"    {phase:<16}{part:>8.2f} s{100 * part / seconds:>7.1f} %")
    if kept is None:
        del os.environ["EASE_CACHE"]
    else:
        os.environ["EASE_CACHE"] = kept
    print("\nfrom the start of easecc -measure queens.c to its report, and the processor's time\n")
    for name, (taken, used) in queens(options.machine, options.level, options.repeat).items():
        print(f"{name:<44}{taken:>8.2f} s{used:>8.2f} s")


if __name__ == "__main__":
    main()
