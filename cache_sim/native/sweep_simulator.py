"""A sweep on traces that are there: the code that is woven into programs otherwise, in a loop over references."""

from __future__ import annotations

from cache_sim.native.causes import ADDRESS_BITS
from cache_sim.native.simulate import Simulator
from cache_sim.native.state import State
from cache_sim.native.sweep import SweepCode, collect_sweep
from cache_sim.sweeps import Grid, Swept
from cache_sim.trace import Trace


class SweepSimulator(Simulator):
    """A sweep compiled for this host, for arrays of references; counts of successive calls of `run` add up.

    Raises OSError if there is no memory for it.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        super().__init__(grid.smallest)

    @property
    def word(self) -> str:
        """The type of addresses."""
        return "i32" if self.grid.full else "i64"

    def make_code(self, state: State, large: State, word: str) -> SweepCode:
        """Lay out the simulator."""
        self.sweep = SweepCode(self.grid, state, large, word)
        return self.sweep

    def run(self, trace: Trace) -> None:
        """Simulate references.

        Raises ValueError for addresses beyond 32 bits if there are fully associative caches: those keep tables of all lines.
        """
        if self.grid.full and max(trace.addresses, default=0) + max(trace.sizes, default=0) > 1 << ADDRESS_BITS:
            raise ValueError(f"fully associative caches of a sweep take addresses of {ADDRESS_BITS} bits")
        super().run(trace)

    def swept(self) -> Swept:
        """Return what happened so far."""
        return collect_sweep(self.sweep, self.made, self.read)
