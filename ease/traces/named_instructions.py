"""Places in a trace that users name: the number of an instruction, or a function."""

from __future__ import annotations

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.trace_file import TraceFile


def instruction_at(trace: TraceFile, place: str, after: int) -> int:
    """Return the number of an instruction: one that is given, or the first from `after` on with which a function begins.

    Raises TraceError if there is none, TraceDamaged.
    """
    if place.replace("_", "").isdecimal():
        return int(place)
    firsts = [first for name, _, first, size in trace.static.get("functions", ()) if name == place and size]
    if not firsts:
        raise TraceError(f"the program has no function '{place}'")
    if not hasattr(trace.source, "__fspath__") and not isinstance(trace.source, str):
        raise TraceError(f"where '{place}' is called is found in a file, not in a pipe")
    at = after
    for events in trace.events(("fetch",), after):
        counted = ~np.isin(events.sites, trace.uncounted)
        found = np.flatnonzero(np.isin(events.sites, firsts))
        if len(found):
            return at + int(np.count_nonzero(counted[: found[0]]))
        at += int(np.count_nonzero(counted))
    raise TraceError(f"'{place}' is not called from instruction {after:,} on")
