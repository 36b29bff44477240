"""Predictions of where indirect jumps, indirect calls and returns go."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import ClassVar

from cache_sim.config import ConfigurationError, demand_power_of_two
from cache_sim.predictors.predictor import Kind, Predictor, demand_entries


@dataclass
class ReturnStack(Predictor):
    """A ring of return addresses: calls push theirs, and returns pop what they expect (C. F. Webb, 1988).

    Where calls are nested deeper than there are entries, the oldest is overwritten.  At first all are 0.

    Raises ConfigurationError if `entries` is no power of two, or too large.
    """

    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.RETURN})

    entries: int
    ring: list[int] = field(default_factory=list, init=False, repr=False)
    top: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        demand_entries(self.entries)
        self.ring = [0] * self.entries

    def predict(self, address: int, target: int) -> int:
        """Return the address on top."""
        return self.ring[self.top % self.entries]

    def update(self, address: int, target: int, outcome: int) -> None:
        """Pop."""
        self.top -= 1

    def called(self, back: int) -> None:
        """Push."""
        self.top += 1
        self.ring[self.top % self.entries] = back


@dataclass
class TargetBuffer(Predictor):
    """A cache of where transfers went the last time: indirect jumps and calls, and returns (J. Lee and A. J. Smith, 1984).

    Sets are chosen by low bits of the address, after it was divided by `unit`; LRU in each.  What is not there is
    mispredicted, and then is.

    Raises ConfigurationError.
    """

    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.JUMP, Kind.CALL, Kind.RETURN})

    entries: int
    ways: int = 1
    unit: int = 1
    sets: defaultdict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(dict), init=False, repr=False)

    def __post_init__(self) -> None:
        demand_entries(self.entries)
        demand_power_of_two("ways", self.ways)
        if self.ways > self.entries:
            raise ConfigurationError(f"{self.ways} ways are more than the {self.entries} entries that there are", "ways")

    def index(self, address: int) -> int:
        """Return the set of a transfer."""
        return address // self.unit % (self.entries // self.ways)

    def predict(self, address: int, target: int) -> int | None:
        """Return where the transfer went the last time, if that is known."""
        return self.sets[self.index(address)].get(address)

    def update(self, address: int, target: int, outcome: int) -> None:
        """Keep where it went, in place of what was not needed for the longest time."""
        ways = self.sets[self.index(address)]  # the last is the one used last
        ways.pop(address, None)
        if len(ways) == self.ways:
            del ways[next(iter(ways))]
        ways[address] = outcome
