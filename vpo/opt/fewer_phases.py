"""Functions whose improved code wants more registers than a machine has: the phases that code needs still make them.

Improving joins instructions, and keeps values in registers across them.  On a machine with one or two registers that may be
more than spilling can undo, while the naive code, whose values live for an instruction or two, has a way.
"""

from __future__ import annotations

import dataclasses

from vpo.analysis.alias import NO_FACTS
from vpo.analysis.memory_effects import UnitFacts
from vpo.base.errors import CannotExpress
from vpo.machines.machine import Machine
from vpo.opt.driver import Options, run_phases
from vpo.rtl.function import Block, Function


def improve(function: Function, machine: Machine, options: Options, facts: UnitFacts = NO_FACTS) -> None:
    """Run the phases of a level over a function; if they leave too few registers, those that code needs, from the beginning.

    Raises CannotExpress if these do not suffice, either, or if the phases were chosen one by one; PhaseError.
    """
    if options.phases is not None or options.level == 0 or function.stage != "pseudo":
        run_phases(function, machine, options, facts)
        return
    naive = _copied(function)
    try:
        run_phases(function, machine, options, facts)
    except CannotExpress as failure:
        for field in dataclasses.fields(function):
            setattr(function, field.name, getattr(naive, field.name))
        try:
            run_phases(function, machine, Options(0, check=options.check, changes=options.changes), facts)
        except CannotExpress:
            raise failure from None


def _copied(function: Function) -> Function:
    """Return a function that phases may change without a change of the other."""
    blocks = [Block(block.label, [rtl.copy() for rtl in block.rtls], list(block.phis)) for block in function.blocks]
    slots = {name: dataclasses.replace(slot) for name, slot in function.slots.items()}
    return dataclasses.replace(function, blocks=blocks, slots=slots)
