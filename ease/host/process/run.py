"""Run a program as host code: start a child, wait for it, and return the outcome."""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import IO

from cache_sim.native.code import FEATURES, State
from ease.host.instruments.instrument import Instrument, SharingInstrument, StreamingInstrument
from ease.host.process import job, process
from ease.host.process.job import RunResult as RunResult
from ease.host.process.modules import codes
from ease.host.process.outcome import Outcome
from ease.host.translation.counting import FunctionProbes, unwinds
from ease.host.translation.module_context import Options
from vpo.analysis.transfers import fault_sites
from vpo.base.cache import folder
from vpo.base.clock import CLOCK
from vpo.program import Program
from vpo.system.address_space import initial_stack, kernel_of, regions
from vpo.system.faults import HostError
from vpo.system.files import with_new_folder

RUN, LLVM = "run", "host code: LLVM"  # steps of a command (`vpo/base/clock.py`)
LOOKS = 1.0  # seconds between looks at a run
# Host addresses to try, should those that make the best code be taken: (base, shared).
_PLACES = ((0x70000000, 0x60000000), (0x20_0000_0000, 0x1F_0000_0000), (0x100_0000_0000, 0xFF_0000_0000))


def default_cache() -> str:
    """Return the folder for compiled code, '' for none."""
    return str(folder("code") or "")


def run(
    program: Program,
    arguments: Sequence[str | bytes] = (),
    options: job.RunOptions = job.USUAL,
    *,
    probes: Mapping[str, FunctionProbes] | None = None,
    instruments: Sequence[Instrument] = (),
    sink: job.TraceSink | None = None,
    look: Callable[[RunResult], None] | None = None,
) -> RunResult:
    """Run a program in a child process, with counters and instruments.

    `sink` takes the trace of one of the instruments.  `look` gets, about once a second, what a run that is under way has
    counted so far.

    Raises ValueError for a program that is not ready for host code, ArgumentsTooLong if they do not fit on its stack,
    HostError if the host does not let it run.
    """
    for base, shared in _PLACES:
        host = Options(options.limit is not None, options.check_returns, base=base, shared=shared, deliver=sink is None)
        with CLOCK.step(RUN), _Run(program, arguments, options, host, probes or {}, instruments) as started:
            result = started.finish(sink, look)
            if result is not None:
                CLOCK.add(LLVM, result.compile_seconds, before=RUN)
                changes = options.tier == "auto" and process.is_too_slow(program, started.tier, result.run_seconds)
                result.job = None if changes else started.job
                return result
    raise HostError("no room for the program's memory: the host addresses tried are taken")


def _content(file: IO[bytes] | None) -> bytes:
    """Return what a child has written to a file."""
    assert file is not None
    file.seek(0)
    return file.read()


