"""Two-bit counters: 0 and 1 predict that a branch is not taken, 2 and 3 that it is; each outcome moves one up or down."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from cache_sim.config import ConfigurationError
from cache_sim.predictors.predictor import Predictor, demand_entries

START = 1  # what counters are before they have seen anything: a branch that is new is not taken
EACH = 0  # in place of a number of entries: a counter for each branch


def moved(counter: int, taken: int) -> int:
    """Return what becomes of a counter."""
    return min(counter + 1, 3) if taken else max(counter - 1, 0)


def _counters() -> defaultdict[int, int]:
    return defaultdict(lambda: START)


@dataclass
class Bimodal(Predictor):
    """A table of two-bit counters, looked up by low bits of the branch's address (J. E. Smith, 1981).

    Branches may share an entry, unless `entries` is EACH.  Addresses are divided by `unit` before.

    Raises ConfigurationError if `entries` is no power of two, or too large.
    """

    entries: int
    unit: int = 1
    counters: defaultdict[int, int] = field(default_factory=_counters, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.entries != EACH:
            demand_entries(self.entries)

    def index(self, address: int) -> int:
        """Return the entry of a branch."""
        return address if self.entries == EACH else address // self.unit % self.entries

    def predict(self, address: int, target: int) -> int:
        """Return what the counter says."""
        return self.counters[self.index(address)] >> 1

    def update(self, address: int, target: int, outcome: int) -> None:
        """Move the counter."""
        entry = self.index(address)
        self.counters[entry] = moved(self.counters[entry], outcome)


@dataclass
class Gshare(Predictor):
    """A table of two-bit counters, looked up by address and the last `history` outcomes, exclusive or (S. McFarling, 1993).

    `history` is at most, and if it is not given, the logarithm of `entries`.  The last outcome is the lowest bit.

    Raises ConfigurationError.
    """

    entries: int
    history: int = -1
    unit: int = 1
    counters: defaultdict[int, int] = field(default_factory=_counters, init=False, repr=False)
    past: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        demand_entries(self.entries)
        most = self.entries.bit_length() - 1
        if self.history == -1:
            self.history = most
        if self.history > most:
            raise ConfigurationError(
                f"history {self.history} is longer than the {most} bits of {self.entries} entries", "history"
            )

    def index(self, address: int) -> int:
        """Return the entry of a branch now."""
        return (address // self.unit ^ self.past) % self.entries

    def predict(self, address: int, target: int) -> int:
        """Return what the counter says."""
        return self.counters[self.index(address)] >> 1

    def update(self, address: int, target: int, outcome: int) -> None:
        """Move the counter, then remember the outcome."""
        entry = self.index(address)
        self.counters[entry] = moved(self.counters[entry], outcome)
        self.past = (self.past << 1 | outcome) & (1 << self.history) - 1
