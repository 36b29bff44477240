"""What an instruction saves in a program such as those that were seen: less than the mean if it helps few of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import copysign, sqrt


def typical(parts: Iterable[float]) -> float:
    """Return the power mean, with exponent 1/2, of the parts that programs save; negative ones are losses.

    An instruction that saves the same part of each program saves that part; one that helps one of eight as much, a 64th
    instead of an eighth of it, since the next program is hardly the one that it was made for.
    """
    roots = [copysign(sqrt(abs(part)), part) for part in parts]
    mean = sum(roots) / max(len(roots), 1)
    return copysign(mean * mean, mean)


def typical_part(saved: Mapping[int, int], executed: Sequence[int]) -> float:
    """Return the typical part, from the executed instructions that are saved in programs and all that they execute."""
    return typical(saved.get(number, 0) / max(total, 1) for number, total in enumerate(executed))
