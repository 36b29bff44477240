"""Programs on processors of their own: private caches, a shared level, and a protocol that keeps them coherent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from cache_sim.coherence import PrivateResults, Processors
from cache_sim.results import CacheResults, Kind
from cache_sim.traces.formats.references import references
from cache_sim.traces.listed import PROCESS_BIT
from cache_sim.traces.regeneration import FETCHED, Events
from cache_sim.traces.trace_file import TraceFile
from ease import TitledTable, number, percent
from ease.lab.together.page_table import PageTable, split_at_pages
from ease.lab.together.study import WHOLE, Machine, turns

FORMAT = 1  # of the JSON form; a key never changes its meaning without another


@dataclass(frozen=True, slots=True)
class Coherent:
    """Processors, one for each program, with the protocol between them.

    `shares`: of each program, the first one that has its code, its data and its heap, too; all that lies below `stack`.
    """

    machine: Machine
    protocol: str
    shares: tuple[int, ...]
    stack: int


@dataclass(frozen=True, slots=True)
class Ran:
    """What each processor executed, and its caches did; `second`: the shared level, None if there is none."""

    instructions: tuple[int, ...]
    caches: tuple[tuple[PrivateResults, ...], ...]
    second: CacheResults | None


@dataclass(frozen=True, slots=True)
class Study:
    """Programs by name, each alone on one processor, and by quantum all at once."""

    coherent: Coherent
    names: tuple[str, ...]
    alone: tuple[Ran, ...]
    together: dict[int, Ran]


def study(names: Sequence[str], traces: Sequence[TraceFile], quanta: Sequence[int], coherent: Coherent) -> Study:
    """Run programs, each on a processor, alone and at once.

    Raises what `run_at_once` raises.
    """
    alone = tuple(run_at_once([trace], WHOLE, coherent) for trace in traces)
    return Study(coherent, tuple(names), alone, {quantum: run_at_once(traces, quantum, coherent) for quantum in quanta})


def run_at_once(traces: Sequence[TraceFile], quantum: int, coherent: Coherent) -> Ran:
    """Run programs on processors, of which one after the other executes so many instructions; returns what happened.

    Raises ConfigurationError, UserError, TraceDamaged, TraceError, OSError.
    """
    machine, count = coherent.machine, len(traces)
    processors = Processors(machine.system, coherent.protocol, count)
    table, shadow = machine.table(), machine.shadow(count)
    executed = [0] * count
    for place, events in turns(traces, quantum, [] if shadow is None else ["system"], machine.uncached):
        for part in events if shadow is None else (piece for _, piece in shadow.between(events, place)):
            found = references(part)
            executed[place] += int(np.count_nonzero(found.kinds == FETCHED))
            for kind, address, size in _physical(found, table, coherent):
                processors.refer(place, Kind(kind), address, size)
    return Ran(tuple(executed), tuple(processors.results()), processors.shared())


def _physical(events: Events, table: PageTable, coherent: Coherent) -> Iterator[tuple[int, int, int]]:
    """Yield references with physical addresses."""
    if not len(events):
        return
    sizes = np.maximum(events.sizes, np.uint64(1))
    numbers, addresses, sizes = split_at_pages(events.addresses, sizes, table.frames.page)
    first = int(addresses[0]) >> PROCESS_BIT
    if first < len(coherent.shares) and coherent.shares[first] != first:
        own = addresses & np.uint64((1 << PROCESS_BIT) - 1)
        addresses = np.where(own < coherent.stack, own | np.uint64(coherent.shares[first] << PROCESS_BIT), addresses)
    columns = (events.kinds[numbers], table.translated(addresses), sizes)
    yield from zip(*(column.tolist() for column in columns), strict=True)


# ----------------------------------------------------------------------------------------------------------------------


def private_table(found: Study) -> TitledTable:
    """Return what the private caches did: alone, and by quantum."""
    heads = ["accesses", "misses", "per cent", "of lines taken", "more than alone", "taken", "owned", "written back"]
    rows = [["quantum", "program", "cache", *heads]]
    alone = [ran.caches[0] for ran in found.alone]
    for quantum, caches in [(0, alone), *((quantum, ran.caches) for quantum, ran in found.together.items())]:
        for name, own, before in zip(found.names, caches, alone, strict=True):
            for each, other in zip(own, before, strict=True):
                misses = [number(each.accesses), number(each.misses), percent(each.misses, each.accesses), number(each.again)]
                others = [number(count) for count in (each.misses - other.misses, each.taken, each.owned, each.written)]
                rows.append([number(quantum) if quantum else "alone", name, each.cache.name, *misses, *others])
    return TitledTable("Private caches", rows, keys=3)


def shared_table(found: Study) -> TitledTable:
    """Return what the shared level did, if there is one."""
    rows = [["quantum", "cache", "accesses", "misses", "per cent"]]
    for quantum, ran in found.together.items():
        if ran.second is not None:
            accesses, misses = ran.second.accesses.total, ran.second.misses.total
            name = ran.second.cache.name
            rows.append([number(quantum), name, number(accesses), number(misses), percent(misses, accesses)])
    return TitledTable("Shared level", rows, keys=2)


def as_json(found: Study) -> dict[str, object]:
    """Return a study as dictionaries and numbers."""

    def plain(ran: Ran) -> dict[str, object]:
        second = ran.second
        programs = [
            {"instructions": executed, "caches": {each.cache.name: _numbers(each) for each in caches}}
            for executed, caches in zip(ran.instructions, ran.caches, strict=True)
        ]
        shared = {} if second is None else {"accesses": second.accesses.total, "misses": second.misses.total}
        return {"programs": programs, **({"shared": shared} if shared else {})}

    kernel = found.coherent.machine.kernel
    return {
        "format": FORMAT,
        "protocol": found.coherent.protocol,
        "programs": list(found.names),
        "shares": list(found.coherent.shares),
        **({} if kernel is None else {"kernel": str(kernel)}),
        "alone": [plain(ran) for ran in found.alone],
        "together": [{"quantum": quantum, **plain(ran)} for quantum, ran in found.together.items()],
    }


def _numbers(results: PrivateResults) -> dict[str, int]:
    return {name: value for name, value in asdict(results).items() if name != "cache"}
