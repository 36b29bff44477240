"""The plain interpreter's operators on values, and the state of a run: memory, registers, the functions under way."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from vpo.algebra import INTEGER_OF
from vpo.interpret.result import Observer
from vpo.interpret.target_memory import Memory
from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl import BITS, SHIFTS, Const, Op, Register
from vpo.rtl.function import Function
from vpo.system.faults import MemoryFault

# ----------------------------------------------------------------------------------------------------------------------
# Operators of RTLs on values, one at a time: unsigned integers, floats, and the pairs that condition codes hold.


# ----------------------------------------------------------------------------------------------------------------------
# Arithmetic of the interpreter: what Python's own operators do not do exactly as RTLs mean it.
#
# Integers are kept unsigned, reduced to the width of their type; F and D values are Python floats, F ones rounded.


_F32 = struct.Struct("<f")
_INF = math.inf


def round_single(x: float) -> float:
    """Round to the nearest IEEE single."""
    try:
        rounded: float = _F32.unpack(_F32.pack(x))[0]
    except OverflowError:
        return math.copysign(_INF, x)
    return rounded


def divide(a: float, b: float) -> float:
    """Divide as IEEE says, zero divisors included."""
    if b:
        return a / b
    if a == 0 or a != a or b != b:
        return a + b if a != a or b != b else math.nan
    return math.copysign(_INF, a) * math.copysign(1.0, b)


def square_root(x: float) -> float:
    """Return the square root; that of a negative number is NaN."""
    return math.sqrt(x) if not x < 0 else math.nan


def signed_divide(a: int, b: int, bits: int) -> int:
    """Divide unsigned representations as signed numbers, toward zero.

    Raises ZeroDivisionError.
    """
    half = 1 << (bits - 1)
    a, b = (a ^ half) - half, (b ^ half) - half
    quotient = abs(a) // abs(b)
    return (quotient if (a < 0) == (b < 0) else -quotient) & (2 * half - 1)


def signed_remainder(a: int, b: int, bits: int) -> int:
    """Return the remainder of signed_divide: it has the sign of `a`.

    Raises ZeroDivisionError.
    """
    half = 1 << (bits - 1)
    a, b = (a ^ half) - half, (b ^ half) - half
    remainder = abs(a) % abs(b)
    return (remainder if a >= 0 else -remainder) & (2 * half - 1)


def to_integer(x: float, low: int, high: int) -> int:
    """Convert toward zero; saturate at the bounds, NaN gives 0.  The result may be negative."""
    if low < x < high:
        return int(x)
    if x != x:
        return 0
    return low if x <= low else high


def integer_to_single(n: int) -> float:
    """Round an integer to the nearest single, once."""
    if -(1 << 53) < n < 1 << 53:
        return round_single(float(n))
    shift = n.bit_length() - 40
    kept = abs(n) >> shift
    kept |= abs(n) & ((1 << shift) - 1) != 0  # what is lost below only matters as "not zero"
    return math.copysign(round_single(math.ldexp(kept, shift)), n)


def absolute(a: int, bits: int) -> int:
    """Return the absolute value of a signed integer; that of the least one is itself."""
    return -a & ((1 << bits) - 1) if a >> (bits - 1) else a


# The bits of relations that hold: 0 unordered, 1 ordered; 2 ==, 3 !=, 4 >, 5 <=, 6 <, 7 >=; unsigned 8 >, 9 <=, 10 <, 11 >=
EQUAL, UNEQUAL, LESS, GREATER = 0b10100100, 0b1000, 0b1100000, 0b10010000
EQUAL_UNSIGNED, LESS_UNSIGNED, GREATER_UNSIGNED = 0b1010 << 8, 0b0110 << 8, 0b1001 << 8
UNORDERED, ORDERED = 1, 2


def integer_relations(a: int, b: int) -> int:
    """Return the bits of the relations between two integers."""
    if a == b:
        return EQUAL | EQUAL_UNSIGNED
    unsigned = LESS_UNSIGNED if a & 0xFFFFFFFFFFFFFFFF < b & 0xFFFFFFFFFFFFFFFF else GREATER_UNSIGNED
    return UNEQUAL | unsigned | (LESS if a < b else GREATER)


def floating_relations(a: float, b: float) -> int:
    """Return the bits of the relations between two floating values."""
    if a == b:
        return ORDERED | EQUAL
    if a < b:
        return ORDERED | UNEQUAL | LESS
    return ORDERED | UNEQUAL | GREATER if a > b else UNORDERED | UNEQUAL


# ----------------------------------------------------------------------------------------------------------------------


Value = Any
WIDER = {8: "W", 16: "L", 32: "Q"}  # the integer of twice so many bits
_CODES = {"F": "f", "D": "d"}


def mask(type_: str) -> int:
    """Return all ones in the width of a type."""
    return (1 << BITS[type_]) - 1


def signed(value: int, type_: str) -> int:
    """Return the signed value of an integer."""
    return value - (value >> (BITS[type_] - 1) << BITS[type_])


def number(value: int, type_: str) -> Value:
    """Return a number as a value of a type; numbers have none of their own."""
    return float(value) if type_ in "FD" else value & mask(type_)


def initial(type_: str) -> Value:
    """Return what a register holds before it is set."""
    return (0, 0) if type_ in "CG" else number(0, type_)


def to_bytes(value: Value, type_: str, big_endian: bool) -> bytes:
    """Return a value as it stands in memory; an integer is truncated."""
    if type_ in "FD":
        return struct.pack((">" if big_endian else "<") + _CODES[type_], value)
    return int(value & mask(type_)).to_bytes(BITS[type_] // 8, "big" if big_endian else "little")


def from_bytes(raw: bytes, type_: str, big_endian: bool) -> Value:
    """Return the value that stands in memory."""
    if type_ in "FD":
        return struct.unpack((">" if big_endian else "<") + _CODES[type_], raw)[0]
    return int.from_bytes(raw, "big" if big_endian else "little")


def view(value: Value, held: str, wanted: str) -> Value:
    """Return the bits of a value as another type; a single becomes a double whose high half is all ones."""
    if held == wanted:
        return value
    bits = int.from_bytes(to_bytes(value, held, False), "little")
    if (held, wanted) == ("F", "D"):
        bits |= mask("L") << 32
    return from_bytes(to_bytes(bits, INTEGER_OF[BITS[wanted]], False), wanted, False)


def halves(value: Value, type_: str) -> tuple[int, int]:
    """Return the more and the less significant half of the bits of a value."""
    bits = BITS[type_] // 2
    whole: int = view(value, type_, INTEGER_OF[2 * bits])
    return divmod(whole, 1 << bits)


def related(op: str, a: Value, b: Value) -> bool:
    """Whether a relation holds; a negated one also holds where there is no order, as with NaN."""
    if op.startswith("!") and op != "!=":
        return not related(op[1:], a, b)
    relations: dict[str, bool] = {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}
    return relations[op.removesuffix("u")]


def binary(op: str, type_: str, a: Value, b: Value) -> Value:
    """Apply an arithmetic operator.

    Raises ZeroDivisionError.
    """
    if type_ in "FD":
        exact = _floating(op, a, b)
        return round_single(exact) if type_ == "F" else exact
    bits = BITS[type_]
    if op in SHIFTS:
        b &= bits - 1
    match op:
        case "+" | "-" | "*":
            result = a + b if op == "+" else a - b if op == "-" else a * b
        case "&" | "|" | "^":
            result = a & b if op == "&" else a | b if op == "|" else a ^ b
        case "<<":
            result = a << b
        case ">>":
            result = signed(a, type_) >> b
        case ">>u":
            result = a >> b
        case "/":
            result = signed_divide(a, b, bits)
        case "%":
            result = signed_remainder(a, b, bits)
        case "/u":
            result = a // b
        case "%u":
            result = a % b
        case "rotl":
            result = a << b | a >> (bits - b)
        case "mulh" | "mulhu" | "mulhsu":
            x = a if op == "mulhu" else signed(a, type_)
            result = x * (signed(b, type_) if op == "mulh" else b) >> bits
        case "clmul" | "clmulh":
            result = 0
            for place in range(bits):
                if b >> place & 1:
                    result ^= a << place
            if op == "clmulh":
                result >>= bits
    return result & mask(type_)


def _floating(op: str, a: float, b: float) -> float:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
    return divide(a, b)


def unary(op: str, type_: str, a: Value) -> Value:
    """Apply an operator to one value."""
    match op:
        case "neg":
            return -a if type_ in "FD" else -a & mask(type_)
        case "not":
            return a ^ mask(type_)
        case "abs":
            return abs(a) if type_ in "FD" else absolute(a, BITS[type_])
        case "sqrt":
            root = square_root(a)
            return round_single(root) if type_ == "F" else root
    digits = f"{a:0{BITS[type_]}b}"
    match op:
        case "clz":
            return len(digits) - len(digits.lstrip("0"))
        case "ctz":
            return len(digits) - len(digits.rstrip("0"))
        case "popcount":
            return digits.count("1")
        case "brev":
            return int(digits[::-1], 2)
    return int("".join(digits[at : at + 8] for at in reversed(range(0, len(digits), 8))), 2)  # bswap

def convert(op: str, held: str, type_: str, a: Value) -> Value:
    """Convert a value of type `held`; the bits of a condition code tell which relations hold."""
    match op:
        case "bits" if held == "C":
            return integer_relations(*a)
        case "bits" if held == "G":
            return floating_relations(*a)
        case "bits":
            return view(a, held, type_)
        case "sx":
            return signed(a, held) & mask(type_)
        case "zx" | "tr":
            return a & mask(type_)
        case "cvt" if held not in "FD":
            a = signed(a, held)
    if type_ == "D":
        return float(a)
    if type_ == "F":
        return round_single(a) if held in "FD" else integer_to_single(a)
    half = 1 << (BITS[type_] - 1)
    low, high = (-half, half - 1) if op == "cvt" else (0, mask(type_))
    return to_integer(a, low, high) & mask(type_)


# ----------------------------------------------------------------------------------------------------------------------
# The state of a run of the plain interpreter: memory, registers, and the functions under way.


# ----------------------------------------------------------------------------------------------------------------------
# The frames that interpreters make for functions without entry and exit code of their own.


INTERPRETER_FRAMES = ("ssa", "pseudo", "allocated")  # stages whose functions have no entry and exit code of their own


def outgoing_bytes(program: Program, function: Function) -> int:
    """Return how many bytes of stack arguments a function passes, also when read back from text."""
    sp, convention = program.machine.stack_pointer, program.machine.convention
    most = max(function.outgoing, convention.reserved)
    for rtl in function.rtls():
        for cell in rtl.stores:
            address = cell.address
            offset = None
            if address is sp:
                offset = 0
            elif type(address) is Op and address.op == "+" and address.args[0] is sp and type(address.args[1]) is Const:
                offset = address.args[1].value
            if offset is not None:
                most = max(most, -offset if convention.grows_up else offset + BITS[cell.type] // 8)
    return most


def lay_out_slots(program: Program, function: Function) -> tuple[int, dict[str, int]]:
    """Return the size of the frame that the interpreter makes for a function, and the offsets of its slots."""
    if function.stage not in INTERPRETER_FRAMES:
        return 0, {s.name: s.offset for s in function.slots.values() if s.offset is not None}
    convention = program.machine.convention
    distance = outgoing_bytes(program, function)
    slots: dict[str, int] = {}
    for slot in function.slots.values():
        if slot.kind != "incoming":
            distance = convention.aligned(distance, slot.size, slot.align)
            slots[slot.name] = convention.offset(distance, slot.size)
            distance += slot.size
    # argument registers that are saved beside the stack arguments lie on this side of the entry stack pointer
    distance += max([0, *(-(slot.offset or 0) for slot in function.slots.values() if slot.kind == "incoming")])
    align = max(16, convention.stack_align)
    frame = -(-(distance + convention.below) // align) * align
    for slot in function.slots.values():
        if slot.kind == "incoming":
            slots[slot.name] = convention.offset(frame + (slot.offset or 0), slot.size)
    return frame, slots


# ----------------------------------------------------------------------------------------------------------------------


Key = tuple[str, int, bool, int]  # of a register: bank, number, whether it is a pseudo-register, version


class Layout:
    """What follows from a function's blocks: its frame if it has none of its own, labels, the first position of each block."""

    def __init__(self, program: Program, function: Function) -> None:
        self.frame, self.slots = lay_out_slots(program, function)
        self.labels = {block.label: number for number, block in enumerate(function.blocks)}
        self.first = [0, *accumulate(len(block.rtls) for block in function.blocks)]


