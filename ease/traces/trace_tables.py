"""What `ease trace` prints of a trace: its facts, its statistics (IDtrace's vcount), and its events, one a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.container import TraceDamaged
from cache_sim.traces.regeneration import BLOCK, BRANCH, FETCHED, SYSTEM, TRANSFER, Events
from cache_sim.traces.trace_file import TraceFile
from ease.reports.report import Table, number, percent

SHARES = (50, 60, 90)  # per cent of executed instructions
_DIRECTIONS = ("read", "write")


def facts_table(trace: TraceFile, size: int | None) -> Table:
    """Return what a trace says of itself; `size` is that of its file in bytes, if it is one."""
    facts, end = trace.facts, trace.end
    rows = [["machine", str(facts.get("machine", "unknown"))], ["command", str(facts.get("command", ""))]]
    rows += [["kinds", ", ".join(facts.get("kinds", ())) or "references"], ["program", str(facts.get("program", ""))[:16]]]
    if "window" in facts:
        rows.append(["window", f"behind the first {number(facts['window'][0])} instructions"])
    fetched = end.get("instructions")
    entries, each = _fetches(facts)
    rows.append([entries, number(fetched) if fetched else ""])
    if size is not None:
        rows += [["bytes", number(size)], [f"bytes {each}", f"{size / fetched:.4f}" if fetched else ""]]
    ended = str(end.get("fault") or f"exit status {end.get('status', 0)}")
    rows.append(["end", "the file was cut short" if trace.cut else ended])
    return Table(["", ""], [row for row in rows if row[1]], keys=2)


def _fetches(facts: Mapping[str, Any]) -> tuple[str, str]:
    """Return what the fetches of a trace are: all of them, and one."""
    if "filtered" in facts.get("kinds", ()):
        return "fetches that missed", "a fetch"
    if "line" in facts:
        return f"entries, for lines of {facts['line']} bytes", "an entry"
    return "instructions", "an instruction"


def counts_of(trace: TraceFile) -> np.ndarray[Any, Any]:
    """Return how often each RTL was executed, by its number.

    Raises TraceDamaged if a trace does not tell.
    """
    if not trace.static:
        raise TraceDamaged("this trace came from elsewhere; nothing is known of its instructions")
    if (entries := _fetches(trace.facts)[0]) != "instructions":
        raise TraceDamaged(f"this trace has {entries}; counts of instructions need one of all (-trace execution)")
    result = np.zeros(len(trace.static["type"]), np.uint64)
    if trace.end and "CNTS" in trace.whole.parts:
        counts = trace.whole.parts["CNTS"]
        if len(counts) != result.nbytes:
            raise TraceDamaged("its section CNTS is of another program")
        return np.frombuffer(counts, "<u8")
    for events in trace.events(("fetch",)):
        known_sites(trace, events)
        result += np.bincount(events.sites.astype(np.int64), minlength=len(result)).astype(np.uint64)
    return result


def known_sites(trace: TraceFile, events: Events) -> Events:
    """Return the events.

    Raises TraceDamaged if one is of an instruction that the program does not have.
    """
    if trace.static and events.sites.max(initial=0) >= len(trace.static["type"]):
        raise TraceDamaged("an instruction was executed that the program does not have")
    return events


def statistics_tables(trace: TraceFile) -> Iterator[tuple[str, Table]]:
    """Yield titles and tables: totals, the mix of instruction types, what makes most of them, blocks."""
    static, counts = trace.static, counts_of(trace)
    every = np.array(static["blocks"], np.int64).reshape(-1, 6)
    blocks = every[every[:, 3] > 0]  # an empty one is where another begins, too
    entered = counts[blocks[:, 0]].astype(np.int64)
    instructions = entered * blocks[:, 3]
    all_entered = int(entered.sum())
    types = np.array(static["type"])
    executed = _by_type(types, counts, len(static["types"]))
    total = sum(executed.values())
    rows = [
        ["instructions", number(total)],
        ["blocks entered", number(all_entered)],
        ["instructions a block", f"{total / all_entered:.2f}" if all_entered else "0"],
        ["blocks in the program", number(len(blocks))],
        ["blocks executed", number(int((entered > 0).sum()))],
        ["largest block, instructions", number(int(blocks[:, 3].max(initial=0)))],
    ]
    yield "Totals", Table(["", ""], rows)
    ranked = sorted(((count, static["types"][kind]) for kind, count in executed.items() if count), reverse=True)
    mix = [[name, number(count), percent(count, total)] for count, name in ranked]
    yield "Instruction mix", Table(["instruction", "executed", "per cent"], mix, ["total", number(total), "100.00"])
    largest = [count for count, _ in ranked], sorted(instructions.tolist(), reverse=True)
    shares = [[f"{share} %", *(str(_enough(numbers, share)) for numbers in largest)] for share in SHARES]
    yield "How many make most of the instructions", Table(["share", "types", "blocks"], shares)


def _by_type(types: Any, counts: Any, number_of: int) -> dict[int, int]:
    known = types >= 0
    sums = np.zeros(number_of, np.uint64)
    np.add.at(sums, types[known], counts[: len(types)][known])
    return dict(enumerate(map(int, sums)))


def _enough(ranked: Any, share: int) -> int:
    """Return how many of the largest numbers make a share, in per cent, of their sum."""
    sums = list(accumulate(map(int, ranked)))
    return next((i + 1 for i, s in enumerate(sums) if 100 * s >= share * sums[-1]), 0) if sums and sums[-1] else 0


def event_lines(trace: TraceFile, start: int, count: int | None) -> Iterator[str]:
    """Yield a line for each event: the number of the instruction, its address and text, source line, references below it."""
    static = trace.static
    where = Places(static) if static else None
    at = start
    digits = trace.facts["bits"] // 4
    calls = trace.calls if isinstance(trace.source, str) else []  # which a pipe tells later
    uncounted = set(trace.uncounted.tolist())
    kinds: tuple[str, ...] = ("fetch", "read", "write", "branch", "transfer", "system")
    if trace.facts.get("form") == "path" and not trace.facts.get("data", True):
        kinds = ("fetch", "branch", "transfer", "system")
    for events in trace.events(kinds, start, count):
        known_sites(trace, events)
        columns = (getattr(events, name).tolist() for name in ("kinds", "addresses", "sizes", "sites"))
        for kind, address, size, site in zip(*columns, strict=True):
            if kind == FETCHED:
                place, text = where.of(site) if where is not None else ("", "")
                counts = site not in uncounted
                yield f"{f'{at:,}' if counts else '':>12}  {address:0{digits}x}  {text:<32} {place}".rstrip()
                at += counts
            elif kind == BRANCH:
                yield f"{'':14}{'taken' if size else 'not taken'}"
            elif kind == TRANSFER:
                yield f"{'':14}to {address:0{digits}x}"
            elif kind == SYSTEM:
                yield f"{'':14}system call {address}{_call(calls, address)}"
            elif kind != BLOCK:
                yield f"{'':14}{_DIRECTIONS[kind]} {address:0{digits}x} +{size}"


def _call(calls: list[list[Any]], number: int) -> str:
    """Return a system call with its arguments and its result; '' if nobody knows it."""
    if number >= len(calls):
        return ""
    name, *arguments, result = calls[number]
    while arguments and arguments[-1] == 0:
        arguments.pop()
    return f": {name}({', '.join(map(str, arguments))})" + ("" if result is None else f" = {result}")


class Places:
    """Where RTLs are in the source, and what they are in assembly."""

    def __init__(self, static: dict[str, Any]) -> None:
        self.static = static
        self.names: dict[int, str] = {}
        for _, file, first, count in static["functions"]:
            self.names.update(dict.fromkeys(range(first, first + count), static["files"][file]))

    def of(self, site: int) -> tuple[str, str]:
        """Return source line and assembly of an RTL."""
        line = self.static["line"][site]
        return f"{self.names.get(site, '')}:{line}" if line else self.names.get(site, ""), self.static["text"][site]


# ----------------------------------------------------------------------------------------------------------------------
# Places in a trace that users name: the number of an instruction, or a function.


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
