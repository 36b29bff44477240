"""Simulate every LRU cache of a grid in one run (`cache_sim.native.sweep`).

Checks stand at the same places as for a memory system.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cache_sim.native.check_code import Alignment, CheckCode
from cache_sim.native.state import State
from cache_sim.native.sweep import SweepCode, collect_sweep
from cache_sim.sweeps import Grid, Swept
from ease.host.memory.caching import Caching
from ease.model.results import Counts
from vpo.analysis.program import Program

if TYPE_CHECKING:
    from ease.host.process.run import RunResult


class SweepCheckCode(CheckCode):
    """Writes the checks for a grid of caches."""

    def __init__(self, grid: Grid, state: State, large: State, alignment: Alignment) -> None:
        self.grid = grid
        super().__init__(grid.smallest, state, large, 1, alignment)

    def make_code(self, state: State, large: State, sites: int, kinds: tuple[str, ...]) -> SweepCode:
        """Return the simulator, laid out in memory."""
        self.sweep = SweepCode(self.grid, state, large, "i32", self.alignment.straddles, kinds)
        return self.sweep


class Sweeping(Caching):
    """Simulates a grid of caches while a program runs."""

    learns = fetches_apart = False

    def __init__(self, program: Program, grid: Grid) -> None:
        super().__init__(program, grid.smallest)
        self.grid = grid

    def make_check_code(self, state: State, large: State, alignment: Alignment) -> SweepCheckCode:
        """Return the writer of checks."""
        self.sweep = SweepCheckCode(self.grid, state, large, alignment)
        return self.sweep

    def swept(self, counts: Counts, run: RunResult) -> Swept:
        """Return what the simulator counted in a run."""
        return collect_sweep(self.sweep.sweep, self.references(counts, run.read), run.read)
