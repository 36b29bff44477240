"""Sample a run by its phases: intervals of each, weighted by how much of the run the phase is.

The program runs twice.  The first run counts blocks in each interval, from which phases follow (`clustering`), and records its
system calls; these answer the second one, which measures, so that input is read and output written once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from ease.host.call_file import SystemCalls
from ease.host.run import RunResult, run
from ease.host.sampling.sampled import Sampled
from ease.sampling.clustering import SEED, Cluster, find_clusters
from ease.sampling.estimates import Estimate, Stratum, stratified
from ease.sampling.measured_phases import ENDLESS, Mode, Phase, PhaseSpec, Schedule
from ease.sampling.ratios import Ratio
from vpo.faults import HostError
from vpo.program import Program


@dataclass(frozen=True, slots=True)
class Phases:
    """Intervals of a run that are alike, and which of each are measured, by number; `ends`: of intervals, in instructions."""

    alike: tuple[tuple[int, ...], ...]
    chosen: tuple[tuple[int, ...], ...]
    ends: tuple[int, ...]

    def interval(self, number: int) -> tuple[int, int]:
        """Return where an interval begins, and its length."""
        start = self.ends[number - 1] if number else 0
        return start, self.ends[number] - start

    def length(self, numbers: Sequence[int]) -> int:
        """Return how many instructions intervals have."""
        return sum(self.interval(number)[1] for number in numbers)

    @property
    def measured(self) -> list[int]:
        """The intervals that are measured, in the order of the run."""
        return sorted(number for each in self.chosen for number in each)

    def schedule(self, spec: PhaseSpec) -> Schedule:
        """Return the schedule that measures what was chosen."""
        usual = Mode.WARM if spec.always else Mode.FAST
        phases: list[Phase] = []
        at = 0
        for number in self.measured:
            start, length = self.interval(number)
            warm = min(spec.warm, start - at)
            phases += [Phase(usual, start - at - warm), Phase(Mode.WARM, warm), Phase(Mode.MEASURED, length)]
            at = start + length
        kept = tuple(phase for phase in phases if phase.length)
        return Schedule((*kept, Phase(usual, ENDLESS)), len(kept), confidence=spec.confidence)

    def estimate(self, ratio: Ratio, samples: Sequence[Mapping[str, int]], confidence: float) -> Estimate:
        """Estimate a ratio of the whole run from sums of each interval that was measured, in their order."""
        found = dict(zip(self.measured, samples, strict=True))

        def sums(columns: Mapping[str, int], numbers: Sequence[int]) -> list[int]:
            return [sum(times * found[number][name] for name, times in columns.items()) for number in numbers]

        strata = [
            Stratum(
                len(members), self.length(members) / max(self.length(numbers), 1),
                sums(ratio.above, numbers), sums(ratio.below, numbers),
            )
            for members, numbers in zip(self.alike, self.chosen, strict=True)
        ]  # fmt: skip
        return stratified(ratio.name, strata, confidence)


def choose(clusters: Sequence[Cluster], samples: int, ends: Sequence[int], seed: int = SEED) -> Phases:
    """Choose the intervals to measure: the one that is most like its phase, or several of those that are alike, at random.

    Of several, unusual intervals of a phase are chosen apart, since a few others would not tell of them.
    """
    if samples == 1:
        representatives = tuple((each.representative,) for each in clusters)
        return Phases(tuple(each.members for each in clusters), representatives, tuple(ends))
    random = Random(seed)
    alike = [part for each in clusters for part in each.parts]
    chosen = [tuple(sorted(random.sample(part, min(samples, len(part))))) for part in alike]
    return Phases(tuple(alike), tuple(chosen), tuple(ends))


def find_phases(
    program: Program, arguments: Sequence[str | bytes], spec: PhaseSpec, sampled: Sampled, **options: Any
) -> tuple[Phases, RunResult]:
    """Run a program and return its phases; `sampled` records its intervals, options are those of `ease.host.run.run`.

    Raises HostError if the run does not end by itself.
    """
    result = run(program, arguments, instruments=[sampled], **options)
    if result.partial:
        raise HostError(f"phases are those of a whole run: {result.fault}")
    rows = sampled.recorded(result).rows
    width = len(sampled.columns)
    executed = [row[sampled.columns.index("instructions")] for row in rows]
    sizes = sampled.metering.sizes()
    changes = ([after - before for before, after in zip(*pair, strict=True)] for pair in pairwise([[0] * len(rows[0]), *rows]))
    vectors = [[count * size for count, size in zip(change[width:], sizes, strict=True)] for change in changes]
    clusters = sorted(find_clusters(vectors, spec.clusters), key=lambda each: each.representative)
    return choose(clusters, spec.samples, executed), result


@contextmanager
def recording(calls: SystemCalls | None) -> Iterator[SystemCalls]:
    """Yield the system calls of the first run: those that are recorded or replayed anyway, else in a file of their own."""
    if calls is not None:
        yield calls
        return
    with tempfile.TemporaryFile() as file:
        yield SystemCalls(file)
