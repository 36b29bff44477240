"""Measure or run a program again that ran before, from what the cache keeps of that run.

To compile, link, place counters and translate takes longer than many a run, and nothing of it may have changed.  Under the
digest of a command line and of the installed files the cache keeps the names and digests of all files that were read, the
job of the process that ran the program, and what follows from its counters.  Only light modules are imported here, those that
write the report while the program runs.  A run that does not come to its end is told by the program itself, made anew.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, fields, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ease.commands.compile.command import STDIN, Command
from ease.commands.compile.options import OPTIONS
from ease.host.process.job import (
    ABSENT,
    ADDRESS_SPACE,
    COMPILED,
    EXITED,
    HEADER,
    RAN,
    STATE,
    STATUS,
    TAKEN,
    UNABLE,
    Code,
    Job,
    RunResult,
)
from ease.host.process.process import check_address_space, memory_file, run_child
from ease.run.stepping import noted
from vpo.base import cache
from vpo.system.descriptors import Streams
from vpo.system.faults import HostError
from vpo.system.files import with_new_folder
from vpo.system.initial_stack import StackShape, lay_out
from vpo.system.kernel import Kernel, Limits

if TYPE_CHECKING:
    from ease.counters.reconstruction import Plan
    from ease.host.process.job import SystemCalls
    from ease.model.results import Counts
    from ease.model.static_kinds import StaticProgram
    from vpo.program import Program

# Fields that change neither the program nor how it is run; `files` are part of the command line and of what was read.
_SAME = {"words", "arguments", "environment"} | {option.field for option in OPTIONS.values() if option.again == "same"}
_NEVER = [option for option in OPTIONS.values() if option.again == "never"]
_INSTALLED = (".py", ".lark", ".c", ".h", ".yaml", ".j2", ".so")
KILLED_BY_PIPE = 141  # the status of a program whose reader went away, of which shells say nothing
_PACKAGES = ("vpo", "ease", "cache_sim", "machine_descriptions")
_REPORTING = ("ease.model.characterise", "ease.counters.reconstruction", "ease.reports.render")


@dataclass(frozen=True, slots=True)
class Start:
    """How a program was run: the job without initial stack and code, and on which contents of files that rests.

    `files` are (path, digest); files that were looked for and are `absent` must still be.  Whether the program
    `sees_environment` tells whether its stack has one.
    """

    job: Job
    shape: StackShape
    files: tuple[tuple[str, str], ...]
    absent: tuple[str, ...]
    counters: int
    sees_environment: bool


@dataclass(frozen=True, slots=True)
class Told:
    """What the counters of a program tell; `sources` are the files whose hot lines a report shows."""

    plan: Plan
    known: StaticProgram
    sources: tuple[str, ...]


START_CLASSES = (Start, Job, Code, Kernel, Limits, Streams, StackShape)


def installed_version() -> str:
    """Return a digest of which files are installed, by name, size and time."""
    root, digest = Path(__file__).parents[3], hashlib.sha256()
    for package in _PACKAGES:
        for entry in sorted(_entries(str(root / package))):
            digest.update(entry.encode())
    return digest.hexdigest()


def _entries(folder: str) -> Iterator[str]:
    try:
        found = os.scandir(folder)
    except OSError:  # packages may be installed apart
        return
    with found:
        for entry in found:
            if entry.is_dir():
                yield from _entries(entry.path)
            elif entry.name.endswith(_INSTALLED) or entry.name == "default":
                status = entry.stat()
                yield f"{entry.path}\0{status.st_size}\0{status.st_mtime_ns}\0"


def file_digest(path: str) -> str:
    """Return the digest of a file's content, '' if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return ""


def key_of(command: Command, content: bytes = b"") -> str | None:
    """Return the key of the runs of a command in the cache, None if it does more than to run and report.

    `content` is of an executable that was linked before.
    """
    if STDIN in command.files or command.may_sweep or any(option.is_in(command) for option in _NEVER):
        return None
    if command.measure and not _is_told(command):
        return None
    how = [repr(getattr(command, item.name)) for item in fields(command) if item.name not in _SAME]
    parts = [sys.executable, installed_version(), os.getcwd(), *how]
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape") + b"\0" + content).hexdigest()


def _is_told(command: Command) -> bool:
    """Return whether the report of a command tells counts only, and not the program."""
    from ease.exports.forms import FORMS

    return Path(command.report or "").suffix.lower() not in FORMS


def repeated_run(command: Command, key: str, arguments: Sequence[str], program: Callable[[], Program]) -> int | None:
    """Run what the cache keeps under a key; returns the exit status, None if it has to be done from the beginning.

    `program` makes the program anew, to tell where it went wrong.
    """
    start = cache.load(key, START_CLASSES)
    if not isinstance(start, Start) or not _holds(start):
        return None
    if command.record is None:
        return _repeated(command, key, start, arguments, program)
    setting = cache.load(setting_key(key), ())
    if not isinstance(setting, bytes):
        return None
    from ease.commands.runs.record_run import recorded

    def run(given: Command, calls: SystemCalls) -> int:
        status = _repeated(given, key, start, arguments, program, calls)
        if status is None:
            raise _Gone
        return status

    try:
        return recorded(command, arguments, lambda: setting, run)
    except _Gone:
        return None


class _Gone(Exception):
    """What a run needs is not in the cache any more."""


def setting_key(key: str) -> str:
    """Return the key of what records say of the program whose runs are kept under a key."""
    return f"{key[:-1]}+"


