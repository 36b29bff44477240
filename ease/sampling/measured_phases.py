"""When a run is measured: a list of phases, each a mode and a number of instructions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

ENDLESS = 1 << 58  # instructions that no run executes


class Mode(IntEnum):
    """What is done in a phase: nothing, caches and predictors are kept warm, or everything is measured."""

    FAST = 0
    WARM = 1
    MEASURED = 2


@dataclass(frozen=True, slots=True)
class Phase:
    """So many instructions in one mode."""

    mode: Mode
    length: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """Phases in order; behind the last one, control goes on with phase `again`.

    `systematic`: samples are taken at even distances, so that they tell of the whole run.  `confidence`: with which the
    intervals of such estimates are to hold the true values.
    """

    phases: tuple[Phase, ...]
    again: int
    systematic: bool = False
    confidence: float = 0.997

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes that occur, the usual one first."""
        return tuple(sorted({phase.mode for phase in self.phases}))

    @property
    def always(self) -> bool:
        """Whether simulators see the whole run."""
        return Mode.FAST not in self.modes


def systematic(
    every: int, length: int, warm: int = 0, always: bool = False, offset: int | None = None, confidence: float = 0.997
) -> Schedule:
    """Return a schedule that measures `length` of each `every` instructions.

    Simulators are warmed before each sample by `warm` instructions, or `always`.  The first sample begins behind `offset`
    instructions (default: such that samples lie in the middles of what they stand for).
    """
    usual = Mode.WARM if always else Mode.FAST
    gap = every - length - warm
    if offset is None:
        offset = (every - length) // 2
    first = (Phase(usual, max(offset - warm, 0)), Phase(Mode.WARM, min(warm, offset)))
    cycle = (Phase(Mode.MEASURED, length), Phase(usual, gap), Phase(Mode.WARM, warm))
    head = [phase for phase in first if phase.length]
    phases = [*head, *(phase for phase in cycle if phase.length)]
    return Schedule(tuple(phases), len(head), True, confidence)
