"""What a long measured run has come to so far, on the standard error stream: instructions, speed, miss ratios, where it is.

Counters are read while the program runs.  Those of loops that stay in registers are not there yet, and control is somewhere
in between: numbers are what `ease.counters.reconstruction` makes of a run that was cut short, never below the ones before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import IO, Any

from cache_sim.predictors.predictor import Results as Predictions
from cache_sim.results import Results
from ease.base.printable import commanding
from ease.host.process.process import BACK, ERASE, NOTE
from ease.host.process.run import RunResult
from ease.model.results import Counts

WIDTH = 110  # characters of a line


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a run has come to after so many seconds: counts, and what a memory system and predictors did, if there are any."""

    seconds: float
    counts: Counts
    memory: Results | None = None
    predictions: Predictions | None = None

    def mistakes(self) -> dict[str, float]:
        """Return the share of transfers, in per cent, that each predictor mispredicted."""
        found = self.predictions
        shares: dict[str, float] = {}
        for name, kinds in found.predictors.items() if found is not None else ():
            assert found is not None
            made = sum(site.executed for site in found.sites.values() if site.kind in kinds)
            shares |= {name: 100 * min(max(found.mispredicted(name) / made, 0), 1)} if made else {}
        return shares

    def executed(self) -> dict[str, int]:
        """Return the instructions of each function."""
        return {name: sum(counts) for name, counts in self.counts.rtls.items()}


@dataclass(frozen=True, slots=True)
class Progress:
    """Who gets snapshots of a run while it goes on; `found` says what observers have found so far."""

    tell: Callable[[Snapshot], None]
    found: Callable[[Counts, RunResult], Mapping[str, Any]] = lambda counts, run: {}

    def take(self, counts: Counts, run: RunResult) -> None:
        """Make a snapshot of a run that is under way."""
        found = self.found(counts, run)
        self.tell(Snapshot(run.run_seconds, counts, found.get("memory"), found.get("prediction")))


@dataclass
class ProgressLine:
    """A line on a stream, written anew with each snapshot; on a terminal behind the cursor, where it hides no output."""

    stream: IO[str]
    terminal: bool
    seconds: float = 0.0
    executed: Mapping[str, int] = field(default_factory=dict)
    written: bool = False

    def __call__(self, snapshot: Snapshot) -> None:
        """Show a snapshot."""
        executed = snapshot.executed()
        text = "  ".join(self._parts(snapshot, executed))[:WIDTH]
        self.stream.write(f"{NOTE}{text}{ERASE}{BACK}" if self.terminal else f"{text}\n")
        self.stream.flush()
        self.seconds, self.executed, self.written = snapshot.seconds, executed, True

    def _parts(self, snapshot: Snapshot, executed: Mapping[str, int]) -> list[str]:
        total = sum(executed.values())
        newly = {name: count - self.executed.get(name, 0) for name, count in executed.items()}
        speed = max(sum(newly.values()), 0) / max(snapshot.seconds - self.seconds, 1e-3)
        parts = [f"{snapshot.seconds:.0f} s", f"{total:,} instructions", f"{speed / 1e6:,.0f} million/s"]
        if snapshot.memory is not None:
            parts += [
                f"{cache.cache.name} {100 * cache.miss_ratio:.2f}% misses"
                for cache in snapshot.memory.caches
                if cache.misses.total < cache.accesses.total
            ]
        parts += [f"{name} {share:.2f}% mispredicted" for name, share in snapshot.mistakes().items()]
        busiest = max(newly, key=newly.__getitem__, default="")
        return [*parts, f"in {busiest.removeprefix('_')}"] if newly.get(busiest, 0) > 0 else parts

    def end(self) -> None:
        """Remove the line from a terminal."""
        if self.written and self.terminal:
            self.stream.write(ERASE)
            self.stream.flush()


def progress_line(asked: bool) -> ProgressLine | None:
    """Return the line for a run, if it was asked for or the standard error stream is a terminal."""
    terminal = sys.stderr.isatty()
    return ProgressLine(commanding(sys.stderr), terminal) if asked or terminal else None
