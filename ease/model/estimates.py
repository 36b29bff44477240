"""What samples tell of a whole run: ratios of sums, with intervals that hold the true value as often as they claim.

Samples at even distances are a systematic sample (Wunderlich et al., "SMARTS", 2003).  A ratio such as misses in accesses is
estimated by the ratio of the sums over all samples; its variance by that of the residuals (Cochran, "Sampling Techniques",
1977, 6.4), less the part that was measured; the interval by Student's distribution.  Of what no sample has, the interval
ends where it would be missed by chance as seldom as the confidence allows.  Intervals drawn from each phase are a
stratified sample (`stratified`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A ratio in the samples, and half the width of the interval around it that holds the true one.

    `half` is None if there are too few samples to tell.
    """

    name: str
    value: float
    half: float | None


def estimate(name: str, above: Sequence[float], below: Sequence[float], measured: float, confidence: float) -> Estimate:
    """Estimate the ratio of two sums from samples; `measured` is the part of the run that they are."""
    count, whole = len(below), sum(below)
    value = sum(above) / whole if whole else 0.0
    if count < 2 or not whole:
        return Estimate(name, value, None)
    if not any(above):  # what never happened is rare: with this confidence, it would else have happened once
        return Estimate(name, 0.0, -math.log(1 - confidence) / whole if measured < 1 else 0.0)
    residuals = sum((a - value * b) ** 2 for a, b in zip(above, below, strict=True))
    variance = max(1 - measured, 0.0) * residuals * count / ((count - 1) * whole**2)
    return Estimate(name, value, quantile(confidence, count - 1) * math.sqrt(variance))


@dataclass(frozen=True, slots=True)
class Stratum:
    """A phase of a run, which consists of `size` intervals: the sums above and below a ratio in those that were measured.

    `scale`: the length of the phase over that of the measured intervals.
    """

    size: int
    scale: float
    above: Sequence[float]
    below: Sequence[float]


def stratified(name: str, strata: Sequence[Stratum], confidence: float) -> Estimate:
    """Estimate the ratio of two sums from intervals of each phase that were drawn at random.

    It is the combined ratio of a stratified sample (Cochran, 6.11; Satterthwaite's degrees of freedom).  It has no `half` if
    only one of several intervals of a phase was measured.
    """
    above, below = (sum(each.scale * sum(getattr(each, side)) for each in strata) for side in ("above", "below"))
    value = above / below if below else 0.0
    partly = [each for each in strata if len(each.below) < each.size]
    if not below or any(len(each.below) < 2 for each in partly):
        return Estimate(name, value, None)
    if not partly:
        return Estimate(name, value, 0.0)
    if not above:
        rare = -math.log(1 - confidence) * max(each.scale for each in partly)
        return Estimate(name, 0.0, rare / below)
    parts = [_variance(each, value) for each in partly]
    variance = math.fsum(part for part, _ in parts)
    if not variance:
        return Estimate(name, value, 0.0)
    freedom = variance**2 / math.fsum(part**2 / free for part, free in parts)
    return Estimate(name, value, quantile(confidence, max(int(freedom), 1)) * math.sqrt(variance) / below)


def _variance(stratum: Stratum, ratio: float) -> tuple[float, int]:
    """Return the variance that a phase adds to the sum of residuals, and its degrees of freedom."""
    residuals = [a - ratio * b for a, b in zip(stratum.above, stratum.below, strict=True)]
    count = len(residuals)
    middle = math.fsum(residuals) / count
    spread = math.fsum((each - middle) ** 2 for each in residuals) / (count - 1)
    return stratum.size * (stratum.size - count) * spread / count, count - 1


@functools.cache
def quantile(confidence: float, freedom: int) -> float:
    """Return the quantile of Student's distribution for an interval on both sides (Abramowitz and Stegun, 26.7.3-4)."""
    low, high = 0.0, math.pi / 2
    while high - low > 1e-14:
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < confidence else (low, middle)
    return math.tan(low) * math.sqrt(freedom)


def _within(angle: float, freedom: int) -> float:
    """Return how probable it is that Student's variable is within the tangent of an angle times the root of `freedom`."""
    odd = freedom % 2
    term = math.cos(angle) if odd else 1.0
    total = 0.0
    for number in range(1 + odd, freedom + odd, 2):
        total += term
        term *= math.cos(angle) ** 2 * number / (number + 1)
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if odd else total

# ----------------------------------------------------------------------------------------------------------------------
# Ratios that samples estimate, and regions tell: what they are made of, in columns of what is counted.


EVERY = {"instructions": 1}


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio to estimate: weighted sums of columns, above and below."""

    name: str
    above: Mapping[str, int]
    below: Mapping[str, int]


ALWAYS_MADE = (
    Ratio("reads an instruction", {"reads": 1}, EVERY),
    Ratio("writes an instruction", {"writes": 1}, EVERY),
    Ratio("branches an instruction", {"branches": 1}, EVERY),
    Ratio("branches taken", {"taken": 1}, {"branches": 1}),
)
