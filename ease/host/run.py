"""Run a program as host code: start a child, wait for it, and return the outcome."""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import signal
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO

from cache_sim.native.state import Field, State
from ease.host.counting import FunctionProbes, unwinds
from ease.host.instrument import Instrument
from ease.host.ir_builder import SIZE, TRAPS
from ease.host.job import (
    ADDRESS,
    ADDRESS_SPACE,
    ANCHOR,
    CODE_LEVELS,
    COMPILED,
    EXITED,
    EXPECTED,
    GUARD,
    HEADER,
    IDENTITY,
    LARGE,
    PC,
    RAN,
    SIGNAL,
    SIGNALLED,
    STATE,
    STATUS,
    TAKEN,
    TRAP,
    TRAPPED,
    UNABLE,
    VALUE,
    WRITE,
    Job,
)
from ease.host.line_table import identity_at
from ease.host.module_context import Options
from ease.host.process import Ended, check_address_space, memory_file, run_child
from ease.host.translate import beyond_budget, translate
from vpo.address_space import beyond_stack, initial_stack, kernel_of, regions
from vpo.cache import code_version, folder, key, load, store
from vpo.faults import MESSAGES, Fault, HostError, access_message, transfer_message
from vpo.program import Program
from vpo.rtl import BITS

FULL_TIER_RTLS = 1_000  # programs up to this size get the full tier when nobody chose one,
BALANCED_TIER_RTLS = 12_000  # up to this size the balanced one, larger ones the fast one
# Host addresses to try, should those that make the best code be taken: (base, shared).
_PLACES = ((0x70000000, 0x60000000), (0x20_0000_0000, 0x1F_0000_0000), (0x100_0000_0000, 0xFF_0000_0000))
_STATUS = {"division": 136, "misaligned": 135, "wild": 139, "stack": 139, "limit": 124, "timeout": 124, "interrupted": 130}


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
    state: tuple[State, bytes] | None = field(default=None, repr=False)  # what instruments left behind

    def read(self, item: Field) -> Sequence[int]:
        """Return the elements of an array of a run with instruments."""
        assert self.state is not None
        state, memory = self.state
        return state.read(item, memory)


def default_cache() -> str:
    """Return the folder for compiled code, '' for none."""
    return str(folder("code") or "")


def run(
    program: Program,
    arguments: Sequence[str | bytes] = (),
    probes: Mapping[str, FunctionProbes] | None = None,
    *,
    stdin: bytes | IO[bytes] | None = None,
    capture: bool = False,
    limit: int | None = None,
    timeout: float | None = None,
    tier: str = "auto",
    roots: Iterable[str | Path] = (),
    cache: str | None = None,
    check_returns: bool = True,
    instruments: Sequence[Instrument] = (),
) -> RunResult:
    """Run a program in a child process, with counters and instruments.

    `stdin` replaces standard input; `capture` keeps standard output and error in the result.  The run ends after
    `limit` instructions, before the next one, after `timeout` seconds, or by an interrupt from the keyboard.  `tier` is
    one of CODE_LEVELS or 'auto'; `cache` is a folder for compiled code, '' for none.

    Raises ValueError for a program that is not ready for host code, ArgumentsTooLong if they do not fit on its stack,
    HostError if the host does not let it run.
    """
    for base, shared in _PLACES:
        options = Options(limit is not None, check_returns, base=base, shared=shared)
        with _Run(program, arguments, probes or {}, options, tier, roots, limit or 0, instruments) as started:
            result = started.finish(stdin, capture, timeout, default_cache() if cache is None else cache)
            if result is not None:
                return result
    raise HostError("no room for the program's memory: the host addresses tried are taken")


def _content(file: IO[bytes] | None) -> bytes:
    """Return what a child has written to a file."""
    assert file is not None
    file.seek(0)
    return file.read()


