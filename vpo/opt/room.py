"""How many more registers a loop can keep without spilling: what limits motion, strength reduction and store motion."""

from __future__ import annotations

from collections.abc import Container, Iterable

from vpo.analysis.liveness import Liveness
from vpo.analysis.loops import Loop
from vpo.function import Function
from vpo.machines.machine import Machine
from vpo.rtl import Register


def room_in(
    machine: Machine, liveness: Liveness, loop: Loop, calls: bool, counted: Container[Register] | None = None
) -> dict[str, int]:
    """Return how many more registers of each bank the loop can keep: of those that survive calls, if it calls.

    The block at whose entry most are live decides: the versions of one variable are not live together.  With `counted`,
    only these registers take room: those that only live through the loop may be in memory while it runs.
    """
    used: dict[str, int] = {}
    for live in {liveness.live_in[index] for index in loop.blocks}:
        taking = [r for r in liveness.numbering.members(live) if counted is None or r in counted]
        for bank, number in _occupied(machine, taking).items():
            used[bank] = max(used.get(bank, 0), number)
    room = {}
    for bank, registers in machine.allocable.items():
        usable = [r for r in registers if not calls or machine.convention.caller_saves or r not in machine.convention.scratch]
        room[bank] = len(usable) - used.get(bank, 0) - 2
    return room


def named_in(function: Function, loop: Loop) -> set[Register]:
    """Return the registers that a loop reads or sets; others only live through it."""
    blocks = [function.blocks[number] for number in loop.blocks]
    named = {register for block in blocks for rtl in block.rtls for register in (*rtl.uses, *rtl.sets)}
    return named | {phi.target for block in blocks for phi in block.phis}


def _occupied(machine: Machine, live: Iterable[Register]) -> dict[str, int]:
    """Return how many allocable registers of each bank values take that are live together."""
    occupied: dict[str, int] = {}
    for register in live:
        cls = machine.classes[register.cls]
        if register.pseudo or register in machine.allocable.get(cls.bank, ()):
            occupied[cls.bank] = occupied.get(cls.bank, 0) + cls.width
    return occupied
