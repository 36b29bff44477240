"""The state of a run of the plain interpreter: memory, registers, the functions under way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from vpo.algebra import INTEGER_OF
from vpo.algebra.values import WIDER, Value, from_bytes, halves, initial, to_bytes, view
from vpo.interpret.result import Observer
from vpo.interpret.target_memory import Memory
from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl import BITS, Const, Op, Register
from vpo.rtl.function import Function
from vpo.system.faults import MemoryFault

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