def _translated(
    program: Program, probes: Mapping[str, FunctionProbes], options: Options, instruments: Sequence[Instrument]
) -> str:
    """Return the IR of a program; that of a linked program without counters and instruments is kept in the cache."""
    if not program.digest or probes or instruments:
        return translate(program, probes, options, instruments)
    name = key("ir", program.digest, code_version(Path(__file__).parents[1]), repr(options))
    ir: object = load(name, ())
    if not isinstance(ir, str):
        ir = translate(program, probes, options, instruments)
        store(name, ir)
    return ir


class _Run:
    def __init__(
        self,
        program: Program,
        arguments: Sequence[str | bytes],
        probes: Mapping[str, FunctionProbes],
        options: Options,
        tier: str,
        roots: Iterable[str | Path],
        limit: int,
        instruments: Sequence[Instrument],
    ) -> None:
        self.program, self.options, self.limit = program, options, limit
        if tier == "auto":
            size = program.numbers
            tier = "full" if size <= FULL_TIER_RTLS else "balanced" if size <= BALANCED_TIER_RTLS else "fast"
        if tier not in CODE_LEVELS:
            raise ValueError(f"there is no tier '{tier}' (there are auto, {', '.join(CODE_LEVELS)})")
        self.counters = max((function.size for function in probes.values()), default=0)
        self.unwinds = unwinds(probes)
        self.instruments = instruments
        self.state, self.large = State(options.shared + HEADER + -(-8 * self.counters // 4096) * 4096), State(LARGE)
        for instrument in instruments:
            instrument.place(self.state, self.large)
        check_address_space(ADDRESS_SPACE + self.large.size + self.state.size)
        self.ir = _translated(program, probes, options, instruments)
        self.tier, self.roots = tier, [os.fspath(root) for root in roots]
        self.stack = initial_stack(program, arguments)
        self.image = [*program.image, (self.stack.address, self.stack.content)]

    def __enter__(self) -> _Run:
        self.files = contextlib.ExitStack()
        with contextlib.ExitStack() as opened:
            self.code = opened.enter_context(memory_file("code"))
            size = self.state.base + self.state.size - self.options.shared
            self.shared_file = opened.enter_context(memory_file("shared", size=size))
            self.shared = opened.enter_context(mmap.mmap(self.shared_file.fileno(), 0))
            start = self.state.base - self.options.shared
            if self.instruments:
                memory = bytearray(self.state.size)
                self.state.initialise(memory)
                self.shared[start:] = bytes(memory)
            self.files = opened.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.files.close()

    def _word(self, number: int) -> int:
        value: int = struct.unpack_from("=q", self.shared, 8 * number)[0]
        return value

    def finish(self, stdin: bytes | IO[bytes] | None, capture: bool, timeout: float | None, cache: str) -> RunResult | None:
        """Run to the end; None if the host addresses are taken."""
        job = Job(
            ir=self.ir,
            tier=self.tier,
            cache=cache,
            code_file=self.code.fileno(),
            shared_file=self.shared_file.fileno(),
            base=self.options.base,
            shared=self.options.shared,
            kernel=kernel_of(self.program),
            regions=[(r.start, r.end, r.writable) for r in regions(self.program)],
            image=self.image,
            page=self.program.machine.layout.page,
            start=(self.stack.pointer, self.stack.count, self.stack.vector),
            roots=self.roots,
            limit=self.limit,
            large=self.large.size,
            unwinds=self.unwinds,
        )
        with contextlib.ExitStack() as files:
            streams: list[IO[bytes] | None] = [None, None, None]
            if isinstance(stdin, bytes):
                streams[0] = files.enter_context(memory_file("stdin", stdin))
            elif stdin is not None:
                streams[0] = stdin
            if capture:
                streams[1:] = [files.enter_context(memory_file(name)) for name in ("stdout", "stderr")]
            task = files.enter_context(memory_file("job", pickle.dumps(job)))
            ended = run_child("ease.host.child", [task.fileno()], [task, self.code, self.shared_file], streams, timeout)
            if ended.status == TAKEN:
                return None
            if ended.status == UNABLE:
                raise HostError(ended.said)
            result = self._result(ended)
            if self.instruments:
                result.state = self.state, self.shared[self.state.base - self.options.shared :]
            if capture:
                result.output, result.errors = map(_content, streams[1:])
        return result

    # ------------------------------------------------------------------------------------ what happened

    def _result(self, ended: Ended) -> RunResult:
        counters = list(struct.unpack_from(f"={self.counters}q", self.shared, HEADER))
        seconds = self._word(COMPILED) / 1e9
        state = self._word(STATE)
        if state == EXITED:
            return RunResult(self._word(STATUS), counters, compile_seconds=seconds, run_seconds=self._word(RAN) / 1e9)
        fault: Fault | None = None
        status, code = 0, ended.status
        if state == TRAPPED:
            fault = self._trap()
        elif state == SIGNALLED:
            fault = self._signal()
        elif ended.stopped_by == "timeout":
            fault = Fault("timeout", "stopped: its time was up")
        elif ended.stopped_by == "interrupt":
            fault = Fault("interrupted", "interrupted")
        elif code < 0:
            name = signal.Signals(-code).name if -code in signal.Signals.__members__.values() else str(-code)
            fault, status = Fault("killed", f"killed by {name}"), 128 - code
        else:
            fault = Fault("killed", f"the process that ran the program failed with status {code}")
        status = status or _STATUS.get(fault.kind, 134)
        return RunResult(status, counters, fault, partial=True, compile_seconds=seconds)

    @property
    def _digits(self) -> int:
        return BITS[self.program.machine.address_type] // 4

    def _place(self, kind: str, message: str, identity: int) -> Fault:
        function, index = self.program.place(identity)
        rtls = function.rtls()
        line = max(rtls[index].lines, default=0) if rtls else function.line
        address = self.program.addresses[function.name][index]
        return Fault(kind, message, function.name, function.file, line, address, index)

    def _trap(self) -> Fault:
        kind = TRAPS[self._word(TRAP)]
        identity, mask = self._word(IDENTITY), (1 << BITS[self.program.machine.address_type]) - 1
        value, expected = self._word(VALUE) & mask, self._word(EXPECTED)
        if kind.startswith("misaligned"):
            size = self._size(identity, write := kind.endswith("write"))
            return self._place("misaligned", access_message("misaligned", write, size, value, self._digits), identity)
        if kind in ("call", "jump", "return"):
            known = expected if expected >= 0 else None
            message = transfer_message(kind, value, known if kind == "return" else None, self._digits)
            return self._place(kind, message, identity)
        if kind == "limit":
            stopped = beyond_budget(self.program, identity, value)
            return self._place(kind, f"stopped after {self.limit} instructions", stopped)
        return self._place(kind, MESSAGES[kind], identity)

    def _size(self, identity: int, write: bool) -> int:
        """Return the size of a reference that the RTL makes, 0 if it makes none or several kinds."""
        function, index = self.program.place(identity)
        rtl = function.rtls()[index]
        sizes = {SIZE[cell.type] for cell in (rtl.stores if write else rtl.loads)}
        return sizes.pop() if len(sizes) == 1 else 0

    def _signal(self) -> Fault:
        number = self._word(SIGNAL)
        identity = identity_at(self.code, self._word(PC), self._word(ANCHOR))
        address = self._word(ADDRESS) - self.options.base
        if identity is None or not -GUARD <= address <= ADDRESS_SPACE + GUARD:
            if number in (signal.SIGSEGV, signal.SIGBUS) and identity is not None:
                return self._place("stack", MESSAGES["stack"], identity)
            return Fault("killed", f"killed by {signal.Signals(number).name} outside the program")
        if address in beyond_stack(self.program.machine):
            return self._place("stack", access_message("stack", True, 0, address, self._digits), identity)
        write = self._word(WRITE) == 1
        if self._word(WRITE) == 2:
            write = not self._size(identity, False)
        size = self._size(identity, write)
        address &= (1 << BITS[self.program.machine.address_type]) - 1
        return self._place("wild", access_message("wild", write, size, address, self._digits), identity)
