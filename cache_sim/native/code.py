"""Write LLVM IR as text, and lay out the memory of simulators."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

# ----------------------------------------------------------------------------------------------------------------------
# Write LLVM IR as text: a value is a name, a variable is an alloca that LLVM turns into a register.


LIKELY, UNLIKELY = "!prof !7", "!prof !3"
# What compiled code does not use of the processor's features: LLVM puts vzeroupper at the end of functions whose convention is
# that they preserve all registers (preserve_allcc), too, and it clears the upper halves of their callers' 256-bit registers.
FEATURES = ",-vzeroupper"
STATE = "!tbaa !6"  # simulators' memory is not the program's

# Metadata that the text refers to, for modules that do not define it anyway.
METADATA = """\
!0 = !{!"ease"}
!3 = !{!"branch_weights", i32 1, i32 1000000}
!7 = !{!"branch_weights", i32 1000000, i32 1}
!8 = !{!"simulators", !0}
!6 = !{!8, !8, i64 0}
!9 = !{}
"""


class Writer(Protocol):
    """A function that is being written."""

    lines: list[str]

    def put(self, text: str) -> str:
        """Append an instruction with a result; return its name."""
        ...

    def label(self) -> str:
        """Return a fresh label."""
        ...


def unless(out: Writer, test: str, label: str) -> None:
    """Write a branch to a label, taken if a test does not hold, which is rare."""
    onward = out.label()
    out.lines += [f"br i1 {out.put(test)}, label %{onward}, label %{label}, {LIKELY}", f"{onward}:"]


def increase(out: Writer, variable: str, amount: str) -> str:
    """Write the increase of an i64 variable; return its new value."""
    value = out.put(f"add i64 {out.put(f'load i64, ptr {variable}')}, {amount}")
    out.lines.append(f"store i64 {value}, ptr {variable}")
    return value


def decrease(out: Writer, variable: str, amount: str) -> str:
    """Write the decrease of an i64 variable; return its new value."""
    value = out.put(f"sub i64 {out.put(f'load i64, ptr {variable}')}, {amount}")
    out.lines.append(f"store i64 {value}, ptr {variable}")
    return value


class Code:
    """The body of one function, as it is being written."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.allocas: list[str] = []
        self.count = 0

    def put(self, text: str) -> str:
        """Append an instruction with a result; return its name."""
        self.count += 1
        name = f"%s{self.count}"
        self.lines.append(f"{name} = {text}")
        return name

    def do(self, text: str) -> None:
        """Append an instruction without a result."""
        self.lines.append(text)

    def label(self) -> str:
        """Return a fresh label."""
        self.count += 1
        return f"s{self.count}"

    def function(self, head: str) -> str:
        """Return the function with a head and this body.  All functions are in one section: else the loader fails."""
        return "\n".join(
            [f'define internal {head} nounwind "no-builtins" section ".text" {{', *self.allocas, *self.lines, "}", ""]
        )

    # ----------------------------------------------------------------------------------------- memory

    def variable(self, type_: str, value: str) -> str:
        """Make a variable and set it; return its name."""
        self.count += 1
        name = f"%s{self.count}"
        self.allocas.append(f"{name} = alloca {type_}")
        self.do(f"store {type_} {value}, ptr {name}")
        return name

    def get(self, type_: str, variable: str) -> str:
        """Read a variable."""
        return self.put(f"load {type_}, ptr {variable}")

    def set(self, type_: str, variable: str, value: str) -> None:
        """Write a variable."""
        self.do(f"store {type_} {value}, ptr {variable}")

    def at(self, base: str, index: str, type_: str) -> str:
        """Return a pointer to an element; the index is an i64."""
        return self.put(f"getelementptr {type_}, ptr {base}, i64 {index}")

    def load(self, type_: str, pointer: str) -> str:
        """Read a simulator's memory."""
        return self.put(f"load {type_}, ptr {pointer}, {STATE}")

    def store(self, type_: str, pointer: str, value: str) -> None:
        """Write a simulator's memory."""
        self.do(f"store {type_} {value}, ptr {pointer}, {STATE}")

    def add(self, type_: str, pointer: str, amount: str = "1") -> None:
        """Increase a number in a simulator's memory."""
        self.store(type_, pointer, self.put(f"add {type_} {self.load(type_, pointer)}, {amount}"))

    def wide(self, type_: str, value: str) -> str:
        """Return an unsigned value as an i64."""
        return value if type_ == "i64" else self.put(f"zext {type_} {value} to i64")

    # ------------------------------------------------------------------------------------------ flow

    @contextmanager
    def when(self, condition: str, hint: str = "") -> Iterator[None]:
        """Write a block that is executed if a condition holds; the block may return."""
        inside, after = self.label(), self.label()
        self.do(f"br i1 {condition}, label %{inside}, label %{after}{', ' + hint if hint else ''}")
        self.do(f"{inside}:")
        yield
        self.leave(after)
        self.do(f"{after}:")

    def leave(self, label: str) -> None:
        """Write a jump to a label unless the last instruction has transferred control."""
        if not self.lines[-1].startswith(("ret ", "br ", "unreachable")):
            self.do(f"br label %{label}")

    @contextmanager
    def count_up(self, start: str, end: str) -> Iterator[str]:
        """Write a loop over the i64 from start up to end, without end; yield the number."""
        number = self.variable("i64", start)
        head, body, after = self.label(), self.label(), self.label()
        self.do(f"br label %{head}")
        self.do(f"{head}:")
        value = self.get("i64", number)
        more = self.put(f"icmp slt i64 {value}, {end}")
        self.do(f"br i1 {more}, label %{body}, label %{after}")
        self.do(f"{body}:")
        yield value
        self.set("i64", number, self.put(f"add i64 {value}, 1"))
        self.leave(head)
        self.do(f"{after}:")


