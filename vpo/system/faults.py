"""What can go wrong while a program runs, told the same way by the interpreter and by host code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # repeated runs import this, and wait for nothing of the compiler
    from vpo.program import Program


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a run ended early, and where.

    `kind` is one of: wild, misaligned, division, stack, call, jump, return, end, syscall, limit, timeout, interrupted,
    killed.
    `address` is the target address of the instruction, `rtl` its index in the function.  `accessed` is the address of a
    reference that host code could not make; its RTL may be one close by, since LLVM joins loads with what uses them.
    """

    kind: str
    message: str
    function: str = ""
    file: str = ""
    line: int = 0
    address: int | None = None
    rtl: int | None = None
    accessed: int | None = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.file and self.line else ""
        name = self.function.removeprefix("_") if self.function != "_start" else self.function
        return f"{place}in {name}: {self.message}" if self.function else self.message


class MemoryFault(Exception):
    """An access of `size` bytes at a target `address` that is not mapped, not writable or misaligned."""

    def __init__(self, address: int, size: int, write: bool, kind: str = "wild") -> None:
        super().__init__(address)
        self.address, self.size, self.write, self.kind = address, size, write, kind


class HostError(Exception):
    """The host refuses what is needed to run a program; the text says what, and what to do."""


class Exit(Exception):
    """The program asked to end; `told` is what the operating system has to say of that to whoever started the run."""

    def __init__(self, status: int, told: str = "") -> None:
        super().__init__(status)
        self.status, self.told = status, told


MESSAGES = {
    "division": "division by zero",
    "end": "execution ran past the end of the function",
    "timeout": "stopped: its time was up",
}


def access_message(kind: str, write: bool, size: int, address: int, digits: int = 8) -> str:
    """Describe a bad access to memory other than beyond the stack; a `size` of 0 means that it is not known."""
    what = "write" if write else "read"
    amount = f" of {size} byte{'s' if size != 1 else ''}" if size else ""
    name = "misaligned access" if kind == "misaligned" else "wild pointer"
    return f"{name}: {what}{amount} at address 0x{address:0{digits}x}"


def stack_message(size: int, address: int | None = None, digits: int = 8) -> str:
    """Describe an exhausted stack of `size` bytes, and how to get a larger one; `address` is that of the reference."""
    where = "" if address is None else f" at address 0x{address:0{digits}x}"
    return f"stack exhausted{where}: it has {size:,} bytes (--set layout.stack_size=N changes that)"


def transfer_message(kind: str, address: int, expected: int | None = None, digits: int = 8) -> str:
    """Describe a call, jump or return that goes nowhere."""
    where = f"0x{address:0{digits}x}"
    if kind == "call":
        return f"call of address {where}, which is not a function"
    if kind == "jump":
        return f"jump to address {where}, which is not one of the labels"
    if expected is None:
        return f"return to address {where} without a call"
    return f"return to address {where} instead of 0x{expected:0{digits}x}: the return address was overwritten"


# ----------------------------------------------------------------------------------------------------------------------
# Faults that become signals: which, and how whatever runs a program enters the handler.
#
# A program that may handle faults has the library's `__deliver_fault` (`vpo/libc/src/deliver_fault.c`).  In place of an RTL
# that faults, while a handler for its signal is set and no other one is called, control enters that function: on a stack of
# its own, with the signal and the address in variables of the library, and with no address to return to.  `exit` or `longjmp`
# ends it.
#
# The RTL at which this happens counts as executed, and so do those in the delay slots of a transfer with it; a branch that may
# annul its slots does not count as taken.


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
    names = ("___fault_handled", "___fault_active", "___fault_number", "___fault_address")
    stack = next((data for data in program.data if data.name == "___fault_stack"), None)
    if stack is None or not {ENTRY, *names} <= program.symbols.keys():  # as where a function is run alone
        return None
    start = program.symbols[stack.name]
    pointer = start + _RESERVE if program.machine.convention.grows_up else start + stack.size - _RESERVE
    handled, active, number, where = (program.symbols[name] for name in names)
    return FaultDelivery(handled, active, number, where, pointer // 16 * 16, program.symbols.get(STACK_OFFERED))
