"""A process that has loaded what runs need, and forks the process of each run: a run then starts in milliseconds.

A Python process that loads LLVM takes longer to start than most programs run.  So a process that runs several programs starts
this one, which then forks: a run of its own has nothing of other runs, since the server runs none itself.  What a process
inherits from the one that starts it is that of the server, so a process that has changed since starts another one.  Working
folder and files come with each run.

One message asks for a run, and carries the descriptors: the run's end of a pair of sockets, the working folder, and the files
that the run has under the same numbers.  Through that pair come a descriptor of the new process, and, when it has ended, its
status.  `multiprocessing.forkserver` has the same idea; its processes belong to functions and have no streams of their own.
"""

from __future__ import annotations

import fcntl
import gc
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import pairwise
from typing import NoReturn

from vpo.base.parallel import end_with

_LONGEST = 1 << 12  # bytes of a message
_MOST_FILES = 64  # files of a run
_WORD = 8  # bytes of a status
_CONTROL = 3  # the descriptor under which the server has its socket


# ----------------------------------------------------------------------------------------------------------------------
# The side of the process that measures.


class Forked:
    """A process that the server has forked; as `subprocess.Popen` shows one."""

    def __init__(self, answers: socket.socket) -> None:
        """Wait until the process is there; raises OSError if the server is not."""
        self._answers = answers
        self._status: int | None = None
        said, descriptors, _, _ = socket.recv_fds(answers, 1, 1)
        if not said or not descriptors:
            raise ConnectionError("the server of processes has ended")
        self._process = descriptors[0]
        self._poll = select.poll()
        self._poll.register(answers, select.POLLIN)

    def poll(self) -> int | None:
        """Return the status if the process has ended."""
        return self._wait(0)

    def wait(self, timeout: float | None = None) -> int:
        """Return the status when the process has ended; raises TimeoutError."""
        status = self._wait(timeout)
        if status is None:
            raise TimeoutError
        return status

    def _wait(self, timeout: float | None) -> int | None:
        if self._status is None and self._poll.poll(None if timeout is None else 1000 * timeout):
            said = self._answers.recv(_WORD)
            # Without its server, a process has been killed.
            self._status = int.from_bytes(said, "little", signed=True) if said else -signal.SIGKILL
            os.close(self._process)
            self._answers.close()
        return self._status

    def send_signal(self, number: int) -> None:
        """Send the process a signal, if it has not ended."""
        if self._status is None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._process, number)


class Server:
    """The server as the process that measures sees it."""

    def __init__(self, start: Callable[[str, int], list[str]], state: tuple[object, ...]) -> None:
        """Start it; `start` makes the command that calls `main` of a module with a descriptor.  Raises OSError."""
        self.state, self.has_served = state, False
        self.control, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with its:
            nothing = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in range(3)]
            files = [*nothing, (os.POSIX_SPAWN_DUP2, its.fileno(), _CONTROL)]
            command = start(__name__, _CONTROL)
            # As a process of a run, it leaves interrupts to this one.
            mask = signal.SIGINT, signal.SIGTERM
            self.pid = os.posix_spawn(command[0], command, os.environ, file_actions=files, setsigmask=mask)

    def close(self) -> None:
        """Let it end when no run is left, if it has not ended."""
        self.control.close()

    def start(self, module: str, arguments: Sequence[int], files: Sequence[int], streams: Sequence[int]) -> Forked:
        """Run `main` of a module in a new process that has files under their numbers, and others as its streams.

        Raises OSError.
        """
        numbers = [0, 1, 2, *files]
        mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with its:
            folder = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
            try:
                message = " ".join([module, str(len(numbers)), *map(str, (*numbers, *arguments))]).encode()
                socket.send_fds(self.control, [message], [its.fileno(), folder, *streams, *files])
            finally:
                os.close(folder)
        try:
            process = Forked(mine)
        except OSError:
            mine.close()
            raise
        self.has_served = True
        return process


# ----------------------------------------------------------------------------------------------------------------------
# The server's side.


def main() -> NoReturn:
    """Serve: arguments are the descriptor of the socket, and the number of the process that asks."""
    descriptor, parent = map(int, sys.argv[1:])
    end_with(parent)
    os.chdir("/")
    _close_others([0, 1, 2, descriptor])
    import_module("ease.host.process.child").prepare()  # by name, as a run names it: it needs what starts this server
    gc.freeze()
    _serve(socket.socket(fileno=descriptor))
    os._exit(0)


def _serve(control: socket.socket) -> None:
    """Fork as asked until nobody can ask any more and no run is left."""
    running: dict[int, tuple[int, socket.socket]] = {}  # by the descriptor of the process
    poll = select.poll()
    poll.register(control, select.POLLIN)
    asked = True
    while asked or running:
        for ready, _ in poll.poll():
            if ready != control.fileno():
                poll.unregister(ready)
                _tell_end(ready, *running.pop(ready))
                continue
            message, descriptors, _, _ = socket.recv_fds(control, _LONGEST, _MOST_FILES)
            if not message:
                poll.unregister(ready)
                asked = False
                continue
            process, pid = _fork(message, descriptors)
            answers = socket.socket(fileno=descriptors[0])
            try:
                socket.send_fds(answers, [b"+"], [process])
            except OSError:
                signal.pidfd_send_signal(process, signal.SIGKILL)  # who asked has ended
            running[process] = pid, answers
            poll.register(process, select.POLLIN)


def _tell_end(process: int, pid: int, answers: socket.socket) -> None:
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(process)
    with answers, suppress(OSError):  # who asked may have ended
        answers.send(status.to_bytes(_WORD, "little", signed=True))


def _fork(message: bytes, descriptors: list[int]) -> tuple[int, int]:
    """Fork the process that a message asks for; return its descriptor and its number."""
    server = os.getpid()
    pid = os.fork()
    if not pid:
        _begin(server, message, descriptors)
    for each in descriptors[1:]:
        os.close(each)
    return os.pidfd_open(pid), pid


def _begin(server: int, message: bytes, descriptors: list[int]) -> NoReturn:
    """Become the process that a message asks for."""
    try:
        module, count, *words = message.decode().split()
        numbers, arguments = list(map(int, words[: int(count)])), words[int(count) :]
        os.fchdir(descriptors[1])
        _place(dict(zip(numbers, descriptors[2:], strict=True)))
        sys.argv[1:] = [arguments[0], str(server), *arguments[1:]]
        import_module(module).main()
    except BaseException:
        traceback.print_exc()
    os._exit(1)


def _place(files: Mapping[int, int]) -> None:
    """Give each file the number that it is to have, and close all others."""
    free = max(files) + 1
    moved = {number: fcntl.fcntl(file, fcntl.F_DUPFD, free) for number, file in files.items()}
    for number, file in moved.items():
        os.dup2(file, number)
    _close_others(files)


def _close_others(kept: Iterable[int]) -> None:
    """Close all descriptors but some."""
    numbers = [-1, *sorted(kept), os.sysconf("SC_OPEN_MAX")]
    for before, after in pairwise(numbers):
        if before + 1 < after:  # of an empty range that begins at 0, Python closes everything
            os.closerange(before + 1, after)