@dataclass(slots=True)
class Resumption:
    """Where control went on, and with which stack pointer, when `__setjmp` returned."""

    stack_pointer: Value
    block: int
    index: int


@dataclass(slots=True)
class Activation:
    """A function under way.

    `back` is the address to which it returns; its caller goes on there at `block` and `index`.  `own` are its
    pseudo-registers and private registers, `preserved` what the interpreter restores if it made the frame.  `contexts` are
    those to which `__longjmp` may return, by return address.
    """

    function: Function
    layout: Layout
    back: int | None = None
    block: int = 0
    index: int = 0
    own: dict[Key, Value] = field(default_factory=dict)
    preserved: dict[Key, Value] = field(default_factory=dict)
    contexts: dict[int, Resumption] = field(default_factory=dict)


class State:
    """What RTLs read and write, and the stack of activations; the last is the innermost."""

    def __init__(self, program: Program, arguments: Sequence[str | bytes], observer: Observer | None) -> None:
        self.machine, self.observer = program.machine, observer
        self.memory = Memory(program)
        self.activations: list[Activation] = []
        self.bank_types = widest_views(self.machine)
        self.registers: dict[Key, Value] = {
            (cls.bank, number, False, 0): initial(self.bank_types[cls.bank])
            for cls in self.machine.classes.values() if cls.width == 1
            for number in range(cls.count)
        }  # fmt: skip
        stack = self.memory.start(program, arguments)
        given = (self.machine.stack_pointer, *self.machine.convention.start_arguments)
        for register, value in zip(given, (stack.pointer, stack.count, stack.vector), strict=False):
            self.registers[self.key(register)] = value

    def named_registers(self) -> dict[str, Value]:
        """Return the registers by name, as results have them: a condition code is two values."""
        named: dict[str, Value] = {}
        for (bank, number, *_), value in self.registers.items():
            if isinstance(value, tuple):
                named[f"{bank}_{number}_a"], named[f"{bank}_{number}_b"] = value
            else:
                named[f"{bank}_{number}"] = value
        return named

    def key(self, register: Register) -> Key:
        """Return where a register is kept."""
        cls = self.machine.classes[register.cls]
        return cls.bank if cls.width == 1 else cls.name, register.index, register.pseudo, register.version

    def kept(self, register: Register) -> dict[Key, Value]:
        """Return the registers among which one is: those of the activation if it has its own."""
        own = register.pseudo or self.machine.is_private(register)
        return self.activations[-1].own if own else self.registers

    def parts(self, register: Register) -> list[Register]:
        """Return the two registers of a pair as integers, the more significant first, or nothing."""
        if register.pseudo or self.machine.classes[register.cls].width == 1:
            return []
        storage = self.machine.storage(register)
        pair = [Register(bank, number, INTEGER_OF[BITS[self.machine.classes[bank].type]]) for bank, number in storage]
        return pair if self.machine.big_endian else pair[::-1]

    def read(self, register: Register) -> Value:
        """Return the value of a register."""
        if register in self.machine.zero:
            return initial(register.type)
        if pair := self.parts(register):
            high, low = (view(self.read(part), part.type, INTEGER_OF[BITS[part.type]]) for part in pair)
            bits = BITS[pair[0].type]
            return view(high << bits | low, WIDER[bits], register.type)
        key = self.key(register)
        held = self.bank_types.get(key[0], register.type)
        return view(self.kept(register).get(key, initial(held)), held, register.type)

    def write(self, register: Register, value: Value) -> None:
        """Set a register."""
        if register in self.machine.zero:
            return
        if pair := self.parts(register):
            for part, half in zip(pair, halves(value, register.type), strict=True):
                self.write(part, view(half, INTEGER_OF[BITS[part.type]], part.type))
            return
        key = self.key(register)
        self.kept(register)[key] = view(value, register.type, self.bank_types.get(key[0], register.type))

    def save_context(self, target: int, block: int, index: int) -> None:
        """Note that `__setjmp` has returned to an address, in the innermost activation."""
        pointer = self.read(self.machine.stack_pointer)
        self.activations[-1].contexts[target] = Resumption(pointer, block, index)

    def resume_context(self, target: int) -> Resumption | None:
        """End all activations within the one where `__setjmp` returned to an address with this stack pointer."""
        pointer = self.read(self.machine.stack_pointer)
        for depth in range(len(self.activations), 0, -1):
            resumption = self.activations[depth - 1].contexts.get(target)
            if resumption is not None and resumption.stack_pointer == pointer:
                del self.activations[depth:]
                return resumption
        return None

    def refer(self, type_: str, address: int, write: bool, told: bool = True) -> int:
        """Check the address of a reference, and tell the observer unless the instruction does not make it; return the size."""
        size = BITS[type_] // 8
        if not self.machine.misaligned and address % size:
            raise MemoryFault(address, size, write, "misaligned")
        if told and self.observer is not None:
            self.observer.data(address, size, write)
        return size

    def load(self, type_: str, address: int) -> Value:
        """Return what a memory cell holds."""
        return from_bytes(self.memory.read(address, self.refer(type_, address, False)), type_, self.machine.big_endian)

    def store(self, type_: str, address: int, value: Value, told: bool = True) -> None:
        """Set a memory cell; the observer is told unless something else than the instruction stores."""
        self.refer(type_, address, True, told)
        self.memory.write(address, to_bytes(value, type_, self.machine.big_endian))


def widest_views(machine: Machine) -> dict[str, str]:
    """Return the type in which each bank of registers is kept: that of its widest class, an integer's rather than a single's.

    Python's floats do not keep the bits of each single: a signalling NaN becomes a quiet one, and integers may have such
    bits, and so may halves of doubles.
    """
    classes = sorted(machine.classes.values(), key=lambda cls: (BITS.get(cls.type, 0), cls.type != "F"), reverse=True)
    halved = {cls.bank for cls in classes if cls.width > 1}
    views = {cls.bank: cls.type for cls in reversed(classes) if cls.width == 1}
    return {bank: "L" if type_ == "F" and bank in halved else type_ for bank, type_ in views.items()}
