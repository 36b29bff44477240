"""Sets of small numbers as the bits of an integer."""

from __future__ import annotations

import sys
from collections.abc import Iterator

FEW = 8  # members that are found one by one, which takes as long as a set is wide


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers in a bit set, in ascending order."""
    if mask.bit_count() <= FEW or mask < 1 << 256:
        while mask:
            low = mask & -mask
            yield low.bit_length() - 1
            mask ^= low
        return
    words = memoryview(mask.to_bytes((mask.bit_length() + 63) // 64 * 8, sys.byteorder)).cast("Q")
    for position, word in enumerate(words if sys.byteorder == "little" else reversed(words)):
        while word:
            low = word & -word
            yield 64 * position + low.bit_length() - 1
            word ^= low
