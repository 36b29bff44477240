"""Bar charts as SVG: a group of bars for each name, a bar for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH, LABELS, VALUES = 560, 170, 86  # of a chart, of the names at its left, of the numbers at its right, in pixels
BAR, GAP = 14, 8  # height of a bar, and between groups
LONGEST = 24  # characters of a name that fit


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, with where it is; `run` is the number of the run."""

    y: int
    width: float
    value: int
    run: int


@dataclass(frozen=True, slots=True)
class Group:
    """The bars of a name."""

    name: str
    y: int
    bars: tuple[Bar, ...]

    @property
    def shown(self) -> str:
        """The name, cut if it is too long."""
        return self.name if len(self.name) <= LONGEST else "…" + self.name[1 - LONGEST :]


@dataclass(frozen=True, slots=True)
class Chart:
    """Groups of bars with the same scale."""

    title: str
    groups: tuple[Group, ...]
    runs: int

    @property
    def height(self) -> int:
        """The height of the picture."""
        return len(self.groups) * (self.runs * BAR + GAP)


def chart(title: str, tables: Sequence[Mapping[str, int]], most: int) -> Chart:
    """Return a chart of the names with the largest values; a table for each run."""
    whole = {name: sum(table.get(name, 0) for table in tables) for table in tables for name in table}
    names = sorted((name for name in whole if whole[name]), key=lambda name: (-whole[name], name))[:most]
    largest = max((table.get(name, 0) for table in tables for name in names), default=1)
    groups = []
    for place, name in enumerate(names):
        top = place * (len(tables) * BAR + GAP)
        bars = tuple(
            Bar(top + run * BAR, round((WIDTH - LABELS - VALUES) * table.get(name, 0) / largest, 1), table.get(name, 0), run)
            for run, table in enumerate(tables)
        )
        groups.append(Group(name, top + len(tables) * BAR // 2 + 4, bars))
    return Chart(title, tuple(groups), len(tables))
