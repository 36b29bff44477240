"""Counts of runs that are cut short: such a run is made again step by step, to the instruction at which it ended.

Host code is fast because counters are in registers and LLVM moves references to memory about, so a fault, Ctrl-C or a time
limit finds counters and places as they are just then.  The process notes what system calls answer
(`ease.host.process.noted_calls`).  A run that was cut short is made again with these answers, in host code that LLVM does not
improve, with counters in memory and a limit of instructions.  Nothing is written a second time, and runs that end well
pay for the notes alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from ease.host.process.job import RunOptions, SystemCalls
from ease.host.process.process import memory_file
from ease.host.process.run_result import RunResult
from vpo.system.faults import Fault

FOREVER = 1 << 62  # instructions
STOPPED = frozenset(["timeout", "interrupted"])  # faults that are none of the program's
_UNKNOWN = frozenset(["limit", "killed"])  # kinds of fault behind which nothing is to be found
_LONGER, _MORE = 10, 5.0  # how much longer a second run may take, and seconds besides

Found = TypeVar("Found")


def exactly(
    run: Callable[[RunOptions], tuple[RunResult, Found]], options: RunOptions,
    again: Callable[[RunOptions], tuple[RunResult, Found]] | None = None,
) -> tuple[RunResult, Found, Found | None]:  # fmt: skip
    """Run, and run `again` if the program was cut short; return the first result, and what was found by the two.

    The second is None unless it was necessary, and came to the same place, which the result then has.
    """
    if options.calls is not None:
        return _repeated(run, again or run, options, options.calls)
    with memory_file("calls") as file:
        return _repeated(run, again or run, options, SystemCalls(file, noted=True))


def _repeated(
    run: Callable[[RunOptions], tuple[RunResult, Found]], again: Callable[[RunOptions], tuple[RunResult, Found]],
    options: RunOptions, calls: SystemCalls,
) -> tuple[RunResult, Found, Found | None]:  # fmt: skip
    result, found = run(replace(options, calls=calls))
    stepping = stepped(options, result, calls)
    if stepping is None:
        return result, found, None
    second, exact = again(stepping)
    place = place_of(result, second)
    if place is None:
        return result, found, None
    result.fault = place
    return result, found, exact


def stepped(options: RunOptions, result: RunResult, calls: SystemCalls) -> RunOptions | None:
    """Return how to make a run again whose counts are not exact; None if they are, or if it cannot be."""
    fault = result.fault
    if fault is None or fault.kind in _UNKNOWN or (calls.noted and not calls.file.seek(0, 2)):
        return None
    seconds = result.run_seconds
    answers = SystemCalls(calls.file, answers=True, noted=calls.noted, seconds=seconds if fault.kind in STOPPED else 0.0)
    limit, longest = options.limit or FOREVER, _LONGER * seconds + _MORE
    return replace(options, stdin=b"", capture=True, limit=limit, timeout=longest, tier="quick", calls=answers)


def place_of(first: RunResult, second: RunResult) -> Fault | None:
    """Return the fault at which two runs of a program ended, the second step by step; None if they differ."""
    before, fault = first.fault, second.fault
    assert before is not None
    if before.kind in STOPPED:
        if fault is None:  # in a system call
            return before
        return replace(fault, kind=before.kind, message=before.message) if fault.kind == "limit" else None
    if fault is None or fault.rtl is None or fault.kind in STOPPED | _UNKNOWN:
        return None
    return None if fault.kind == "stack" and fault.accessed is None and before.accessed is not None else fault
