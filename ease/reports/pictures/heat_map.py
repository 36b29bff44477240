"""Pictures of tables: a coloured cell for each value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

CELL, HEIGHT = 56, 16  # of a cell, in pixels
LEFT, TOP = 220, 60  # around the cells
LETTER = 6  # the width of one, about


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
        return LEFT + CELL * len(self.columns) + 10, TOP + HEIGHT * len(self.rows) + 10

    def colour(self, value: float) -> str:
        """Return the colour of a value: the more it differs from 0, the darker; 5 per cent of the highest are seen well."""
        if value != value:  # a missing one
            return "#eeeeee"
        most = max((abs(cell) for row in self.cells for cell in row if cell == cell), default=0.0)
        pale = round(255 * (1 - (abs(value) / most) ** 0.5)) if most else 255
        return f"#ff{pale:02x}{pale:02x}" if value >= 0 else f"#{pale:02x}{pale:02x}ff"

    def shown(self, row: str) -> str:
        """Return as much of a row's name as there is room for."""
        room = LEFT // LETTER
        return row if len(row) <= room else row[: room - 1] + "…"
