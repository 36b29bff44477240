"""Programs that share a machine: each alone, and all together in turns with several quanta."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import groupby
from math import gcd
from operator import itemgetter
from typing import Any

import numpy as np

from cache_sim.config import POLICIES, Cache, ConfigurationError, MemorySystem
from cache_sim.describe import plain
from cache_sim.native.simulate import Simulator as CompiledSimulator
from cache_sim.predictors.predictor import BRANCHES, Kind, Predictor, Static
from cache_sim.predictors.predictors import load
from cache_sim.reference import Simulator
from cache_sim.results import Results
from cache_sim.traces.formats.references import chosen, references, trace_from
from cache_sim.traces.kernel import Kernel, Shadow
from cache_sim.traces.listed import PROCESS_BIT, Process
from cache_sim.traces.regeneration import BRANCH, FETCHED, Events
from cache_sim.traces.trace_file import REFERENCES, TraceFile
from ease import Curve, Panel, TitledTable, number, percent
from ease.lab.together.page_table import Frames, PageTable, Policy, split_at_pages
from vpo.analysis.transfers import transfers, unit
from vpo.program import Program

# ----------------------------------------------------------------------------------------------------------------------
# Programs that take turns on one machine: their schedule, the memory system and branch predictors that they share.


# ----------------------------------------------------------------------------------------------------------------------
# Branch predictors that programs on one machine share: addresses are virtual, so programs disturb each other's entries.


@dataclass(frozen=True, slots=True)
class Predicting:
    """Which predictors there are, as `load` reads them; `flushes`: they forget everything when another program goes on."""

    spec: str
    flushes: bool
    unit: int
    places: tuple[Mapping[int, tuple[int, int]], ...]  # of each program's branches: address and target, by RTL


def predicting(spec: str, flushes: bool, programs: Sequence[Program]) -> Predicting:
    """Return what programs share.

    Raises ConfigurationError for predictors of other transfers than branches, and for those that are known after the run only.
    """
    for name, predictor in load(spec).items():
        if predictor.kinds != BRANCHES or (isinstance(predictor, Static) and not predictor.known):
            raise ConfigurationError(f"predictor '{name}': programs share predictors of branches, without a profile")
    places = tuple(
        {each.number: (each.address, each.target) for each in transfers(program) if each.kind == Kind.BRANCH}
        for program in programs
    )
    return Predicting(spec, flushes, gcd(*map(unit, programs)), places)


class SharedPredictors:
    """Predicts the branches of programs in the order of their turns, and counts by program."""

    def __init__(self, shared: Predicting, numbers: Sequence[int]) -> None:
        self.shared, self.places = shared, [shared.places[number] for number in numbers]
        self.predictors: list[Predictor] = []
        self.forget()
        self.executed = [0] * len(numbers)
        self.wrong = [[0] * len(self.predictors) for _ in numbers]

    def forget(self) -> None:
        """Bring all predictors to their beginning."""
        self.predictors = list(load(self.shared.spec, self.shared.unit).values())

    def take(self, program: int, parts: Iterable[Events]) -> None:
        """Predict the branches of a turn."""
        for events in parts:
            branches = events.kinds == BRANCH
            sites, outcomes = events.sites[branches].tolist(), events.sizes[branches].tolist()
            self.executed[program] += len(sites)
            for place, predictor in enumerate(self.predictors):
                self.wrong[program][place] += self._mistakes(predictor, self.places[program], sites, outcomes)

    @staticmethod
    def _mistakes(
        predictor: Predictor, places: Mapping[int, tuple[int, int]], sites: Sequence[int], outcomes: Sequence[int]
    ) -> int:
        predict, update, wrong = predictor.predict, predictor.update, 0
        for site, outcome in zip(sites, outcomes, strict=True):
            address, target = places[site]
            wrong += predict(address, target) != outcome
            update(address, target, outcome)
        return wrong


# ----------------------------------------------------------------------------------------------------------------------
# Round robin in virtual time: each program in turn, as many instructions as a quantum has.


LONGEST = 1 << 20  # instructions that are read at once of a program that runs alone


def turns(
    traces: Sequence[TraceFile], quantum: int, others: Sequence[str] = (), uncached: Sequence[tuple[int, int]] = ()
) -> Iterator[tuple[int, Sequence[Events]]]:
    """Yield the number of a program, and what it refers to in its turn, until all have ended.

    `others`: events of these kinds are there, too.  References to data in `uncached` memory are left out.

    Addresses have the number of the program above those of its own.  A program that is the only one left has as many turns as
    it likes.
    """
    kinds = (*REFERENCES, *others)
    running = [Process(trace.events(kinds), number, bool(others)) for number, trace in enumerate(traces)]
    while running:
        for process in list(running):
            length = quantum if len(running) > 1 else LONGEST
            if references := process.turn(length, instructions=True):
                yield process.number, [beside(part, uncached) for part in references] if uncached else references
            else:
                running.remove(process)


def beside(events: Events, uncached: Sequence[tuple[int, int]]) -> Events:
    """Return events without references to data in pieces of memory, each given by its address in a program and its size."""
    own = events.addresses & np.uint64((1 << PROCESS_BIT) - 1)
    inside = np.zeros(len(own), bool)
    for start, size in uncached:
        inside |= (own >= start) & (own < start + size)
    return chosen(events, ~inside | (events.kinds >= FETCHED))


# ----------------------------------------------------------------------------------------------------------------------
# Programs on one memory system: what each turn of each program adds to the results.


@dataclass(frozen=True, slots=True)
class Share:
    """What happened while one program ran.

    `switches`: how often it went on after another program had run.  `results` count as references what does not cross the
    end of a page.  `branches`: conditional ones, and how many of these each predictor mispredicted.
    """

    switches: int
    results: Results
    branches: int = 0
    mispredicted: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Machine:
    """What programs share, beside their turns; `page` is in bytes; there may be branch predictors, and a kernel.

    `uncached` memory each has for itself: pieces of it by address and size.
    """

    system: MemorySystem
    policy: Policy
    page: int
    predicting: Predicting | None = None
    kernel: Kernel | None = None
    uncached: tuple[tuple[int, int], ...] = ()

    def table(self) -> PageTable:
        """Return a table in which no page has a frame yet."""
        return PageTable(Frames(self.policy, self.page, self.system))

    def shadow(self, process: int) -> Shadow | None:
        """Return the kernel's references, with addresses of the process of a number; None if there is no kernel."""
        return None if self.kernel is None else Shadow(self.kernel, process << PROCESS_BIT)


