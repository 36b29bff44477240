"""Measure a whole run in intervals: all is one sample behind the other, and each is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from cache_sim.config import MemorySystem
from cache_sim.history import MOST
from cache_sim.predictors.predictor import Predictor
from ease.host.instruments.instrument import Instrument
from ease.host.instruments.region_counting import RegionCounting
from ease.host.sampling.sampled import Sampled
from ease.host.sampling.simulating import SampledPredicting, SampledRecording
from ease.model.results import Measurement
from ease.model.timeline import Figure, Timeline
from ease.sampling.measured_phases import systematic
from ease.sampling.ratios import EVERY, Ratio, ratios, write_cycles
from vpo.analysis.program import Program

if TYPE_CHECKING:
    from ease.host.process.run import RunResult


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
