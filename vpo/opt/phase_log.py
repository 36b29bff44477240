"""A record of what each phase did to each function, for those who want to know what a phase is good for."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

from vpo.function import Function
from vpo.rtl import Effect, Rtl


@dataclass(frozen=True, slots=True)
class PhaseRun:
    """What one run of a phase over a function did.

    `number`: the place in the order of running, from 1, as dumps have it; `place`: the place in the list of phases, from 0,
    which all rounds of a repeated group share.  `changes`: how many improving changes it made, which is what `-max-changes`
    counts.  `before` and `after`: the RTLs of the function.  `written`: how many of the RTLs after it were not there before
    it, or had other effects; needed changes are among these, such as registers in the places of pseudo-registers.
    """

    file: str
    function: str
    number: int
    place: int
    phase: str
    changes: int
    before: int
    after: int
    written: int
    seconds: float


@dataclass(eq=False, slots=True)
class PhaseLog:
    """All runs of phases of a compilation."""

    runs: list[PhaseRun] = field(default_factory=list)

    def by_function(self) -> list[tuple[PhaseRun, ...]]:
        """Return the runs over each function, in the order in which they were compiled."""
        return [tuple(group) for _, group in groupby(self.runs, key=lambda run: (run.file, run.function))]

    def seconds(self) -> dict[str, float]:
        """Return the time that each phase took."""
        result: dict[str, float] = {}
        for run in self.runs:
            result[run.phase] = result.get(run.phase, 0.0) + run.seconds
        return result


class FunctionLog:
    """Records what phases do to one function."""

    def __init__(self, log: PhaseLog, function: Function) -> None:
        self.log, self.function = log, function
        self.known = self._effects()

    def add(self, number: int, place: int, phase: str, changes: int, seconds: float) -> None:
        """Record the run of a phase, which has just ended."""
        before, now = self.known, self._effects()
        written = sum(before.get(rtl) != effects for rtl, effects in now.items())
        file, name = self.function.file, self.function.name[1:]
        self.log.runs.append(PhaseRun(file, name, number, place, phase, changes, len(before), len(now), written, seconds))
        self.known = now

    def _effects(self) -> dict[Rtl, tuple[Effect, ...]]:
        return {rtl: rtl.effects for rtl in self.function.rtls()}
