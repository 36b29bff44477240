"""Simulators of caches and predictors in samples of a run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from cache_sim.config import MemorySystem
from cache_sim.native.check_code import CheckCode, Feedback
from cache_sim.native.fetch_code import FetchCode
from cache_sim.native.predictors import mistakes_column
from cache_sim.native.state import State
from cache_sim.native.system import SystemCode
from ease.host.instruments.predicting import Predicting
from ease.host.memory.caching import Caching, Recording
from vpo.program import Program

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cache_sim.predictors.predictor import Predictor


class SummedCaching(Caching):
    """Simulates a memory system whose counts have sums, which are known of each sample."""

    learns = False

    @cached_property
    def planned(self) -> SystemCode:
        """The simulator before it has a place in memory."""
        return self.make_check_code(State(0), State(0), self.alignment).code

    @property
    def line_of_fetches(self) -> int:
        """The bytes of a line of the instruction cache if fetches are not checked together with data, else 0."""
        apart = self.fetches_apart and FetchCode.suits(self.planned)
        return self.system.instruction.line if apart and self.system.instruction is not None else 0

    def sums(self) -> Sequence[str]:
        """Return names for the misses of each cache by kind, lines that became dirty, and lines that references split over."""
        code = self.planned
        missed = [f"{cache.name} {kind}" for cache in code.all for kind in cache.kinds]
        other = [f"{cache.name} dirtied" for cache in code.all]
        return [*missed, *other, *(f"{cache.name} splits" for cache in code.firsts)]


class SampledCaching(SummedCaching):
    """Simulates a memory system in samples.

    `always`: it sees all references, in samples or not.  Then checks may know what came before, as in a run without samples;
    else each instruction has checks of its own.
    """

    def __init__(self, program: Program, system: MemorySystem, always: bool, feedback: Feedback | None = None) -> None:
        super().__init__(program, system, feedback if always else None)
        self.joins = self.coalesces = self.fetches_apart = always

    def place(self, state: State, large: State) -> None:
        """Lay out the memory of the simulator; what only keeps it warm has none of its own."""
        super().place(state, large)
        self.silent: tuple[CheckCode, FetchCode | None] | None = None

    @property
    def writers(self) -> tuple[CheckCode, FetchCode | None]:
        """The writers of checks, in a version that is not measured those that count nothing."""
        if self.counting.counts:
            return super().writers
        if self.silent is None:
            checks = self.check_code.silent()
            self.silent = checks, None if self.fetches is None else self.fetches.silent(checks.code)
        return self.silent

    def text(self) -> str:
        """Return the LLVM functions of the simulator."""
        if self.silent is None:
            return super().text()
        checks, fetches = self.silent
        return "\n".join([super().text(), checks.functions(), "" if fetches is None else fetches.functions()])


class SampledRecording(SummedCaching, Recording):
    """Simulates a memory system whose counts are recorded at moments, and in samples as well."""


class SampledPredicting(Predicting):
    """Simulates branch predictors in samples."""

    def __init__(self, program: Program, predictors: Mapping[str, Predictor]) -> None:
        super().__init__(program, predictors, waiting=False)

    def sums(self) -> Sequence[str]:
        """Return a name for the mistakes of each predictor."""
        return [mistakes_column(str(number)) for number in range(len(self.predictors))]