def _repeated(
    command: Command, key: str, start: Start, arguments: Sequence[str], program: Callable[[], Program],
    calls: SystemCalls | None = None,
) -> int | None:  # fmt: skip
    told: list[Told | None] = [None]

    def prepare() -> None:
        for module in _REPORTING:
            import_module(module)
        told[0] = _load_told(key)

    identity = None
    if command.measure:
        from ease.commands.runs.run_origin import identity_of

        identity = identity_of(command)
    preparing = threading.Thread(target=prepare) if command.measure else None
    with noted(calls) if command.measure else nullcontext(calls) as answers:
        result = _run(start, arguments, command.environment, command.timeout, program, preparing, answers)
        if result is None:
            return None
        exact = _exact(command, program(), arguments, result, answers) if answers is not None and result.partial else None
    if calls is not None:
        calls.result = result
    if preparing is None:
        return _status(result)
    preparing.join()
    plan_and_program = told[0] or _load_told(key)
    if plan_and_program is None:
        raise HostError("the cache lost what belongs to a run while it was on its way; run it again")
    return _tell(command, result, plan_and_program, identity, exact)


def _exact(
    command: Command, program: Program, arguments: Sequence[str], result: RunResult, calls: SystemCalls
) -> Counts | None:  # fmt: skip
    """Return the counts of a run that was cut short (`ease.run.stepping`), None if that cannot be; note where it was."""
    from ease.run.measuring import stepped

    whole = replace(program, environment=tuple(command.environment))
    exact = stepped(whole, arguments, replace(command.run_options(), calls=calls), result)
    return None if exact is None else exact[0]


def _load_told(key: str) -> Told | None:
    from ease.counters.reconstruction import FunctionPlan, Plan
    from ease.model.static_kinds import Access, Constant, Kind, OperandField, Reference, StaticFunction, StaticProgram

    parts = (StaticProgram, StaticFunction, Kind, OperandField, Reference, Access, Constant)
    classes = (Told, Plan, FunctionPlan, *parts, frozenset)
    told = cache.load(f"{key[:-1]}-", classes)
    return told if isinstance(told, Told) else None


def _holds(start: Start) -> bool:
    """Return whether the files that a program was made of are what they were."""
    return not any(map(os.path.lexists, start.absent)) and all(file_digest(path) == digest for path, digest in start.files)


def _status(result: RunResult) -> int:
    if result.fault is not None and result.exit_status != KILLED_BY_PIPE:
        print(f"easecc: {result.fault}", file=sys.stderr)
    return result.exit_status


def _run(
    start: Start, arguments: Sequence[str], environment: Sequence[str], timeout: float | None,
    program: Callable[[], Program], preparing: threading.Thread | None, calls: SystemCalls | None,
) -> RunResult | None:  # fmt: skip
    """Run a program; None if its code is not in the cache any more or its host addresses are taken."""
    stack = lay_out(start.shape, arguments, environment if start.sees_environment else ())
    size = HEADER + -(-8 * start.counters // 4096) * 4096
    check_address_space(ADDRESS_SPACE + size)
    with memory_file("code") as code, memory_file("shared", size=size) as file, mmap.mmap(file.fileno(), 0) as shared:
        job = replace(
            start.job, code_file=code.fileno(), shared_file=file.fileno(), start=(stack.pointer, stack.count, stack.vector),
            image=[*start.job.image, (stack.address, stack.content)], calls=-1 if calls is None else calls.file.fileno(),
            noted_calls=calls is not None and calls.noted,
        )  # fmt: skip
        import pickle

        with with_new_folder(job.roots) as roots, memory_file("job", pickle.dumps(replace(job, roots=roots))) as task:
            if preparing is not None:
                preparing.start()
            passed = [task, code, file, *([] if calls is None else [calls.file])]
            ended = run_child("ease.host.process.child", [task.fileno()], passed, [None] * 3, timeout)
        if ended.status in (TAKEN, ABSENT):
            return None
        if ended.status == UNABLE:
            raise HostError(ended.said)

        def word(number: int) -> int:
            value: int = struct.unpack_from("=q", shared, 8 * number)[0]
            return value

        if word(STATE) == EXITED:
            counters = list(struct.unpack_from(f"={start.counters}q", shared, HEADER))
            return RunResult(word(STATUS), counters, compile_seconds=word(COMPILED) / 1e9, run_seconds=word(RAN) / 1e9)
        from ease.host.process.outcome import Outcome

        return Outcome(program(), job.trace is None, job.base, 0, start.counters, code, shared).result(ended)


def _tell(command: Command, result: RunResult, told: Told, identity: Any, exact: Counts | None) -> int:
    """Report a run as `ease.run.measuring` and the compile command would."""
    from ease.commands.messages import put_report
    from ease.counters.reconstruction import reconstruct
    from ease.model.characterise import characterise
    from ease.model.results import Measurement
    from ease.model.run_identity import readable
    from ease.reports.render import render_file

    counts = exact or reconstruct(told.plan, told.plan.all_of(result.counters), result.partial, began=result.began)
    fault = "" if result.fault is None else str(result.fault)
    measurement = Measurement(
        told.known.machine, characterise(told.known, counts), result.exit_status, result.partial, fault, exact=counts.exact,
        program=told.known, counts=counts, identity=identity,
    )  # fmt: skip
    _status(result)
    sources = {file: readable(file) for file in told.sources}
    suffix = Path(command.report or "").suffix.lower()
    shown = command.show, command.top, sources, command.sort, command.plot
    put_report(command.report, render_file(measurement, suffix, *shown))
    return result.exit_status
