"""Sample a run by its phases: intervals of each, weighted by how much of the run the phase is.

The program runs twice.  The first run counts blocks in each interval, from which phases follow (`clustering`), and records its
system calls; these answer the second one, which measures, so that input is read and output written once.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from ease.host.process.job import RunOptions, SystemCalls
from ease.host.process.run import RunResult, run
from ease.host.sampling.sampled import Sampled
from ease.model.estimates import Estimate, Ratio, Stratum, stratified
from ease.model.sampling import ENDLESS, Mode, Phase, PhaseSpec, Schedule
from vpo.program import Program
from vpo.system.faults import HostError

# ----------------------------------------------------------------------------------------------------------------------
# Find the phases of a run: intervals that execute the same code, by k-means on vectors of what they execute.
#
# Sherwood, Perelman, Hamerly and Calder, "Automatically characterizing large scale program behavior" (SimPoint, 2002): vectors
# of basic blocks, normalised, projected to 15 dimensions at random; k-means for each number of clusters; the smallest number
# whose Bayesian information criterion (Pelleg and Moore, 2000) comes near the best one's.


DIMENSIONS = 15
NEAR = 0.9  # of the range of the criterion, as SimPoint has it
ROUNDS, STARTS = 100, 3
FENCE = 3  # what is farther outside than so many distances between quartiles is unusual (Tukey, 1977)
SEED = 493_575_226
Vectors = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Intervals that are alike, by number; the `representative` is nearest to their middle.

    Some members are `unusual`: far from the middle, as intervals are in which one phase ends and another one begins.
    """

    representative: int
    members: tuple[int, ...]
    unusual: tuple[int, ...] = ()

    @property
    def parts(self) -> list[tuple[int, ...]]:
        """The usual members and the unusual ones."""
        usual = tuple(sorted(set(self.members).difference(self.unusual)))
        return [usual, *([self.unusual] if self.unusual else [])]


def find_clusters(vectors: Sequence[Sequence[int]], most: int) -> list[Cluster]:
    """Return at most `most` clusters of vectors of counts; the same ones each time."""
    random = np.random.default_rng(SEED)
    counts = np.asarray(vectors, float)
    counts /= np.maximum(counts.sum(axis=1, keepdims=True), 1)
    if counts.shape[1] > DIMENSIONS:
        counts = counts @ random.uniform(-1, 1, (counts.shape[1], DIMENSIONS))
    distinct = len(np.unique(counts, axis=0))
    found = [_best(counts, number, random) for number in range(1, min(most, distinct) + 1)]
    scores = [_criterion(counts, *each) for each in found]
    wanted = min(scores) + NEAR * (max(scores) - min(scores))
    centres, owners = next(each for each, score in zip(found, scores, strict=True) if score >= wanted)
    return [_cluster(counts, centre, np.flatnonzero(owners == number)) for number, centre in enumerate(centres)]


def _cluster(points: Vectors, centre: Vectors, members: Vectors) -> Cluster:
    distances = np.sqrt(((points[members] - centre) ** 2).sum(axis=1))
    lower, upper = np.quantile(distances, (0.25, 0.75))
    far = members[distances > upper + FENCE * (upper - lower)]
    return Cluster(int(members[np.argmin(distances)]), tuple(members.tolist()), tuple(far.tolist()))


def _best(points: Vectors, number: int, random: np.random.Generator) -> tuple[Vectors, Vectors]:
    """Return the centres and owners of the best of some runs of k-means."""
    return min((_k_means(points, number, random) for _ in range(STARTS)), key=lambda each: _spread(points, *each))


def _spread(points: Vectors, centres: Vectors, owners: Vectors) -> float:
    return float(((points - centres[owners]) ** 2).sum())


def _k_means(points: Vectors, number: int, random: np.random.Generator) -> tuple[Vectors, Vectors]:
    """Move centres to the means of the points nearest to them until they stay (Lloyd, 1982)."""
    centres = _first_centres(points, number, random)
    owners = _owners(points, centres)
    for _ in range(ROUNDS):
        used = np.unique(owners)
        centres = np.array([points[owners == each].mean(axis=0) for each in used])
        moved = _owners(points, centres)
        if len(used) == len(centres) and np.array_equal(moved, owners):
            break
        owners = moved
    used, owners = np.unique(owners, return_inverse=True)
    return centres[used], owners


def _first_centres(points: Vectors, number: int, random: np.random.Generator) -> Vectors:
    """Choose points far from each other (Arthur and Vassilvitskii, k-means++, 2007)."""
    chosen = [int(random.integers(len(points)))]
    while len(chosen) < number:
        distances = np.min(((points[:, None] - points[chosen]) ** 2).sum(axis=2), axis=1)
        if not distances.sum():
            break
        chosen.append(int(random.choice(len(points), p=distances / distances.sum())))
    return points[chosen]


def _owners(points: Vectors, centres: Vectors) -> Vectors:
    nearest: Vectors = np.argmin(((points[:, None] - centres) ** 2).sum(axis=2), axis=1)
    return nearest


def _criterion(points: Vectors, centres: Vectors, owners: Vectors) -> float:
    """Return the Bayesian information criterion of spherical clusters of one variance."""
    count, dimensions = points.shape
    number = len(centres)
    variance = max(_spread(points, centres, owners) / max(dimensions * (count - number), 1), 1e-12)
    sizes = np.bincount(owners, minlength=number)
    fit = math.fsum(size * math.log(size / count) for size in sizes.tolist() if size)
    fit -= count * dimensions / 2 * math.log(2 * math.pi * variance) + dimensions * (count - number) / 2
    return float(fit - number * (dimensions + 1) / 2 * math.log(count))


# ----------------------------------------------------------------------------------------------------------------------


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
    program: Program, arguments: Sequence[str | bytes], spec: PhaseSpec, sampled: Sampled, options: RunOptions
) -> tuple[Phases, RunResult]:
    """Run a program and return its phases; `sampled` records its intervals.

    Raises HostError if the run does not end by itself.
    """
    result = run(program, arguments, options, instruments=[sampled])
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
