"""What everything else may ask of a target machine: frozen data, and the recogniser.

`vpo.machines.load` builds a Machine from a description; nothing here or beyond knows any machine's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from vpo.algebra import wrap
from vpo.datamodel import DataModel
from vpo.rtl import BITS, Effect, Register, Rtl, Set, tie

PIECE = re.compile(r"\$(?:([a-z_]\w*)|\{(\w+)\})")


def fill(template: str, texts: dict[str, str]) -> str:
    """Insert the texts of variables into an assembly template."""
    return PIECE.sub(lambda m: texts.get(m.group(1) or m.group(2), m.group(0)), template) if "$" in template else template


@dataclass(frozen=True, slots=True)
class RegisterClass:
    """A class of registers.  Classes with one `bank` are views of the same storage.

    Register i of a class of pairs (`width` 2) is registers 2i and 2i+1 of its bank, in memory order.
    """

    name: str
    type: str
    count: int
    bank: str
    names: tuple[str, ...]  # how each is printed
    parts: tuple[tuple[str, tuple[str, ...]], ...] = ()  # how parts of each are printed: (name of the part, names)
    width: int = 1
    private: bool = False  # each activation of a function has its own

    def storage(self, index: int) -> tuple[tuple[str, int], ...]:
        """Return bank and index of each register that a register of the class consists of, in memory order."""
        first = index * self.width
        return tuple((self.bank, part) for part in range(first, first + self.width))


@dataclass(frozen=True, slots=True)
class Field:
    """One operand field of a recognised instruction, as the reports count it.

    `mode` is the addressing mode's report name, `type` the type letter of the datum, `value` what the variable of the
    pattern matched, `text` how it prints.
    """

    name: str
    mode: str
    type: str
    value: Any
    text: str


@dataclass(frozen=True, slots=True)
class Occupancy:
    """What an instruction keeps others from, in cycles, beside its latency.

    The next instruction begins `issue` cycles later at the earliest (None: as the machine does it), another one on the same
    `unit`, if it is on any, when the latency is over.  `taken`: cycles lost where it transfers control.  `each`: what every
    register of a list but the first adds to issue and latency.
    """

    issue: int | None = None
    unit: str = ""
    taken: int = 0
    each: int = 0


@dataclass(frozen=True)
class Timing:
    """How instructions follow each other.

    `overlap`: whether the next begins while results of the last are outstanding (a pipeline), otherwise it waits for the
    latency of the last.  Cycles are lost by transfers of control (`taken`, unless the instruction says otherwise; delay slots
    make use of them) and where moving the register window traps.  `basis`: what the numbers rest on.  `latencies` by name
    and kind ('register', 'load', 'store', 'update') go before what the instructions themselves say.
    `stated`: whether the description has such a section.
    """

    overlap: bool = False
    taken: int = 0
    window_trap: int = 0
    basis: str = ""
    latencies: dict[str, dict[str, int]] = field(default_factory=dict)
    stated: bool = True

    def issue(self, latency: int) -> int:
        """Return the cycles until the next instruction begins, for one that says nothing of them."""
        return 1 if self.overlap else latency


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """The semantic record of one legal instruction: all that is known about it beside its effects.

    `name` is the report name; `size` in bytes, `latency` in cycles, `slots` the number of delay slots.  `clobbers` are
    registers that the instruction changes without stating how.  `reach` bounds the distance in bytes to `label`.
    The `load_slots` instructions that follow may not use the results, the `hold_slots` may not change the sources.
    `into` are the instructions that replace it, one right behind the other, when delay slots are filled.  What is not
    `counted` is part of another instruction: it refers to memory and has a size, but is none that was executed.
    `occupancy`: what else is known of the cycles that it takes.
    """

    name: str
    size: int
    latency: int
    fields: tuple[Field, ...]
    template: str
    clobbers: tuple[Register, ...] = ()
    slots: int = 0
    reach: tuple[int, int] | None = None
    alternative: int = 0  # position in file order, for alternatives that differ in reach
    load_slots: int = 0
    hold_slots: int = 0
    into: tuple[tuple[Effect, ...], ...] = ()
    counted: bool = True
    occupancy: Occupancy = Occupancy()

    def assemble(self, label: Callable[[str], str]) -> str:
        """Return the assembly text; `label` says how a label of this function prints."""
        texts = {f.name: label(f.value) if isinstance(f.value, str) else f.text for f in self.fields}
        return fill(self.template, texts)

    @property
    def assembly(self) -> str:
        """The assembly text with labels as in RTL text."""
        return self.assemble(str)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a run's memory lies, in target addresses (bytes).

    Text begins at `text`, read-only and writable data follow, the heap grows from there.  The stack is the `stack_size`
    bytes below `stack_top`; the calling convention says from which end it grows.  Nothing else is mapped.
    """

    text: int
    stack_top: int
    stack_size: int
    heap_limit: int
    page: int = 4096
    reserve: int = 0  # at the start, between the stack pointer and the arguments of the program

    @property
    def stack_low(self) -> int:
        """The lowest address of the stack."""
        return self.stack_top - self.stack_size


