"""What the sweep costs for each reference, and how many separate runs of one cache each it is worth."""

from __future__ import annotations

from dataclasses import dataclass

from modes import cached
from programs import Subject

from cache_sim.config import Cache
from ease.run.measuring import counted_run

SIZES = [1024 << n for n in range(7)]
WAYS = (1, 2, 4, 8)
TIMED = [(size, ways) for size in SIZES[::3] for ways in WAYS[::3]]  # stand for all, whose code takes minutes to compile


@dataclass(frozen=True, slots=True)
class SweepCost:
    """Nanoseconds for each reference above the plain run, and the time of all separate runs over that of the sweep."""

    nanoseconds: float
    factor: float


def data_references(subject: Subject) -> int:
    """Count the references to data of a run."""
    _, counts = counted_run(subject.program, subject.arguments, subject.options())
    functions = subject.program.functions
    return sum(
        count * (len(dict.fromkeys(rtl.loads)) + len(rtl.stores))
        for name, function in functions.items()
        for rtl, count in zip(function.rtls(), counts.rtls[name], strict=True)
    )


def sweep_cost(subject: Subject, plain: float, sweep: float, repeat: int, cache: str) -> SweepCost:
    """Return the cost of a sweep of so many seconds over a plain run of so many.

    Raises Failed.
    """
    seconds = []
    for size, ways in TIMED:
        single = cached(data=Cache("one", size, 16, ways))
        single(subject, cache=cache)  # compiles
        seconds.append(min(single(subject, cache=cache).run_seconds for _ in range(repeat)))
    all_runs = sum(seconds) / len(seconds) * len(SIZES) * len(WAYS)
    return SweepCost((sweep - plain) * 1e9 / data_references(subject), all_runs / sweep)
