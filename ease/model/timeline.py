"""What parts of a run came to: intervals of so many instructions, regions of the source, lines of an interpreted program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# ----------------------------------------------------------------------------------------------------------------------
# What a run did in each interval of so many instructions: figures, each a ratio of two counts.


@dataclass(frozen=True, slots=True)
class Figure:
    """A ratio in each interval, such as misses in accesses: the counts above and below."""

    name: str
    above: Sequence[int]
    below: Sequence[int]

    def values(self) -> list[float | None]:
        """Return the ratio in each interval, None where nothing is below."""
        return [above / below if below else None for above, below in zip(self.above, self.below, strict=True)]


@dataclass(frozen=True, slots=True)
class Timeline:
    """The intervals of a run, from its start to its end.

    `every`: instructions asked for; `stride` such intervals are kept as one; `distance`: how many instructions late one may
    end.  `ends`: instructions executed up to the end of each.
    """

    every: int
    stride: int
    distance: int
    ends: Sequence[int]
    figures: Sequence[Figure]

    def thinned(self, most: int) -> Timeline:
        """Return a timeline of at most so many intervals, in which neighbours are put together."""
        step = -(-len(self.ends) // most)
        if step <= 1:
            return self
        starts = range(0, len(self.ends), step)
        ends = [self.ends[min(start + step, len(self.ends)) - 1] for start in starts]
        figures = [Figure(each.name, *(self._sums(part, step) for part in (each.above, each.below))) for each in self.figures]
        return Timeline(self.every, self.stride * step, self.distance, ends, figures)

    @staticmethod
    def _sums(counts: Sequence[int], step: int) -> list[int]:
        return [sum(counts[start : start + step]) for start in range(0, len(counts), step)]


# ----------------------------------------------------------------------------------------------------------------------
# What is attributed to parts of a program: to regions of its source, or to the lines of a program that it interprets.


@dataclass(frozen=True, slots=True)
class Attribution:
    """Figures by row, a region or a line: `by` says which of the two, `instructions` how many each row executed."""

    by: str
    names: Sequence[str]
    instructions: Sequence[int]
    figures: Sequence[Figure]