# Who saves registers across calls: those that the function called sets, those that the caller has values in, or either.
METHODS = ("callee", "callee-flow", "caller", "caller-flow", "hybrid", "hybrid-flow")


@dataclass(frozen=True)
class Windows:
    """Register windows: `count` of them, one kept free, so that of each chain of calls all but one are in registers.

    `enter` puts registers away in private ones and moves those that callers see to where the function sees them; `leave`
    does the opposite.  A window is stored at its stack pointer when none is free: there must be room (`reserved`).
    Entering preserves the registers `kept`; `inside` tells where a function sees what its caller has in a register.
    """

    count: int
    enter: tuple[Effect, ...]
    leave: tuple[Effect, ...]
    kept: tuple[Register, ...]
    inside: dict[Register, Register]


@dataclass(frozen=True)
class HiddenResult:
    """How functions are called whose result is in memory, at an address that the caller passes.

    `place` is where that travels: in a register, in a cell so many bytes from the caller's stack pointer before the call, or
    (None) as the first argument.  `call` and `return_` are the effects, over the variables `f`, `result` (the address) and
    `bytes` (the size of the result); such a call pushes `pushed` bytes.  `passed`: it puts the address in its place itself.
    """

    place: Register | int | None = None
    call: tuple[Effect, ...] = ()
    return_: tuple[Effect, ...] = ()
    pushed: int = 0
    passed: bool = False

    @property
    def register(self) -> Register | None:
        """The register in which the address travels, if it does."""
        return self.place if isinstance(self.place, Register) else None

    @property
    def cell(self) -> int | None:
        """The offset from the stack pointer of the cell in which the address travels, if it does."""
        return None if isinstance(self.place, Register) else self.place


