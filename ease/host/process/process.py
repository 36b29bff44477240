"""The process in which a program runs, as its parent sees it: shared memory, its start, and waiting for its end.

However both processes end, no file of a run is left in a folder, and no signal is lost.  Only the parent receives
interrupts: the child blocks them before its first instruction, and the parent ends it.

How much is done to make host code fast, where nobody says, stands at the end.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ease.base import interrupts
from ease.base.printable import commanding
from ease.host.process.job import UNABLE
from vpo.base.cache import load, store
from vpo.base.parallel import signals_held
from vpo.system.faults import HostError

if TYPE_CHECKING:
    from ease.host.process.fork_server import Forked, Server
    from vpo.program import Program

_SLICE = 0.2  # seconds: a signal that comes right before a wait does not end it, so no wait is long
_GRACE = 3.0  # seconds that a child has to end by itself
_LIMITS = [getattr(resource, name) for name in sorted(vars(resource)) if name.startswith("RLIMIT_")]
_HOST_NEEDS = 1 << 30  # bytes of address space for Python, LLVM, compiled code and the smallest stack

# What a child begins with.  It takes these packages from where this process has them, and nothing else from there: in a
# source tree, a program could have made modules that stand before those of Python.  Others come from the folder of llvmlite:
# finding out where packages are, as Python does at its start, takes longer than the rest of its start.
_START = """
import os, sys
OWN = ("ease", "vpo", "cache_sim", "machine_descriptions")
from importlib import import_module
from importlib.machinery import PathFinder
class Own:
    def find_spec(name, path=None, target=None):
        return PathFinder.find_spec(name, [{root!r}]) if name in OWN else None
sys.meta_path.insert(0, Own)
sys.path.append({packages!r})
try:
    module = import_module({module!r})
except (ImportError, OSError, MemoryError) as error:
    os.write(int(sys.argv[1]), f"the program cannot be run: {{str(error) or 'out of memory'}}".encode())
    os._exit({unable})
module.main()
"""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended: `status` as `subprocess` has it, or what stopped it; `said` is why it could not run."""

    status: int = 0
    stopped_by: str = ""  # 'timeout', 'interrupt'
    said: str = ""


def memory_file(name: str, content: bytes = b"", size: int = 0) -> IO[bytes]:
    """Return a file in memory, without a place in any folder, with a content or of a size.

    Raises HostError.
    """
    try:
        file = os.fdopen(os.memfd_create(f"ease-{name}"), "w+b")
        file.write(content)
        file.truncate(max(size, len(content)))
        file.seek(0)
    except OSError as error:
        raise HostError(f"no memory to share with the program's process: {error.strerror}") from None
    return file


def check_address_space(size: int) -> None:
    """Raise HostError if the limit of address space leaves no room for `size` bytes of a program."""
    limit, needed = resource.getrlimit(resource.RLIMIT_AS)[0], size + _HOST_NEEDS
    if limit != resource.RLIM_INFINITY and limit < needed:
        raise HostError(
            f"the measured program needs {needed / 2**30:.1f} GiB of address space; the limit is {limit / 2**30:.1f} GiB "
            f"(`ulimit -v {-(-needed // 1024)}` is enough)"
        )


def run_child(
    module: str,
    arguments: Sequence[int],
    files: Sequence[IO[bytes]],
    streams: Sequence[IO[bytes] | None],
    timeout: float | None,
    look: Callable[[], None] | None = None,
) -> Ended:
    """Run the function `main` of a module in a process of its own until it ends, its time is up or an interrupt comes.

    Its arguments are the descriptor of a pipe for the reason why it cannot run, the number of this process, and `arguments`.
    It has `files` under the same descriptors.  While it runs, `look` is called, at least each fifth of a second.
    Raises OSError if the process cannot be started.
    """
    listening, answer = os.pipe()
    child = None
    try:
        with signals_held():
            child = _start(module, [answer, *arguments], [answer, *(file.fileno() for file in files)], streams)
            os.close(answer)
        said = _listen(listening, timeout, look)
        if said is None:
            return Ended(stopped_by="timeout")
        return Ended(child.wait(), said=said.decode(errors="replace"))
    except KeyboardInterrupt:
        interrupts.arrived()
        return Ended(stopped_by="interrupt")
    finally:
        os.close(listening)
        if child is not None and child.poll() is None:
            _end(child)


