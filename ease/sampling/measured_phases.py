"""When a run is measured: a list of phases, each a mode and a number of instructions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum

ENDLESS = 1 << 58  # instructions that no run executes


class Mode(IntEnum):
    """What is done in a phase: nothing, caches and predictors are kept warm, or everything is measured.

    STEP: as the usual mode, but each instruction is counted apart, so that the phase ends exactly.
    """

    FAST = 0
    WARM = 1
    MEASURED = 2
    STEP = 3


@dataclass(frozen=True, slots=True)
class Phase:
    """So many instructions in one mode."""

    mode: Mode
    length: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """Control comes to a function for the `number`-th time: the run goes on with a phase of the schedule."""

    function: str
    number: int
    phase: int


@dataclass(frozen=True, slots=True)
class LoopArrival:
    """Control comes to a block of a function for the `number`-th time: the run goes on with a phase of the schedule."""

    function: str
    block: int
    number: int
    phase: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """Phases in order; behind the last one, control goes on with phase `again`.

    `systematic`: samples are taken at even distances, so that they tell of the whole run.  `confidence`: with which the
    intervals of such estimates are to hold the true values.  `exact`: samples begin and end at exact instructions, for which
    usual phases are `cut`.  `arrivals` begin phases, too, and so do `marks`, in the order of each block.  `attached`: another
    process says which of two phases is under way.  `at_loops`: phases end only at these headers of loops, by function.
    """

    phases: tuple[Phase, ...]
    again: int
    systematic: bool = False
    confidence: float = 0.997
    exact: bool = False
    arrivals: tuple[Arrival, ...] = ()
    attached: bool = False
    marks: tuple[LoopArrival, ...] = ()
    at_loops: Mapping[str, frozenset[int]] | None = None

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes that occur, the usual one first."""
        found = {phase.mode for phase in self.phases}
        return tuple(sorted(found | {Mode.STEP} if self.exact else found))

    def cut(self, distance: int) -> Schedule:
        """Return an exact schedule in which the last `distance` instructions of usual phases are steps."""
        if not self.exact:
            return self
        phases: list[Phase] = []
        for phase in self.phases:
            if phase.mode is Mode.MEASURED:
                phases.append(phase)
                continue
            phases.append(Phase(phase.mode, max(phase.length - distance, 0)))
            phases.append(Phase(Mode.STEP, min(distance, phase.length)))
        kept = tuple(phase for phase in phases if phase.length)
        return replace(self, phases=kept, again=len(kept) - 1)

    @property
    def always(self) -> bool:
        """Whether simulators see the whole run."""
        return Mode.FAST not in self.modes


@dataclass(frozen=True, slots=True)
class PhaseSpec:
    """What `-sample phases:` says: intervals of `every` instructions, at most `clusters`; how simulators are warmed.

    Of each phase, `samples` intervals are measured.  `loops`: intervals begin and end at loops; `marks` is a file to write
    that says where.
    """

    every: int
    clusters: int
    warm: int = 0
    always: bool = False
    samples: int = 1
    confidence: float = 0.997
    loops: bool = False
    marks: str = ""


@dataclass(frozen=True, slots=True)
class MarksSpec:
    """What `-sample marks:` says: the file of regions, and whether simulators see the whole run."""

    file: str
    always: bool = False
    confidence: float = 0.997


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


def windows(found: Iterable[tuple[int, int]], always: bool) -> Schedule:
    """Return a schedule that measures `length` instructions behind the first `start` ones, for each (start, length).

    Raises ValueError if they overlap.
    """
    usual = Mode.WARM if always else Mode.FAST
    phases: list[Phase] = []
    end = 0
    for start, length in sorted(found):
        if start < end:
            raise ValueError(f"samples overlap: one begins behind {start:,} instructions, the one before ends behind {end:,}")
        phases += [Phase(usual, start - end)] * (start > end) + [Phase(Mode.MEASURED, length)]
        end = start + length
    phases.append(Phase(usual, ENDLESS))
    return Schedule(tuple(phases), len(phases) - 1, exact=True)


def at_arrivals(found: Iterable[tuple[str, int, int]], always: bool) -> Schedule:
    """Return a schedule of (function, k, length): `length` instructions are measured from the k-th arrival at a function on.

    An arrival during a sample begins none.
    """
    usual = Mode.WARM if always else Mode.FAST
    phases, arrivals = [Phase(usual, ENDLESS)], []
    for function, number, length in found:
        arrivals.append(Arrival(function, number, len(phases)))
        phases += [Phase(Mode.MEASURED, length), Phase(usual, ENDLESS)]
    return Schedule(tuple(phases), 0, arrivals=tuple(arrivals))


def attached(always: bool) -> Schedule:
    """Return a schedule that another process decides."""
    return Schedule((Phase(Mode.WARM if always else Mode.FAST, ENDLESS), Phase(Mode.MEASURED, ENDLESS)), 0, attached=True)
