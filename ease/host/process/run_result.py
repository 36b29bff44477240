"""What a run as host code came to.

A file of its own, since repeated runs import it, and wait for nothing of the compiler.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vpo.system.faults import Fault

if TYPE_CHECKING:
    from cache_sim.native.code import Field, State
    from ease.host.process.job import Job
    from ease.model.sampling import Spent


@dataclass(slots=True)
class RunResult:
    """The outcome of a run.  If it is `partial`, `counters` have what was counted until the end.

    `exit_status` is the program's own, or 128 + a signal's number (124 for a limit) as a shell would tell a fault.
    """

    exit_status: int
    counters: list[int]
    fault: Fault | None = None
    partial: bool = False
    output: bytes = b""
    errors: bytes = b""
    compile_seconds: float = 0.0
    run_seconds: float = 0.0  # the processor's, of the program itself, if it ended by itself
    began: bool = True  # not if it was stopped before the program's first instruction
    walls: int = 0  # which parts of the second wall stood (`ease/host/process/wall.py`)
    spent: tuple[Spent, ...] = ()  # on versions of the program, if samples were measured
    state: tuple[State, bytes] | None = field(default=None, repr=False)  # what instruments left behind
    job: Job | None = field(default=None, repr=False)  # of the child, unless the next run is to be compiled better

    def read(self, item: Field) -> Sequence[int]:
        """Return the elements of an array of a run with instruments."""
        assert self.state is not None
        state, memory = self.state
        return state.read(item, memory)
