"""Run a program and write its trace."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain
from typing import IO

import numpy as np

from cache_sim.config import ConfigurationError
from cache_sim.traces.container import MAGIC, json_section, section
from cache_sim.traces.listed import write_list
from cache_sim.traces.regeneration import RECORD, chunk
from cache_sim.traces.trace_file import KINDS, TraceFile
from ease.host.process.job import USUAL, RunOptions, RunResult, TraceSink
from ease.model.results import Counts
from ease.run.measuring import counted_run, executed
from ease.run.windows import ENDLESS, Window
from ease.traces.checking import image_digest, static_half
from ease.traces.converting import LINE_KINDS, UNCHANGED, Changes, how_it_ended
from ease.traces.path_program import PathProgram, path_program
from ease.traces.tracing import Tracing
from vpo.program import Program
from vpo.rtl import BITS
from vpo.system.faults import Fault


def traced_run(
    program: Program, arguments: Sequence[str | bytes], out: IO[bytes] | None, data: bool = True,
    facts: Mapping[str, object] | None = None, options: RunOptions = USUAL,
) -> tuple[RunResult, Counts]:  # fmt: skip
    """Run a program with counters, and write its trace to a file, or nowhere.

    `data`: with the addresses of references to data.  `facts` are said of the run at the beginning of the file.

    Raises OSError.
    """
    path = path_program(program, data)
    tracing = Tracing(program, path)
    if out is not None:
        out.write(MAGIC + b"".join(head_sections(program, path, {"data": data, **(facts or {})})))
        out.flush()
    result, counts = counted_run(program, arguments, options, instruments=[tracing], sink=TraceSink(tracing.job, out))
    if out is not None:
        out.write(_rest(program, tracing, result, counts))
        out.flush()
    return result, counts


def head_sections(program: Program, path: PathProgram, facts: Mapping[str, object]) -> list[bytes]:
    """Return the sections that come before the streams."""
    facts_of_sites = static_half(program)
    static = json.dumps(facts_of_sites, separators=(",", ":")).encode()
    all_facts = {
        "form": "path", "machine": program.machine.name, "bits": BITS[program.machine.address_type], "start": path.start,
        "program": hashlib.sha256(static).hexdigest(), "image": image_digest(program, facts_of_sites), **facts,
    }  # fmt: skip
    return [
        json_section("HEAD", all_facts),
        section("SITE", static),
        section("CODE", path.code.tobytes()),
        section("JUMP", np.array(path.jumps, "<u8").tobytes()),
        section("ENTR", np.array(path.entries, "<u8").tobytes()),
        section("BODY", b""),
    ]


def _rest(program: Program, tracing: Tracing, result: RunResult, counts: Counts) -> bytes:
    """Return what the buffers still held at the end, and the end."""
    cells = tracing.taken, tracing.written, tracing.systems, tracing.told
    (taken,), (written,), (systems,), (told,) = map(result.read, cells)
    rest, chunks = b"", written
    if taken == written:
        control = bytes(result.read(tracing.control)).rstrip(b"\xff")
        words = list(result.read(tracing.words))
        nothing = (1 << 8 * tracing.bytes) - 1
        while words and words[-1] & nothing == nothing:
            words.pop()
        code = {4: "I", 8: "Q"}[tracing.bytes]
        packed = struct.pack(f"<{len(words)}{code}", *(word & nothing for word in words))
        if control or words:
            rest, chunks = chunk(written, control, packed), written + 1
    end: dict[str, object] = {"status": result.exit_status, "whole": taken == written, "chunks": chunks, "calls": told}
    end["systems"] = systems if result.fault is None else 0  # the last one ends the program
    if result.fault is not None:
        end["fault"] = str(result.fault)
        site = _site(program, result.fault)
        if site is not None:
            end.update(site=site, done=result.fault.kind not in ("limit", "return"))
        if result.fault.accessed is not None:
            end["accessed"] = result.fault.accessed
    if counts.exact:
        end["instructions"] = executed(program, counts)
    return rest + counts_section(counts) + json_section("DONE", end)


def counts_section(counts: Counts) -> bytes:
    """Return the section that tells how often each RTL was executed, by the numbers of RTLs."""
    columns = [np.array([*rtls, 0], "<u8") for rtls in counts.rtls.values()]
    return section("CNTS", np.concatenate(columns).tobytes() if columns else b"")


def _site(program: Program, fault: Fault) -> int | None:
    """Return the number of the RTL that a fault names."""
    if fault.function not in program.functions or fault.rtl is None:
        return None
    return program.number(fault.function, fault.rtl)


def profiled_run(
    program: Program, arguments: Sequence[str | bytes], out: IO[bytes] | None, facts: Mapping[str, object] | None = None,
    options: RunOptions = USUAL,
) -> tuple[RunResult, Counts]:  # fmt: skip
    """Run a program with counters, and write a trace that has counts only; else as `traced_run`."""
    result, counts = counted_run(program, arguments, options)
    if out is not None:
        path = PathProgram(np.empty(0, RECORD), [], [], 0, {}, {}, frozenset())
        end: dict[str, object] = {"status": result.exit_status, "instructions": executed(program, counts)}
        if result.fault is not None:
            end["fault"] = str(result.fault)
        head = head_sections(program, path, {"data": False, **(facts or {}), "form": "profile"})
        out.write(MAGIC + b"".join(head) + counts_section(counts) + json_section("DONE", end))
        out.flush()
    return result, counts


# ----------------------------------------------------------------------------------------------------------------------
# Run a program and write IDtrace's cache trace of it meanwhile: an entry for each line of code, and references to data.


def line_trace(
    program: Program, arguments: Sequence[str | bytes], out: IO[bytes] | None, line: int,
    facts: Mapping[str, object], options: RunOptions = USUAL,
) -> RunResult:  # fmt: skip
    """Run a program, and write an entry for each line of `line` bytes that a block fetches from; else as `traced_run`.

    What the run records goes through a pipe to a thread, which regenerates it and writes the lines.  Raises OSError.
    """
    if out is None:
        return traced_run(program, arguments, None, True, facts, options)[0]
    reading, writing = os.pipe()
    with ThreadPoolExecutor(1) as thread:
        written = thread.submit(_write_lines, reading, out, line)
        try:
            with os.fdopen(writing, "wb") as sink:
                result, _ = traced_run(program, arguments, sink, True, facts, options)
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


# ----------------------------------------------------------------------------------------------------------------------
# Write the trace of a part of a run: so many instructions from a certain one on.


def window_trace(
    program: Program, arguments: Sequence[str | bytes], out: IO[bytes] | None, window: Window, data: bool,
    facts: Mapping[str, object], changes: Changes = UNCHANGED, options: RunOptions = USUAL,
) -> RunResult:  # fmt: skip
    """Run a program up to the end of a window, and write the events of the window as a list; else as `traced_run`.

    `changes` are made to these events.

    Raises ConfigurationError if the run ends before the window begins, OSError.
    """
    with tempfile.TemporaryFile() as whole:
        limit = min(window.end, options.limit or ENDLESS)
        until = replace(options, limit=limit if limit < ENDLESS else None)
        result, _ = traced_run(program, arguments, whole, data, facts, until)
        whole.seek(0)
        write_window(TraceFile(whole), out, window, changes)
    return result


def write_window(trace: TraceFile, out: IO[bytes] | None, window: Window, changes: Changes = UNCHANGED) -> None:
    """Write the events of a window of a trace as a list, or nowhere, with changes.

    Raises ConfigurationError if the trace ends before the window begins, TraceDamaged, OSError.
    """
    said = {**trace.facts, "window": [window.start, window.length]}
    data = trace.facts.get("data", True)
    kinds = tuple(kind for kind in KINDS if data or kind not in ("read", "write"))
    events = trace.events(kinds, window.start, window.length)
    first = next(events, None)
    if first is None:
        executed = trace.end.get("instructions", 0)
        raise ConfigurationError(f"the run has {executed:,} instructions; the window begins behind them")
    if out is not None:
        write_list(changes.applied(chain([first], events)), out, said, trace.static_text)
        out.flush()