class _Run:
    def __init__(
        self,
        program: Program,
        arguments: Sequence[str | bytes],
        given: job.RunOptions,
        options: Options,
        probes: Mapping[str, FunctionProbes],
        instruments: Sequence[Instrument],
    ) -> None:
        self.program, self.given = program, given
        if given.tier not in ("auto", *job.CODE_LEVELS):
            raise ValueError(f"there is no tier '{given.tier}' (there are auto, {', '.join(job.CODE_LEVELS)})")
        self.counters = max((function.size for function in probes.values()), default=0)
        self.unwinds = unwinds(probes)
        self.instruments = instruments
        self.state, self.large = State(options.shared + job.HEADER + -(-8 * self.counters // 4096) * 4096), State(job.LARGE)
        for instrument in instruments:
            instrument.place(self.state, self.large)
        process.check_address_space(job.ADDRESS_SPACE + self.large.size + self.state.size)
        self.noted = process.write_note(program.numbers)
        self.tier = process.tier_of(program) if given.tier == "auto" else given.tier
        quick, self.cache = self.tier == "quick", default_cache() if given.cache is None else given.cache
        apart = quick and bool(self.cache) and not instruments and fault_sites(program) is None
        self.probes, self.options = probes, replace(options, quick=quick, apart=apart)
        self.codes = codes(program, probes, self.options, instruments)
        if given.tier == "auto" and not quick:
            self.tier = process.tier_of(program, len(self.codes[0].ir))
        self.stack = initial_stack(program, arguments)
        self.image = [*program.image, (self.stack.address, self.stack.content)]

    def __enter__(self) -> _Run:
        self.files = contextlib.ExitStack()
        with contextlib.ExitStack() as opened:
            self.code = opened.enter_context(process.memory_file("code"))
            size = self.state.base + self.state.size - self.options.shared
            self.shared_file = opened.enter_context(process.memory_file("shared", size=size))
            self.shared = opened.enter_context(mmap.mmap(self.shared_file.fileno(), 0))
            start = self.state.base - self.options.shared
            if self.instruments:
                memory = bytearray(self.state.size)
                self.state.initialise(memory)
                self.shared[start:] = bytes(memory)
            self.files = opened.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.noted and error is not None:
            process.erase_note()
        self.files.close()

    def _looking(self, look: Callable[[RunResult], None]) -> Callable[[], None]:
        """Return a function that tells `look` what the program has counted, if that is due and the program runs."""
        start = last = time.monotonic()

        def looking() -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= LOOKS and struct.unpack_from("=q", self.shared, 8 * job.STATE)[0] == job.RUNNING:
                last = now
                counters = list(struct.unpack_from(f"={self.counters}q", self.shared, job.HEADER))
                state = self.state, self.shared[self.state.base - self.options.shared :]
                look(RunResult(0, counters, partial=True, run_seconds=now - start, state=state))

        return looking

    def finish(self, sink: job.TraceSink | None, look: Callable[[RunResult], None] | None) -> RunResult | None:
        """Run to the end; None if the host addresses are taken."""
        stdin, capture, calls = self.given.stdin, self.given.capture, self.given.calls
        self.job = self._job(sink)
        with contextlib.ExitStack() as files:
            streams: list[IO[bytes] | None] = [None, None, None]
            if isinstance(stdin, bytes):
                streams[0] = files.enter_context(process.memory_file("stdin", stdin))
            elif stdin is not None:
                streams[0] = stdin
            if capture:
                streams[1:] = [files.enter_context(process.memory_file(name)) for name in ("stdout", "stderr")]
            roots = files.enter_context(with_new_folder(self.job.roots))
            task = files.enter_context(process.memory_file("job", pickle.dumps(replace(self.job, roots=roots))))
            kept = [None if calls is None else calls.file, None if sink is None else sink.file]
            passed = [task, self.code, self.shared_file, *filter(None, kept)]
            writers = [each for each in self.instruments if isinstance(each, StreamingInstrument)]
            written = [files.enter_context(file) for each in writers for file in each.open_streams()]
            for each in self.instruments:
                if isinstance(each, SharingInstrument):
                    files.enter_context(each.sharing(self.shared_file.fileno(), self.options.shared))
            looking = None if look is None else self._looking(look)
            ended = process.run_child(
                "ease.host.process.child", [task.fileno()], [*passed, *written], streams, self.given.timeout, looking
            )
            if ended.status == job.TAKEN:
                return None
            if ended.status == job.ABSENT:  # the cache has lost code since
                self.codes = codes(self.program, self.probes, self.options, anew=True)
                return self.finish(sink, look)
            if ended.status == job.UNABLE:
                raise HostError(ended.said)
            result = self._result(ended)
            if capture:
                result.output, result.errors = map(_content, streams[1:])
        return result

    def _job(self, sink: job.TraceSink | None) -> job.Job:
        """Return what the child is told."""
        given, calls = self.given, self.given.calls
        return job.Job(
            codes=self.codes,
            tier=self.tier,
            features=FEATURES,
            cache=self.cache,
            code_file=self.code.fileno(),
            shared_file=self.shared_file.fileno(),
            base=self.options.base,
            shared=self.options.shared,
            kernel=kernel_of(self.program, given.limits),
            regions=[(r.start, r.end, r.writable) for r in regions(self.program)],
            image=self.image,
            page=self.program.machine.layout.page,
            start=(self.stack.pointer, self.stack.count, self.stack.vector),
            roots=[os.fspath(root) for root in given.roots],
            limit=given.limit or 0,
            large=self.large.size,
            unwinds=self.unwinds,
            calls=-1 if calls is None else calls.file.fileno(),
            answers=calls is not None and calls.answers,
            noted_calls=calls is not None and calls.noted,
            seconds=0.0 if calls is None else calls.seconds,
            noted=self.noted,
            checks_pages=self.options.deliver and fault_sites(self.program) is not None,
            trace=sink.job(-1 if sink.file is None else sink.file.fileno()) if sink is not None else None,
        )

    def _result(self, ended: process.Ended) -> RunResult:
        """Return what became of a run whose child has ended, but for its output."""
        options, calls, limit = self.options, self.given.calls, self.given.limit or 0
        outcome = Outcome(self.program, options.deliver, options.base, limit, self.counters, self.code, self.shared)
        result = outcome.result(ended)
        if self.instruments:
            result.state = self.state, self.shared[self.state.base - options.shared :]
        if calls is not None:
            calls.result, calls.said, calls.left = result, ended.said, outcome.budget
        return result
