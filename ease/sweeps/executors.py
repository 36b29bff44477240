"""Where the points of a sweep are worked on: processes of this computer, or a cluster through Dask."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from importlib import import_module
from multiprocessing import active_children, get_context
from types import ModuleType
from typing import Any
from uuid import uuid4

from ease.base import interrupts
from ease.sweeps.points import Outcome, Point, run_point
from vpo.base.parallel import end_with
from vpo.build.compiler import UserError

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
        with ProcessPoolExecutor(jobs, get_context("spawn"), end_with, (os.getpid(),)) as pool:
            try:
                with interrupts.held(), _without_main():
                    numbers = {pool.submit(run_point, point, session): number for number, point in enumerate(points)}
                for future in as_completed(numbers):
                    yield numbers[future], future.result()
            except BaseException:
                for process in active_children():
                    process.kill()
                raise

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
