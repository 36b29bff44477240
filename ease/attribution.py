"""What is attributed to parts of a program: to regions of its source, or to the lines of a program that it interprets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ease.timeline import Figure


@dataclass(frozen=True, slots=True)
class Attribution:
    """Figures by row, a region or a line: `by` says which of the two, `instructions` how many each row executed."""

    by: str
    names: Sequence[str]
    instructions: Sequence[int]
    figures: Sequence[Figure]
