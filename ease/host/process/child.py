"""The process in which host code runs: it compiles or loads the code, maps target memory, and never returns.

`ease.host.process.process` calls `main`; arguments are the descriptor of a pipe for the reason why the program cannot run, the
number of the parent process, which must be alive, and the descriptor of a pickled `Job`.  It imports few modules, because
every run pays for them.

What it does with a trace comes first: full buffers are compressed and written while the program runs.
"""

from __future__ import annotations

import _thread
import contextlib
import ctypes
import hashlib
import mmap
import os
import pickle
import resource
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ease.host.process import job
from ease.host.process.noted_calls import AnsweringSystem, NotingSystem, Unanswered
from ease.host.process.process import erase_note
from ease.host.process.wall import raise_wall
from vpo.base import cache
from vpo.base.cache import note_use
from vpo.base.parallel import end_with
from vpo.system.faults import Exit, HostError
from vpo.system.system import OPEN_FILES, System

if TYPE_CHECKING:
    from ease.host.process.trace_writer import TraceWriter

# ----------------------------------------------------------------------------------------------------------------------
# The child.


_HOST_STACKS = (1 << 30, 256 << 20, 64 << 20)  # tried in turn
_ALTERNATE_STACK = 1 << 16
_OWN_FILES = 64
_LONGEST_CALL = 1.0  # seconds that the end of a run waits for a system call
_LONGEST_START = 20.0  # seconds that a thread may take to begin
_SA_SIGINFO, _SA_ONSTACK = 4, 0x08000000


class NotKept(Exception):
    """The cache does not have the code, and the job neither."""


# ------------------------------------------------------------------------------------------- compiling


def _optimise(llvm: Any, module: Any, machine: Any, tier: str) -> None:
    """Run the passes of a tier."""
    if tier in job.PIPELINE_LEVELS:
        tuning = llvm.create_pipeline_tuning_options(speed_level=job.PIPELINE_LEVELS[tier])
        tuning.loop_vectorization = tuning.slp_vectorization = False
        tuning.loop_interleaving = False
        tuning.loop_unrolling = tier == "full"
        builder = llvm.create_pass_builder(machine, tuning)
        builder.getModulePassManager().run(module, builder)
        return
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=1))
    passes = llvm.create_new_function_pass_manager()
    passes.add_sroa_pass()
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)


def _object_code(llvm: Any, machine: Any, work: job.Job, one: job.Code) -> bytes:
    """Return a compiled module, from the cache if it is there.

    Raises NotKept.
    """
    key = "\0".join([llvm.llvm_version_info.__repr__(), llvm.get_host_cpu_name(), work.features, work.tier, one.digest])
    name = hashlib.sha256(key.encode()).hexdigest()
    path = os.path.join(work.cache, name[:2], name + ".o") if work.cache else ""
    if path:
        with contextlib.suppress(OSError), open(path, "rb") as file:
            digest, kept = file.read(cache.DIGEST), file.read()
            if hashlib.sha256(kept).digest() == digest:  # LLVM does not survive a damaged file
                note_use(path)
                return kept
    if not one.ir:
        raise NotKept
    module = llvm.parse_assembly(one.ir)
    _optimise(llvm, module, machine, work.tier)
    code: bytes = machine.emit_object(module)
    if path:
        with contextlib.suppress(OSError):
            cache.write(Path(path), hashlib.sha256(code).digest() + code)
    return code


class Loaded:
    """Compiled code in this process."""

    def __init__(self, work: job.Job) -> None:
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_default_triple()
        self.machine = target.create_target_machine(
            cpu=llvm.get_host_cpu_name(),
            features=llvm.get_host_cpu_features().flatten() + work.features,
            opt=job.CODE_LEVELS[work.tier],
            reloc="pic",  # code may be loaded anywhere
            codemodel="small",
            jit=True,
        )
        objects = [_object_code(llvm, self.machine, work, one) for one in work.codes]
        self.engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), self.machine, use_lmm=True)
        for each in objects:
            self.engine.add_object_file(llvm.ObjectFileRef.from_data(each))
        self.engine.finalize_object()
        for one in work.codes:
            if one.words:
                table = (ctypes.c_uint64 * len(one.words)).from_address(self.engine.get_global_value_address(one.table))
                table[:] = list(one.words)
        places = [(one.first, one.entry, self.engine.get_function_address(one.entry)) for one in work.codes]
        with open(work.code_file, "wb") as file:  # for the parent, should it have to find the place of a fault
            job.write_objects(file, places, objects)
        self.run = self.engine.get_function_address(job.ENTRY)
        self.signal = self.engine.get_function_address("ease_signal")


