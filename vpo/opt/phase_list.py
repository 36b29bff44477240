"""Lists of phases, as `-phases` and the levels write them: `control,(combine,dead)*`.

A group in parentheses is repeated until a round of it changes nothing.  Which phases there are, and which lists make
correct code, is in `driver.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