def run_together(
    traces: Sequence[TraceFile], quantum: int, machine: Machine, numbers: Sequence[int] | None = None
) -> tuple[Share, ...]:
    """Run programs in turns of so many instructions; returns what happened to each, and to the kernel, if there is one.

    `numbers`: which programs of those that predictors know; all, if it is not given.

    Raises UserError, TraceDamaged, TraceError, OSError.
    """
    table = machine.table()
    own = any(cache.policy not in POLICIES for cache in machine.system.caches)  # users have added it: it is not compiled
    every, of_kernel = range(len(traces) + (machine.kernel is not None)), len(traces)
    meter = _PlainMeter(machine.system, len(every)) if own else _Meter(machine.system, len(every))
    executed, switches = [0 for _ in every], [0 for _ in every]
    shadow = machine.shadow(of_kernel)
    predictors = None
    if machine.predicting is not None:
        predictors = SharedPredictors(machine.predicting, range(len(traces)) if numbers is None else numbers)
    last: int | None = None
    others = [kind for kind, wanted in (("branch", predictors), ("system", shadow)) if wanted is not None]
    for place, events in turns(traces, quantum, others, machine.uncached):
        if predictors is not None:
            if predictors.shared.flushes and last not in (None, place):
                predictors.forget()
            predictors.take(place, events)
        pieces = _pieces(events, place, shadow, last not in (None, place))
        for kernels, parts in groupby(pieces, itemgetter(0)):
            who = of_kernel if kernels else place
            executed[who] += _simulate(meter.simulator, table, (references(part) for _, part in parts))
            meter.add(who)
        switches[place] += last is not None and last != place
        last = place
    results = [replace(each, instructions=executed[n]) for n, each in enumerate(meter.results())]
    if predictors is None:
        return tuple(map(Share, switches, results))
    branches, wrong = [*predictors.executed, 0], [*predictors.wrong, []]
    return tuple(Share(switches[n], results[n], branches[n], wrong[n]) for n in every)


def _pieces(
    events: Iterable[Events], place: int, shadow: Shadow | None, switched: bool
) -> Iterator[tuple[bool, Events]]:
    """Yield what is done in a turn, in order; True before what the kernel does."""
    if shadow is None:
        yield from ((False, part) for part in events)
        return
    if switched:
        yield True, shadow.switch(place)
    yield from shadow.between(events, place)


class _Meter:
    """Tells what each turn of a program adds to the numbers of a compiled memory system."""

    def __init__(self, system: MemorySystem, programs: int) -> None:
        self.simulator = CompiledSimulator(system)
        self.before = self.simulator.counts()
        self.added = [np.zeros_like(self.before) for _ in range(programs)]

    def add(self, program: int) -> None:
        """Take what was simulated since the last turn."""
        now = self.simulator.counts()
        self.added[program] += now - self.before
        self.before = now

    def results(self) -> list[Results]:
        """Return the results of each program."""
        return [self.simulator.results_of(counts).without_sites() for counts in self.added]


