"""Sample a run by its phases: one interval of each, weighted by how much of the run the phase is.

The program runs twice.  The first run counts blocks in each interval, from which phases follow (`clustering`), and records its
system calls; these answer the second one, which measures, so that input is read and output written once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ease.host.call_file import SystemCalls
from ease.host.run import RunResult, run
from ease.host.sampling.sampled import Sampled
from ease.sampling.clustering import Cluster, find_clusters
from ease.sampling.estimates import Estimate
from ease.sampling.measured_phases import ENDLESS, Mode, Phase, PhaseSpec, Schedule, systematic
from ease.sampling.ratios import Ratio
from vpo.faults import HostError
from vpo.program import Program


@dataclass(frozen=True, slots=True)
class Phases:
    """The phases of a run in the order of their representatives; `ends`: of intervals, in instructions."""

    clusters: tuple[Cluster, ...]
    ends: tuple[int, ...]

    def interval(self, number: int) -> tuple[int, int]:
        """Return where an interval begins, and its length."""
        start = self.ends[number - 1] if number else 0
        return start, self.ends[number] - start

    def weights(self) -> list[float]:
        """Return the part of the run that each phase is."""
        return [sum(self.interval(number)[1] for number in each.members) / self.ends[-1] for each in self.clusters]

    def schedule(self, spec: PhaseSpec) -> Schedule:
        """Return the schedule that measures the representatives."""
        usual = Mode.WARM if spec.always else Mode.FAST
        phases: list[Phase] = []
        at = 0
        for each in self.clusters:
            start, length = self.interval(each.representative)
            warm = min(spec.warm, start - at)
            phases += [Phase(usual, start - at - warm), Phase(Mode.WARM, warm), Phase(Mode.MEASURED, length)]
            at = start + length
        kept = tuple(phase for phase in phases if phase.length)
        return Schedule((*kept, Phase(usual, ENDLESS)), len(kept))


def find_phases(
    program: Program, arguments: Sequence[str | bytes], spec: PhaseSpec, **options: Any
) -> tuple[Phases, RunResult]:
    """Run a program and return its phases; options are those of `ease.host.run.run`.

    Raises HostError if the run does not end by itself.
    """
    sampled = Sampled(program, systematic(spec.every, spec.every), vectors=True)
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
    return Phases(tuple(clusters), tuple(executed)), result


@contextmanager
def recording(calls: SystemCalls | None) -> Iterator[SystemCalls]:
    """Yield the system calls of the first run: those that are recorded or replayed anyway, else in a file of their own."""
    if calls is not None:
        yield calls
        return
    with tempfile.TemporaryFile() as file:
        yield SystemCalls(file)


def weighted(ratio: Ratio, samples: Sequence[Mapping[str, int]], weights: Sequence[float]) -> Estimate:
    """Estimate a ratio of the whole run from one sample of each phase; how wrong it may be, one sample cannot tell."""

    def part(columns: Mapping[str, int]) -> float:
        return sum(
            weight * sum(times * sample[name] for name, times in columns.items()) / max(sample["instructions"], 1)
            for sample, weight in zip(samples, weights, strict=True)
        )

    below = part(ratio.below)
    return Estimate(ratio.name, part(ratio.above) / below if below else 0.0, None)
