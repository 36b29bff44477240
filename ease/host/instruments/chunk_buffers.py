"""Buffers of events in host code; full ones go through a pipe to the process that waits for the run (`ease.tools.chunks`)."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING

from cache_sim.native.code import STATE, UNLIKELY
from cache_sim.native.state import State
from ease.host.process.job import SEND
from ease.host.translation.emitter import Emitter
from ease.host.translation.runtime import HOST
from ease.tools.chunks import ROWS, Chunks
from ease.tools.code import Number

if TYPE_CHECKING:
    from ease.host.process.run import RunResult


class ChunkBuffer:
    """The buffer of one function that takes chunks; a thread reads what comes through the pipe while the program runs."""

    def __init__(self, chunks: Chunks, name: str, state: State) -> None:
        self.chunks, self.name, self.width = chunks, name, len(chunks.columns)
        reading, writing = os.pipe()
        self.pipe, self.sent = os.fdopen(reading, "rb"), os.fdopen(writing, "wb")
        self.rows, self.fill = state.array("i64", ROWS * self.width), state.array("i64", 1)
        self.descriptor = state.array("i64", 1, writing)
        self.failure: Exception | None = None
        self.reader = threading.Thread(target=self._read, daemon=True)

    def start(self) -> IO[bytes]:
        """Begin to read; return the end of the pipe that the program writes to, which is closed when it has ended."""
        self.reader.start()
        return self.sent

    def _read(self) -> None:
        while content := self.pipe.read(8 * ROWS * self.width):
            self._take(content)

    def _take(self, content: bytes) -> None:
        """Pass on a chunk; after a failure the rest is read and dropped, so that the program can go on."""
        if self.failure is None:
            try:
                self.chunks.take(content)
            except Exception as error:
                self.failure = error

    def finish(self, run: RunResult) -> None:
        """Pass on what a run has left.

        Raises what the function raised.
        """
        self.reader.join()
        self.pipe.close()
        left = run.read(self.rows)[: run.read(self.fill)[0] * self.width]
        if left:
            self._take(b"".join(number.to_bytes(8, "little", signed=True) for number in left))
        if self.failure is not None:
            raise self.failure

    def append(self, emitter: Emitter, values: Sequence[Number]) -> None:
        """Write the code that adds an event."""
        row = emitter.put(f"load i64, ptr {self.fill.pointer}, {STATE}")
        first = emitter.put(f"mul i64 {row}, {self.width}")
        for column, value in enumerate(values):
            pointer = emitter.put(f"getelementptr i64, ptr {self.rows.element(column)}, i64 {first}")
            emitter.lines.append(f"store i64 {value}, ptr {pointer}, {STATE}")
        following = emitter.put(f"add i64 {row}, 1")
        emitter.lines.append(f"store i64 {following}, ptr {self.fill.pointer}, {STATE}")
        full, after = emitter.label(), emitter.label()
        test = emitter.put(f"icmp eq i64 {following}, {ROWS}")
        emitter.lines += [
            f"br i1 {test}, label %{full}, label %{after}, {UNLIKELY}",
            f"{full}:",
            f"call void @{self.name}()",
            f"br label %{after}",
            f"{after}:",
        ]

    def text(self, shared: int) -> str:
        """Return the function that sends the buffer, which may take several writes, and empties it."""
        return "\n".join([
            f"define internal void @{self.name}() noinline {HOST} {{",
            f"%send = load ptr, ptr inttoptr (i64 {shared + 8 * SEND} to ptr)",
            f"%wide = load i64, ptr {self.descriptor.pointer}",
            "%descriptor = trunc i64 %wide to i32",
            "br label %again",
            "again:",
            "%done = phi i64 [ 0, %0 ], [ %now, %going ]",
            f"%left = sub i64 {self.rows.bytes}, %done",
            f"%from = getelementptr i8, ptr {self.rows.pointer}, i64 %done",
            "%sent = call i64 %send(i32 %descriptor, ptr %from, i64 %left)",
            "%failed = icmp sle i64 %sent, 0",
            "br i1 %failed, label %end, label %going",
            "going:",
            "%now = add i64 %done, %sent",
            f"%all = icmp eq i64 %now, {self.rows.bytes}",
            "br i1 %all, label %end, label %again",
            "end:",
            f"store i64 0, ptr {self.fill.pointer}",
            "ret void",
            "}",
        ])  # fmt: skip
