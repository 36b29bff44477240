"""Run a program and write IDtrace's cache trace of it meanwhile: an entry for each line of code, and references to data."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

from cache_sim.traces.listed import write_list
from cache_sim.traces.trace_file import TraceFile
from ease.host.run_result import RunResult
from ease.traces.converting import LINE_KINDS, Changes, how_it_ended
from ease.traces.traced_run import traced_run
from vpo.program import Program


def line_trace(
    program: Program, arguments: Sequence[str | bytes], out: IO[bytes] | None, line: int,
    facts: Mapping[str, object], **options: Any,
) -> RunResult:  # fmt: skip
    """Run a program, and write an entry for each line of `line` bytes that a block fetches from; else as `traced_run`.

    What the run records goes through a pipe to a thread, which regenerates it and writes the lines.  Raises OSError.
    """
    if out is None:
        return traced_run(program, arguments, None, True, facts, **options)[0]
    reading, writing = os.pipe()
    with ThreadPoolExecutor(1) as thread:
        written = thread.submit(_write_lines, reading, out, line)
        try:
            with os.fdopen(writing, "wb") as sink:
                result, _ = traced_run(program, arguments, sink, True, facts, **options)
        except OSError:
            written.result()  # the file may be what failed, and so ended the run
            raise
        written.result()
    return result


def _write_lines(reading: int, out: IO[bytes], line: int) -> None:
    """Read a trace from a pipe, and write its lines.

    Raises OSError.
    """
    with os.fdopen(reading, "rb") as pipe:
        trace = TraceFile(pipe)
        events = Changes(lines=line).applied(trace.events(LINE_KINDS))
        write_list(events, out, trace.facts, trace.static_text, how_it_ended(trace))
        out.flush()
