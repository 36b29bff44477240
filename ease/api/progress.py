"""How far something long is, and how long it will take: one line on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time

from ease.base.printable import commanding, printable

SELDOM = 5.0  # seconds between lines where there is no terminal
CLEAR = "\r\033[K"


class Progress:
    """Tells on standard error how much of a work of many points is done, and how long the rest takes; not if `quiet`."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet, self.terminal = quiet, sys.stderr.isatty()
        self.points = self.known = self.measured = self.errors = 0
        self.begun = self.told = time.monotonic()

    def begin(self, points: int, known: int = 0) -> None:
        """Say how many points there are, and how many of them are known already."""
        self.points, self.known = points, known
        self.begun = time.monotonic()
        if not self.quiet and not self.terminal:
            kept = f", {known:,} of them from the store" if known else ""
            print(f"{points:,} point{'s' if points != 1 else ''}{kept}", file=sys.stderr, flush=True)

    def done(self, about: str, failed: bool = False) -> None:
        """Count a point; `about` says in words what it is."""
        self.measured += 1
        self.errors += failed
        now = time.monotonic()
        if self.quiet or (not self.terminal and now - self.told < SELDOM and self.known + self.measured < self.points):
            return
        self.told = now
        line = f"{self.known + self.measured:,} of {self.points:,}, {self.left(now)} left: {about}"
        if self.errors:
            line += f" ({self.errors:,} failed)"
        line = printable(line)
        told = f"{CLEAR}{line}" if self.terminal else f"{line}\n"
        print(told, end="", file=commanding(sys.stderr), flush=True)

    def left(self, now: float) -> str:
        """Return the time that the rest will take if points go on to take as long as they did."""
        rest = self.points - self.known - self.measured
        return in_words((now - self.begun) / max(self.measured, 1) * rest)

    def end(self) -> None:
        """Leave the line."""
        if self.terminal and not self.quiet and self.measured:
            print(CLEAR, end="", file=commanding(sys.stderr), flush=True)


def in_words(seconds: float) -> str:
    """Return a time as people say it."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"
