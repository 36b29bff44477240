"""What samples tell of a whole run: ratios of sums, with intervals that hold the true value as often as they claim.

Samples at even distances are a systematic sample (Wunderlich et al., "SMARTS", 2003).  A ratio such as misses in accesses is
estimated by the ratio of the sums over all samples; its variance by that of the residuals (Cochran, "Sampling Techniques",
1977, 6.4), less the part that was measured; the interval by Student's distribution.  Of what no sample has, the interval ends
where it would be missed by chance as seldom as the confidence allows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist


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


def quantile(confidence: float, freedom: int) -> float:
    """Return the quantile of Student's distribution for an interval on both sides (Abramowitz and Stegun, 26.7.5)."""
    z: float = NormalDist().inv_cdf((1 + confidence) / 2)
    terms: tuple[float, ...] = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))
