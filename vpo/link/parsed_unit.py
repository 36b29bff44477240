"""Reading units that were written as text."""

from __future__ import annotations

from vpo.analysis.verify import verify
from vpo.base.errors import UserError
from vpo.machines.machine import IllegalRtl, Machine
from vpo.rtl.function import Unit
from vpo.text import TextError, parse_unit


def parsed_unit(file: str, content: bytes, machine: Machine) -> Unit:
    """Return a unit that was written as text, each of its instructions and functions checked.

    Raises UserError.
    """
    try:
        unit, cells = parse_unit(content.decode())
    except TextError as error:
        raise UserError([f"{file}:{error.line}:{error.column}: error: {error.message}"]) from None
    except UnicodeDecodeError:
        raise UserError([f"{file}:1:1: error: not UTF-8 text"]) from None
    if cells != machine.cells:
        raise UserError(
            [f"{file}:1:1: error: this file is for machine '{unit.machine}', not for '{machine.name}': "
             "their register classes differ"]
        )  # fmt: skip
    problems = []
    for function in unit.functions:
        for rtl in function.rtls():
            try:
                machine.record(rtl)
            except IllegalRtl as error:
                problems.append(f"{file}: error: in {function.name[1:]}: {error}")
    for function in unit.functions if not problems else ():
        problems += [f"{file}: error: in {function.name[1:]}: {problem}" for problem in verify(function, machine)]
    if problems:
        raise UserError(problems)
    return unit
