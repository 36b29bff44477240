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
STACK_OFFERED = "___fault_stack_offered"  # in programs that may call sigaltstack
SIGNALS = {"misaligned": 7, "division": 8, "wild": 11, "call": 11, "stack": 11}  # by the kind of the fault
HANDLED, HANDLED_ON_STACK = 1, 2  # flags: a handler is set; it is called even if the stack is exhausted
_RESERVE = 512  # bytes of the stack beyond where the stack pointer begins


@dataclass(frozen=True, slots=True)
class FaultDelivery:
    """Addresses of the variables by which faults are delivered.

    `handled` has a byte of flags for each signal, and `active` one that is not 0 while one is called.
    `offered` has a byte that is not 0 if the program has offered a stack for handlers; None: it never does.
    `number` takes the signal (a byte), `where` the address of the reference (a pointer).  `stack` is what the stack pointer is
    set to.
    """

    handled: int
    active: int
    number: int
    where: int
    stack: int
    offered: int | None

    def signal(self, kind: str, read: Callable[[int, int], bytes]) -> int:
        """Return the signal that a kind of fault becomes now, 0 if it ends the run; `read` gets an address and a size."""
        number = SIGNALS.get(kind, 0)
        if not number or read(self.active, 1) != b"\0":
            return 0
        if kind == "stack" and (self.offered is None or read(self.offered, 1) == b"\0"):
            return 0
        wanted = HANDLED_ON_STACK if kind == "stack" else HANDLED
        return number if read(self.handled + number, 1)[0] & wanted else 0


def fault_delivery(program: Program) -> FaultDelivery | None:
    """Return how faults are delivered to a program, None if it never asks for that."""
    if ENTRY not in program.functions:
        return None
    names = ("___fault_handled", "___fault_active", "___fault_number", "___fault_address")
    stack = next(data for data in program.data if data.name == "___fault_stack")
    start = program.symbols[stack.name]
    pointer = start + _RESERVE if program.machine.convention.grows_up else start + stack.size - _RESERVE
    handled, active, number, where = (program.symbols[name] for name in names)
    return FaultDelivery(handled, active, number, where, pointer // 16 * 16, program.symbols.get(STACK_OFFERED))
