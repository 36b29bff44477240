"""What parent and child share: the data of a job, words in which the child answers, memory at fixed addresses."""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from vpo.system.faults import Fault, MemoryFault
from vpo.system.kernel import NO_LIMITS, Kernel, Limits

if TYPE_CHECKING:
    from cache_sim.native.code import Field, State
    from ease.model.sampling import Spent


# ----------------------------------------------------------------------------------------------------------------------
# The data that the parent passes to the child, and the words of memory in which the child answers.
#
# The shared memory is an array of 64-bit words; counters follow at HEADER bytes.


BASE = 0x70000000  # host address of target address 0: below 2 GiB, so that it fits an x86 displacement
SHARED = 0x60000000  # host address of the header and the counters
LARGE = 0x400_0000_0000  # host address of instruments' memory that is not read after the run
GUARD = 1 << 16  # bytes reserved on either side of target memory
ADDRESS_SPACE = 1 << 32
HEADER = 4096  # bytes before the counters

# A table with a byte for each page of target memory lies so far below the header; its bits tell what is allowed there.
PAGES_BELOW, READABLE, WRITABLE = 1 << 26, 1, 2

ENTRY = "ease_run"  # the function that the host enters

# How much is done to make code fast, and LLVM's level of code generation.  Milliseconds to compile 1,000 RTLs, and run
# time: quick 60 and 2.0, fast 120 and 1.2, full 280 and 1.0.
CODE_LEVELS = {"quick": 0, "fast": 1, "balanced": 1, "full": 2}
PIPELINE_LEVELS = {"balanced": 1, "full": 2}  # of the tiers that run LLVM's own pipelines

# Words of the header.
STATE, STATUS, TRAP, IDENTITY, VALUE, EXPECTED, PC, SIGNAL, ADDRESS, WRITE, BUDGET, WALL, COMPILED = range(13)
# Addresses of host functions, which the compiled code finds here (it has no relocations); nanoseconds of the run.
SYSTEM_CALL, EXIT, RAN, SEND, PAUSE = 13, 14, 15, 17, 18
BELL = 19  # the descriptor by which the program's thread wakes the main one
RESIDENT = 16  # how many register windows are resident, without that of the start-up code
FAR = 20  # the last address beyond ADDRESS_SPACE: host code refers to the first byte there, which is not mapped, instead
# What `__longjmp` leaves (`ease.host.translation.long_jumps`): whether it is on its way, its RTL, where it goes; from the last
# on, values.
JUMPING, JUMP_IDENTITY, JUMP_TARGET, JUMP_POINTER, JUMP_VALUES = 21, 22, 23, 24, 25
RETURNED = 511  # the number of the RTL that has returned last, in code with a limit
# Values of STATE.
STARTING, RUNNING, EXITED, TRAPPED, SIGNALLED = range(5)
# Statuses of a child: host addresses are taken; it said why it cannot run the program; the code is not in the cache.
TAKEN, UNABLE, ABSENT = 75, 69, 76


@dataclass(frozen=True, slots=True)
class TraceJob:
    """Where the buffers of a trace are, and where what is in them goes.

    `taker` is the address of the word that holds the function which takes it; `taken`, `written`, `systems` and `told` of
    those that count how often it did so, the chunks that are in the file, system calls, and those of them that are in the
    file.  `bytes` is the size of addresses,
    `file` a descriptor, -1 for none.
    """

    taker: int
    taken: int
    written: int
    systems: int
    told: int
    control: int
    words: int
    bytes: int
    file: int


@dataclass(frozen=True, slots=True)
class TraceSink:
    """Where a trace goes: `file`, which the child writes chunks to, or None if nobody wants them.

    `job` returns what the child must know to write to the file of a descriptor, -1 for none.
    """

    job: Callable[[int], TraceJob]
    file: IO[bytes] | None


