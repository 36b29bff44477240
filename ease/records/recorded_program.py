"""The program of a record, made again from its text and its machine's description."""

from __future__ import annotations

from ease.records.record_file import Setting
from vpo.compiler import Compiler, Settings
from vpo.machines.load import build
from vpo.machines.source import parse
from vpo.program import Program


def recorded_program(setting: Setting, shown: str, library: str) -> Program:
    """Return the program of a record; `shown` names it in messages, `library` is the folder of the library's sources here.

    Raises UserError, LinkError, DescriptionError.
    """
    machine = build(parse(setting.description, f"{shown} (description)"))
    program = Compiler(machine, Settings()).linked(shown, setting.text.encode(errors="surrogateescape"))
    for function in program.functions.values():
        if function.file.startswith(f"{setting.library}/"):
            function.file = library + function.file[len(setting.library) :]
    return program
