"""What a run of an interpreter takes and gives: observers, standard streams, results."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Protocol

from vpo.interpret.target_memory import Memory
from vpo.program import Program
from vpo.system.faults import Fault


class Observer(Protocol):
    """Is told every reference to memory, in order: an instruction's fetch, its reads, its writes."""

    def fetch(self, address: int, size: int) -> None:
        """An instruction is fetched."""
        ...

    def data(self, address: int, size: int, write: bool) -> None:
        """Data are read or written."""
        ...


@dataclass(slots=True)
class Result:
    """What a run did.  `rtls`, `blocks`, `taken` count, for each function, its RTLs, blocks and branches by block.

    `blocks` counts entries; `rtls` counts instructions that were executed completely; `traps` how often those that move
    the register window found none free, or none resident.
    """

    exit_status: int | None
    fault: Fault | None
    rtls: dict[str, list[int]]
    blocks: dict[str, list[int]]
    taken: dict[str, list[int]]
    traps: dict[str, dict[int, int]]
    memory: Memory
    output: bytes = b""
    errors: bytes = b""
    registers: dict[str, Any] = field(default_factory=dict)
    uncounted: int = 0  # executed RTLs that are part of other instructions

    @property
    def instructions(self) -> int:
        """How many instructions were executed."""
        return sum(map(sum, self.rtls.values())) - self.uncounted


def run_with_streams(run: Callable[[Sequence[int]], Result], stdin: bytes | IO[bytes] | None, capture: bool) -> Result:
    """Run a program with the host's descriptors of its standard streams, and add to the result what it wrote.

    `stdin` replaces standard input; `capture` keeps standard output and error in the result.
    """
    streams = [0, 1, 2]
    opened: list[int] = []
    try:
        if stdin is not None and not isinstance(stdin, bytes):
            streams[0] = stdin.fileno()
        elif stdin is not None:
            streams[0] = _file("stdin")
            opened.append(streams[0])
            os.write(streams[0], stdin)
            os.lseek(streams[0], 0, os.SEEK_SET)
        if capture:
            streams[1:] = [_file("stdout"), _file("stderr")]
            opened += streams[1:]
        result = run(streams)
        if capture:
            result.output, result.errors = (_contents(fd) for fd in streams[1:])
        return result
    finally:
        for fd in opened:
            os.close(fd)


def _file(name: str) -> int:
    """Return a descriptor of a file that goes when it is closed."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create(name)
    from tempfile import mkstemp

    handle, path = mkstemp()  # in a browser all files are in memory
    os.unlink(path)
    return handle


def _contents(fd: int) -> bytes:
    os.lseek(fd, 0, os.SEEK_SET)
    with open(os.dup(fd), "rb") as file:
        return file.read()


def uncounted_rtls(program: Program, rtls: dict[str, list[int]]) -> int:
    """Return how many executed RTLs are part of other instructions."""
    return sum(
        count
        for name, function in program.functions.items()
        for rtl, count in zip(function.rtls(), rtls[name], strict=True)
        if rtl.record is not None and not rtl.record.counted
    )
