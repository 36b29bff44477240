"""What is watched while a program runs, beside counts: an observer for each thing that `MeasureOptions` ask for.

An observer names its instruments, reads from a run what they found, and says where a measurement has it.  In which parts of
the run they count, and by which rows, is the scope's (`ease.run.scopes`), which makes instruments that count so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cache_sim.config import ConfigurationError, MemorySystem
from cache_sim.history import MOST
from cache_sim.predictors.predictors import load as load_predictors
from cache_sim.sweeps import Grid
from ease.host.instruments.instrument import Instrument
from ease.host.instruments.region_counting import RegionCounting
from ease.host.instruments.spaces import SpaceCounting
from ease.host.memory.caching import Caching, Recording, Sweeping
from ease.host.memory.clocked import Clocked
from ease.host.process.job import RunResult
from ease.model.attribution import attribute, attribute_predictions, attribute_spaces
from ease.model.characterise import characterise
from ease.model.results import Counts, Measurement
from ease.model.static_program import describe
from ease.run.measure_options import MeasureOptions, on
from ease.run.scopes import Scope
from ease.timing.estimate import estimate
from vpo.analysis.transfers import unit
from vpo.base.clock import timed
from vpo.program import Program

WHOLE = "whole program"  # in place of a region's name
MEMORY, WAITS, PREDICTION, SPACES = "memory", "waits", "prediction", "spaces"  # what is found


@dataclass(frozen=True, slots=True)
class Seen:
    """A run, its counts, and what observers found in it, by name."""

    program: Program
    run: RunResult
    counts: Counts
    found: Mapping[str, Any]


class Observer:
    """Watches one thing in a run: this one sees nothing."""

    live = False  # what it has found so far can be read while the run goes on
    instruments: Sequence[Instrument] = ()  # what is woven into the program for it

    def __init__(self, program: Program, wanted: MeasureOptions, scope: Scope) -> None:
        """Make the instruments.

        Raises ConfigurationError for what cannot be observed so.
        """

    @classmethod
    def asked(cls, wanted: MeasureOptions) -> bool:
        """Whether options ask for this."""
        raise NotImplementedError

    def found(self, counts: Counts, run: RunResult) -> Mapping[str, Any]:
        """Return what it found in a run, by names of its own: records of numbers, which subtract."""
        return {}

    def told(self, measurement: Measurement, seen: Seen) -> Measurement:
        """Return a measurement with what it found; observers that stand before it in `OBSERVERS` have told theirs."""
        raise NotImplementedError


# ----------------------------------------------------------------------------------------------------------------------
# Memory systems: one, one with write buffers, one with counts at moments, every LRU cache of a grid.


class Memory(Observer):
    """A memory system."""

    live = True

    def __init__(self, program: Program, wanted: MeasureOptions, scope: Scope) -> None:
        assert isinstance(wanted.system, MemorySystem)
        self.caching = self.caching_of(program, wanted.system, wanted, scope)
        self.instruments = [self.caching]

    @classmethod
    def asked(cls, wanted: MeasureOptions) -> bool:
        """Whether one memory system is wanted, as it is at the end of the run."""
        return isinstance(wanted.system, MemorySystem) and not wanted.clocked and wanted.moments is None

    def caching_of(self, program: Program, system: MemorySystem, wanted: MeasureOptions, scope: Scope) -> Caching:
        """Return the instrument."""
        return scope.caches(system)

    def found(self, counts: Counts, run: RunResult) -> Mapping[str, Any]:
        """Return the results of the memory system."""
        return {MEMORY: self.caching.results(counts, run)}

    def told(self, measurement: Measurement, seen: Seen) -> Measurement:
        """Say where misses belong."""
        return replace(measurement, memory=attribute(seen.program, seen.counts, seen.found[MEMORY]))


class ClockedMemory(Memory):
    """A memory system with write buffers, and the cycles waited for it; a run has it as a whole."""

    live = False
    caching: Clocked

    @classmethod
    def asked(cls, wanted: MeasureOptions) -> bool:
        """Whether cycles are wanted with write buffers."""
        return wanted.clocked

    def caching_of(self, program: Program, system: MemorySystem, wanted: MeasureOptions, scope: Scope) -> Clocked:
        """Return the instrument."""
        if wanted.moments is not None:
            raise ConfigurationError("time with write buffers, and misses over time, are measured in a run each", "delays")
        return Clocked(program, system)

    def found(self, counts: Counts, run: RunResult) -> Mapping[str, Any]:
        """Return the results of the memory system, and the cycles waited."""
        return {**super().found(counts, run), WAITS: self.caching.waits(run)}


class RecordedMemory(Memory):
    """A memory system, and what happened up to moments."""

    live = False
    caching: Recording

    @classmethod
    def asked(cls, wanted: MeasureOptions) -> bool:
        """Whether moments are wanted."""
        return isinstance(wanted.system, MemorySystem) and not wanted.clocked and wanted.moments is not None

    def caching_of(self, program: Program, system: MemorySystem, wanted: MeasureOptions, scope: Scope) -> Recording:
        """Return the instrument: the scope's if that records."""
        caching = scope.caches(system)
        return caching if isinstance(caching, Recording) else Recording(program, system, wanted.moments or 0, MOST)

    def found(self, counts: Counts, run: RunResult) -> Mapping[str, Any]:
        """Return the results of the memory system, and those up to each moment."""
        results = self.caching.results(counts, run)
        return {MEMORY: results, "history": self.caching.history(run, results)}

    def told(self, measurement: Measurement, seen: Seen) -> Measurement:
        """Say where misses belong, and what happened up to each moment."""
        return replace(super().told(measurement, seen), history=seen.found["history"])


