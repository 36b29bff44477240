"""Work on things that do not depend on each other in several processes, as if it were done one after another.

The processes are forks, so that they know all that this one does; they write nothing, for other threads may hold locks.
Each takes the next thing that nobody has taken, and at the end sends those that it has changed.  What does not come
back, since the work raised an exception or the process ended, is done here: thus errors are those of the first thing in
order, and nothing depends on how many processes there are.
"""

from __future__ import annotations

import ctypes
import errno
import os
import pickle
import signal
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

# ----------------------------------------------------------------------------------------------------------------------
# No process outlives the one that started it, not even if that is killed.


_PR_SET_PDEATHSIG = 1
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_libc = ctypes.CDLL(None)


def end_with(parent: int) -> None:
    """Have the kernel kill this process when the thread of process `parent` that started it ends, or end now.

    The parent may have ended before the kernel was told: then this process has another one.
    """
    _libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(128 + signal.SIGKILL)


@contextmanager
def signals_held() -> Iterator[None]:
    """Let interrupts and SIGTERM wait; processes started meanwhile have them blocked."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def workers(jobs: int, start: str = "spawn") -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of processes; they end with this one, and at once when something goes wrong.

    Interrupts are for this process alone.  Raises OSError.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    class Pool(ProcessPoolExecutor):
        """Starts processes, as it does while it gets work, with signals blocked."""

        def submit(self, *args: Any, **kwargs: Any) -> Any:
            with signals_held():
                return super().submit(*args, **kwargs)

    try:
        with Pool(jobs, get_context(start), end_with, (os.getpid(),)) as pool:
            try:
                yield pool
            except BaseException:
                for process in active_children():
                    process.kill()
                raise
    except RuntimeError as error:
        if type(error) is not RuntimeError or "thread" not in str(error):
            raise
        raise OSError(errno.EAGAIN, "no thread for the processes that are to work at once") from None


# ----------------------------------------------------------------------------------------------------------------------


T = TypeVar("T")
_NUMBER = struct.Struct("I")
_MOST = 4096 // _NUMBER.size  # numbers that any pipe holds


def cores() -> int:
    """Return how many processes can run at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def work_on(things: Sequence[T], work: Callable[[T], None], jobs: int, size: Callable[[T], int]) -> list[T]:
    """Let `work` change each of some things, large ones first, in up to `jobs` processes; return them in their order.

    Raises what `work` raises for the first thing for which it does.
    """
    done: dict[int, T | Exception] = {}
    if jobs > 1 and 1 < len(things) <= _MOST and hasattr(os, "fork"):
        order = sorted(range(len(things)), key=lambda number: -size(things[number]))
        done = _in_processes(things, work, min(jobs, len(things)), order)
    for number, thing in enumerate(things):
        if number not in done:
            work(thing)
        result = done.setdefault(number, thing)
        if isinstance(result, Exception):
            raise result
    return [result for _, result in sorted(done.items()) if not isinstance(result, Exception)]


def _in_processes(things: Sequence[T], work: Callable[[T], None], jobs: int, order: Iterable[int]) -> dict[int, T | Exception]:
    """Return what became of most things: the thing as it is now, or an exception."""
    done: dict[int, T | Exception] = {}
    queue, end = os.pipe()
    os.write(end, b"".join(map(_NUMBER.pack, order)))
    os.close(end)
    helpers: list[_Helper[T]] = []
    try:
        while len(helpers) < jobs - 1:
            helpers.append(_Helper(queue, things, work))
        for number in _taken(queue):
            try:
                work(things[number])
                done[number] = things[number]
            except Exception as error:  # it counts if nothing goes wrong with what comes before it
                done[number] = error
        for helper in helpers:
            done |= helper.results()
    finally:
        os.close(queue)
        for helper in helpers:
            helper.end()
    return done


def _taken(queue: int) -> Iterator[int]:
    """Yield the numbers of things that this process is to work on."""
    while entry := os.read(queue, _NUMBER.size):
        yield _NUMBER.unpack(entry)[0]


class _Helper(Generic[T]):
    """A process that takes part in the work."""

    def __init__(self, queue: int, things: Sequence[T], work: Callable[[T], None]) -> None:
        self.answer, end = os.pipe()
        parent = os.getpid()
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # until the new process knows what to do about them
        self.pid = os.fork()
        if not self.pid:
            _help(parent, queue, end, things, work)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.close(end)

    def results(self) -> dict[int, T]:
        """Return what the process has changed; nothing if it ended before it could tell."""
        with suppress(EOFError, pickle.UnpicklingError), open(self.answer, "rb", closefd=False) as stream:
            changed: dict[int, T] = pickle.load(stream)
            return changed
        return {}

    def end(self) -> None:
        """End the process, which has nothing left to do or is not wanted any more."""
        os.close(self.answer)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def _help(parent: int, queue: int, end: int, things: Sequence[T], work: Callable[[T], None]) -> NoReturn:
    """Work in a new process: interrupts are for the one that started it, without which this one ends."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        end_with(parent)
        changed: dict[int, T] = {}
        for number in _taken(queue):
            with suppress(Exception):  # the other process will find out, too
                work(things[number])
                changed[number] = things[number]
        with open(end, "wb") as stream:
            pickle.dump(changed, stream, pickle.HIGHEST_PROTOCOL)
    finally:
        os._exit(0)
