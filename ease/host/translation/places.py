"""Numbers in host code that depend on where things are in a program: addresses, numbers of RTLs, counters.

As a rule they stand in the code.  The code of a function that is kept for other programs, too, reads them from a table of its
own, which is filled when the code is loaded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ease.host.process.job import HEADER, SHARED
from ease.host.translation.ir_builder import LLVM, integer_literal
from vpo.program import Program
from vpo.rtl import Expr, Half, LabelAddress, Next, Symbol

# What a word of a table is: the address of a symbol plus an offset, or a part of that which `Half` has; or one of these two.
Part = tuple[str, str, int]  # kind ('' for the whole address), symbol, offset
FIRST, COUNTERS = ("number", "", 0), ("counters", "", 0)  # of the first RTL of the function; where its counters begin


class Writer(Protocol):
    """Writes host code: what the numbers are asked of."""

    identity: int  # of the current RTL in its function or program
    next_address: int  # of the RTL behind it
    word: str
    literals: Mapping[Half, int]
    labels: Mapping[str, int]  # addresses of the labels of the function

    def put(self, text: str) -> str:
        """Append an instruction with a result; return its name."""
        ...


class Places:
    """Writes these numbers into the code of a function."""

    def __init__(self, emitter: Writer, shared: int = SHARED) -> None:
        self.emitter, self.shared = emitter, shared

    def number(self) -> str:
        """Return the number of the current RTL in the program, an i64."""
        return str(self.emitter.identity)

    def address(self, address: int, type_: str) -> str:
        """Return an address in the function's code, as a value of a type."""
        return integer_literal(address, type_)

    def counter(self, counter: int) -> str:
        """Return the host address of a counter, as an operand."""
        return f"ptr inttoptr (i64 {self.shared + HEADER + 8 * counter} to ptr)"

    def within(self, value: str) -> str:
        """Return the address in a word of the target as `label` has them."""
        return value

    def label(self, address: int) -> int:
        """Return what stands for the address of a label where it must be a constant."""
        return address

    def part(self, node: Expr) -> Part | None:
        """Return what is in the table for an expression; None if it is an ordinary constant, or none."""
        return None

    def load(self, part: Part, type_: str) -> str:
        """Return a word of the table as a value of a type.

        Raises ValueError if there is no table.
        """
        raise ValueError(f"{part}: no table")


class TabledPlaces(Places):
    """Keeps these numbers in a table; the function `name` begins at the address `start`."""

    def __init__(self, emitter: Writer, name: str, start: int) -> None:
        super().__init__(emitter)
        self.name, self.start = name, start
        self.words: dict[Part, int] = {}

    @property
    def parts(self) -> list[Part]:
        """What the words of the table are, in order."""
        return list(self.words)

    def number(self) -> str:
        """Return the number of the current RTL in the program, an i64."""
        return self.emitter.put(f"add i64 {self.load(FIRST, 'Q')}, {self.emitter.identity}")

    def address(self, address: int, type_: str) -> str:
        """Return an address in the function's code, as a value of a type."""
        return self.load(self._own(address), type_)

    def counter(self, counter: int) -> str:
        """Return the host address of a counter, numbered from the function's first, as an operand."""
        first = self.emitter.put(f"load ptr, {self._pointer(COUNTERS)}")
        return f"ptr {self.emitter.put(f'getelementptr i64, ptr {first}, i64 {counter}')}" if counter else f"ptr {first}"

    def within(self, value: str) -> str:
        """Return the distance of an address in a word of the target from the start of the function."""
        word = self.emitter.word
        return self.emitter.put(f"sub {LLVM[word]} {value}, {self.address(self.start, word)}")

    def label(self, address: int) -> int:
        """Return the distance of the address of a label from the start of the function."""
        return address - self.start

    def part(self, node: Expr) -> Part | None:
        """Return what is in the table for an expression; None if it is an ordinary constant, or none.

        Raises ValueError for a part of a part.
        """
        match node:
            case Symbol():
                return "", node.name, node.offset
            case LabelAddress():
                return self._own(self.emitter.labels[node.label])
            case Next():
                return self._own(self.emitter.next_address)
            case Half(is_literal=True):
                return self._own(self.emitter.literals[node])
            case Half():
                kind, name, offset = self.part(node.of) or ("", "", 0)
                if kind:
                    raise ValueError(f"{node!r}: only addresses have halves")
                return (node.which, name, offset) if name else None
        return None

    def load(self, part: Part, type_: str) -> str:
        """Return a word of the table as a value of a type; the host is little-endian, so its low half is at the same place."""
        if type_ in "FD":
            return self.emitter.put(f"sitofp i64 {self.load(part, 'Q')} to {LLVM[type_]}")
        return self.emitter.put(f"load {LLVM[type_]}, {self._pointer(part)}")

    def table(self) -> str:
        """Return the definition of the table."""
        return f"@{table_of(self.name)} = dso_local global [{len(self.words)} x i64] zeroinitializer\n" if self.words else ""

    def _own(self, address: int) -> Part:
        return "", self.name, address - self.start

    def _pointer(self, part: Part) -> str:
        number = self.words.setdefault(part, len(self.words))
        return f"ptr getelementptr (i64, ptr @{table_of(self.name)}, i64 {number})"


def table_of(name: str) -> str:
    """Return the symbol of the table of a function, as LLVM IR has it."""
    return f'"t{name}"'


def words(parts: Sequence[Part], program: Program, name: str, counters: int) -> list[int]:
    """Return the words of the table of a function of a program, whose counters begin at a host address."""
    return [_word(part, program, name, counters) & (1 << 64) - 1 for part in parts]


def _word(part: Part, program: Program, name: str, counters: int) -> int:
    if part == FIRST:
        return program.first(name)
    if part == COUNTERS:
        return counters
    kind, symbol, offset = part
    address = program.symbols[symbol] + offset
    return program.machine.half(kind, address) if kind else address
