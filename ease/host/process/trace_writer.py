"""What the child does with a trace: it copies full buffers, and a thread compresses and writes them while the program runs.

A file of its own, since a child imports it only if there is a trace.
"""

from __future__ import annotations

import ctypes
import os
import queue
import threading
from collections.abc import Callable, Sequence

from cache_sim.traces.container import LEVEL, json_section
from cache_sim.traces.regeneration import chunk
from ease.host.process.job import TraceJob

_WAITING = 8  # full buffers that wait to be written, before the program waits


class TraceWriter:
    """Takes the buffers of a trace.  `broken` is called, by the thread that writes, with the error that ends the run."""

    def __init__(self, job: TraceJob, broken: Callable[[OSError], None]) -> None:
        self.job, self.broken = job, broken
        self.callback = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(self._take if job.file >= 0 else self._drop)
        taker = ctypes.c_int64.from_address(job.taker)
        taker.value = ctypes.cast(self.callback, ctypes.c_void_p).value or 0
        self.taken, self.written, self.systems, self.told = (
            ctypes.c_int64.from_address(address) for address in (job.taken, job.written, job.systems, job.told)
        )
        self.calls: list[list[object]] = []  # system calls since the buffers were taken last
        self.waiting: queue.Queue[tuple[bytes, bytes, list[list[object]]] | None] = queue.Queue(_WAITING)
        self.thread = threading.Thread(target=self._write, daemon=True)
        if job.file >= 0:
            self.thread.start()

    def _drop(self, control: int, words: int) -> None:
        """Forget what is in the buffers."""
        self._clear(control, words)

    def _take(self, control: int, words: int) -> None:
        """Copy what is in the buffers, and clear them; the program goes on meanwhile."""
        content = ctypes.string_at(self.job.control, control), ctypes.string_at(self.job.words, words), self.calls
        self._clear(control, words)
        self.calls = []
        self.taken.value += 1
        self.waiting.put(content)

    def called(self, name: str, arguments: Sequence[int], result: int | None) -> None:
        """Note a system call; one that ends the program has no result."""
        self.systems.value += 1
        if self.job.file >= 0:
            self.calls.append([name, *arguments, result])

    def _clear(self, control: int, words: int) -> None:
        ctypes.memset(self.job.control, 255, control)
        ctypes.memset(self.job.words, 255, words)

    def _write(self) -> None:
        import zstandard

        compressor = zstandard.ZstdCompressor(level=LEVEL)
        number = 0
        try:
            while (content := self.waiting.get()) is not None:
                control, words, calls = content
                self._send(chunk(number, control, words, compressor))
                number += 1
                self.written.value = number
                self._tell(calls)
            self._tell(self.calls)
        except OSError as error:
            self.broken(error)

    def _tell(self, calls: list[list[object]]) -> None:
        if calls:
            self._send(json_section("SYST", [self.told.value, calls]))
            self.told.value += len(calls)

    def _send(self, section: bytes) -> None:
        data = memoryview(section)
        while data:
            data = data[os.write(self.job.file, data) :]

    def close(self) -> None:
        """Write what still waits."""
        if self.job.file >= 0:
            self.waiting.put(None)
            self.thread.join()
