"""Pictures of reports for terminals: mixes as bars, curves as lines of small bars, one for each place of the axis."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from ease.reports.pictures.mixes import Mix
from ease.reports.pictures.plot import Curve, Panel

WIDTH = 40  # of the longest bar, and of a curve over intervals, in characters
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
    whole, part = divmod(round(share * WIDTH * 8), 8)
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
    """Yield the value in the middle of each of WIDTH equal stretches, so that an interval is as wide as it is long."""
    for column in range(WIDTH):
        place = bisect_right(ends, (column + 0.5) / WIDTH * ends[-1])
        yield values[min(place, len(values) - 1)]
