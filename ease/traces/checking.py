"""Check a trace against itself: what is regenerated must be what the run counted."""

from __future__ import annotations

import numpy as np

from cache_sim.traces.container import TraceDamaged
from cache_sim.traces.path_code import FETCHED
from cache_sim.traces.trace_file import TraceFile
from ease.traces.trace_tables import known_sites


def check(trace: TraceFile) -> str:
    """Regenerate a trace, and return what was found in a sentence.

    Raises TraceDamaged if it is not what the run counted.
    """
    facts = trace.facts
    if facts.get("form") == "profile":
        end = trace.end
        if trace.cut:
            raise TraceDamaged("the file was cut short, before its counts or its end")
        return f"counts of {end.get('instructions', 0):,} instructions"
    executed, events_seen = None, 0
    size = len(trace.static.get("type", ()))
    for events in trace.events(("fetch", "read", "write") if facts.get("data", True) else ("fetch",)):
        events_seen += len(events)
        fetched = events.sites[events.kinds == FETCHED].astype(np.int64)
        known_sites(trace, events)
        if size:
            found = np.bincount(fetched, minlength=size)
            executed = found if executed is None else executed + found
    if trace.cut:
        return f"{events_seen:,} references; the file was cut short"
    counted = trace.whole.parts.get("CNTS")
    if counted is not None and "instructions" in trace.end and executed is not None:
        if len(counted) != 8 * size:
            raise TraceDamaged("its section CNTS is of another program")
        wanted = np.frombuffer(counted, "<u8").astype(np.int64)
        differing = np.flatnonzero(executed[: len(wanted)] != wanted).tolist()
        wrong = [site for site in differing if executed[site]]  # RTLs without bytes are not fetched
        for site in wrong[:1]:
            raise TraceDamaged(f"RTL {site} was executed {wanted[site]:,} times, and is {executed[site]:,} times in the trace")
    if counted is None:
        return f"{events_seen:,} references; no run counted them"
    return f"{events_seen:,} references, as the run counted them"
