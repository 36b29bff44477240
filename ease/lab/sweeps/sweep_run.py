"""Run a sweep: take from the store what is known, measure the rest in processes or on a cluster, keep each point at once."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from types import ModuleType
from typing import Any
from uuid import uuid4

from ease import Progress, Store
from ease.lab.experiments.programs import Program
from ease.lab.sweeps.axes import Configuration, Sweep
from ease.lab.sweeps.points import Keys, Outcome, Point, keep_point, known_points, placed, run_point
from vpo.base.errors import UserError
from vpo.base.parallel import workers

# ----------------------------------------------------------------------------------------------------------------------
# Where the points of a sweep are worked on: processes of this computer, or a cluster through Dask.


Results = Iterator[tuple[int, Outcome]]  # numbers of points with what they came to, in the order in which they end
Executor = Callable[[Sequence[Point]], Results]


def local(jobs: int) -> Executor:
    """Return an executor that uses so many processes, which end with this one."""

    def work(points: Sequence[Point]) -> Results:
        session = uuid4().hex
        if jobs == 1 or len(points) == 1:
            for number, point in enumerate(points):
                yield number, run_point(point, session)
            return
        with workers(jobs) as pool:
            with _without_main():
                numbers = {pool.submit(run_point, point, session): number for number, point in enumerate(points)}
            for future in as_completed(numbers):
                yield numbers[future], future.result()

    return work


@contextmanager
def _without_main() -> Iterator[None]:
    """Start processes that do not run the script again that asked for them: they need nothing of it."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def dask(scheduler: str | None, jobs: int) -> Executor:
    """Return an executor that uses a cluster by its address, or one of `jobs` processes made for the sweep.

    Points of a worker that is lost go to others.  Workers need ease and the folders that programs and descriptions lie in.
    Raises UserError if Dask is not installed, or if nobody answers at the address.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise UserError(["'--executor dask' needs Dask: pip install 'ease[cluster]'"]) from None

    def work(points: Sequence[Point]) -> Results:
        session = uuid4().hex
        with ExitStack() as stack:
            client = stack.enter_context(_client(distributed, stack, scheduler, jobs))
            futures = [client.submit(run_point, point, session, pure=False, retries=2) for point in points]
            numbers = {future.key: number for number, future in enumerate(futures)}
            for future, outcome in distributed.as_completed(futures, with_results=True):
                yield numbers[future.key], outcome

    return work


def _client(distributed: Any, stack: ExitStack, scheduler: str | None, jobs: int) -> Any:
    """Return a client of a cluster; a cluster that is made here ends with the stack."""
    if scheduler is None:
        cluster = distributed.LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None, memory_limit=0)
        return distributed.Client(stack.enter_context(cluster))
    try:
        return distributed.Client(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        raise UserError([f"no Dask scheduler answers at {scheduler}: {error}"]) from None


# ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Swept:
    """What a sweep found: outcomes by configuration and name of the program.

    `interrupted`: points are missing.  `known`: how many came from the store.
    """

    sweep: Sweep
    outcomes: Mapping[tuple[Configuration, str], Outcome]
    interrupted: bool = False
    known: int = 0

    @property
    def errors(self) -> dict[str, list[str]]:
        """The errors that there were, each with the points that it stopped, in words."""
        found: dict[str, list[str]] = {}
        for names, configuration in self.sweep.configurations():
            for program in self.sweep.programs:
                outcome = self.outcomes.get((configuration, program.name))
                if outcome is not None and outcome.error:
                    place = [names[number] for number in self.sweep.varying]
                    found.setdefault(outcome.error, []).append(" ".join([*place, program.name]))
        return found

    @property
    def unlike(self) -> list[str]:
        """The programs that do not write the same, or do not end alike, in all configurations."""
        found = []
        for program in self.sweep.programs:
            ends = {
                (outcome.status, outcome.output)
                for (_, name), outcome in self.outcomes.items() if name == program.name and not outcome.error
            }  # fmt: skip
            if len(ends) > 1:
                found.append(program.name)
        return found


def run_sweep(sweep: Sweep, executor: Executor, db: str | None, progress: Progress) -> Swept:
    """Measure what is not known yet; an interrupt ends the sweep with what there is.

    `db`: the store, made if need be; None: nothing is kept.  Raises ease.Error for a store that cannot be used,
    DescriptionError, OSError.
    """
    found = _Found(sweep, None if db is None else Store(db))
    progress.begin(sweep.points, found.known)
    missing = [number for number, point in enumerate(found.points) if point not in found.outcomes]
    interrupted = False
    try:
        for number, outcome in executor([found.points[n] for n in missing]) if missing else ():
            found.add(missing[number], outcome)
            progress.done(found.about(missing[number]), bool(outcome.error))
    except KeyboardInterrupt:
        interrupted = True
    progress.end()
    outcomes = {(point.configuration, point.program.name): outcome for point, outcome in found.outcomes.items()}
    return Swept(sweep, outcomes, interrupted, found.known)


def in_turn(sweep: Sweep, together: int) -> Iterator[tuple[tuple[str, ...], Configuration, Program]]:
    """Yield the points in the order of work: a few machines at a time, so that rows are soon complete.

    Each program is compiled for all of these one after the other: processes then compile the libraries of different machines.
    """
    machines: dict[object, list[tuple[tuple[str, ...], Configuration]]] = {}
    for names, configuration in sweep.configurations():
        machine = configuration.machine, configuration.sets, configuration.description
        machines.setdefault(machine, []).append((names, configuration))
    groups = list(machines.values())
    for first in range(0, len(groups), together):
        for program in sweep.programs:
            for names, configuration in chain.from_iterable(groups[first : first + together]):
                yield names, configuration, program


class _Found:
    """The points of a sweep, in the order of work, and what is known of them."""

    def __init__(self, sweep: Sweep, store: Store | None) -> None:
        turns = list(in_turn(sweep, os.cpu_count() or 1))
        places = {program: placed(program) for program in sweep.programs}
        self.points = [Point(configuration, places[program]) for _, configuration, program in turns]
        self.names = [names for names, _, _ in turns]
        self.varying = sweep.varying
        self.keys: dict[Point, str] = {}
        keys = Keys()
        for point in self.points:
            self.keys[point] = keys.key(point)
        self.store = store
        known = known_points(store, self.keys.values()) if store is not None else {}
        self.outcomes = {point: known[key] for point, key in self.keys.items() if key in known}
        self.known = len(self.outcomes)

    def about(self, number: int) -> str:
        """Return in words what a point is."""
        places = [self.names[number][axis] for axis in self.varying]
        return " ".join([*places, self.points[number].program.name])

    def add(self, number: int, outcome: Outcome) -> None:
        """Take what a point came to; errors are not kept."""
        point = self.points[number]
        self.outcomes[point] = outcome
        if self.store is not None and not outcome.error:
            keep_point(self.store, self.keys[point], self.about(number), outcome)
