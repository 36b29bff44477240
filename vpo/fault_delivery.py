"""Faults that become signals: which, and how whatever runs a program enters the handler.

A program that may handle faults has the library's `__deliver_fault` (`vpo/libc/src/deliver_fault.c`).  In place of an RTL that
faults, while a handler for its signal is set and no other one is called, control enters that function: on a stack of its own,
with the signal and the address in variables of the library, and with no address to return to.  `exit` or `longjmp` ends it.

The RTL at which this happens counts as executed, and so do those in the delay slots of a transfer with it; a branch that may
annul its slots does not count as taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vpo.program import Program

ENTRY = "___deliver_fault"
SIGNALS = {"misaligned": 7, "division": 8, "wild": 11, "call": 11}  # by the kind of the fault
_RESERVE = 512  # bytes of the stack beyond where the stack pointer begins


@dataclass(frozen=True, slots=True)
class FaultDelivery:
    """Addresses of the variables by which faults are delivered.

    `handled` has a byte for each signal, not 0 if it has a handler, and `active` one that is not 0 while one is called.
    `number` takes the signal (a byte), `where` the address of the reference (a pointer).  `stack` is what the stack pointer is
    set to.
    """

    handled: int
    active: int
    number: int
    where: int
    stack: int

    def signal(self, kind: str, read: Callable[[int, int], bytes]) -> int:
        """Return the signal that a kind of fault becomes now, 0 if it ends the run; `read` gets an address and a size."""
        number = SIGNALS.get(kind, 0)
        if not number or read(self.active, 1) != b"\0" or read(self.handled + number, 1) == b"\0":
            return 0
        return number


def fault_delivery(program: Program) -> FaultDelivery | None:
    """Return how faults are delivered to a program, None if it never asks for that."""
    if ENTRY not in program.functions:
        return None
    names = ("___fault_handled", "___fault_active", "___fault_number", "___fault_address")
    stack = next(data for data in program.data if data.name == "___fault_stack")
    start = program.symbols[stack.name]
    pointer = start + _RESERVE if program.machine.convention.grows_up else start + stack.size - _RESERVE
    handled, active, number, where = (program.symbols[name] for name in names)
    return FaultDelivery(handled, active, number, where, pointer // 16 * 16)
