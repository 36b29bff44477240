"""Pictures: panels of curves, bars and heat maps; laid out here, written by the templates beside this file.

Curves and bars are written as text for terminals, too, and SVG becomes PNG.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ease.model.results import Count, total

WIDTH, HEIGHT = 460, 280  # of a panel, in pixels
LEFT, RIGHT, TOP, BOTTOM = 46, 84, 30, 40  # around the curves
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
        highest = max(2, len(str(int(most))))
        candidates = [digit * 10.0**power for power in range(highest, -8, -1) for digit in (5, 2, 1)]
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


# ----------------------------------------------------------------------------------------------------------------------
# Bars: what a program consists of.

MOST = 11  # bars that fit; if there are more rows, the last bar is for all others
BARS_LEFT, BARS_RIGHT, BARS_BOTTOM = 130, 56, 26  # around the bars, in pixels: names, numbers, what the colours mean
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
    left: ClassVar[int] = BARS_LEFT

    title: str
    bars: Sequence[Bar]

    def y(self, number: int) -> int:
        """Return where a bar is, in pixels from above."""
        return TOP + number * ((HEIGHT - TOP - BARS_BOTTOM) // MOST)

    def length(self, share: float) -> float:
        """Return how long the bar of a share is, in pixels."""
        largest = max(max(bar.static, bar.dynamic) for bar in self.bars)
        return round((WIDTH - BARS_LEFT - BARS_RIGHT) * share / largest, 1) if largest else 0.0


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


# ----------------------------------------------------------------------------------------------------------------------
# Heat maps: a coloured cell for each value of a table.

MAP_LEFT, MAP_TOP = 220, 60  # around the cells, in pixels
CELL, CELL_HEIGHT = 56, 16
DARKEST = 145  # so that black is read well on it: a contrast of 5.2 on blue (WCAG asks for 4.5)
LETTER, TITLE_LETTER = 6, 7  # the width of one, about


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Relative changes by row and column: red where they are increases, blue where decreases; NaN is an unknown one."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[float]]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture, in pixels."""
        width = max(MAP_LEFT + CELL * len(self.columns), TITLE_LETTER * len(self.title) + 10)
        return width + 10, MAP_TOP + CELL_HEIGHT * len(self.rows) + 10

    def colour(self, value: float) -> str:
        """Return the colour of a value: the more it differs from 0, the darker; 5 per cent of the highest are seen well."""
        if value != value:  # a missing one
            return "#eeeeee"
        most = max((abs(cell) for row in self.cells for cell in row if cell == cell), default=0.0)
        pale = 255 - round(DARKEST * (abs(value) / most) ** 0.5) if most else 255
        return f"#ff{pale:02x}{pale:02x}" if value >= 0 else f"#{pale:02x}{pale:02x}ff"

    def shown(self, row: str) -> str:
        """Return as much of a row's name as there is room for."""
        room = MAP_LEFT // LETTER
        return row if len(row) <= room else row[: room - 1] + "…"


# ----------------------------------------------------------------------------------------------------------------------
# Text for terminals: bars, and curves as lines of small bars, one for each place of the axis.

CHARACTERS = 40  # of the longest bar, and of a curve over intervals
PARTS = " ▏▎▍▌▋▊▉█"  # eighths of a character, from the left
HEIGHTS = "▁▂▃▄▅▆▇█"  # and from below
NONE = " "  # where a curve has no value


def as_plots(panels: Iterable[Panel | Mix]) -> str:
    """Return pictures as text, one below the other."""
    return "\n".join("\n".join(_mix(panel) if isinstance(panel, Mix) else _curves(panel)) + "\n" for panel in panels)


def _mix(mix: Mix) -> Iterator[str]:
    """Yield a title and a line for each bar: how much of what is executed."""
    yield from (f"{mix.title}, executed", "")
    longest = max(bar.dynamic for bar in mix.bars)
    names = max(len(bar.shown) for bar in mix.bars)
    for bar in mix.bars:
        yield f"{bar.shown.rjust(names)}  {_bar(bar.dynamic / longest if longest else 0)} {bar.percent}"


def _bar(share: float) -> str:
    whole, part = divmod(round(share * CHARACTERS * 8), 8)
    return "█" * whole + (PARTS[part] if part else "")


def _curves(panel: Panel) -> Iterator[str]:
    """Yield a title and a line for each curve, with its least and largest value; all have one scale."""
    yield from (panel.title, "")
    names = max(len(curve.name) for curve in panel.curves)
    for curve in panel.curves:
        known = [value for value in curve.values if value is not None]
        told = f"{min(known):.4g} to {max(known):.4g}" if known else "nothing"
        yield f"{curve.name.rjust(names)}  {''.join(_heights(panel, curve))}  {told}"
    if panel.places:
        ends = f"0 to {panel.places[-1]}" if panel.ends else f"{panel.places[0]} to {panel.places[-1]}"
        yield f"{' ' * names}  {panel.axis}: {ends}"


def _heights(panel: Panel, curve: Curve) -> Iterator[str]:
    for value in _over_time(panel.ends, curve.values) if panel.ends else curve.values:
        yield NONE if value is None else HEIGHTS[min(int(value / panel.top * len(HEIGHTS)), len(HEIGHTS) - 1)]


def _over_time(ends: Sequence[float], values: Sequence[float | None]) -> Iterator[float | None]:
    """Yield the value in the middle of each of so many equal stretches, so that an interval is as wide as it is long."""
    for column in range(CHARACTERS):
        place = bisect_right(ends, (column + 0.5) / CHARACTERS * ends[-1])
        yield values[min(place, len(values) - 1)]


# ----------------------------------------------------------------------------------------------------------------------
# PNG, drawn from SVG by resvg.

ZOOM = 2.0  # pixels of the file for one of the picture: text stays sharp on today's screens


def as_png(svg: str) -> bytes:
    """Return a picture as PNG; its text takes a font of the system."""
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=svg, zoom=ZOOM))
