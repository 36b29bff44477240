"""All that may be asked of a target machine: what its description says, and which RTLs are its instructions.

`vpo.machines.read.load` builds a Machine from a description; nothing here or beyond knows any machine's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from vpo.algebra import binary, on_part, set_, wrap
from vpo.il.data_model import DataModel
from vpo.machines.calling_convention import Context, Convention, context_of
from vpo.machines.capabilities import Capabilities
from vpo.machines.match.instantiation import Instance
from vpo.machines.match.meaning import Meaning
from vpo.machines.match.meanings import Double, Meanings
from vpo.machines.match.permutations import Permutations, find_permutations, find_rotations
from vpo.machines.match.recognizer import Match, Recognizer
from vpo.machines.match.record import Record
from vpo.machines.match.short_forms import short_registers
from vpo.machines.match.source_shapes import SourceShapes
from vpo.machines.read.expansion import Expansion
from vpo.machines.target import AssemblySyntax, Halves, Layout, RegisterClass, Timing, Toolchain, Values
from vpo.rtl import (
    BITS,
    COUNTS,
    INTEGER_TYPES,
    REVERSALS,
    Const,
    Effect,
    Expr,
    Half,
    Mem,
    Op,
    Register,
    Rtl,
    Set,
    subexpressions,
    tie,
)  # fmt: skip

Effects = tuple[Effect, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Machine:
    """A target machine.

    `fingerprint` identifies everything in its description (for caches), `basis` what concerns no single instruction.
    `pop` drops the value on top of a stack of registers, as in f[0]=f[1], `stacks` are the registers that form such stacks,
    from the top down.  `start` are the RTLs of the start-up code.  `misaligned` tells whether misaligned accesses work.
    `distances` are the types whose shifts take a distance that does not count modulo the width.

    Whether an RTL is legal is a question apart from its record, which is built when somebody asks for it.
    """

    name: str
    description: str
    file: str = ""  # that holds the description, if one does
    manual: str = ""  # what the description rests on
    big_endian: bool
    address_type: str
    classes: dict[str, RegisterClass]
    stack_pointer: Register
    zero: frozenset[Register]
    allocable: dict[str, tuple[Register, ...]]
    values: Values
    model: DataModel
    layout: Layout
    convention: Convention
    syscalls: dict[int, str]
    halves: Halves
    fingerprint: str
    recognizer: Recognizer  # for this package and what shows or checks descriptions; phases ask the machine
    basis: str = ""
    capabilities: Capabilities = field(default_factory=Capabilities)
    expansions: tuple[Expansion, ...] = ()
    misaligned: bool = True
    distances: frozenset[str] = frozenset()
    pop: Effects = ()
    stacks: tuple[tuple[Register, ...], ...] = ()
    timing: Timing = field(default_factory=Timing)
    syntax: AssemblySyntax = field(default_factory=AssemblySyntax)
    toolchain: Toolchain = field(default_factory=Toolchain)
    start: tuple[Effects, ...] = ()
    _matches: dict[Effects, Match | None] = field(default_factory=dict, init=False, repr=False)
    _records: dict[Effects, Record | None] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def context(self) -> Context:
        """The layout of a `jmp_buf`."""
        return context_of(self.convention, self.stack_pointer, self.address_type)

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

    def window_stores(self, effects: tuple[Effect, ...]) -> tuple[Set, ...]:
        """Return what stores the window that an RTL puts away, where it has its place: from the stack pointer upwards."""
        if self.window_move(effects) != "enter":
            return ()
        stored: list[Set] = []
        distance = 0
        for effect in effects:
            if isinstance(effect, Set) and self.is_private(effect.target) and isinstance(effect.source, Register):
                cell = Mem(effect.source.type, binary("+", self.stack_pointer, Const(distance)))
                stored.append(Set(cell, effect.source))
                distance += BITS[cell.type] // 8
        return tuple(stored)

    def private_registers(self) -> list[tuple[str, int]]:
        """Return (bank, index) of the registers of which each activation has its own."""
        banks = [cls for cls in self.classes.values() if cls.private and cls.bank == cls.name]
        return [(cls.name, index) for cls in banks for index in range(cls.count)]

    def is_private(self, node: object) -> bool:
        """Whether a node is a register of which each activation has its own."""
        return type(node) is Register and node.cls in self.classes and self.classes[node.cls].private

    @property
    def literal_size(self) -> int:
        """The size of a word in a literal pool, in bytes."""
        return BITS[self.address_type] // 8

    @property
    def literal_alignment(self) -> int:
        """The number of bytes of which the address of a word in a literal pool is a multiple."""
        return min(self.literal_size, self.model.aligns["pointer"])

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

    def has_allocable(self, name: str) -> bool:
        """Whether a class has registers for values."""
        return bool(self.allocable_in(name))

    def has_room(self, bank: str, number: int, surviving: bool) -> bool:
        """Whether so many registers of a bank are for values: of those that survive calls, or of all."""
        registers, scratch = self.allocable.get(bank, ()), self.convention.scratch
        return len([r for r in registers if not (surviving and r in scratch)]) >= number

    def role(self, register: Register) -> tuple[bool, bool]:
        """Whether a hard register is for values, and whether calls may change it."""
        return register in self.allocable.get(self.classes[register.cls].bank, ()), register in self.convention.scratch

    @cached_property
    def numbered(self) -> tuple[tuple[Register, ...], tuple[Register, ...]]:
        """The registers that calls may change, in order, and those that no value is kept in, such as control registers.

        The latter are state that outlives functions.
        """
        scratch = tuple(sorted(self.convention.scratch, key=lambda r: (r.cls, r.index)))
        values = {self.stack_pointer}.union(*self.allocable.values(), scratch, self.zero)
        banks = [c for c in self.classes.values() if c.bank == c.name and not c.private]
        registers = (Register(c.name, i, c.type) for c in banks for i in range(c.count))
        return scratch, tuple(r for r in registers if r not in values)

    def _match(self, effects: Effects) -> Match | None:
        try:
            return self._matches[effects]
        except KeyError:
            match = self.recognizer.match(effects)
            if match is None and (tied := tie(effects)) is not effects:
                match = self.recognizer.match(tied)
            self._matches[effects] = match
            return match

    def forget_matches(self) -> None:
        """Forget what is remembered of RTLs, which is found again when it is wanted."""
        self._matches.clear()
        self._records.clear()
        self.recognizer.forget_matches()

    def must_tie(self, effects: Effects) -> bool:
        """Whether effects are an instruction only if versions of one register are the same one (`tie`)."""
        return tie(effects) is not effects and self.recognizer.match(effects) is None

    def is_legal(self, effects: Effects) -> bool:
        """Whether the effects are one legal instruction; builds no record.

        In SSA form an instruction may set another version of the register that it must read (`tie`).
        """
        try:
            return self._matches[effects] is not None
        except KeyError:
            return self._match(effects) is not None

    @cached_property
    def short_registers(self) -> dict[str, frozenset[int]]:
        """By bank, the registers with which more instructions are short than with others."""
        return short_registers(self.recognizer, self.classes, self.allocable)

    @cached_property
    def _source_shapes(self) -> SourceShapes:
        return SourceShapes(self.recognizer.alternatives, self.recognizer.operands)

    def may_compute(self, value: Expr) -> bool:
        """Whether one instruction may compute a value in some notation of it: asked before each is; no is certain."""
        return self._source_shapes.may_be(value)

    def clobbers(self, effects: Effects) -> tuple[Register, ...]:
        """Return the registers that an RTL changes without stating how, () also if it is not legal; builds no record."""
        try:
            match = self._matches[effects]
        except KeyError:
            match = self._match(effects)
        return () if match is None else match.alternative.clobbers

    def may_clobber(self, effects: Effects) -> tuple[Register, ...]:
        """Return what `clobbers` would, whichever operands share the register that is set once SSA form is left."""
        found = list(self.clobbers(effects))
        for number, effect in enumerate(effects):
            if isinstance(effect, Set) and isinstance(effect.target, Register):
                same = (Set(operand, effect.source) for operand in effect.uses if operand.cls == effect.target.cls)
                found += [r for one in same for r in self.clobbers((*effects[:number], one, *effects[number + 1 :]))]
        return tuple(dict.fromkeys(found))

    def recognize(self, effects: Effects) -> Record | None:
        """Return the semantic record of an RTL with these effects, or None if the machine has no such instruction."""
        try:
            return self._records[effects]
        except KeyError:
            match = self._match(effects)
            record = self._records[effects] = None if match is None else self.recognizer.record(match)
            return record

    def latency(self, effects: Effects) -> int:
        """Return how many cycles a legal instruction takes: a question apart from the rest of its record."""
        record = self.recognize(effects)
        assert record is not None
        return record.latency

    def forms_of(self, effects: Effects) -> list[Record]:
        """Return the records of all alternatives that an RTL can be written as, in the order of the description."""
        return [self.recognizer.record(match) for match in self.recognizer.all_matches(effects)]

    def instantiate(self, pattern: Effects, bindings: Mapping[str, Expr], fresh: Callable[[str, str], Register]) -> Effects:
        """Return a pattern of the calling convention with nodes for its variables.

        `fresh(class, type)` hands out a register for each variable without a node.
        """
        instance = Instance(dict(bindings), fresh, self.half)
        return tuple(instance.effect(effect) for effect in pattern)

    def reaches_slot(self, distance: int) -> bool:
        """Whether an instruction can address a slot of the frame so far from the stack pointer, in bytes."""
        return distance <= self._slot_reach

    @cached_property
    def _slot_reach(self) -> int:
        forms = [f for forms in self.recognizer.operands.values() for f in forms if f.slots and f.pattern is None]
        return max((-form.low if self.convention.grows_up else form.high for form in forms), default=1 << 30)

    @cached_property
    def bit_permutations(self) -> Permutations:
        """What instructions make of one register by moving its bits."""
        registers = [Register(name, 0, cls.type, True) for name, cls in self.classes.items() if cls.type in INTEGER_TYPES]
        rotations = find_rotations(registers, self.is_legal)
        return {**rotations, **find_permutations(self.recognizer.alternatives, self.half)}

    @cached_property
    def bit_operators(self) -> frozenset[tuple[str, int]]:
        """The operators that count and reverse bits of one operand and are one instruction, with the bytes of the operand."""
        name = self.values.integer
        target, source = (Register(name, index, self.classes[name].type, True) for index in (-1, -2))
        return frozenset(
            (op, BITS[type_] // 8)
            for op in (*COUNTS, *REVERSALS)
            for type_ in INTEGER_TYPES
            if BITS[type_] <= BITS[source.type]
            for operand in (source, target)
            if any(self.is_legal((set_(target, value),)) for value in on_part(op, type_, operand))
        )

    @property
    def meanings(self) -> Meanings:
        """What instructions compute, to be looked for by what it means."""
        return self.recognizer.meanings

    @property
    def conditions(self) -> Meanings:
        """What branches decide by, to be looked for by what it means."""
        return self.recognizer.conditions

    @property
    def compared(self) -> Meanings:
        """What instructions compute that set a condition code, to be looked for by what it means."""
        return self.recognizer.compared

    @property
    def addresses(self) -> Meanings:
        """How instructions compute the addresses of cells, to be looked for by what it means."""
        return self.recognizer.addresses

    @property
    def in_cells(self) -> Meanings:
        """What instructions compute of a cell of memory, to be looked for by what it means."""
        return self.recognizer.in_cells

    @property
    def read_addresses(self) -> Meanings:
        """How instructions that compute of a cell compute its address, where no load does so."""
        return self.recognizer.read_addresses

    @property
    def doubles(self) -> Mapping[Meaning, Double]:
        """What instructions with two results compute, where no instruction computes one of them, by that one."""
        return self.recognizer.doubles

    @property
    def double_meanings(self) -> Meanings:
        """Those of these results, to be looked for by what they mean."""
        return self.recognizer.double_meanings

    @cached_property
    def bit_functions(self) -> tuple[Meaning, ...]:
        """What instructions compute of one register by operators that count or reverse bits, and others."""
        names = {*COUNTS, *REVERSALS}
        found = [one for one in self.meanings.all if not one.numbers and any(leaf.cls == one.target for leaf in one.leaves)]
        found = [one for one in found if any(isinstance(n, Op) and n.op in names for n in subexpressions(one.source))]
        two = [(one, *one.leaves) for one in found if len(one.leaves) == 2]  # of one register in two places
        found += [one.with_equal(a, b) for one, a, b in two if (a.cls, a.type) == (b.cls, b.type)]
        return tuple(one for one in found if len(one.leaves) == 1)

    @property
    def searched(self) -> tuple[Meanings, ...]:
        """All that instructions are looked for by what it means."""
        return self.meanings, self.conditions, self.addresses, self.compared

    @property
    def sought(self) -> tuple[Meanings, ...]:
        """What phases look for by what it means: where others look at notations, what these miss.

        On machines with condition codes, no other phase makes branches that compare.
        """
        conditions = self.conditions if any(cls.type == "C" for cls in self.classes.values()) else self.conditions.hidden
        return self.meanings, conditions, self.addresses.hidden, self.compared.hidden, self.in_cells, self.read_addresses

    def record(self, rtl: Rtl) -> Record:
        """Return the record of a legal RTL.

        Raises IllegalRtl if it is not legal.
        """
        if rtl.record is None:
            rtl.record = self.recognize(rtl.effects)
            if rtl.form and (forms := self.forms_of(rtl.effects)):
                rtl.record = forms[min(rtl.form, len(forms) - 1)]
            if rtl.record is None:
                raise IllegalRtl(f"not an instruction of {self.name}: {rtl!r}")
        record: Record = rtl.record
        return record

    def reach(self, rtl: Rtl) -> tuple[int, int] | None:
        """Return the distances between which a legal RTL reaches a label: a question apart from the rest of its record."""
        return self.record(rtl).reach

    def reaches(self, rtl: Rtl, distance: int) -> bool:
        """Whether a legal RTL reaches a label so many bytes away."""
        reach = self.record(rtl).reach
        return reach is None or reach[0] <= distance <= reach[1]

    def half(self, which: str, value: int) -> int:
        """Return the HI or LO part of a number, as this machine splits constants, or other parts of its bits."""
        if (part := Half(which, Const(value)).part) is not None:
            return value >> part[0] & ((1 << part[1]) - 1)
        bits = BITS[self.address_type]
        low = value & ((1 << self.halves.low) - 1)
        if self.halves.signed:
            low = wrap(low, self.halves.low)
        return low if which == "LO" else wrap(value - low, bits)


class IllegalRtl(Exception):
    """An RTL that is no instruction of the machine."""
