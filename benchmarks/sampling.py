"""How right samples are, what they cost, and whether the cost is the sum of its parts.

    python benchmarks/sampling.py [--programs queens,fft] [--formula | --levels] [-m riscv32] [-O 2]

For each program on its long input: cycles an instruction and miss ratios of all of the run, as samples estimate them (SMARTS:
1 per cent, simulators always warm, or warm for some instructions before each sample), how wrong that is, and whether the true
value lies in the interval.  `--formula`: the time of a run of which a part r is measured, over that of r times the time with
all measured plus 1 - r times the time with nothing measured.  `--levels`: the time of each level of detail (tool `detail`) in
samples of 1 in 200 instructions, over that with nothing sampled, and what an event takes; whole runs, as a clock sees them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import make_inputs
from programs import QUICK, Subject, chosen, subject

from cache_sim.config import MemorySystem
from cache_sim.parse import load as load_system
from ease.model.results import Measurement
from ease.model.sampling import Sampling, parse_sample
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measured_run
from ease.sampling.sampled_run import sampled_run
from ease.tools.tool_file import Tool
from vpo.build.compiler import Compiler, Settings
from vpo.machines.read.load import load

SYSTEM = "I:8k,32,2+D:8k,32,4+delays:first=10,next=2"
SPECS = ("every=100k,length=1k,warm=all", "every=100k,length=1k,warm=10k")
PARTS = (0.01, 0.05, 0.1, 0.5)
EVERY = 100_000
LEVELS = ("before", "calls", "blocks", "trace", "types", "values", "registers")
DETAILED = "every=200k,length=1k"
Timed = Callable[..., tuple[float, Measurement]]


def full_run(one: Subject, **wanted: Any) -> tuple[float, Measurement]:
    """Measure all of a run."""
    result, found = measured_run(one.program, one.arguments, MeasureOptions(**wanted), one.options())
    return result.run_seconds, found


def run_of_samples(one: Subject, spec: str, **wanted: Any) -> tuple[float, Measurement]:
    """Measure samples of a run."""
    measured = MeasureOptions(**wanted)
    result, found = sampled_run(one.program, one.arguments, parse_sample(spec), spec, measured, one.options())
    return result.run_seconds, found


def shortest(run: Timed, *given: Any, repeat: int = 3, **wanted: Any) -> float:
    """Return the shortest time of some runs."""
    return min(run(*given, **wanted)[0] for _ in range(repeat))


def true_values(found: Measurement) -> dict[str, float]:
    """Return what the estimates of samples are of."""
    assert found.timing is not None
    assert found.memory is not None
    values = {"cycles an instruction": found.timing.total / found.timing.instructions}
    second = found.memory.results.system.second
    for each in found.memory.results.caches:
        if each.cache is second:
            values[f"misses of {each.cache.name} an instruction"] = each.misses.total / found.timing.instructions
        else:
            values[f"misses of {each.cache.name}"] = each.miss_ratio
    return values


def accuracy(one: Subject, system: MemorySystem) -> Iterator[str]:
    """Yield lines about the estimates of one program."""
    seconds, whole = full_run(one, system=system, timing=True)
    truth = true_values(whole)
    for spec in SPECS:
        took, found = run_of_samples(one, spec, system=system, timing=True)
        assert found.sampling is not None
        yield f"{one.name:<10} {spec:<30} {took / seconds:5.2f} {_errors(found.sampling, truth)}"


def _errors(found: Sampling, truth: dict[str, float]) -> str:
    estimates = {each.name: each for each in found.estimates}
    cells = []
    for name, value in truth.items():
        estimate = estimates[name]
        error, half = estimate.value - value, estimate.half or 0.0
        relative = [100 * number / value if value else 0.0 for number in (error, half)]
        cells.append(f"{value:9.5f} {relative[0]:+7.2f} {relative[1]:7.2f} {'yes' if abs(error) <= half else 'NO':>3}")
    return "  ".join(cells)


def formula(one: Subject, system: MemorySystem) -> str:
    """Return a line about the times of runs of one program of which parts are measured."""
    fast = shortest(run_of_samples, one, f"every=1000G,length={EVERY}", system=system)
    measured = shortest(run_of_samples, one, f"every={EVERY},length={EVERY}", system=system)
    cells = []
    for part in PARTS:
        took = shortest(run_of_samples, one, f"every={EVERY},length={int(EVERY * part)}", system=system)
        cells.append(f"{took / (part * measured + (1 - part) * fast):6.2f}")
    return f"{one.name:<10} {measured / fast:8.2f} {' '.join(cells)}"


def levels(one: Subject) -> str:
    """Return a line about the times of one program at each level of detail."""
    (nothing, _), cells = _clocked(one, []), []
    for level in LEVELS:
        with tempfile.NamedTemporaryFile() as file:
            tool = f"detail:LEVEL={level},FILE={file.name}"
            took, found = _clocked(one, [tool])
        events = found.tools[tool][0].rows[0][2]
        cells.append(f"{took / nothing:7.2f} {1e9 * max(took - nothing, 0) / max(events, 1):6.0f}")
    return f"{one.name:<10} {nothing:8.3f} {' '.join(cells)}"


def _clocked(one: Subject, tools: list[str]) -> tuple[float, Measurement]:
    """Return the time of a run of samples whose code is compiled already, and what was measured."""
    wanted = MeasureOptions(tools=[Tool(name) for name in tools])
    spec = parse_sample(DETAILED if tools else "every=1000G,length=1")
    for _ in range(2):
        start = time.perf_counter()
        _, found = sampled_run(one.program, one.arguments, spec, DETAILED, wanted, one.options())
    return time.perf_counter() - start, found


def main() -> int:
    """Run the benchmark; returns the exit status."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--programs", default=",".join(QUICK), help="names, 'samples', 'kernels'")
    options.add_argument("--formula", action="store_true", help="check the time of runs of which parts are measured")
    options.add_argument("--levels", action="store_true", help="what levels of detail cost")
    options.add_argument("-m", default="riscv32", dest="machine")
    options.add_argument("-O", type=int, default=2, choices=[0, 1, 2], dest="level")
    given = options.parse_args()
    compiler, system = Compiler(load(given.machine), Settings(given.level)), load_system(SYSTEM)
    with tempfile.TemporaryDirectory() as folder:

        @cache
        def inputs() -> Path:
            make_inputs.write(Path(folder))
            return Path(folder)

        subjects = [subject(name, compiler, inputs) for name in chosen(given.programs.split(","))]
        if given.levels:
            print("program     nothing " + " ".join(f"{level:>14}" for level in LEVELS) + "   s; time over that, ns an event")
            for one in subjects:
                print(levels(one), flush=True)
            return 0
        if given.formula:
            print("program    all/none " + " ".join(f"r={part:4}" for part in PARTS) + "   time over that of the formula")
            for one in subjects:
                print(formula(one, system), flush=True)
            return 0
        print(f"{SYSTEM}; time over that of a full measurement; then true value, error and half width in per cent, inside")
        for one in subjects:
            print("\n".join(accuracy(one, system)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