# --------------------------------------------------------------------------------------------- running


class _SigAction(ctypes.Structure):
    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_byte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


class _SigStack(ctypes.Structure):
    _fields_ = (("pointer", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t))


def _catch_signals(handler: int) -> Any:
    """Install the handler on a stack of its own for this thread; return what must stay alive."""
    stack = ctypes.create_string_buffer(_ALTERNATE_STACK)
    job.libc.sigaltstack(ctypes.byref(_SigStack(ctypes.addressof(stack), 0, _ALTERNATE_STACK)), None)
    action = _SigAction(handler=handler, flags=_SA_SIGINFO | _SA_ONSTACK)
    for number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE):
        job.libc.sigaction(int(number), ctypes.byref(action), None)
    return stack


def _on_big_stack(work: Callable[[], None]) -> None:
    """Start `work` in a thread whose stack outlasts the target's; nobody waits until it has begun.

    Raises MemoryError.
    """
    for size in _HOST_STACKS:
        try:
            threading.stack_size(size)
            _thread.start_new_thread(work, ())
        except (RuntimeError, MemoryError, ValueError):
            continue
        return
    raise MemoryError("no room for the host's stack")


def _allow_files(count: int) -> None:
    """Let this process have so many files open beside its own, as far as it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY:
        wanted = max(soft, count + _OWN_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def _give_up(answer: int, error: OSError | MemoryError) -> NoReturn:
    """Tell the parent why the program cannot be run, or not any further, and end the process."""
    os.write(answer, f"the program cannot be run: {str(error) or 'out of memory'}".encode())
    os._exit(job.UNABLE)


class Child:
    """One run."""

    def __init__(self, work: job.Job, answer: int) -> None:
        self.job, self.answer = work, answer
        size = os.fstat(work.shared_file).st_size
        job.map_shared(work.shared, size, work.shared_file)
        os.close(work.shared_file)
        if work.large:
            job.map_empty(job.LARGE, work.large, mmap.PROT_READ | mmap.PROT_WRITE)
        self.header = (ctypes.c_int64 * 512).from_address(work.shared)
        self.calling = threading.Lock()  # held while the program waits for the system
        self.trace: TraceWriter | None = None

    def run(self) -> None:
        """Compile and run; ends the process."""
        memory = job.HostMemory(self.job)
        _allow_files(OPEN_FILES)
        self.system = self.operating_system(memory)
        if self.job.trace is not None:
            from ease.host.process.trace_writer import TraceWriter

            self.trace = TraceWriter(self.job.trace, self.trace_broken)
        kind = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 7)
        self.callback = kind(self.system_call)
        functions = {
            job.SYSTEM_CALL: self.callback,
            job.EXIT: job.libc._exit,
            job.SEND: job.libc.write,
            job.PAUSE: job.libc.pause,
        }
        for word, function in functions.items():
            self.header[word] = ctypes.cast(function, ctypes.c_void_p).value or 0
        start = time.perf_counter_ns()
        self.loaded = Loaded(self.job)
        self.header[job.COMPILED] = time.perf_counter_ns() - start
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        self.wait, bell = os.pipe()
        os.set_blocking(bell, False)
        self.header[job.BELL] = bell
        signal.set_wakeup_fd(bell)
        signal.signal(signal.SIGTERM, lambda *_: None)
        self.header[job.BUDGET] = self.job.limit
        self.header[job.WALL] = raise_wall(self.system.host_files)
        _on_big_stack(self.enter)
        self.await_end()
        self.stop()

    def await_end(self) -> None:
        """Wait until the program's thread or a signal ends the run.

        Raises MemoryError if the thread has not begun in time: one that gets no memory for its first call says nothing.
        """
        poll = select.poll()
        poll.register(self.wait, select.POLLIN)
        if isinstance(self.system, AnsweringSystem):
            self.await_answers(poll, self.system)
            return
        if not poll.poll(1000 * _LONGEST_START) and self.header[job.STATE] == job.STARTING:
            raise MemoryError("the program's thread does not begin")
        os.read(self.wait, 1)

    def await_answers(self, poll: select.poll, system: AnsweringSystem) -> None:
        """Wait as long, and until the program has been as far as the run whose answers it is given."""
        seconds = self.job.seconds
        while not poll.poll(20):
            if seconds and system.all_answered and self.header[job.STATE] == job.RUNNING and self.ran() >= 1e9 * seconds:
                return

    def operating_system(self, memory: job.HostMemory) -> System:
        """Return what answers the program's system calls."""
        work = self.job
        if work.calls < 0:
            return System(work.kernel, memory, (0, 1, 2), work.roots)
        if work.noted_calls:
            if work.answers:
                return AnsweringSystem(work.kernel, memory, work.calls)
            return NotingSystem(work.kernel, memory, work.roots, work.calls)
        if work.answers:
            from ease.records.recording import ReplayingSystem

            return ReplayingSystem(work.kernel, memory, os.pread(work.calls, os.fstat(work.calls).st_size, 0))
        from ease.records.recording import RecordingSystem

        return RecordingSystem(work.kernel, memory, (0, 1, 2), work.roots, work.calls)

    def enter(self) -> None:
        """Enter the program."""
        try:
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])  # the main thread's
            if self.job.noted:
                erase_note()
            self.stack = _catch_signals(self.loaded.signal)
            enter = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 3)(self.loaded.run)
            self.clock = time.pthread_getcpuclockid(threading.get_ident())
            self.start = time.thread_time_ns()
            self.header[job.STATE] = job.RUNNING
            enter(*self.job.start)
        except (OSError, MemoryError) as error:
            _give_up(self.answer, error)

    def stop(self) -> None:
        """End a run that went wrong or took too long; the output of the program so far is not lost."""
        if self.header[job.STATE] != job.STARTING:
            self.header[job.RAN] = self.ran()
        if self.job.limit:
            self.halt()
        self.calling.acquire(timeout=_LONGEST_CALL)
        self.system.flush()
        if isinstance(self.system, NotingSystem):
            self.system.leave()
        if self.trace is not None:
            self.trace.close()
        os._exit(70)

    def ran(self) -> int:
        """Return for how many nanoseconds the program, which has begun, has had a processor."""
        return time.clock_gettime_ns(self.clock) - self.start

    def halt(self) -> None:
        """Let a program that has a limit of instructions end before its next one, if it does not wait for the system."""
        end = time.monotonic() + _LONGEST_CALL
        while self.header[job.STATE] == job.RUNNING and time.monotonic() < end:
            self.header[job.BUDGET] = 0  # again and again: the program may just be writing what is left of it
            time.sleep(0.0001)

    def _name(self, number: int) -> str:
        return self.job.kernel.names.get(number, str(number))

    def trace_broken(self, error: OSError) -> None:
        """End the run, since its trace cannot be written."""
        os.write(self.answer, f"the trace cannot be written: {error.strerror}".encode())
        os._exit(job.UNABLE)

    def system_call(self, *words: int) -> int:
        """Answer a system call of the program."""
        try:
            with self.calling:
                result = self.system.call(words[0], words[1:])
            if self.trace is not None:
                self.trace.called(self._name(words[0]), words[1:], result)
            return result
        except Unanswered:  # the run that is made again was cut short in this call: it ends with its limit, behind the call
            self.header[job.BUDGET] = 0
            return 0
        except Exit as exit_:
            os.write(self.answer, exit_.told.encode())
            self.header[job.RAN] = time.thread_time_ns() - self.start
            self.header[job.STATUS] = exit_.status
            self.header[job.STATE] = job.EXITED
            if self.trace is not None:
                self.trace.called(self._name(words[0]), words[1:], None)
                self.trace.close()
            if self.job.unwinds:
                return 0
            os._exit(0)
        except HostError as error:
            os.write(self.answer, str(error).encode())
            os._exit(job.UNABLE)
        except MemoryError as error:
            _give_up(self.answer, error)
        except BaseException:
            traceback.print_exc()
            os._exit(71)


def prepare() -> None:
    """Load what each run needs, ahead of runs that are forked from this process."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def main() -> None:
    """Read the job and run it."""
    answer, parent, descriptor = map(int, sys.argv[1:])
    end_with(parent)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])  # interrupts stay blocked: they are the parent's
    try:
        with open(descriptor, "rb") as file:
            work: job.Job = pickle.load(file)
        Child(work, answer).run()
    except job.NoSpace:
        os._exit(job.TAKEN)
    except NotKept:
        os._exit(job.ABSENT)
    except (OSError, MemoryError) as error:
        _give_up(answer, error)
