"""Build LLVM IR as text: instructions and their names, literals, traps, and views of the same bits."""

from __future__ import annotations

import struct
from typing import Protocol

from ease.host.process.job import ADDRESS_SPACE
from vpo.rtl import BITS, Expr

LLVM = {"B": "i8", "W": "i16", "L": "i32", "Q": "i64", "F": "float", "D": "double", "C": "i64", "G": "double"}
SIZE = {t: BITS[t] // 8 for t in BITS}
INTEGER = {"F": "i32", "D": "i64"}
ICMP = {
    "==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "<u": "ult", "<=u": "ule", ">u": "ugt",
    ">=u": "uge", "!<": "sge", "!<=": "sgt", "!>": "sle", "!>=": "slt",
}  # fmt: skip
FCMP = {
    "==": "oeq", "!=": "une", "<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "!<": "uge", "!<=": "ugt",
    "!>": "ule", "!>=": "ult",
}  # fmt: skip

# What a trap tells; the child's run-time hands the number on.
TRAPS = ("division", "call", "jump", "return", "end", "misaligned read", "misaligned write", "limit")


def float_literal(value: float) -> str:
    """Write a floating constant exactly."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def integer_literal(number: int, type_: str) -> str:
    """Write an integer as a constant of a type."""
    if type_ in "FD":
        return float_literal(float(number))
    bits = BITS[type_]
    number &= (1 << bits) - 1
    return str(number - (1 << bits) if number >> (bits - 1) else number)


class FaultChecker(Protocol):
    """What lets faults have handlers (`ease.host.translation.long_jumps`)."""

    def check(self, address: Expr, type_: str, write: bool, value: str, host_offset: str) -> None:
        """Write the check of a reference to an address with a value."""
        ...

    def deliver(self, kind: str, value: str) -> None:
        """Write what calls the handler of a fault, if there is one."""
        ...


class IrBuilder:
    """Collects the IR of one function."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0
        self.identity = 0  # of the current RTL: its number in the program, or in its function where the code is of that alone
        self.faults: FaultChecker | None = None
        self.located: set[int] = set()  # RTLs that need a location
        self.far = ""  # the pointer to the word that keeps an address beyond ADDRESS_SPACE

    def put(self, text: str) -> str:
        """Append an instruction with a result; return its name."""
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"{name} = {text}")
        return name

    def label(self) -> str:
        """Return a fresh label."""
        self.count += 1
        return f"b{self.count}"

    def block(self) -> str:
        """Return the label of the block that is being written; it begins here if that is not at hand."""
        last = next((line for line in reversed(self.lines) if line.endswith(":") or "\n" in line), "")
        if last.endswith(":") and "\n" not in last:
            return last[:-1]
        label = self.label()
        self.lines += [f"br label %{label}", f"{label}:"]
        return label

    def number(self) -> str:
        """Return the number of the current RTL in the program, an i64."""
        return str(self.identity)

    def location(self) -> str:
        """Return the suffix that ties an instruction to the current RTL."""
        self.located.add(self.identity)
        return f", !dbg !{self.identity + 100}"

    def trap_if(self, condition: str, kind: str, value: str = "0") -> None:
        """Write the end of the run if a condition holds."""
        bad, good = self.label(), self.label()
        self.lines += [f"br i1 {condition}, label %{bad}, label %{good}, !prof !3", f"{bad}:"]
        self.trap(kind, value)
        self.lines.append(f"{good}:")

    def trap(self, kind: str, value: str = "0", expected: str = "0", identity: str = "") -> None:
        """Write the end of the run at the current RTL, or at that of which an LLVM value is the number.

        If the fault has a handler, this is called instead.
        """
        if self.faults is not None:
            self.faults.deliver(kind, value)
        number = TRAPS.index(kind)
        self.lines.append(f"call void @ease_trap(i64 {number}, i64 {identity or self.number()}, i64 {value}, i64 {expected})")
        self.lines.append("unreachable")

    def bounded(self, address: str, on_stack: bool) -> str:
        """Return an address, an i64, or ADDRESS_SPACE in place of one beyond; the word `far` then tells which that was.

        Of one `on_stack`, which hardly ever is beyond, it tells nothing: code for this costs time to compile.
        """
        if on_stack:
            return self.put(f"call i64 @llvm.umin.i64(i64 {address}, i64 {ADDRESS_SPACE})")
        here, far, near = self.block(), self.label(), self.label()
        beyond = self.put(f"icmp uge i64 {address}, {ADDRESS_SPACE}")
        self.lines += [f"br i1 {beyond}, label %{far}, label %{near}, !prof !3", f"{far}:"]
        self.lines += [f"store volatile i64 {address}, {self.far}, align 8", f"br label %{near}", f"{near}:"]
        return self.put(f"phi i64 [{address}, %{here}], [{ADDRESS_SPACE}, %{far}]")

    def view(self, value: str, held: str, wanted: str) -> str:
        """Convert a value from one view of a bank to another; a single in a double is boxed in a NaN."""
        if held == wanted:
            return value
        wide = value
        if held in "FD":
            wide = self.put(f"bitcast {LLVM[held]} {value} to {INTEGER[held]}")
        wide = self.resize(wide, BITS[held], BITS[wanted])
        if (held, wanted) == ("F", "D"):
            wide = self.put(f"or i64 {wide}, {0xFFFFFFFF << 32}")
        if wanted in "FD":
            wide = self.put(f"bitcast {INTEGER[wanted]} {wide} to {LLVM[wanted]}")
        return wide

    def resize(self, value: str, bits: int, wanted: int) -> str:
        """Truncate an integer, or extend it by zeros."""
        if bits == wanted:
            return value
        return self.put(f"{'trunc' if bits > wanted else 'zext'} i{bits} {value} to i{wanted}")