@dataclass(frozen=True)
class Convention:
    """How functions call each other.

    `arguments` and `results` map a kind ('integer', 'address', 'float') to the registers that carry such values, in
    order.  `call` and `return_` are the effects of a call to the variable `f` and of a return.  `word` is the size in
    bytes of a stack argument's cell, `first_argument` the distance of the first from the stack pointer before the
    call, `pushed` what the call instruction pushes (below 0 if it moves the stack pointer upwards).  `link` is the
    register that holds the return address, if any.  `save` is one of METHODS, `save_with` how registers get to memory and
    back, `enter` what every function begins with if that is by a mask.
    Distances from the stack pointer count against the direction in which the stack grows: towards the caller's frame.
    Every frame leaves the `reserved` bytes next to the stack pointer alone.  `start_arguments` are the registers in which
    the system hands over argc and argv.  With `positional`, floating arguments use up integer registers.
    `aggregate_side` says where an aggregate lies in a word that it does not fill.  `hidden` is about results in memory.
    """

    arguments: dict[str, tuple[Register, ...]]
    results: dict[str, tuple[Register, ...]]
    scratch: frozenset[Register]
    saved: tuple[Register, ...]
    link: Register | None
    call: tuple[Effect, ...]
    return_: tuple[Effect, ...]
    word: int
    stack_align: int
    first_argument: int = 0
    pushed: int = 0
    aggregates: str = "reference"
    aggregate_words: int = 0
    aggregate_result_words: int = 0
    aggregate_result_sizes: tuple[int, ...] = ()
    aggregate_members: dict[str, int] = field(default_factory=dict)
    aggregate_result_members: dict[str, int] = field(default_factory=dict)
    narrow_results: bool = False
    float_overflow: str = "words"
    variadic_registers: bool = False
    variadic_words: str = "none"
    leading_floats: bool = False
    align_pairs: str = "never"
    save: str = "callee"
    save_with: str = "block"
    enter: tuple[Effect, ...] = ()
    windows: Windows | None = None
    grows_up: bool = False
    reserved: int = 0
    positional: bool = False
    aggregate_side: str = "left"
    start_arguments: tuple[Register, ...] = ()
    hidden: HiddenResult = field(default_factory=HiddenResult)

    def offset(self, distance: int, size: int) -> int:
        """Return the offset from the stack pointer of `size` bytes at a distance from it."""
        return -(distance + size) if self.grows_up else distance

    def distance(self, offset: int, size: int) -> int:
        """Return how far from the stack pointer `size` bytes at an offset from it lie."""
        return -(offset + size) if self.grows_up else offset

    def step(self, offset: int, size: int, within: int) -> int:
        """Return where in a piece of the stack of `within` bytes `size` bytes lie, `offset` bytes after its first."""
        return within - offset - size if self.grows_up else offset

    def aligned(self, distance: int, size: int, align: int) -> int:
        """Return the least distance, not below this one, at which `size` bytes are aligned."""
        return -(-(distance + size) // align) * align - size if self.grows_up else -(-distance // align) * align

    def lead(self, size: int) -> int:
        """Return how many bytes of its first word lie in front of an aggregate."""
        right = self.aggregate_side == "right" or (self.aggregate_side == "short-right" and size < self.word)
        return -size % self.word if right else 0

    @property
    def below(self) -> int:
        """How many bytes below the stack pointer a function finds its return address in."""
        return max(0, -self.pushed)

    @property
    def caller_saves(self) -> bool:
        """Whether callers save registers that calls do not preserve, to keep values in them."""
        return not self.save.startswith("callee")

    @property
    def by_flow(self) -> bool:
        """Whether saves and restores are placed by data-flow analysis."""
        return self.save.endswith("-flow")


@dataclass(eq=False)
class Machine:
    """A target machine.  `fingerprint` identifies everything in its description (for caches)."""

    name: str
    description: str
    big_endian: bool
    address_type: str
    classes: dict[str, RegisterClass]
    stack_pointer: Register
    zero: frozenset[Register]
    allocable: dict[str, tuple[Register, ...]]
    model: DataModel
    layout: Layout
    convention: Convention
    syscalls: dict[int, str]
    half_bits: int
    half_signed: bool
    fingerprint: str
    recognizer: Callable[[tuple[Effect, ...]], Record | None]
    misaligned: bool = True  # whether misaligned accesses work
    delays: frozenset[str] = frozenset()  # what instructions say of their delay slots: DS=always, taken, never
    pop: tuple[Effect, ...] = ()  # if a register is the top of a stack: drops its value, as in f[0]=f[1]
    stacks: tuple[tuple[Register, ...], ...] = ()  # registers that form evaluation stacks, from the top down
    timing: Timing = field(default_factory=Timing)
    options: dict[str, Any] = field(default_factory=dict)
    _records: dict[tuple[Effect, ...], Record | None] = field(default_factory=dict)

    def window_move(self, effects: tuple[Effect, ...]) -> str:
        """Return whether an RTL begins a window ('enter') or ends one ('leave'), else ''."""
        windows = self.convention.windows
        if windows is None or len(effects) < len(windows.leave):
            return ""
        for effect in effects:
            if isinstance(effect, Set):
                if self.is_private(effect.target):
                    return "enter"
                if self.is_private(effect.source):
                    return "leave"
        return ""

    def private_registers(self) -> list[tuple[str, int]]:
        """Return (bank, index) of the registers of which each activation has its own."""
        banks = [cls for cls in self.classes.values() if cls.private and cls.bank == cls.name]
        return [(cls.name, index) for cls in banks for index in range(cls.count)]

    def is_private(self, node: object) -> bool:
        """Whether a node is a register of which each activation has its own."""
        return type(node) is Register and node.cls in self.classes and self.classes[node.cls].private

    @property
    def cells(self) -> dict[str, str]:
        """Register classes and their types, as RTL text needs them."""
        return {name: cls.type for name, cls in self.classes.items()}

    def storage(self, register: Register) -> tuple[tuple[str, int], ...]:
        """Return bank and index of each register that a hard register consists of, in memory order."""
        return self.classes[register.cls].storage(register.index)

    def allocable_in(self, name: str) -> tuple[Register, ...]:
        """Return the registers of a class that consist of allocable ones, most welcome first."""
        cls = self.classes[name]
        indices = [r.index for r in self.allocable.get(cls.bank, ())]
        if cls.width > 1:
            whole = set(indices)
            firsts = [i for i in indices if i % cls.width == 0 and whole.issuperset(range(i, i + cls.width))]
            indices = [i // cls.width for i in firsts]
        return tuple(Register(name, i, cls.type) for i in indices if i < cls.count)

    def recognize(self, effects: tuple[Effect, ...]) -> Record | None:
        """Return the semantic record of an RTL with these effects, or None if the machine has no such instruction.

        In SSA form an instruction may set another version of the register that it must read (`tie`).
        """
        try:
            return self._records[effects]
        except KeyError:
            record = self.recognizer(effects)
            if record is None and (tied := tie(effects)) is not effects:
                record = self.recognizer(tied)
            self._records[effects] = record
            return record

    def must_tie(self, effects: tuple[Effect, ...]) -> bool:
        """Whether effects are an instruction only if versions of one register are the same one (`tie`)."""
        return tie(effects) is not effects and self.recognizer(effects) is None

    def is_legal(self, effects: tuple[Effect, ...]) -> bool:
        """Whether the effects are one legal instruction."""
        return self.recognize(effects) is not None

    def record(self, rtl: Rtl) -> Record:
        """Return the record of a legal RTL.

        Raises IllegalRtl if it is not legal.
        """
        if rtl.record is None:
            rtl.record = self.recognize(rtl.effects)
            if rtl.record is None:
                raise IllegalRtl(f"not an instruction of {self.name}: {rtl!r}")
        record: Record = rtl.record
        return record

    def half(self, which: str, value: int) -> int:
        """Return the HI or LO part of a number, as this machine splits constants."""
        bits = BITS[self.address_type]
        low = value & ((1 << self.half_bits) - 1)
        if self.half_signed:
            low = wrap(low, self.half_bits)
        return low if which == "LO" else wrap(value - low, bits)


class IllegalRtl(Exception):
    """An RTL that is no instruction of the machine."""