class Sweep(Observer):
    """Every LRU cache of a grid."""

    def __init__(self, program: Program, wanted: MeasureOptions, scope: Scope) -> None:
        assert isinstance(wanted.system, Grid)
        self.sweeping = Sweeping(program, wanted.system)
        self.instruments = [self.sweeping]

    @classmethod
    def asked(cls, wanted: MeasureOptions) -> bool:
        """Whether a grid is wanted."""
        return isinstance(wanted.system, Grid)

    def found(self, counts: Counts, run: RunResult) -> Mapping[str, Any]:
        """Return the misses of each cache."""
        return {"sweep": self.sweeping.swept(counts, run)}

    def told(self, measurement: Measurement, seen: Seen) -> Measurement:
        """Add the sweep."""
        return replace(measurement, sweep=seen.found["sweep"])


# ----------------------------------------------------------------------------------------------------------------------
# Memories of the machine.


class Spaces(Observer):
    """References to data by memory, on machines that have several."""

    def __init__(self, program: Program, wanted: MeasureOptions, scope: Scope) -> None:
        self.counting = SpaceCounting(program)
        self.instruments = [self.counting]

    def found(self, counts: Counts, run: RunResult) -> Mapping[str, Any]:
        """Return how often each site referred to each memory."""
        return {SPACES: self.counting.results(counts, run)}

    def told(self, measurement: Measurement, seen: Seen) -> Measurement:
        """Say which lines refer to them."""
        return replace(measurement, spaces=attribute_spaces(seen.program, seen.found[SPACES]))


# ----------------------------------------------------------------------------------------------------------------------
# Branch predictors.


class Prediction(Observer):
    """Branch predictors."""

    live = True

    def __init__(self, program: Program, wanted: MeasureOptions, scope: Scope) -> None:
        self.predicting = scope.prediction(load_predictors(wanted.predict or "", unit(program)))
        self.instruments = [self.predicting]

    @classmethod
    def asked(cls, wanted: MeasureOptions) -> bool:
        """Whether predictors are wanted."""
        return wanted.predict is not None

    def found(self, counts: Counts, run: RunResult) -> Mapping[str, Any]:
        """Return the mistakes of each transfer."""
        return {PREDICTION: self.predicting.results(counts, run)}

    def told(self, measurement: Measurement, seen: Seen) -> Measurement:
        """Say where mistakes belong."""
        return replace(measurement, prediction=attribute_predictions(seen.program, seen.counts, seen.found[PREDICTION]))


# ----------------------------------------------------------------------------------------------------------------------
# Parts of a run that have counts of their own.


class Regions(Observer):
    """Regions of the source."""

    def __init__(self, program: Program, wanted: MeasureOptions, scope: Scope) -> None:
        self.counting = RegionCounting(program, wanted.regions)
        self.instruments = [self.counting]

    @classmethod
    def asked(cls, wanted: MeasureOptions) -> bool:
        """Whether regions are wanted."""
        return bool(wanted.regions)

    def found(self, counts: Counts, run: RunResult) -> Mapping[str, Any]:
        """Return the counts of each region."""
        return {"regions": self.counting.results(counts, run)}

    def told(self, measurement: Measurement, seen: Seen) -> Measurement:
        """Measure each region."""
        parts = {name: measurement_of_run(seen.program, seen.run, part) for name, part in seen.found["regions"].items()}
        return replace(measurement, regions={WHOLE: measurement, **parts})


