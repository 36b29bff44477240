"""Whether the trace of a program is what the interpreter refers to, reference by reference."""

from __future__ import annotations

import tempfile
from array import array

import numpy as np

from cache_sim.traces.path_code import FETCHED
from cache_sim.traces.trace_file import TraceFile
from ease.traces.traced_run import traced_run
from vpo.interpret.interpreter import interpret
from vpo.program import Program

INSTRUCTIONS = 200_000  # of a program are compared: the interpreter takes a second for them


class _References:
    """Notes kind, address and size of every reference that the interpreter makes."""

    def __init__(self) -> None:
        self.numbers = array("Q")

    def fetch(self, address: int, size: int) -> None:
        """Note a fetch."""
        self.numbers.extend((FETCHED, address, size))

    def data(self, address: int, size: int, write: bool) -> None:
        """Note a reference to data."""
        self.numbers.extend((int(write), address, size))


def difference(program: Program) -> str:
    """Return where the trace of a program differs from the interpreter's references, empty if it does not."""
    seen = _References()
    interpret(program, ["program"], observer=seen, capture=True, limit=INSTRUCTIONS)
    expected = np.array(seen.numbers, np.uint64).reshape(-1, 3)
    with tempfile.TemporaryFile() as file:
        traced_run(program, ["program"], file, capture=True, limit=INSTRUCTIONS, cache="")
        file.seek(0)
        parts = [np.stack([e.kinds.astype(np.uint64), e.addresses, e.sizes], 1) for e in TraceFile(file).events()]
    found = np.concatenate(parts) if parts else np.empty((0, 3), np.uint64)
    shared = min(len(found), len(expected))
    differing = np.flatnonzero((found[:shared] != expected[:shared]).any(1))
    if len(differing):
        at = differing[0]
        return f"reference {at} is {found[at].tolist()} in place of {expected[at].tolist()}"
    return "" if len(found) == len(expected) else f"{len(found)} references in place of {len(expected)}"
