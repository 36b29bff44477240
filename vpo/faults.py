"""What can go wrong while a program runs, told the same way by the interpreter and by host code."""

from __future__ import annotations

from dataclasses import dataclass


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
