"""Runs as host code, for `Program`.  A file of its own, since host code needs what is not everywhere, as in a browser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cache_sim.config import MemorySystem
from cache_sim.parse import load_any
from cache_sim.sweeps import Grid
from ease.api.errors import Error
from ease.host.process.job import RunOptions, RunResult
from ease.host.process.run import run as plain_run
from ease.model.regions import INTERPRETED, find_regions
from ease.model.results import Measurement
from ease.model.sampling import parse_sample
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measured_run
from ease.sampling.sampled_run import sampled_run
from ease.tools.tool_file import Tool
from vpo.program import Program as Linked


def measured(
    program: Linked, arguments: list[str], stdin: bytes, timed: bool, limit: int | None, timeout: float | None, tier: str,
    cache: str | MemorySystem | Grid | None, predict: str | None, over_time: int | None, tools: Sequence[str],
    sample: str | None, regions: Sequence[str],
) -> tuple[RunResult, Measurement]:  # fmt: skip
    """Run a program and measure it, or samples of it; return the run and the measurement.

    Raises Error for options that do not go with samples.
    """
    given = RunOptions(stdin, capture=True, limit=limit, timeout=timeout, tier=tier)
    system = load_any(cache) if isinstance(cache, str) else cache
    wanted = MeasureOptions(system, predict, timed, over_time, [Tool(name) for name in tools])
    if sample is None:
        found = find_regions([name for name in regions if name != INTERPRETED], program)
        return measured_run(program, arguments, replace(wanted, regions=found, lines=INTERPRETED in regions), given)
    if given.limit or wanted.moments or regions:
        raise Error("sample excludes limit, over_time and regions")
    return sampled_run(program, arguments, parse_sample(sample), sample, wanted, given)


def seconds(program: Linked, arguments: list[str], stdin: bytes, timeout: float | None) -> float:
    """Return the processor's time of a run without measuring.

    Raises Error for one that does not end by itself.
    """
    result = plain_run(program, arguments, RunOptions(stdin, capture=True, timeout=timeout))
    if result.fault is not None:
        raise Error(f"{arguments[0]}: {result.fault}")
    return result.run_seconds
