"""The file to which the system calls of a run go, or from which they are answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from ease.host.run_result import RunResult


@dataclass
class SystemCalls:
    """A file of system calls, as `ease.records.event` encodes them: written by a run, or, if it `answers`, read by one.

    `result` is what the run came to, and `said` what the operating system of a replay had to say (`ease.records.replaying`).
    `left` is what is left of the limit of instructions when the program ends itself: less by no more than what stands behind
    the last system call in its block.
    """

    file: IO[bytes]
    answers: bool = False
    result: RunResult | None = None
    said: str = ""
    left: int = 0
