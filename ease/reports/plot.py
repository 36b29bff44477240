"""Pictures of reports: panels of curves, laid out here and written by the template plot.svg.j2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 460, 280  # of a panel, in pixels
LEFT, RIGHT, TOP, BOTTOM = 46, 84, 30, 40  # around what is drawn
COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#edae49", "#6a4c93", "#00798c", "#8c564b", "#555555")
STEPS = 5  # lines across a panel, at least


@dataclass(frozen=True, slots=True)
class Curve:
    """A value for each place on the axis; None where there is none."""

    name: str
    values: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves over the same places."""

    title: str
    axis: str
    places: Sequence[str]
    curves: Sequence[Curve]

    @property
    def top(self) -> float:
        """The value at the upper end."""
        most = max((value for curve in self.curves for value in curve.values if value is not None), default=0)
        return max(self.step * -(-most // self.step), self.step)

    @property
    def step(self) -> float:
        """The distance of lines across: 1, 2 or 5 times a power of ten."""
        most = max((value for curve in self.curves for value in curve.values if value is not None), default=0)
        candidates = [digit * 10.0**power for power in range(2, -8, -1) for digit in (5, 2, 1)]
        return next((step for step in candidates if most / step >= STEPS), candidates[-1])

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Yield the height of each line across, in pixels from above, and its value."""
        for number in range(round(self.top / self.step) + 1):
            yield self.y(number * self.step), f"{number * self.step:.12g}"

    def x(self, place: int) -> float:
        """Return where a place is, in pixels from the left."""
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (place + 0.5) / len(self.places), 1)

    def y(self, value: float) -> float:
        """Return where a value is, in pixels from above."""
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / self.top, 1)

    def points(self, curve: Curve) -> list[tuple[float, float]]:
        """Return the points of a curve."""
        return [(self.x(place), self.y(value)) for place, value in enumerate(curve.values) if value is not None]
