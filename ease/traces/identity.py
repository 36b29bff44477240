"""Whether traces are of the same run (IDtrace's `idtinfo`): by digests of the program, of the counts and of the streams."""

from __future__ import annotations

import hashlib
from typing import Any

from cache_sim.traces.chunk import read_chunk
from cache_sim.traces.trace_file import TraceFile

_UNTIL = ("status", "fault", "instructions")  # what is said of the end


def difference(first: TraceFile, second: TraceFile) -> str:
    """Return in what the run of a second trace differs from that of a first one; empty if it does not, as far as they tell.

    Raises TraceDamaged.
    """
    one, other = first.facts, second.facts
    if not one.get("image") or not other.get("image"):
        return "of a program that one of the files does not tell"
    if one["image"] != other["image"]:
        same = one.get("machine") == other.get("machine")
        return "of another program" if same else f"of a program for another machine, {other.get('machine', 'unknown')}"
    if one.get("arguments") != other.get("arguments"):
        return f"of a run with other arguments, {other.get('arguments', [])}"
    if first.end and second.end and (found := _ends(first, second)):
        return found
    alike = one.get("form") == other.get("form") == "path" and one.get("data") == other.get("data")
    whole = bool(first.end and second.end)
    if alike and whole and _streams(first) != _streams(second):
        return "of a run that took another path or referred to other addresses"
    return ""


def _ends(first: TraceFile, second: TraceFile) -> str:
    """Return in what the ends of two runs of one program differ, or their counts."""
    both: list[tuple[dict[str, Any], bytes | None]] = []
    for trace in (first, second):
        end = {key: trace.end.get(key) for key in _UNTIL}
        both.append((end, trace.whole.parts.get("CNTS")))
    (one, counted), (other, counted_too) = both
    if counted is None or counted_too is None:  # a list of events does not know how its run ended
        return ""
    if one != other:
        said = other["fault"] or f"exit status {other['status']}, {other['instructions'] or 0:,} instructions"
        return f"of a run that ended otherwise ({said})"
    return "" if counted == counted_too else "of a run with other counts"


def _streams(trace: TraceFile) -> tuple[str, str]:
    """Return digests of all decisions and of all words; where chunks end does not matter."""
    decisions, words = hashlib.sha256(), hashlib.sha256()
    with trace.opened() as streams:
        for content in streams.contents("DATA"):
            _, control, given = read_chunk(content, int(trace.facts["bits"]))
            decisions.update(control.tobytes())
            words.update(given.tobytes())
    return decisions.hexdigest(), words.hexdigest()
