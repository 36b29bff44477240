"""Simulators of caches and predictors in samples of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cache_sim.config import MemorySystem
from cache_sim.native.feedback import Feedback
from cache_sim.native.predictors import mistakes_column
from cache_sim.native.state import State
from ease.host.memory.caching import Caching
from ease.host.predicting import Predicting
from vpo.program import Program

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cache_sim.predictors.predictor import Predictor


class SampledCaching(Caching):
    """Simulates a memory system in samples.

    `always`: it sees all references, in samples or not.  Then checks may know what came before, as in a run without samples;
    else each instruction has checks of its own.
    """

    learns = False

    def __init__(self, program: Program, system: MemorySystem, always: bool, feedback: Feedback | None = None) -> None:
        super().__init__(program, system, feedback if always else None)
        self.joins = self.coalesces = self.fetches_apart = always

    def sums(self) -> Sequence[str]:
        """Return a name for the misses of each cache, and for the lines that references touched beyond their first."""
        code = self.make_check_code(State(0), State(0), self.alignment).code
        return [*(cache.name for cache in code.all), *(f"{cache.name} splits" for cache in code.firsts)]


class SampledPredicting(Predicting):
    """Simulates branch predictors in samples."""

    def __init__(self, program: Program, predictors: Mapping[str, Predictor]) -> None:
        super().__init__(program, predictors, waiting=False)

    def sums(self) -> Sequence[str]:
        """Return a name for the mistakes of each predictor."""
        return [mistakes_column(str(number)) for number in range(len(self.predictors))]
