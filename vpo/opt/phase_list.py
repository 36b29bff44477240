"""Lists of phases, as `-phases` and the levels write them: `control,(combine,dead)*`.

A group in parentheses is repeated until a round of it changes nothing.  Which phases there are, and which lists make
correct code, is in `driver.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from vpo.rtl import Effect, Rtl
from vpo.rtl.function import Function

_TOKEN = re.compile(r"\)\*|[(),]|[^(),*\s]+|\S")
_END = "the end"


@dataclass(frozen=True, slots=True)
class Repeat:
    """A group of phases that is repeated until a round changes nothing."""

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return f"({show_phases(self.steps)})*"


Step = str | Repeat


class PhaseListError(Exception):
    """A list of phases is wrong."""


def show_phases(steps: Iterable[Step]) -> str:
    """Return the text of a list of phases."""
    return ",".join(map(str, steps))


def phase_names(steps: Iterable[Step], rounds: int = 1) -> Iterator[str]:
    """Yield the names of phases in the order in which they run, if each group is run for some rounds."""
    for step in steps:
        if isinstance(step, str):
            yield step
        else:
            for _ in range(rounds):
                yield from phase_names(step.steps, rounds)


def parse_phases(text: str) -> tuple[Step, ...]:
    """Read a list of phases.

    Raises PhaseListError.
    """
    tokens = _Tokens(text)
    steps = _steps(tokens)
    tokens.expect(_END, "a comma between phases")
    return steps


class _Tokens:
    """The tokens of a list of phases, and which is next."""

    def __init__(self, text: str) -> None:
        self.found = [(match.group(), match.start() + 1) for match in _TOKEN.finditer(text)]
        self.found.append((_END, len(text) + 1))

    @property
    def next(self) -> str:
        """The next token."""
        return self.found[0][0]

    def take(self) -> str:
        """Return the next token and go on."""
        return self.found.pop(0)[0]

    def expect(self, token: str, wanted: str) -> None:
        """Go on behind a token, which must be the next.

        Raises PhaseListError.
        """
        if self.next != token:
            self.fail(wanted)
        if token != _END:
            self.take()

    def fail(self, wanted: str) -> None:
        """Raise PhaseListError: there should be something else here."""
        token, column = self.found[0]
        there = token if token is _END else f"'{token}'"
        raise PhaseListError(f"column {column}: {wanted} is wanted here, not {there} (such as control,(combine,dead)*,dead)")


def _steps(tokens: _Tokens) -> tuple[Step, ...]:
    steps = [_step(tokens)]
    while tokens.next == ",":
        tokens.take()
        steps.append(_step(tokens))
    return tuple(steps)


def _step(tokens: _Tokens) -> Step:
    if tokens.next == "(":
        tokens.take()
        steps = _steps(tokens)
        tokens.expect(")*", "')*' behind the group")
        return Repeat(steps)
    if not re.fullmatch(r"[\w-]+", tokens.next):
        tokens.fail("the name of a phase")
    return tokens.take()


# ----------------------------------------------------------------------------------------------------------------------
# A record of what each phase did to each function, for those who want to know what a phase is good for.


@dataclass(frozen=True, slots=True)
class PhaseRun:
    """What one run of a phase over a function did.

    `number`: the place in the order of running, from 1, as dumps have it; `place`: the place in the list of phases, from 0,
    which all rounds of a repeated group share.  `changes`: how many improving changes it made, which is what `-max-changes`
    counts.  `before` and `after`: the RTLs of the function.  `written`: how many of the RTLs after it were not there before
    it, or had other effects; needed changes are among these, such as registers in the places of pseudo-registers.  `removed`:
    how many of those before it have gone; `moved`: how many are the same in another block, known by its label.
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
    removed: int
    moved: int
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
        same = {rtl: block for rtl, (block, effects) in now.items() if rtl in before and before[rtl][1] == effects}
        moved = sum(before[rtl][0] != block for rtl, block in same.items())
        counts = len(before), len(now), len(now) - len(same), sum(rtl not in now for rtl in before), moved
        file, name = self.function.file, self.function.name[1:]
        self.log.runs.append(PhaseRun(file, name, number, place, phase, changes, *counts, seconds))
        self.known = now

    def _effects(self) -> dict[Rtl, tuple[str, tuple[Effect, ...]]]:
        return {rtl: (block.label, rtl.effects) for block in self.function.blocks for rtl in block.rtls}