# ----------------------------------------------------------------------------------------------------------------------
# What users have written.


class Tools(Observer):
    """Tools in Python."""

    def __init__(self, program: Program, wanted: MeasureOptions, scope: Scope) -> None:
        from ease.tools.tooling import Tooling  # it translates Python, which others do not need

        self.tools = wanted.tools
        self.instruments = self.tooling = [Tooling(program, tool, number) for number, tool in enumerate(wanted.tools)]

    @classmethod
    def asked(cls, wanted: MeasureOptions) -> bool:
        """Whether there are tools."""
        return bool(wanted.tools)

    def found(self, counts: Counts, run: RunResult) -> Mapping[str, Any]:
        """Have each tool make its tables."""
        for each in self.tooling:
            each.finish(counts, run)
        return {"tools": {tool.name: tuple(tool.tables()) for tool in self.tools}}

    def told(self, measurement: Measurement, seen: Seen) -> Measurement:
        """Add the tables."""
        return replace(measurement, tools=seen.found["tools"])


# ----------------------------------------------------------------------------------------------------------------------
# Cycles.


class Timing(Observer):
    """An estimate of the cycles, from counts and from what the memory system did."""

    @classmethod
    def asked(cls, wanted: MeasureOptions) -> bool:
        """Whether cycles are wanted."""
        return wanted.timing

    def told(self, measurement: Measurement, seen: Seen) -> Measurement:
        """Estimate the cycles."""
        memory, waits = seen.found.get(MEMORY), seen.found.get(WAITS)
        return replace(measurement, timing=estimate(seen.program, seen.counts, memory, waits, measurement.spaces))


# ----------------------------------------------------------------------------------------------------------------------
# All of them: a new one is a class and a line here.


OBSERVERS: tuple[type[Observer], ...] = (  # in the order in which they tell
    Memory, ClockedMemory, RecordedMemory, Sweep, Prediction, Regions, Tools, Timing,
)  # fmt: skip


class Observers:
    """The observers of one run."""

    def __init__(self, program: Program, wanted: MeasureOptions, scope: Scope) -> None:
        self.program, self.scope = program, scope
        spaces = program.machine.layout.spaces
        if spaces and wanted.system is not None:
            wanted = replace(wanted, system=on(program.machine, wanted.system))
        if wanted.timing and not scope.whole and any(space.wait for space in spaces):
            raise ConfigurationError("cycles that memories wait are told of whole runs only", "timing")
        told = [Spaces(program, wanted, scope)] if spaces and scope.whole else []
        self.all = [*told, *(kind(program, wanted, scope) for kind in OBSERVERS if kind.asked(wanted))]

    def instruments(self) -> list[Instrument]:
        """Return what is woven into the program."""
        return self.scope.around([instrument for each in self.all for instrument in each.instruments])

    def seen(self, counts: Counts, run: RunResult) -> Seen:
        """Return what was seen in a run."""
        return Seen(self.program, run, counts, dict(self._found(self.all, counts, run)))

    def so_far(self, counts: Counts, run: RunResult) -> Mapping[str, Any]:
        """Return what memory systems and predictors have found in a run that is under way."""
        return dict(self._found([each for each in self.all if each.live], counts, run))

    @staticmethod
    def _found(observers: Iterable[Observer], counts: Counts, run: RunResult) -> Iterator[tuple[str, Any]]:
        for each in observers:
            yield from each.found(counts, run).items()

    def measurement(self, seen: Seen) -> Measurement:
        """Return what was seen as a measurement."""
        measurement = measurement_of_run(seen.program, seen.run, seen.counts)
        for each in self.all:
            measurement = each.told(measurement, seen)
        return self.scope.told(measurement, seen.run)


@timed("what was counted")
def measurement_of_run(program: Program, result: RunResult, counts: Counts) -> Measurement:
    """Join the counts of a run with the characteristics of the program."""
    fault = "" if result.fault is None else str(result.fault)
    known = describe(program)
    return Measurement(
        known.machine, characterise(known, counts), result.exit_status, result.partial, fault, exact=counts.exact,
        program=known, counts=counts,
    )  # fmt: skip
