"""Counts of runs that are cut short: such a run is made again step by step, to the instruction at which it ended.

Host code is fast because counters are in registers and LLVM moves references to memory about, so a fault, Ctrl-C or a time
limit finds counters and places as they are just then.  The process notes what system calls answer
(`ease.host.process.noted_calls`).  A run that was cut short is made again with these answers, in host code that LLVM does not
improve, with counters in memory and a limit of instructions.  Nothing is written a second time, and runs that end well
pay for the notes alone.  What simulators tell comes from a third run, with the number of instructions as its limit: it ends
before the instruction that goes wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from ease.host.process.job import RunOptions, RunResult, SystemCalls
from ease.host.process.process import memory_file
from vpo.system.faults import Fault

FOREVER = 1 << 62  # instructions
STOPPED = frozenset(["timeout", "interrupted"])  # faults that are none of the program's
_UNKNOWN = frozenset(["limit", "killed"])  # kinds of fault behind which nothing is to be found
_LONGER, _MORE = 10, 5.0  # how much longer another run may take, and seconds besides


@contextmanager
def noted(calls: SystemCalls | None) -> Iterator[SystemCalls]:
    """Give what notes the system calls of a run, if they are not recorded or replayed."""
    if calls is not None:
        yield calls
    else:
        with memory_file("calls") as file:
            yield SystemCalls(file, noted=True)


@contextmanager
def noting(options: RunOptions) -> Iterator[RunOptions]:
    """Give options of a run whose system calls are noted, if they are not recorded or replayed."""
    with noted(options.calls) as calls:
        yield replace(options, calls=calls)


def stepping(options: RunOptions, result: RunResult) -> RunOptions | None:
    """Return how to make a run again whose counts are not exact; None if they are, or if it cannot be."""
    fault, calls = result.fault, options.calls
    if fault is None or fault.kind in _UNKNOWN or not result.began or calls is None:
        return None
    if calls.noted and not calls.file.seek(0, 2):  # the process was killed
        return None
    seconds = result.run_seconds
    answers = SystemCalls(calls.file, answers=True, noted=calls.noted, seconds=seconds if fault.kind in STOPPED else 0.0)
    limit, longest = options.limit or FOREVER, _LONGER * seconds + _MORE
    return replace(options, stdin=b"", capture=True, limit=limit, timeout=longest, tier="quick", calls=answers)


def up_to(instructions: int, options: RunOptions, steps: RunOptions) -> RunOptions:
    """Return how to make a run once more that takes so many instructions, given the options of the two before."""
    assert steps.calls is not None
    return replace(steps, limit=instructions, tier=options.tier, calls=replace(steps.calls, seconds=0.0))


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