class _PlainMeter:
    """The same of a plain memory system."""

    def __init__(self, system: MemorySystem, programs: int) -> None:
        self.simulator = Simulator(system)
        self.before = self.simulator.results().without_sites()
        self.added = [self.before] * programs

    def add(self, program: int) -> None:
        """Take what was simulated since the last turn."""
        now = self.simulator.results().without_sites()
        self.added[program] += _difference(now, self.before)
        self.before = now

    def results(self) -> list[Results]:
        """Return the results of each program."""
        return self.added


def all_together(shares: Iterable[Share]) -> Results:
    """Return what happened to all programs."""
    first, *rest = (share.results for share in shares)
    return sum(rest, first)


def _simulate(simulator: Simulator | CompiledSimulator, table: PageTable, parts: Iterable[Events]) -> int:
    """Send the references of a turn through the memory system; returns how many instructions that were."""
    instructions = 0
    for events in filter(len, parts):
        instructions += int(np.count_nonzero(events.kinds == FETCHED))
        sizes = np.maximum(events.sizes, np.uint64(1))
        numbers, addresses, sizes = split_at_pages(events.addresses, sizes, table.frames.page)
        columns = (events.kinds[numbers], table.translated(addresses), sizes, events.sites[numbers])
        trace = trace_from(Events(*columns))
        if isinstance(simulator, CompiledSimulator):
            simulator.run(trace)
        else:
            for reference in trace:
                simulator.refer(*reference)
    return instructions


def _difference(now: Any, before: Any) -> Any:
    """Return results less earlier ones of the same simulator, number by number."""
    if isinstance(now, int):
        return now - before
    if isinstance(now, tuple):
        return tuple(map(_difference, now, before))
    if not is_dataclass(now) or isinstance(now, type | Cache | MemorySystem):
        return now
    changes = {part.name: _difference(getattr(now, part.name), getattr(before, part.name)) for part in fields(now)}
    return replace(now, **changes)



# ----------------------------------------------------------------------------------------------------------------------


FORMAT = 1  # a key of the JSON form never changes its meaning without another
WHOLE = 1 << 62  # instructions: more than any run executes
KERNEL = "kernel"


@dataclass(frozen=True, slots=True)
class Study:
    """Programs by name; what each did alone, and by quantum (instructions), in the order of the programs, together.

    The last one is the kernel, if there is one; what it did for programs that were alone is one sum.
    """

    machine: Machine
    names: tuple[str, ...]
    alone: tuple[Share, ...]
    together: dict[int, tuple[Share, ...]]


def study(names: Sequence[str], traces: Sequence[TraceFile], quanta: Sequence[int], machine: Machine) -> Study:
    """Run programs alone and together.

    Raises what `run_together` raises.
    """
    alone = [run_together([trace], WHOLE, machine, [number]) for number, trace in enumerate(traces)]
    programs = [share for share, *_ in alone]
    together = {quantum: run_together(traces, quantum, machine) for quantum in quanta}
    if machine.kernel is None:
        return Study(machine, tuple(names), tuple(programs), together)
    kernel = Share(0, all_together(share for _, share in alone))
    return Study(machine, (*names, KERNEL), (*programs, kernel), together)


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
            names = predicting.spec.split("+") if predicting is not None and share.mispredicted else ()
            for place, predictor in enumerate(names):
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
        programs = [(program, name) for program, name in enumerate(found.names) if name != KERNEL]
        curves = [Curve(name, _costs(found, program, place)) for program, name in programs]
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
        if found.machine.predicting is None or not share.mispredicted:
            return {}
        wrong = dict(zip(found.machine.predicting.spec.split("+"), share.mispredicted, strict=True))
        return {"branches": share.branches, "mispredicted": wrong}

    def shares(found_shares: Sequence[Share]) -> list[dict[str, Any]]:
        return [{"switches": share.switches, "results": plain(share.results), **predicted(share)} for share in found_shares]

    return {
        "format": FORMAT,
        "pages": str(found.machine.policy),
        "page": found.machine.page,
        **({} if found.machine.kernel is None else {"kernel": str(found.machine.kernel)}),
        "programs": list(found.names),
        "alone": shares(found.alone),
        "together": [
            {"quantum": quantum, "all": plain(all_together(together)), "programs": shares(together)}
            for quantum, together in found.together.items()
        ],
    }