# ----------------------------------------------------------------------------------------------------------------------
# The memory of simulators: arrays at fixed addresses.  Code generation lays them out; they are read after the run.


BYTES = {"i8": 1, "i32": 4, "i64": 8}
_FORMAT = {"i8": "B", "i32": "I", "i64": "q"}
ALIGNMENT = 64  # bytes: a line of the host's cache


@dataclass(frozen=True, slots=True)
class Field:
    """An array of `count` elements of an LLVM type at an address.

    At the start, every element is `initial`, but for those (by index) that have a value in `others`.
    """

    address: int
    type: str
    count: int
    initial: int = 0
    others: tuple[tuple[int, int], ...] = ()

    @property
    def pointer(self) -> str:
        """The array as a constant pointer."""
        return f"inttoptr (i64 {self.address} to ptr)"

    def element(self, index: int) -> str:
        """A constant pointer to an element."""
        return f"inttoptr (i64 {self.address + index * BYTES[self.type]} to ptr)"

    @property
    def bytes(self) -> int:
        """Its size."""
        return self.count * BYTES[self.type]


Read = Callable[[Field], Sequence[int]]  # returns the elements of an array after a run


@dataclass(slots=True)
class State:
    """Arrays one behind the other, from an address on."""

    base: int
    size: int = 0
    fields: list[Field] = field(default_factory=list)

    def array(self, type_: str, count: int, initial: int = 0, others: tuple[tuple[int, int], ...] = ()) -> Field:
        """Lay out one more array."""
        made = Field(self.base + self.size, type_, count, initial, others)
        self.size += -(-made.bytes // ALIGNMENT) * ALIGNMENT
        self.fields.append(made)
        return made

    def initialise(self, memory: bytearray | memoryview | mmap.mmap, offset: int = 0) -> None:
        """Write initial values into zeroed memory, in which the state begins at an offset."""
        for item in self.fields:
            start, size = offset + item.address - self.base, BYTES[item.type]
            if item.initial:
                memory[start : start + item.bytes] = _element(item.initial, size) * item.count
            for index, value in item.others:
                memory[start + index * size : start + (index + 1) * size] = _element(value, size)

    def read(self, item: Field, memory: bytes | bytearray | memoryview | mmap.mmap, offset: int = 0) -> Sequence[int]:
        """Return the elements of an array."""
        return struct.unpack_from(f"={item.count}{_FORMAT[item.type]}", memory, offset + item.address - self.base)


def _element(value: int, size: int) -> bytes:
    """Return an element of so many bytes."""
    return (value % (1 << 8 * size)).to_bytes(size, "little")
