"""What `ease replay` does with slices: it cuts them out of records, and goes on from them."""

from __future__ import annotations

import sys
from dataclasses import replace

from ease.base.files import check_place, write_atomically
from ease.commands.compile.command import Command
from ease.commands.runs.program_run import report_run
from ease.commands.runs.replay_run import DIFFERENT, origin_of, program_of
from ease.records.record_file import Record, record_bytes, setting_sections
from ease.records.slice import NoSlice, replayed_slice, slice_of
from ease.run.measuring import FAULT_STATUS, measurement_of_interpretation
from vpo.base.errors import UserError


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
