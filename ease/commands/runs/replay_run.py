"""What `ease replay` does: the run of a record again, and what is told where it differs; slices of records."""

from __future__ import annotations

import contextlib
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ease.base.files import check_place, write_atomically
from ease.commands.compile.command import Command
from ease.commands.compile.options import OF_REPLAYS, OPTIONS
from ease.commands.runs.program_run import memory_of, report_run, run_program
from ease.commands.runs.record_run import library_folder
from ease.commands.runs.run_origin import RunOrigin
from ease.host.instruments.instrument import Instrument
from ease.host.process.job import RunOptions, RunResult, SystemCalls
from ease.host.process.process import memory_file
from ease.host.process.run import run
from ease.model.results import Counts
from ease.records.record_file import Record, call_sections, decoded, record_bytes, recorded_program, setting_sections
from ease.records.slice import NoSlice, replayed_slice, slice_of
from ease.run.interpreting import FAULT_STATUS, measurement_of_interpretation
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import counted_run
from ease.run.windows import ENDLESS, Window, measure_window
from ease.tools.tool_file import Tool
from vpo.base.errors import UserError
from vpo.program import Program

DIFFERENT = 1  # the exit status of a replay that differs from the record


def replay(command: Command, record: Record) -> int:
    """Run the program of a record, with the measurements that a command asks for; returns the exit status.

    Raises UserError, LinkError, DescriptionError, HostError.
    """
    file = command.files[0]
    program, origin = program_of(file, record), origin_of(command, record)
    if command.limit is None:
        command.limit = record.limit
    tools = [Tool(name) for name in command.tools]
    with answers(record) as calls:
        status = run_program(command, program, list(record.arguments), None, tools, calls, origin)
    if calls.said:
        return _tell(file, calls.said, program, record)
    return status


def told(file: str, record: Record) -> str:
    """Return what a record is of, and its size.

    Raises what `replay` raises, UserError if the replay differs from the record.
    """
    program = program_of(file, record)
    with answers(record) as calls:
        counts = counted_run(program, record.arguments, RunOptions(capture=True, limit=record.limit, calls=calls))[1]
    if calls.said and not (calls.said.startswith("end ") and record.ending.kind):
        raise UserError([f"{file}: error: its replay differs from the record ({calls.said.split(' ', 2)[2]})"])
    size, own = Path(file).stat().st_size, len(call_sections(record.calls))
    rows = [
        ("command", record.identity.command), ("machine", program.machine.name), ("ease", record.identity.version),
        ("ended", record.ending.message or f"exit status {record.ending.status}"),
        ("instructions", f"{counts.instructions:,}"), ("system calls", f"{sum(1 for _ in decoded(record.calls)):,}"),
        ("bytes", f"{size:,}, {size / counts.instructions:.3g} an instruction"),
        ("bytes of system calls", f"{own:,}, {own / counts.instructions:.3g} an instruction, without the state at the start"),
    ]  # fmt: skip
    return "".join(f"{name:<22} {value}\n" for name, value in rows)


def replay_window(command: Command, record: Record, window: Window) -> int:
    """Measure a part of the run of a record; returns 0, or the exit status of the program if it ended in the window.

    Raises what `replay` raises, ConfigurationError.
    """
    file = command.files[0]
    program, origin = program_of(file, record), origin_of(command, record)
    said = ""

    def run(limit: int, instruments: Sequence[Instrument], capture: bool) -> tuple[RunResult, Counts]:
        nonlocal said
        with answers(record) as calls:
            options = replace(command.run_options(), limit=limit, capture=capture, calls=calls)
            done = counted_run(program, record.arguments, options, instruments=instruments)
        said = said or calls.said
        return done

    wanted = MeasureOptions(memory_of(command)[0], command.predict, command.timing)
    measurement = measure_window(program, window, run, wanted)
    if said:
        return _tell(file, said, program, record)
    return report_run(command, replace(measurement, identity=origin.identity()), program, origin)


def program_of(file: str, record: Record) -> Program:
    """Return the program of a record."""
    return recorded_program(record.setting, file, library_folder())


def origin_of(command: Command, record: Record) -> RunOrigin:
    """Return what reports tell of a replay."""
    identity = replace(record.identity, words=_words(command, record))
    return RunOrigin(lambda: identity, lambda: record.setting.sources, lambda: record.setting.description)


