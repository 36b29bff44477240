"""Which sums a run keeps beside its totals: none, those of intervals, or those of regions and interpreted lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from cache_sim.config import MemorySystem
from cache_sim.predictors.predictor import Predictor
from cache_sim.sweeps import Grid
from ease.host.instruments.attributing import Attributing, LineRows, RegionRows, Rows
from ease.host.instruments.instrument import Instrument
from ease.host.instruments.predicting import Predicting
from ease.host.instruments.region_counting import RegionCounting
from ease.host.memory.caching import Caching
from ease.host.sampling.interval_recording import IntervalRecording
from ease.host.sampling.simulating import SampledCaching, SampledPredicting
from ease.model.results import Measurement
from ease.sampling.ratios import ratios, write_cycles
from vpo.analysis.program import Program

if TYPE_CHECKING:
    from ease.host.process.run import RunResult
    from ease.host.sampling.sampled import Warmed


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
