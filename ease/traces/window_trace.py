"""Write the trace of a part of a run: so many instructions from a certain one on."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import IO, Any

from cache_sim.config import ConfigurationError
from cache_sim.traces.listed import write_list
from cache_sim.traces.trace_file import KINDS, TraceFile
from ease.host.run_result import RunResult
from ease.traces.converting import UNCHANGED, Changes
from ease.traces.traced_run import traced_run
from ease.windows import ENDLESS, Window
from vpo.program import Program


def window_trace(
    program: Program, arguments: Sequence[str | bytes], out: IO[bytes] | None, window: Window, data: bool,
    facts: Mapping[str, object], changes: Changes = UNCHANGED, **options: Any,
) -> RunResult:  # fmt: skip
    """Run a program up to the end of a window, and write the events of the window as a list; else as `traced_run`.

    `changes` are made to these events.

    Raises ConfigurationError if the run ends before the window begins, OSError.
    """
    with tempfile.TemporaryFile() as whole:
        limit = min(window.end, options.pop("limit", None) or ENDLESS)
        result, _ = traced_run(program, arguments, whole, data, facts, limit=limit if limit < ENDLESS else None, **options)
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
