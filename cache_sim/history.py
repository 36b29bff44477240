"""The history of a simulation: the results up to each moment, every so many instructions or at each context switch.

`Recorder` is the definition.  A history that grows too long is thinned: every second moment is dropped, and from then on
only every second one is recorded.
"""

from __future__ import annotations

from cache_sim.config import ConfigurationError, MemorySystem
from cache_sim.reference import Simulator
from cache_sim.results import History, Results

MOST = 4096  # moments, as a rule
SWITCH = "switch"


def parse_moments(text: str, system: MemorySystem | None) -> int:
    """Return the number of instructions between moments, 0 for `switch`; a run may have no memory system.

    Raises ConfigurationError.
    """
    if text == SWITCH and system is not None and system.switch is not None:
        return 0
    if text == SWITCH:
        raise ConfigurationError("there are no context switches at which to look: add switch:10000 to the memory system")
    if not text.isdecimal() or not 1 <= int(text) < 1 << 60:
        raise ConfigurationError(f"'{text}' is neither a number of instructions, such as 10000, nor '{SWITCH}'")
    return int(text)


class Recorder(Simulator):
    """A plain simulator that records its results at moments, at most so many (a power of two)."""

    def __init__(self, system: MemorySystem, every: int, most: int = MOST) -> None:
        super().__init__(system)
        self.every, self.most, self.stride = every, most, 1
        self.passed = 0  # moments
        self.kept: list[Results] = []

    def fetch(self, address: int, size: int, site: int = 0) -> None:
        """Fetch an instruction; a moment comes before it if so many came before."""
        if self.every and self.instructions and self.instructions % self.every == 0:
            self._moment()
        super().fetch(address, size, site)

    def history(self) -> History:
        """Return everything so far."""
        return History(self.every, self.stride, (*self.kept, self.results().without_sites()))

    def _switch(self) -> None:
        """A moment comes before the caches are emptied."""
        if not self.every:
            self._moment()
        super()._switch()

    def _moment(self) -> None:
        self.passed += 1
        if self.passed % self.stride:
            return
        self.kept.append(self.results().without_sites())
        if len(self.kept) == self.most:
            self.kept = self.kept[1::2]
            self.stride *= 2
