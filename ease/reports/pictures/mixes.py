"""Pictures of mixes: what a program consists of, as bars; written by the template bars.svg.j2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ease.model.results import Count, total
from ease.reports.pictures.plot import HEIGHT, TOP, WIDTH

MOST = 11  # bars that fit; if there are more rows, the last bar is for all others
LEFT, RIGHT, BOTTOM = 130, 56, 26  # around the bars, in pixels: names, numbers, what the colours mean
SMALLEST = 0.1  # per cent that are written as a number
LONGEST = 22  # characters of a name that fit


@dataclass(frozen=True, slots=True)
class Bar:
    """A name with its shares in per cent."""

    name: str
    static: float
    dynamic: float

    @property
    def shown(self) -> str:
        """The name, cut if it is too long: its end tells more."""
        return self.name if len(self.name) <= LONGEST else "…" + self.name[1 - LONGEST :]

    @property
    def percent(self) -> str:
        """The dynamic share in words: 0 is zero, and what only rounds to it is not."""
        return f"{self.dynamic:.1f} %" if self.dynamic >= SMALLEST else f"<{SMALLEST} %" if self.dynamic else "0 %"


@dataclass(frozen=True, slots=True)
class Mix:
    """Bars with one scale, the longest first."""

    template: ClassVar[str] = "bars.svg.j2"
    left: ClassVar[int] = LEFT

    title: str
    bars: Sequence[Bar]

    def y(self, number: int) -> int:
        """Return where a bar is, in pixels from above."""
        return TOP + number * ((HEIGHT - TOP - BOTTOM) // MOST)

    def length(self, share: float) -> float:
        """Return how long the bar of a share is, in pixels."""
        largest = max(max(bar.static, bar.dynamic) for bar in self.bars)
        return round((WIDTH - LEFT - RIGHT) * share / largest, 1) if largest else 0.0


def mix(title: str, table: Mapping[str, Count]) -> list[Mix]:
    """Return the picture of a table, of which the names that are executed most have a bar; none if it is empty."""
    whole = total(table.values())
    ordered = sorted(table.items(), key=lambda row: (-row[1].dynamic, -row[1].static, row[0]))
    if len(ordered) > MOST:
        others = ordered[MOST - 1 :]
        ordered = [*ordered[: MOST - 1], (f"{len(others)} others", total(count for _, count in others))]
    bars = [Bar(name, _share(count.static, whole.static), _share(count.dynamic, whole.dynamic)) for name, count in ordered]
    return [Mix(title, bars)] if bars else []


def _share(part: float, whole: float) -> float:
    return 100 * part / whole if whole else 0.0