@contextlib.contextmanager
def answers(record: Record) -> Iterator[SystemCalls]:
    """Yield the system calls of a record, as a run is answered by them."""
    with memory_file("calls", record.calls) as file:
        yield SystemCalls(file, answers=True)


def _tell(file: str, said: str, program: Program, record: Record) -> int:
    """Say why a replay ended before its program did; returns the exit status."""
    kind, number, what = said.split(" ", 2)
    if kind == "output":
        print(f"ease replay: the output cannot be written: {what}", file=sys.stderr)
        return DIFFERENT
    ending = record.ending
    if kind == "end" and ending.kind:
        print(f"ease replay: {file}: the record ends here: {ending.message}", file=sys.stderr)
        return ending.status
    print(f"{file}: error: at instruction {_instruction(program, record)}, system call {number}: {what}", file=sys.stderr)
    return DIFFERENT


def _instruction(program: Program, record: Record) -> int:
    """Return the number of the instruction at which a replay of a record stops, counted from 1."""

    def stops(limit: int) -> SystemCalls:
        with answers(record) as calls:
            run(program, record.arguments, RunOptions(capture=True, limit=limit, calls=calls))
            return calls

    last = ENDLESS - stops(ENDLESS).left
    longest = max(len(block.rtls) for function in program.functions.values() for block in function.blocks)
    return bisect_left(range(last), True, max(last - longest, 0), key=lambda limit: bool(stops(limit).said))


def _words(command: Command, record: Record) -> tuple[str, ...]:
    """Return the command of a live run that measures what a replay does."""
    own = [word for word in command.words[1:] if word not in command.files]
    return ("easecc", *own, *_without_measuring(record.identity.words[1:]))


def _without_measuring(words: Sequence[str]) -> list[str]:
    """Return the words of a command line that a replay cannot have."""
    end = words.index("--") if "--" in words else len(words)
    rest, kept = list(words[:end]), []
    while rest:
        word = rest.pop(0)
        if word not in OF_REPLAYS:
            kept.append(word)
        elif OPTIONS[word].kind != "flag":
            del rest[:1]
    return [*kept, *words[end:]]



# ----------------------------------------------------------------------------------------------------------------------
# What `ease replay` does with slices: it cuts them out of records, and goes on from them.


def write_slice(command: Command, record: Record, start: int) -> int:
    """Write the slice of a record that begins behind so many instructions; returns 0.

    Raises UserError, OSError, LinkError, DescriptionError.
    """
    file, target = command.files[0], command.output
    assert target is not None
    check_place(target)
    try:
        cut = slice_of(program_of(file, record), record, start, command.limit)
    except NoSlice as error:
        raise UserError([f"{file}: error: {error}"]) from None
    setting = setting_sections(cut.setting)
    write_atomically(target, record_bytes(setting, cut.arguments, cut.limit, cut.identity, cut.calls, cut.ending, cut.state))
    return 0


def replay_slice(command: Command, record: Record) -> int:
    """Go on from a slice, and count if a command asks for it; returns the exit status.

    Raises UserError, LinkError, DescriptionError.
    """
    file = command.files[0]
    simulated = (
        command.cache,
        command.predict,
        command.timing or None,
        command.tools or None,
        command.regions or None,
        command.trace,
    )
    if any(value is not None for value in simulated):
        raise UserError([f"{file}: error: a slice can only be counted; measure a -window of the whole record"])
    program = program_of(file, record)
    try:
        result, told = replayed_slice(program, record)
    except NoSlice as error:
        raise UserError([f"{file}: error: {error}"]) from None
    if told:
        kind, number, what = told.split(" ", 2)
        print(f"{file}: error: system call {number}: {what}" if kind != "end" else f"{file}: the record ends", file=sys.stderr)
        return DIFFERENT
    measurement = measurement_of_interpretation(program, result)
    if command.measure:
        identity = origin_of(command, record).identity()
        return report_run(command, replace(measurement, identity=identity), program, origin_of(command, record))
    if result.fault is not None:
        print(f"ease replay: {result.fault}", file=sys.stderr)
    return FAULT_STATUS if result.exit_status is None else result.exit_status
