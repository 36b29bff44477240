"""The study that is made of programs which share a machine: each alone, and all together with several quanta."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cache_sim.describe import plain
from cache_sim.traces.trace_file import TraceFile
from ease import Curve, Panel, TitledTable, number, percent
from ease.lab.together.merging import Machine, Share, all_together, run_together

FORMAT = 1  # a key of the JSON form never changes its meaning without another
WHOLE = 1 << 62  # instructions: more than any run executes


@dataclass(frozen=True, slots=True)
class Study:
    """Programs by name; what each did alone, and by quantum (instructions), in the order of the programs, together."""

    machine: Machine
    names: tuple[str, ...]
    alone: tuple[Share, ...]
    together: dict[int, tuple[Share, ...]]


def study(names: Sequence[str], traces: Sequence[TraceFile], quanta: Sequence[int], machine: Machine) -> Study:
    """Run programs alone and together.

    Raises what `run_together` raises.
    """
    alone = tuple(run_together([trace], WHOLE, machine, [number])[0] for number, trace in enumerate(traces))
    together = {quantum: run_together(traces, quantum, machine) for quantum in quanta}
    return Study(machine, tuple(names), alone, together)


def alone_table(found: Study) -> TitledTable:
    """Return what each program did alone."""
    rows = [["program", "cache", "instructions", "accesses", "misses", "per cent"]]
    for name, share in zip(found.names, found.alone, strict=True):
        for cache in share.results.caches:
            misses, accesses = cache.misses.total, cache.accesses.total
            numbers = [number(share.results.instructions), number(accesses), number(misses), percent(misses, accesses)]
            rows.append([name, cache.cache.name, *numbers])
    return TitledTable("Alone", rows, keys=2)


def switch_table(found: Study) -> TitledTable:
    """Return what context switches cost: misses that a program has together and has not alone, by quantum."""
    rows = [["quantum", "program", "cache", "switches", "misses", "per cent", "more than alone", "a switch"]]
    for quantum, shares in found.together.items():
        everyone = Share(sum(share.switches for share in shares), all_together(shares))
        before = all_together(found.alone)
        pairs = [*zip(found.names, shares, (share.results for share in found.alone), strict=True), ("all", everyone, before)]
        for name, share, alone in pairs:
            for mine, other in zip(share.results.caches, alone.caches, strict=True):
                misses, more = mine.misses.total, mine.misses.total - other.misses.total
                cost = [number(share.switches), number(misses), percent(misses, mine.accesses.total)]
                each = f"{more / share.switches:.2f}" if share.switches else "-"
                rows.append([number(quantum), name, mine.cache.name, *cost, number(more), each])
    return TitledTable("Together", rows, keys=3)


def prediction_table(found: Study) -> TitledTable:
    """Return what context switches cost in mispredicted branches, by quantum; alone stands first."""
    predicting = found.machine.predicting
    rows = [["quantum", "program", "predictor", "branches", "mispredicted", "per cent", "more than alone", "a switch"]]
    for quantum, shares in [(0, found.alone), *found.together.items()] if predicting is not None else []:
        for name, share, alone in zip(found.names, shares, found.alone, strict=True):
            for place, predictor in enumerate(predicting.spec.split("+") if predicting is not None else ()):
                wrong, more = share.mispredicted[place], share.mispredicted[place] - alone.mispredicted[place]
                each = f"{more / share.switches:.2f}" if share.switches else "-"
                cost = [number(share.branches), number(wrong), percent(wrong, share.branches), number(more), each]
                rows.append([number(quantum) if quantum else "alone", name, predictor, *cost])
    return TitledTable("Branch predictors", rows, keys=3)


def panels(found: Study) -> list[Panel]:
    """Return a picture for each cache: misses that a switch costs each program, over quanta."""
    places = [number(quantum) for quantum in found.together]
    result = []
    for place, cache in enumerate(found.machine.system.caches):
        curves = [Curve(name, _costs(found, program, place)) for program, name in enumerate(found.names)]
        result.append(Panel(f"{cache.name}: misses a context switch adds", "instructions in a quantum", places, curves))
    return result


def _costs(found: Study, program: int, cache: int) -> list[float | None]:
    """Return what a switch costs a program in a cache, by quantum; None without switches, and for less than nothing."""
    alone = found.alone[program].results.caches[cache].misses.total
    shares = [shares[program] for shares in found.together.values()]
    return [
        max(share.results.caches[cache].misses.total - alone, 0) / share.switches if share.switches else None
        for share in shares
    ]


def as_json(found: Study) -> dict[str, Any]:
    """Return a study as dictionaries and numbers."""

    def predicted(share: Share) -> dict[str, Any]:
        if found.machine.predicting is None:
            return {}
        wrong = dict(zip(found.machine.predicting.spec.split("+"), share.mispredicted, strict=True))
        return {"branches": share.branches, "mispredicted": wrong}

    def shares(found_shares: Sequence[Share]) -> list[dict[str, Any]]:
        return [{"switches": share.switches, "results": plain(share.results), **predicted(share)} for share in found_shares]

    return {
        "format": FORMAT,
        "pages": str(found.machine.policy),
        "page": found.machine.page,
        "programs": list(found.names),
        "alone": shares(found.alone),
        "together": [
            {"quantum": quantum, "all": plain(all_together(together)), "programs": shares(together)}
            for quantum, together in found.together.items()
        ],
    }