@dataclass(frozen=True, slots=True)
class Code:
    """The LLVM IR of a module, or without it, what the cache has under its `digest`.

    `entry` is a function that it defines.  If it is one of the program, the first RTL of which has the number `first`, `table`
    names the words that are set before the program begins.
    """

    ir: str
    digest: str
    entry: str
    first: int = 0
    table: str = ""
    words: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """One run of the modules `codes`.

    `regions` are (start, end, writable), and `image` is the initial content of memory, the stack included.

    `code_file` and `shared_file` are descriptors of the file for compiled code and of the shared memory.  `start` has the
    stack pointer, argc and the address of argv.  `features` changes those of the processor that LLVM uses.  With `unwinds`,
    the program returns from its activations when it ends.
    """

    codes: tuple[Code, ...]
    tier: str
    features: str
    cache: str
    code_file: int
    shared_file: int
    base: int
    shared: int
    kernel: Kernel
    regions: list[tuple[int, int, bool]]
    image: list[tuple[int, bytes]]
    page: int
    start: tuple[int, int, int]
    roots: list[str]
    limit: int
    unwinds: bool
    large: int = 0  # bytes at LARGE
    calls: int = -1  # the descriptor of a file of system calls (`ease.host.process.job`), -1 for none
    answers: bool = False  # it answers the calls of this run
    noted_calls: bool = False  # the file has the answers of a run that was cut short, or takes them
    seconds: float = 0.0  # how long a run goes on at least that is answered, and has no more answers
    trace: TraceJob | None = None
    noted: bool = False  # the terminal shows a note that is to be erased
    checks_pages: bool = False  # the program looks at the table of pages


# ----------------------------------------------------------------------------------------------------------------------
# The file in which the child leaves the object code that it runs, so that the place of a fault can be found.


ObjectPlace = tuple[int, str, int]  # the number of its first RTL, a symbol of it, and where that was loaded


def write_objects(file: IO[bytes], places: Sequence[ObjectPlace], objects: Sequence[bytes]) -> None:
    """Write object files, and where they are."""
    table = [(*place, len(each)) for place, each in zip(places, objects, strict=True)]
    file.write(json.dumps(table).encode() + b"\n")
    file.writelines(objects)


def read_objects(file: IO[bytes]) -> Iterator[tuple[ObjectPlace, bytes]]:
    """Yield what `write_objects` has written."""
    file.seek(0)
    for first, symbol, address, size in json.loads(file.readline()):
        yield (first, symbol, address), file.read(size)


# ----------------------------------------------------------------------------------------------------------------------
# What a run came to.


@dataclass(slots=True)
class RunResult:
    """The outcome of a run.  If it is `partial`, `counters` have what was counted until the end.

    `exit_status` is the program's own, or 128 + a signal's number (124 for a limit) as a shell would tell a fault.
    """

    exit_status: int
    counters: list[int]
    fault: Fault | None = None
    partial: bool = False
    output: bytes = b""
    errors: bytes = b""
    compile_seconds: float = 0.0
    run_seconds: float = 0.0  # the processor's, of the program itself, if it ended by itself
    began: bool = True  # not if it was stopped before the program's first instruction
    walls: int = 0  # which parts of the second wall stood (`ease/host/process/wall.py`)
    spent: tuple[Spent, ...] = ()  # on versions of the program, if samples were measured
    state: tuple[State, bytes] | None = field(default=None, repr=False)  # what instruments left behind
    job: Job | None = field(default=None, repr=False)  # of the child, unless the next run is to be compiled better

    def read(self, item: Field) -> Sequence[int]:
        """Return the elements of an array of a run with instruments."""
        assert self.state is not None
        state, memory = self.state
        return state.read(item, memory)


# ----------------------------------------------------------------------------------------------------------------------
# The file to which the system calls of a run go, or from which they are answered.


@dataclass
class SystemCalls:
    """A file of system calls, as `ease.records.record_file` encodes them: written by a run, or, if it `answers`, read by one.

    If they are only `noted`, the file gets answers of a run that is cut short (`ease.host.process.noted_calls`), and a run
    that has no more of them ends after `seconds`.
    `result` is what the run came to, and `said` what the operating system of a replay had to say (`ease.records.recording`).
    `left` is what is left of the limit of instructions when the program ends itself: less by no more than what stands behind
    the last system call in its block.
    """

    file: IO[bytes]
    answers: bool = False
    noted: bool = False
    seconds: float = 0.0
    result: RunResult | None = None
    said: str = ""
    left: int = 0


