"""When and where what is watched counts: in the whole run, also in each interval, or also by regions or interpreted lines.

Samples (`ease.sampling.sampled_run`) and windows (`ease.run.windows`) are the other scopes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from cache_sim.config import MemorySystem
from cache_sim.history import MOST
from cache_sim.native.check_code import Feedback
from cache_sim.predictors.predictor import Predictor
from cache_sim.sweeps import Grid
from ease.host.instruments.attributing import Attributing, LineRows, RegionRows
from ease.host.instruments.instrument import Instrument
from ease.host.instruments.predicting import Predicting
from ease.host.instruments.region_counting import RegionCounting
from ease.host.memory.caching import Caching, Recording
from ease.host.sampling.ratios import ratios, write_cycles
from ease.host.sampling.sampled import Sampled, SampledCaching, SampledPredicting, SampledRecording, SummedCaching
from ease.model.estimates import EVERY, Ratio
from ease.model.results import Measurement
from ease.model.run_identity import profile_key
from ease.model.sampling import systematic
from ease.model.timeline import Figure, Timeline
from ease.run.measure_options import MeasureOptions
from vpo.base.cache import load, store
from vpo.program import Program

WORTH_A_PROFILE = 0.02  # seconds of a run: shorter ones cost less than to compile the program anew

if TYPE_CHECKING:
    from ease.host.process.run import RunResult
    from ease.host.sampling.sampled import Warmed


class Scope:
    """Makes the instruments of observers so that they count where they should; `whole`: in the whole run, without sums."""

    whole = False

    def __init__(self, program: Program) -> None:
        self.program = program

    def caches(self, system: MemorySystem) -> Caching:
        """Return the instrument of a memory system."""
        raise NotImplementedError

    def prediction(self, predictors: Mapping[str, Predictor]) -> Predicting:
        """Return the instrument of branch predictors."""
        raise NotImplementedError

    def around(self, instruments: Sequence[Instrument]) -> list[Instrument]:
        """Return the instruments of the run, made from those of observers."""
        return list(instruments)

    def told(self, measurement: Measurement, run: RunResult) -> Measurement:
        """Return a measurement with what the scope knows besides."""
        return measurement


class SummedScope(Scope):
    """Has sums beside the totals, of what simulators count, too.  `timing`: also of cycles."""

    def __init__(self, program: Program, timing: bool) -> None:
        super().__init__(program)
        self.timing = timing
        self.caching: SummedCaching | None = None
        self.predicting: SampledPredicting | None = None

    def prediction(self, predictors: Mapping[str, Predictor]) -> SampledPredicting:
        """Return the instrument of branch predictors."""
        self.predicting = SampledPredicting(self.program, predictors)
        return self.predicting

    @property
    def line(self) -> int:
        """The bytes of a line of the instruction cache if fetches are not checked together with data, else 0."""
        return 0 if self.caching is None else self.caching.line_of_fetches

    def write_cycles(self) -> Callable[[int], int]:
        """Return the cycles that each write of so many bytes takes."""
        return partial(write_cycles, None if self.caching is None or not self.timing else self.caching.planned)

    def ratios(self, line: int = 0) -> list[Ratio]:
        """Return what sums tell; `line`: as above, where fetches may be checked apart."""
        code = None if self.caching is None else self.caching.planned
        predictors = {} if self.predicting is None else self.predicting.predictors
        return ratios(code, line > 0, predictors, self.timing)


def learned(program: Program, system: MemorySystem) -> tuple[str, Feedback | None]:
    """Return under which name the cache has what an earlier run of a program with a memory system has learned, and that."""
    name = profile_key(program, "feedback", repr(system))
    return name, load(name, (Feedback,))


# ----------------------------------------------------------------------------------------------------------------------
# Measure a whole run in intervals: all is one sample behind the other, and each is kept.


class Intervals(SummedScope):
    """Makes the instruments of a run that is kept in intervals of `every` instructions, and tells of these afterwards.

    Intervals end at checkpoints (`ease.host.sampling.checkpoints`), so up to `distance` instructions late; none drifts.
    """

    def __init__(self, program: Program, every: int, timing: bool) -> None:
        super().__init__(program, timing)
        self.every = every

    def caches(self, system: MemorySystem) -> SampledRecording:
        """Return the instrument of a memory system, which records moments."""
        self.caching = recording = SampledRecording(self.program, system, self.every, MOST)
        return recording

    def around(self, instruments: Sequence[Instrument]) -> list[Instrument]:
        """Return one instrument that consists of all others."""
        counting = [each for each in instruments if isinstance(each, RegionCounting)]
        regions = [Ratio(name, {name: 1}, EVERY) for each in counting for name in each.sums()]
        self.wanted = [*self.ratios(), *regions]
        self.sampled = Sampled(
            self.program, systematic(self.every, self.every), instruments, timing=self.timing, write_cycles=self.write_cycles()
        )
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
# The whole run, and rows: regions and interpreted lines.


class WholeRun(Scope):
    """No sums beside the totals, but perhaps what happened up to `moments`.  `waiting`: see `Predicting`.

    A first run with a memory system keeps what makes the next one faster (`Feedback`).
    """

    whole = True

    def __init__(self, program: Program, waiting: bool, moments: int | None) -> None:
        super().__init__(program)
        self.waiting, self.moments = waiting, moments
        self.learning: tuple[str, Caching] | None = None

    def caches(self, system: MemorySystem) -> Caching:
        """Return the usual instrument, made by what an earlier run has learned, or one that records moments."""
        if self.moments is not None:
            return Recording(self.program, system, self.moments, MOST)
        name, known = learned(self.program, system)
        caching = Caching(self.program, system, known)
        self.learning = (name, caching) if known is None else None
        return caching

    def prediction(self, predictors: Mapping[str, Predictor]) -> Predicting:
        """Return the usual instrument."""
        return Predicting(self.program, predictors, self.waiting)

    def told(self, measurement: Measurement, run: RunResult) -> Measurement:
        """Return the measurement, and learn from the run if it was not too short."""
        if self.learning is not None and not run.partial and run.run_seconds > WORTH_A_PROFILE:
            name, caching = self.learning
            assert measurement.counts is not None
            store(name, caching.learn(measurement.counts, run))
        return measurement


class RowScope(SummedScope):
    """Sums by regions or, if there are any, interpreted `lines`."""

    def __init__(self, program: Program, lines: LineRows | None, timing: bool) -> None:
        super().__init__(program, timing)
        self.lines = lines

    def caches(self, system: MemorySystem) -> SampledCaching:
        """Return the instrument of a memory system."""
        self.caching = caching = SampledCaching(self.program, system, always=False)
        return caching

    def around(self, instruments: Sequence[Instrument]) -> list[Instrument]:
        """Put what finds the row behind the regions, whose mask it reads, and before what is summed."""
        simulators: list[Warmed] = [each for each in (self.caching, self.predicting) if each is not None]
        regions = [each for each in instruments if isinstance(each, RegionCounting)]
        rows = self.lines or RegionRows(regions[0])
        self.attributing = Attributing(self.program, rows, simulators, self.timing, self.write_cycles())
        return [*regions, self.attributing, *(each for each in instruments if each not in regions)]

    def told(self, measurement: Measurement, run: RunResult) -> Measurement:
        """Return a measurement with the sums of its run."""
        return replace(measurement, attribution=self.attributing.attribution(run, self.ratios()))


def scope_of(program: Program, wanted: MeasureOptions, waiting: bool) -> Scope:
    """Return where what is wanted counts: in intervals, if there are any, else by interpreted lines, else by regions.

    Context switches make copies of functions that know no intervals; time with them or with write buffers has no sums.
    `waiting`: see `Predicting`.
    """
    one = wanted.system if isinstance(wanted.system, MemorySystem) else None
    switches = one is not None and one.switch is not None
    if wanted.moments and not switches and not isinstance(wanted.system, Grid):
        return Intervals(program, wanted.moments, wanted.timing)
    timed = wanted.timing and not switches and not wanted.clocked
    if wanted.lines:
        return RowScope(program, LineRows(program), timed)
    if wanted.regions and (timed or wanted.predict is not None or one is not None):
        return RowScope(program, None, timed)
    return WholeRun(program, waiting, wanted.moments)
