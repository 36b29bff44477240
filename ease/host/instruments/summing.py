"""Sums that a run keeps beside its totals: of each interval, of regions, of interpreted lines; or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Protocol

from cache_sim.config import MemorySystem
from cache_sim.history import MOST
from cache_sim.predictors.predictor import Predictor
from cache_sim.sweeps import Grid
from ease.host.instruments.attributing import Attributing, LineRows, RegionRows, Rows
from ease.host.instruments.instrument import Instrument
from ease.host.instruments.predicting import Predicting
from ease.host.instruments.region_counting import RegionCounting
from ease.host.memory.caching import Caching
from ease.host.sampling.ratios import ratios, write_cycles
from ease.host.sampling.sampled import Sampled, SampledCaching, SampledPredicting, SampledRecording
from ease.model.estimates import EVERY, Ratio
from ease.model.results import Measurement
from ease.model.sampling import systematic
from ease.model.timeline import Figure, Timeline
from vpo.program import Program

if TYPE_CHECKING:
    from ease.host.process.run import RunResult
    from ease.host.sampling.sampled import Warmed


# ----------------------------------------------------------------------------------------------------------------------
# Measure a whole run in intervals: all is one sample behind the other, and each is kept.


class IntervalRecording:
    """Makes the instruments of a run that is kept in intervals of `every` instructions, and tells of these afterwards.

    Intervals end at checkpoints (`ease.host.sampling.checkpoints`), so up to `distance` instructions late; none drifts.
    """

    def __init__(self, program: Program, every: int, timing: bool) -> None:
        self.program, self.every, self.timing = program, every, timing
        self.recording: SampledRecording | None = None
        self.predictors: Mapping[str, Predictor] = {}

    def caches(self, system: MemorySystem, most: int = MOST) -> SampledRecording:
        """Return the instrument of a memory system, which records `most` moments."""
        self.recording = SampledRecording(self.program, system, self.every, most)
        return self.recording

    def prediction(self, predictors: Mapping[str, Predictor]) -> SampledPredicting:
        """Return the instrument of branch predictors."""
        self.predictors = predictors
        return SampledPredicting(self.program, predictors)

    def around(self, instruments: Sequence[Instrument]) -> list[Instrument]:
        """Return one instrument that consists of all others."""
        code = None if self.recording is None else self.recording.planned
        counting = [each for each in instruments if isinstance(each, RegionCounting)]
        regions = [Ratio(name, {name: 1}, EVERY) for each in counting for name in each.sums()]
        self.wanted = [*ratios(code, False, self.predictors, self.timing), *regions]
        self.sampled = Sampled(
            self.program, systematic(self.every, self.every), instruments, timing=self.timing,
            write_cycles=partial(write_cycles, code if self.timing else None),
        )  # fmt: skip
        return [self.sampled]

    def told(self, measurement: Measurement, run: RunResult) -> Measurement:
        """Return a measurement with the intervals of its run."""
        return replace(measurement, timeline=self.timeline(run))

    def timeline(self, run: RunResult) -> Timeline:
        """Return what a run did in each interval."""
        recorded, names = self.sampled.recorded(run), self.sampled.columns
        rows = [[0] * len(names), *recorded.rows]
        changes = [[after - before for before, after in zip(*pair, strict=True)] for pair in pairwise(rows)]

        def column(weights: Mapping[str, int]) -> list[int]:
            places = [(names.index(name), weight) for name, weight in weights.items()]
            return [sum(weight * change[place] for place, weight in places) for change in changes]

        def figure(ratio: Ratio) -> Figure:
            return Figure(ratio.name, column(ratio.above), column(ratio.below))

        ends = list(accumulate(change[names.index("instructions")] for change in changes))
        return Timeline(self.every, recorded.stride, self.sampled.distance, ends, [figure(ratio) for ratio in self.wanted])


# ----------------------------------------------------------------------------------------------------------------------
# Which sums a run keeps beside its totals: none, those of intervals, or those of regions and interpreted lines.


class Summing(Protocol):
    """Makes the instruments of a run whose sums are kept."""

    def caches(self, system: MemorySystem) -> Caching | None:
        """Return the instrument of a memory system, None for the usual one."""
        ...

    def prediction(self, predictors: Mapping[str, Predictor]) -> Predicting:
        """Return the instrument of branch predictors."""
        ...

    def around(self, instruments: Sequence[Instrument]) -> list[Instrument]:
        """Return the instruments of the run, made from those that are to be summed."""
        ...

    def told(self, measurement: Measurement, run: RunResult) -> Measurement:
        """Return a measurement with the sums of its run."""
        ...


class Unsummed:
    """No sums.  `waiting`: see `Predicting`."""

    def __init__(self, program: Program, waiting: bool) -> None:
        self.program, self.waiting = program, waiting

    def caches(self, system: MemorySystem) -> None:
        """Return None."""

    def prediction(self, predictors: Mapping[str, Predictor]) -> Predicting:
        """Return the usual instrument."""
        return Predicting(self.program, predictors, self.waiting)

    def around(self, instruments: Sequence[Instrument]) -> list[Instrument]:
        """Return the instruments."""
        return list(instruments)

    def told(self, measurement: Measurement, run: RunResult) -> Measurement:
        """Return the measurement."""
        return measurement


class RowSums:
    """Sums by regions or interpreted lines."""

    def __init__(self, program: Program, rows: Rows, timing: bool) -> None:
        self.program, self.rows, self.timing = program, rows, timing
        self.caching: SampledCaching | None = None
        self.predictors: Mapping[str, Predictor] = {}
        self.predicting: list[SampledPredicting] = []

    def caches(self, system: MemorySystem) -> SampledCaching:
        """Return the instrument of a memory system."""
        self.caching = SampledCaching(self.program, system, always=False)
        return self.caching

    def prediction(self, predictors: Mapping[str, Predictor]) -> SampledPredicting:
        """Return the instrument of branch predictors."""
        self.predictors = predictors
        self.predicting.append(SampledPredicting(self.program, predictors))
        return self.predicting[0]

    def around(self, instruments: Sequence[Instrument]) -> list[Instrument]:
        """Put what finds the row behind the regions, whose mask it reads, and before what is summed."""
        simulators: list[Warmed] = [*([] if self.caching is None else [self.caching]), *self.predicting]
        code = None if self.caching is None or not self.timing else self.caching.planned
        self.attributing = Attributing(self.program, self.rows, simulators, self.timing, partial(write_cycles, code))
        regions = [each for each in instruments if isinstance(each, RegionCounting)]
        return [*regions, self.attributing, *(each for each in instruments if each not in regions)]

    def told(self, measurement: Measurement, run: RunResult) -> Measurement:
        """Return a measurement with the sums of its run."""
        code = None if self.caching is None else self.caching.planned
        wanted = ratios(code, False, self.predictors, self.timing)
        return replace(measurement, attribution=self.attributing.attribution(run, wanted))


def summing_of(
    program: Program, system: MemorySystem | Grid | None, moments: int | None, timing: bool, predicts: bool, waiting: bool,
    regions: Sequence[RegionCounting], lines: bool,
) -> Summing:  # fmt: skip
    """Return which sums a run keeps: of intervals, if there are any, else of interpreted `lines`, else of regions.

    Context switches make copies of functions that know no intervals; time with them or with write buffers has no sums.
    """
    one = system if isinstance(system, MemorySystem) else None
    switches = one is not None and one.switch is not None
    if moments and not switches and not isinstance(system, Grid):
        return IntervalRecording(program, moments, timing)
    timed = timing and not switches and not (one is not None and one.delays is not None and one.delays.buffers)
    if lines:
        return RowSums(program, LineRows(program), timed)
    if regions and (timed or predicts or one is not None):
        return RowSums(program, RegionRows(regions[0]), timed)
    return Unsummed(program, waiting)
