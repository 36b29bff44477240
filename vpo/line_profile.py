"""How often source lines were executed in an earlier run: what a compiler may go by instead of guesses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True, eq=False)
class LineProfile:
    """Executions of an instruction of each line, on the average, by file and line.  `digest` tells profiles apart.

    Files of the library have their names only, behind `library`.
    """

    files: Mapping[str, Mapping[int, float]]
    digest: str
    library: str = "libc/"

    def times(self, file: str, line: int) -> float | None:
        """Return how often an instruction of a line was executed; None if the run had none of that line."""
        lines = self.files.get(file) or self.files.get(self.library + Path(file).name)
        return None if lines is None else lines.get(line)

    @cached_property
    def most(self) -> float:
        """How often the instructions of some line were executed at most."""
        return max((times for lines in self.files.values() for times in lines.values()), default=0.0)
