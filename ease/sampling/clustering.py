"""Find the phases of a run: intervals that execute the same code, by k-means on vectors of what they execute.

Sherwood, Perelman, Hamerly and Calder, "Automatically characterizing large scale program behavior" (SimPoint, 2002): vectors
of basic blocks, normalised, projected to 15 dimensions at random; k-means for each number of clusters; the smallest number
whose Bayesian information criterion (Pelleg and Moore, 2000) comes near the best one's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

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