class _Servers:
    """The server that forks processes of runs for this process, from the second run on: for one run it is not worth it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.state: tuple[object, ...] = ()  # what this process handed on at the last run
        self.server: Server | None = None
        self.failed = False
        self.ended: list[int] = []  # servers given up that had not ended yet

    def take(self) -> Server | None:
        """Return a server that has what a process started now would inherit."""
        state = _inherited()
        with self.lock:
            if self.server is not None and self.server.state != state:
                self.give_up(self.server)
            if self.server is None and state == self.state and not self.failed:
                from ease.host.process.fork_server import Server  # not for one run

                self.server = Server(_command, state)
            self.state = state
            return self.server

    def give_up(self, server: Server) -> None:
        """Have no use for a server any more."""
        server.close()
        if self.server is server:
            self.server = None
        self.ended = [pid for pid in [*self.ended, server.pid] if not _has_ended(pid)]


_servers = _Servers()


def has_descriptors_of_processes() -> bool:
    """Whether this system has what a server needs."""
    return hasattr(os, "pidfd_open") and hasattr(signal, "pidfd_send_signal")


def _inherited() -> tuple[object, ...]:
    """Return what a process that this one starts inherits, and what may change: a server has it from its own start."""
    with open("/proc/self/status", "rb") as file:
        mask = next((line for line in file if line.startswith(b"Umask")), b"")
    ids = os.getpid(), os.geteuid(), os.getegid(), os.getpriority(os.PRIO_PROCESS, 0), frozenset(os.sched_getaffinity(0))
    return *ids, mask, dict(os.environ), [resource.getrlimit(each) for each in _LIMITS]


def _has_ended(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] != 0
    except ChildProcessError:  # the process has another parent: this one is a fork
        return True


def _command(module: str, *arguments: int) -> list[str]:
    """Return the command that calls `main` of a module; this process is its second argument."""
    start = _START.format(root=str(Path(__file__).parents[3]), packages=_packages(), module=module, unable=UNABLE)
    return [sys.executable, "-S", "-P", "-c", start, *map(str, (arguments[0], os.getpid(), *arguments[1:]))]


def _start(
    module: str, arguments: Sequence[int], files: Sequence[int], streams: Sequence[IO[bytes] | None]
) -> Forked | subprocess.Popen[bytes]:
    """Start a process, forked if possible.  Raises OSError."""
    numbers = [stream if given is None else given.fileno() for stream, given in enumerate(streams)]
    if has_descriptors_of_processes():
        with contextlib.suppress(OSError):
            server = _servers.take()
            if server is not None:
                try:
                    return server.start(module, arguments, files, numbers)
                except OSError:
                    _servers.failed = not server.has_served
                    _servers.give_up(server)
                    raise
    command = _command(module, *arguments)
    return subprocess.Popen(command, stdin=streams[0], stdout=streams[1], stderr=streams[2], pass_fds=files)


def _packages() -> str:
    """Return the folder of llvmlite, which need not have been loaded."""
    found = find_spec("llvmlite")
    return str(Path(found.origin).parents[1]) if found is not None and found.origin is not None else ""


def _end(child: Forked | subprocess.Popen[bytes]) -> None:
    """End a child; it may first write out what the program has printed."""
    child.send_signal(signal.SIGTERM)
    try:
        child.wait(_GRACE)
    except (TimeoutError, subprocess.TimeoutExpired):
        child.send_signal(signal.SIGKILL)
        child.wait()


def _listen(pipe: int, timeout: float | None, look: Callable[[], None] | None) -> bytes | None:
    """Return what is written into a pipe until its other end is closed; None if the time was up before."""
    end = None if timeout is None else time.monotonic() + timeout
    poll, said = select.poll(), b""
    poll.register(pipe, select.POLLIN)
    while True:
        left = _SLICE if end is None else min(_SLICE, end - time.monotonic())
        if left < 0:
            return None
        if poll.poll(1000 * left):
            piece = os.read(pipe, select.PIPE_BUF)
            if not piece:
                return said
            said += piece
        if look is not None:
            look()


# ----------------------------------------------------------------------------------------------------------------------
# A note on a terminal while a large program becomes host code: what is written stands behind the cursor.
#
# The parent writes it, and the child, before it enters the program, erases it: so nothing that the program prints is in its
# way.


LARGE = 12_000  # RTLs: programs that are larger take seconds
NOTE, BACK, ERASE = "\x1b7", "\x1b8", "\x1b[J"  # where the cursor is; to there; what follows it


def write_note(rtls: int) -> bool:
    """Tell on a terminal that a program of so many RTLs is compiled, if it is large; return whether that was told."""
    if rtls <= LARGE or not sys.stderr.isatty():
        return False
    terminal = commanding(sys.stderr)
    terminal.write(f"{NOTE}compiling {rtls:,} instructions for this computer{BACK}")
    terminal.flush()
    return True


def erase_note() -> None:
    """Erase the note."""
    os.write(2, ERASE.encode())


# ----------------------------------------------------------------------------------------------------------------------
# How much is done to make host code fast, where nobody says.
#
# Small programs get all of it.  For others, even for one that merely prints numbers, it takes longer than
# most of them run, so their first run does with the least; one that then ran long is compiled better the next time.


FULL_TIER_RTLS = 1_000  # programs up to this size get the full tier at once
LARGE_TEXT = 8_000_000  # characters of IR: several versions of each function, say, of a program that is not large
WORTH_MORE = 50e-6  # seconds of a run for each RTL: a sixth of what the better tier takes more than the quick one


def tier_of(program: Program, text: int = 0) -> str:
    """Return the tier for the next run of a program, whose IR, with what instruments write into it, has so many characters."""
    if program.numbers <= FULL_TIER_RTLS and text <= LARGE_TEXT:
        return "full"
    if not load(_key(program), ()):
        return "quick"
    return "balanced" if program.numbers <= LARGE and text <= LARGE_TEXT else "fast"


def is_too_slow(program: Program, tier: str, seconds: float) -> bool:
    """Whether a program that ran for so long deserves another tier; the next run has it."""
    if tier != "quick" or seconds < WORTH_MORE * program.numbers:
        return False
    store(_key(program), True)
    return True


def _key(program: Program) -> str:
    from ease.model.run_identity import profile_key  # with the compiler, which a repeated run does without

    return profile_key(program, "ran long")
