"""Pictures of sweeps: a heat map of the changes of the first measure, or, with a Pareto front, the points of two measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ease.reports.pictures import HeatMap
from ease.reports.render import as_heat_map
from ease.sweeps.sweep_run import Swept
from ease.sweeps.sweep_table import Row, front, measures_of, rows
from vpo.build.compiler import UserError

WIDTH, HEIGHT = 640, 420
LEFT, RIGHT, TOP, BOTTOM = 90, 110, 30, 40
LINES = 5  # across, and up
MARGIN = 0.05  # beyond the points, as a part of where they lie


def as_svg(swept: Swept) -> str:
    """Return the picture of a sweep.

    Raises UserError if there is nothing in it.
    """
    if not any(row.measures for row in rows(swept)):
        raise UserError(["there is nothing to draw: no configuration has all its programs"])
    return _scatter(swept) if swept.sweep.pareto else as_heat_map(heat_map(swept, measures_of(swept)[0]))


def heat_map(swept: Swept, measure: str) -> HeatMap:
    """Return the changes of a measure against the first configuration: the last axis across.

    Down are the other axes, each row summed over the programs; without others, the programs, and then their sum.
    """
    sweep = swept.sweep
    *down, across = sweep.varying or [0]
    count = len(sweep.programs)
    every = f"all {count:,} programs" if count > 1 else sweep.programs[0].name
    if down:
        lines = _by_axes(swept, down, measure)
        below = f", down: {', '.join(sweep.axes[axis].name for axis in down)}; {every}"
    else:
        lines = {program.name: _changes(rows(swept, [program]), measure) for program in sweep.programs}
        lines |= {every: _changes(rows(swept), measure)}
        below = ""
    title = f"{measure}: change in per cent; across: {sweep.axes[across].name}{below}"
    return HeatMap(title, list(lines), [choice.name for choice in sweep.axes[across].choices], list(lines.values()))


def _by_axes(swept: Swept, down: Sequence[int], measure: str) -> dict[str, list[float]]:
    """Return the changes in each row of a heat map, by the names of its choices."""
    found: dict[str, list[float]] = {}
    every = rows(swept)
    for row, change in zip(every, _changes(every, measure), strict=True):
        found.setdefault(" ".join(row.names[axis] for axis in down), []).append(change)
    return found


def _changes(found: Sequence[Row], measure: str) -> list[float]:
    """Return by how much a measure differs in each row from the first that has it, as a part of it; NaN: not measured."""
    values = [float("nan") if row.measures is None else row.measures.get(measure, float("nan")) for row in found]
    base = next((value for value in values if value == value), 0)
    return [(value - base) / base if base else value * 0 for value in values]


@dataclass(frozen=True, slots=True)
class _Dot:
    x: float
    y: float
    name: str
    values: str
    best: bool


def _scatter(swept: Swept) -> str:
    """Return a configuration as a dot each, with the front as a line, over the first two measures of the front."""
    import jinja2

    measures = (*swept.sweep.pareto, "instructions")[:2]
    best = front(swept, swept.sweep.pareto)
    found = [(row.names, row.measures) for row in rows(swept) if row.measures is not None]
    scales = [_Scale.over(name, [values for _, values in found]) for name in measures]
    dots = []
    for names, values in sorted(found, key=lambda item: item[1][measures[0]]):
        x = LEFT + (WIDTH - LEFT - RIGHT) * scales[0].share(values[measures[0]])
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * scales[1].share(values[measures[1]])
        name = " ".join(names[axis] for axis in swept.sweep.varying)
        dots.append(_Dot(round(x, 1), round(y, 1), name, f"{values[measures[0]]:,}, {values[measures[1]]:,}", names in best))
    template = Path(__file__).with_name("scatter.svg.j2").read_text()
    made = jinja2.Environment(trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined).from_string(template)
    return str(made.render(
        title=f"{swept.sweep.name}: {measures[0]} and {measures[1]}", names=measures, dots=dots, width=WIDTH, height=HEIGHT,
        left=LEFT, right=RIGHT, top=TOP, bottom=BOTTOM,
        across=[(round(LEFT + (WIDTH - LEFT - RIGHT) * part, 1), text) for part, text in scales[0].lines()],
        up=[(round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part, 1), text) for part, text in scales[1].lines()],
    ))  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Scale:
    """The values from one end of an axis to the other."""

    low: float
    high: float

    @staticmethod
    def over(measure: str, found: Sequence[Mapping[str, int]]) -> _Scale:
        """Return a scale on which all values are, with room around them."""
        values = [point[measure] for point in found]
        low, high = min(values), max(values)
        room = max((high - low) * MARGIN, high * MARGIN / 10, 1)
        return _Scale(low - room, high + room)

    def share(self, value: float) -> float:
        """Return where a value is: 0 at the low end, 1 at the high one."""
        return (value - self.low) / (self.high - self.low)

    def lines(self) -> list[tuple[float, str]]:
        """Return lines with their values."""
        parts = [number / LINES for number in range(LINES + 1)]
        return [(part, f"{self.low + part * (self.high - self.low):,.0f}") for part in parts]
