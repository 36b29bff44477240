"""What is measured in a run.

A file of its own, since scopes, observers and all that run programs import it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from cache_sim.config import MemorySystem
from cache_sim.sweeps import Grid
from ease.model.regions import Region
from vpo.machines.machine import Machine

if TYPE_CHECKING:
    from ease.tools.tool_file import Tool  # most runs have none


@dataclass(frozen=True, slots=True)
class MeasureOptions:
    """What is measured beside counts: what a memory system or a grid of caches does, and what else is asked for.

    `predict`: branch predictors, as `cache_sim.predictors.predictors` reads them; `timing`: estimate the cycles; `moments`:
    also what was done in intervals of so many instructions, or, if 0, up to each context switch; `tools`: written
    by users; `regions`: counted apart; `lines`: lines that the program interprets are told apart.
    """

    system: MemorySystem | Grid | None = None
    predict: str | None = None
    timing: bool = False
    moments: int | None = None
    tools: Sequence[Tool] = ()
    regions: Sequence[Region] = ()
    lines: bool = False

    @property
    def clocked(self) -> bool:
        """Whether cycles are wanted with a memory system whose write buffers depend on when writes come."""
        delays = self.system.delays if self.timing and isinstance(self.system, MemorySystem) else None
        return delays is not None and bool(delays.buffers)


S = TypeVar("S", bound=MemorySystem | Grid)


def on(machine: Machine, system: S) -> S:
    """Return caches as a machine has them, which may have memories of which they see nothing."""
    own = [(space.at, space.size) for space in machine.layout.spaces if not space.cached]
    uncached = (*system.uncached, *(piece for piece in own if piece not in system.uncached))
    return replace(system, uncached=uncached)


COUNTS = MeasureOptions()  # alone
