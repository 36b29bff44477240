"""Measure a window of a run: so many instructions from a certain one on, with caches and predictors warm from before.

What happened in a window is what happened up to its end less what happened up to its start: two runs, each cut short by a
limit of instructions.  Counts under a limit are exact; here the simulators also see what a limit lets a last block execute,
one instruction at a time, so that the difference is that of exactly these instructions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Any, Protocol

from cache_sim.config import Cache, ConfigurationError, MemorySystem, Switch
from cache_sim.predictors.predictor import Predictor
from cache_sim.sweeps import Grid
from ease.host.instruments.instrument import Instrument
from ease.host.instruments.predicting import Predicting
from ease.host.memory.caching import Caching
from ease.host.process.job import RunResult
from ease.model.results import Counts, Measurement
from ease.run.measure_options import COUNTS, MeasureOptions
from ease.run.observers import Observers, Seen
from ease.run.scopes import Scope
from vpo.program import Program

ENDLESS = 1 << 62  # a limit of instructions that no run reaches
_CONFIGURATION = (Cache, MemorySystem, Switch)


@dataclass(frozen=True, slots=True)
class Window:
    """`length` instructions behind the first `start` ones."""

    start: int
    length: int = ENDLESS

    @property
    def end(self) -> int:
        """The number of instructions up to the end."""
        return min(self.start + self.length, ENDLESS)


class Run(Protocol):
    """Runs the program up to an instruction, with instruments; `capture`: silently."""

    def __call__(self, limit: int, instruments: Sequence[Instrument], capture: bool) -> tuple[RunResult, Counts]:
        """Run it."""
        ...


class WindowCaching(Caching):
    """Simulates a memory system with a check for each instruction, up to the last one."""

    follows_cut = True
    joins = coalesces = fetches_apart = False


class WindowPredicting(Predicting):
    """Simulates branch predictors up to the last transfer."""

    follows_cut = True


class UpToInstruction(Scope):
    """A run up to some instruction."""

    def caches(self, system: MemorySystem) -> Caching:
        """Return the instrument of a memory system."""
        return WindowCaching(self.program, system)

    def prediction(self, predictors: Mapping[str, Predictor]) -> Predicting:
        """Return the instrument of branch predictors."""
        return WindowPredicting(self.program, predictors, waiting=False)


def measure_window(program: Program, window: Window, run: Run, wanted: MeasureOptions = COUNTS) -> Measurement:
    """Return what happened in a window of a run, of which a memory system, predictors and cycles may be `wanted`.

    The program's output appears as far as the window goes.  Raises ConfigurationError for simulators that have no windows.
    """
    if isinstance(wanted.system, Grid):
        raise ConfigurationError("a sweep has no windows; measure one memory system", "")
    if wanted.clocked:
        raise ConfigurationError("time with write buffers has no windows", "delays")

    def measure(limit: int, silent: bool) -> tuple[Observers, Seen]:
        observers = Observers(program, wanted, UpToInstruction(program))
        result, counts = run(limit, observers.instruments(), silent)
        return observers, observers.seen(counts, result)

    before = measure(window.start, True)[1] if window.start else None
    if before is not None and not is_cut(before.run):
        made = before.counts.instructions
        raise ConfigurationError(f"the run has {made:,} instructions; the window begins behind them", "")
    observers, seen = measure(window.end, False)
    if is_cut(seen.run):
        seen = replace(seen, run=replace(seen.run, fault=None, partial=False, exit_status=0))
    if before is not None:
        counts, found = difference((seen.counts, seen.found), (before.counts, before.found))
        seen = replace(seen, counts=counts, found=found)
    return observers.measurement(seen)


def is_cut(result: RunResult) -> bool:
    """Return whether a run reached its limit."""
    return result.fault is not None and result.fault.kind == "limit"


def difference(later: Any, earlier: Any) -> Any:
    """Return results of a run less those of an earlier part of it: numbers are subtracted, all else is the later's."""
    if isinstance(later, (bool, Enum, str, frozenset, *_CONFIGURATION)) or later is None:
        return later
    if isinstance(later, int | float):
        return later - earlier
    if is_dataclass(later) and not isinstance(later, type):
        less = {field.name: difference(getattr(later, field.name), getattr(earlier, field.name)) for field in fields(later)}
        if "sites" in less:  # has only those where something happened
            less["sites"] = {place: found for place, found in less["sites"].items() if getattr(found, "executed", found)}
        return replace(later, **less)
    if isinstance(later, Mapping):
        return {key: difference(value, earlier[key]) if key in earlier else value for key, value in later.items()}
    if isinstance(later, list | tuple):
        return type(later)(map(difference, later, earlier))
    raise TypeError(f"no results: {later!r}")