# ----------------------------------------------------------------------------------------------------------------------
# What a caller says of a run: one record, which goes as a whole from the command to the process.


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a program is run.

    `stdin` replaces standard input; `capture` keeps standard output and error in the result.  The run ends after
    `limit` instructions, before the next one, after `timeout` seconds, or by an interrupt from the keyboard.  The program may
    use files below `roots`, too.  `tier` is one of CODE_LEVELS or 'auto'; `cache` is a folder for compiled code, '' for none,
    None for the usual one.  `calls` are recorded or replayed.  `limits`: what the program may use.
    """

    stdin: bytes | IO[bytes] | None = None
    capture: bool = False
    limit: int | None = None
    timeout: float | None = None
    roots: Sequence[str | Path] = ()
    tier: str = "auto"
    cache: str | None = None
    check_returns: bool = True
    calls: SystemCalls | None = None
    limits: Limits = NO_LIMITS


USUAL = RunOptions()


# ----------------------------------------------------------------------------------------------------------------------
# The memory of the process in which host code runs, at fixed addresses; the target's among it.


_PROT_NONE, _READ, _WRITE = 0, mmap.PROT_READ, mmap.PROT_WRITE
_MAP_FIXED_NOREPLACE, _MAP_NORESERVE = 0x100000, 0x4000
_MAP_FAILED = ctypes.c_void_p(-1).value

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


class NoSpace(Exception):
    """The host addresses that the program needs are taken."""


def _map(address: int, size: int, protection: int, flags: int, fd: int = -1) -> None:
    got = libc.mmap(address, size, protection, flags | _MAP_FIXED_NOREPLACE, fd, 0)
    if got == _MAP_FAILED and ctypes.get_errno() == errno.ENOMEM:
        raise MemoryError(f"no room for {size / 2**30:.1f} GiB of address space")
    if got != address:
        raise NoSpace(f"cannot map {size:#x} bytes at {address:#x}")


def map_empty(address: int, size: int, protection: int) -> None:
    """Map memory that is 0.

    Raises MemoryError, NoSpace.
    """
    _map(address, size, protection, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE)


def map_shared(address: int, size: int, file: int) -> None:
    """Map the file of a descriptor, as others see it.

    Raises MemoryError, NoSpace.
    """
    _map(address, size, _READ | _WRITE, mmap.MAP_SHARED, file)


class HostMemory:
    """Target memory at a fixed host address, as system calls use it."""

    def __init__(self, job: Job) -> None:
        self.base, self.page, self.table = job.base, job.page, 0
        map_empty(self.base - GUARD, ADDRESS_SPACE + 2 * GUARD, _PROT_NONE)
        self.mapped = [list(region) for region in job.regions]
        for start, end, _ in job.regions:
            self._protect(start, end, _READ | _WRITE)
        for address, content in job.image:
            ctypes.memmove(self.base + address, content, len(content))
        for start, end, writable in job.regions:
            if not writable:
                self._protect(start, end, _READ)
        self.break_ = -(-job.kernel.heap_start // self.page) * self.page
        if job.checks_pages:
            self.table = job.shared - PAGES_BELOW
            map_empty(self.table, ADDRESS_SPACE // self.page + 1, _READ | _WRITE)
            for region in job.regions:
                self._tell_of(*region)

    def _tell_of(self, start: int, end: int, writable: bool) -> None:
        """Note in the table of pages what is mapped, if the program looks at it."""
        if self.table:
            first, last = start // self.page, -(-end // self.page)
            ctypes.memset(self.table + first, READABLE | WRITABLE if writable else READABLE, last - first)

    def _protect(self, start: int, end: int, protection: int) -> None:
        if libc.mprotect(self.base + start, end - start, protection):
            raise OSError(ctypes.get_errno(), "mprotect")

    def set_break(self, end: int) -> None:
        """Map the heap up to `end`."""
        end = -(-end // self.page) * self.page
        if end > self.break_:
            self._protect(self.break_, end, _READ | _WRITE)
            self._tell_of(self.break_, end, True)
            self.mapped.append([self.break_, end, True])
            if len(self.mapped) > 1 and self.mapped[-2][1] == self.break_ and self.mapped[-2][2]:
                self.mapped[-2][1] = end
                self.mapped.pop()
            self.break_ = end

    def _check(self, address: int, size: int, write: bool) -> None:
        at, end = address, address + size
        while at < end:
            for start, stop, writable in self.mapped:
                if start <= at < stop and (writable or not write):
                    at = stop
                    break
            else:
                raise MemoryFault(address, size, write)

    def writable(self, address: int, size: int) -> int:
        """Return how many of `size` bytes from an address on may be stored."""
        at, end = address, address + size
        while at < end:
            stop = next((stop for start, stop, writable in self.mapped if writable and start <= at < stop), None)
            if stop is None:
                return at - address
            at = stop
        return size

    def read(self, address: int, size: int) -> bytes:
        """Return bytes.

        Raises MemoryFault.
        """
        self._check(address, size, False)
        return ctypes.string_at(self.base + address, size)

    def write(self, address: int, data: bytes) -> None:
        """Store bytes.

        Raises MemoryFault.
        """
        self._check(address, len(data), True)
        ctypes.memmove(self.base + address, data, len(data))
