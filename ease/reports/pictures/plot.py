"""Pictures of reports: panels of curves, laid out here and written by the templates plot.svg.j2 and curves.svg.j2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

WIDTH, HEIGHT = 460, 280  # of a panel, in pixels
LEFT, RIGHT, TOP, BOTTOM = 46, 84, 30, 40  # around what is drawn
COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#edae49", "#6a4c93", "#00798c", "#8c564b", "#555555")
DASHES = ("none", "6 2", "2 2", "8 2 2 2")  # where there are more curves than colours: these, one after the other
LINE_HEIGHT = 14  # of a curve's name, if there is room
STEPS = 5  # lines across a panel, at least


@dataclass(frozen=True, slots=True)
class Curve:
    """A value for each place on the axis; None where there is none."""

    name: str
    values: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves over the same places.

    With `ends`, a place is an interval that ends there (the first begins at 0), and its value is drawn as wide as it is.
    """

    template: ClassVar[str] = "curves.svg.j2"

    title: str
    axis: str
    places: Sequence[str]
    curves: Sequence[Curve]
    ends: Sequence[float] = ()

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
        """Return where the name of a place is, in pixels from the left: in its middle, or at its end."""
        share = self.ends[place] / max(self.ends[-1], 1) if self.ends else (place + 0.5) / len(self.places)
        return round(LEFT + (WIDTH - LEFT - RIGHT) * share, 1)

    def y(self, value: float) -> float:
        """Return where a value is, in pixels from above."""
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / self.top, 1)

    def points(self, curve: Curve) -> list[tuple[float, float]]:
        """Return the points of a curve: one for each value, or both ends of each interval."""
        found = [(place, self.y(value)) for place, value in enumerate(curve.values) if value is not None]
        if not self.ends:
            return [(self.x(place), y) for place, y in found]
        return [(x, y) for place, y in found for x in (self.x(place - 1) if place else LEFT, self.x(place))]

    def name_y(self, number: int) -> float:
        """Return where the name of a curve is, in pixels from above: closer to each other if there are many."""
        return round(TOP + 8 + self.line_height * number, 1)

    @property
    def line_height(self) -> float:
        """The distance of the names of curves."""
        return min(LINE_HEIGHT, (HEIGHT - TOP - BOTTOM) / max(len(self.curves), 1))


def style(number: int) -> tuple[str, str]:
    """Return colour and dashes of a curve, which tell it from others."""
    return COLOURS[number % len(COLOURS)], DASHES[number // len(COLOURS) % len(DASHES)]
