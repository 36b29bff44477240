"""What compiling asks a machine: code can only change where an answer does.

A compilation asks whether RTLs are instructions, what their records say, which instructions compute a value that is sought by
its meaning, and a few facts about all instructions.  An `AskedMachine` notes each question; asked again of another machine,
the questions tell whether the same code would come of it (early cut-off, as in Mokhov, Mitchell and Peyton Jones, "Build
systems à la carte", ICFP 2018).  Questions are kept with registers numbered anew, since no answer depends on the number of a
pseudo-register: many RTLs share one.

What else there is of a machine is its `basis`: the sections of its description that say nothing of single instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from vpo.machines.calling_convention import Convention
from vpo.machines.machine import Effects, Machine
from vpo.machines.match.meaning import Meaning, Sought
from vpo.machines.match.meanings import Meanings
from vpo.machines.match.outlines import Difference, Form, forms
from vpo.machines.match.record import Record
from vpo.rtl import Const, Delay, Effect, Expr, Half, Mem, Node, Op, Register, Rtl, Set, Slot
from vpo.rtl.function import FAR

Question = tuple[str, Any]  # its kind, one of ANSWERS, and what it is about
Answer = Any  # plain data and registers, to be compared
CAN = "capabilities."
CALLS = "calls."
MOST = 50_000  # questions whose shapes are remembered: functions ask the same ones
LEGAL, RECORD, FORMS, TIED, COMPUTED, SOUGHT, FACT = "legal", "record", "forms", "tied", "computed", "sought", "fact"
LATENCY, REACH, NEAR, REACHED = "latency", "reach", "near", "reached"  # of an instruction; at a distance; a slot of the frame
ROLE, ROOM, ALLOCABLE, HAS_ALLOCABLE = "role", "room", "allocable", "has allocable"  # of registers
UNSHAPED = frozenset([FACT, SOUGHT, REACHED, ROLE, ROOM, ALLOCABLE, HAS_ALLOCABLE])
OF_EFFECTS = frozenset([LEGAL, RECORD, LATENCY, REACH, FORMS, TIED])  # of an RTL
# names for what is in `Machine.sought`; no attributes, since who reads all of one depends on all of a description
MEANINGS = (
    "sought values",
    "sought conditions",
    "sought addresses",
    "sought comparisons",
    "sought of cells",
    "sought addresses of cells",
)
MOST_OF = "registers of "  # what is sought
SYMBOLS_IN = "symbols in "
STORED_ALONE = "stored alone in "


class _AskedCapabilities:
    """The capabilities of a machine, each of which is a fact of its own."""

    def __init__(self, machine: AskedMachine) -> None:
        self.machine = machine

    def __getattr__(self, name: str) -> Any:
        self.machine.notes.append((FACT, f"{CAN}{name}"))
        return getattr(self.machine.base.capabilities, name)


class _AskedConvention(Convention):
    """A calling convention; which registers it saves, and which not, are facts of their own."""

    def __init__(self, machine: AskedMachine) -> None:
        own = vars(self)
        own.update(vars(machine.base.convention), machine=machine)
        del own["saved"], own["scratch"]

    def __getattr__(self, name: str) -> Any:
        convention = self.machine.base.convention
        if name in ("saved", "scratch"):
            self.machine.notes.append((FACT, f"{CALLS}{name}"))
        return getattr(convention, name)


class _Fact:
    """A fact about all instructions: an attribute of a machine that notes when it is read."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, machine: AskedMachine | None, owner: type) -> Any:
        if machine is None:
            return self
        machine.notes.append((FACT, self.name))
        return getattr(machine.base, self.name)


class _AskedMeanings(Meanings):
    """What instructions of a machine compute, which notes what is sought among them."""

    def __init__(self, machine: AskedMachine, name: str) -> None:
        self.machine, self.name = machine, name

    def likely(self, sought: Sought, half: Callable[[str, int], int]) -> list[Expr]:
        """Return what instructions compute that has a value on all samples, as expressions of its leaves."""
        self.machine.notes.append((SOUGHT, (self.name, sought)))
        return _sought_in(self.machine.base, self.name).likely(sought, half)

    @property
    def exist(self) -> bool:
        """Whether there are any."""
        self.machine.notes.append((FACT, self.name))
        return _sought_in(self.machine.base, self.name).exist

    @property
    def most(self) -> int:
        """How many registers they may be of."""
        self.machine.notes.append((FACT, f"{MOST_OF}{self.name}"))
        return _sought_in(self.machine.base, self.name).most

    @property
    def has_stores_alone(self) -> bool:
        """Whether some store what they compute of registers only."""
        self.machine.notes.append((FACT, f"{STORED_ALONE}{self.name}"))
        return _sought_in(self.machine.base, self.name).has_stores_alone

    @property
    def has_symbols(self) -> bool:
        """Whether some compute with addresses that a program names."""
        self.machine.notes.append((FACT, f"{SYMBOLS_IN}{self.name}"))
        return _sought_in(self.machine.base, self.name).has_symbols


class AskedMachine(Machine):
    """A machine that notes in `notes` what it is asked, in order; what is known of RTLs it shares with its `base`.

    What phases and the expander remember of a machine (`vpo.base.kept`) is not shared: that somebody asked before is no
    reason not to note a question.
    """

    base: Machine
    notes: list[Question]

    def __init__(self, base: Machine) -> None:
        own = vars(self)
        own.update((field.name, vars(base)[field.name]) for field in fields(Machine) if field.name not in FACTS)
        own.update(base=base, notes=[], capabilities=_AskedCapabilities(self))
        own["convention"] = _AskedConvention(self)

    def forget(self) -> None:
        """Forget what is remembered of answers (`vpo.base.kept`), so that who wants it next asks, and notes it."""
        own = vars(self)
        for name in [name for name in own if "." in name]:
            del own[name]

    def is_legal(self, effects: Effects) -> bool:
        """Whether the effects are one legal instruction."""
        self.notes.append((LEGAL, effects))
        return self.base.is_legal(effects)

    def clobbers(self, effects: Effects) -> tuple[Register, ...]:
        """Return the registers that an RTL changes without stating how."""
        self.notes.append((LEGAL, effects))
        return self.base.clobbers(effects)

    def recognize(self, effects: Effects) -> Record | None:
        """Return the semantic record of an RTL with these effects."""
        self.notes.append((RECORD, effects))
        return self.base.recognize(effects)

    def record(self, rtl: Rtl) -> Record:
        """Return the record of a legal RTL.

        Raises IllegalRtl if it is not legal.
        """
        self.notes.append((FORMS if rtl.form else RECORD, rtl.effects))
        return self.base.record(rtl)

    def latency(self, effects: Effects) -> int:
        """Return how many cycles a legal instruction takes."""
        self.notes.append((LATENCY, effects))
        return self.base.latency(effects)

    def reach(self, rtl: Rtl) -> tuple[int, int] | None:
        """Return the distances between which a legal RTL reaches a label."""
        self.notes.append((FORMS if rtl.form else REACH, rtl.effects))
        return self.base.reach(rtl)

    def reaches(self, rtl: Rtl, distance: int) -> bool:
        """Whether a legal RTL reaches a label so many bytes away."""
        self.notes.append((FORMS, rtl.effects) if rtl.form else (NEAR, (rtl.effects, distance)))
        return self.base.reaches(rtl, distance)

    def forms_of(self, effects: Effects) -> list[Record]:
        """Return the records of all alternatives that an RTL can be written as."""
        self.notes.append((FORMS, effects))
        return self.base.forms_of(effects)

    def must_tie(self, effects: Effects) -> bool:
        """Whether effects are an instruction only if versions of one register are the same one."""
        self.notes.append((TIED, effects))
        return self.base.must_tie(effects)

    def allocable_in(self, name: str) -> tuple[Register, ...]:
        """Return the registers of a class that consist of allocable ones, most welcome first."""
        self.notes.append((ALLOCABLE, name))
        return self.base.allocable_in(name)

    def has_allocable(self, name: str) -> bool:
        """Whether a class has registers for values."""
        self.notes.append((HAS_ALLOCABLE, name))
        return self.base.has_allocable(name)

    def has_room(self, bank: str, number: int, surviving: bool) -> bool:
        """Whether so many registers of a bank are for values: of those that survive calls, or of all."""
        self.notes.append((ROOM, (bank, number, surviving)))
        return self.base.has_room(bank, number, surviving)

    def role(self, register: Register) -> tuple[bool, bool]:
        """Whether a hard register is for values, and whether calls may change it."""
        self.notes.append((ROLE, register))
        return self.base.role(register)

    @property
    def numbered(self) -> tuple[tuple[Register, ...], tuple[Register, ...]]:
        """The registers that have numbers before a function names any, which is no question.

        Those that it names it asks for their roles, and their order is the same whichever others there are.
        """
        return self.base.numbered

    @property
    def sought(self) -> tuple[Meanings, ...]:
        """What phases look for by what it means."""
        return tuple(_AskedMeanings(self, name) for name in MEANINGS)

    def reaches_slot(self, distance: int) -> bool:
        """Whether an instruction can address a slot of the frame so far from the stack pointer, in bytes."""
        self.notes.append((REACHED, distance))
        return self.base.reaches_slot(distance)

    def may_compute(self, value: Expr) -> bool:
        """Whether one instruction may compute a value in some notation of it."""
        self.notes.append((COMPUTED, value))
        return self.base.may_compute(value)


def _code_of(record: Record) -> Answer:
    """Return of a record what the code depends on: not how it is named, printed and counted; nor its latency and reach."""
    return (
        record.size, record.clobbers, record.slots, record.load_slots, record.hold_slots,
        record.into, record.fetched, record.if_dead, record.slot,
    )  # fmt: skip


def _legal(machine: Machine, effects: Effects) -> Answer:
    return machine.clobbers(effects) if machine.is_legal(effects) else None


def _record(machine: Machine, effects: Effects) -> Answer:
    record = machine.recognize(effects)
    return record and _code_of(record)


def _latency(machine: Machine, effects: Effects) -> Answer:
    return machine.latency(effects) if machine.is_legal(effects) else None


def _reach(machine: Machine, effects: Effects) -> Answer:
    record = machine.recognize(effects)
    return record and record.reach


def _near(machine: Machine, effects: Effects, distance: int) -> Answer:
    return machine.is_legal(effects) and machine.reaches(Rtl(effects), distance)


ANSWERS: dict[str, Callable[[Machine, Any], Answer]] = {
    LEGAL: _legal,
    RECORD: _record,
    LATENCY: _latency,
    REACH: _reach,
    NEAR: lambda machine, about: _near(machine, *about),
    FORMS: lambda machine, effects: [(_code_of(record), record.reach) for record in machine.forms_of(effects)],
    TIED: lambda machine, effects: machine.must_tie(effects),
    COMPUTED: lambda machine, value: machine.may_compute(value),
    SOUGHT: lambda machine, about: _sought_in(machine, about[0]).likely(about[1], machine.half),
    REACHED: lambda machine, distance: machine.reaches_slot(distance),
    ROLE: lambda machine, register: machine.role(register),
    ROOM: lambda machine, about: machine.has_room(*about),
    ALLOCABLE: lambda machine, name: machine.allocable_in(name),
    HAS_ALLOCABLE: lambda machine, name: machine.has_allocable(name),
    FACT: lambda machine, name: _fact(machine, name),
}


def answer(machine: Machine, question: Question) -> Answer:
    """Return what a machine says to a question, in a form that can be kept and compared."""
    kind, about = question
    return ANSWERS[kind](machine, about)


# ----------------------------------------------------------------------------------------------------------------------
# Questions of one shape: pseudo-registers, their versions and slots are named in the order in which they are met.


class Shapes:
    """Gives questions of one shape the same form; no answer depends on what is left out."""

    def __init__(self) -> None:
        self.known: dict[Question, Question] = {}

    def of(self, question: Question) -> Question:
        """Return the form of a question that all of its shape have."""
        found = self.known.get(question)
        if found is None:
            kind, about = question
            if kind in UNSHAPED:
                found = question
            else:
                names = _Names()
                found = kind, (names.node(about) if kind == COMPUTED else names.effects(about))
            if len(self.known) == MOST:
                self.known.clear()
            self.known[question] = found
        return found


class _Names:
    """Names of what stands in one question."""

    def __init__(self) -> None:
        self.registers: dict[tuple[str, int], int] = {}
        self.versions: dict[Register, int] = {}
        self.slots: dict[str, str] = {}

    def effects(self, effects: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return effects, perhaps with a distance."""
        if effects and type(effects[0]) is tuple:
            return self.effects(effects[0]), *effects[1:]
        return tuple(map(self.effect, effects))

    def effect(self, effect: Effect) -> Effect:
        if type(effect) is Set:
            return Set(self.node(effect.target), self.node(effect.source))
        if type(effect) is Delay:
            return effect
        make, parts = effect.__reduce__()
        renamed: Effect = make(*map(self.part, parts))
        return renamed

    def part(self, part: Any) -> Any:
        """Return a part of an effect: a node, a label, several of these."""
        if isinstance(part, Node):
            return self.node(part)
        if isinstance(part, tuple):
            return tuple(map(self.part, part))
        return "L" if isinstance(part, str) else part

    def node(self, node: Any) -> Any:
        kind = type(node)
        if kind is Register:
            return self.register(node) if node.pseudo else node
        if kind is Const:
            return node
        if kind is Op:
            args = [self.register(a) if type(a) is Register and a.pseudo else self.node(a) for a in node.args]
            return Op(node.op, node.type, *args)
        if kind is Mem:
            return Mem(node.type, self.node(node.address), node.volatile)
        if kind is Slot and not node.name.startswith(FAR):
            return Slot(self.slots.setdefault(node.name, f"s{len(self.slots)}"), node.offset)
        return Half(node.which, self.node(node.of)) if kind is Half else node

    def register(self, register: Register) -> Register:
        index = self.registers.setdefault((register.cls, register.index), len(self.registers))
        version = self.versions.setdefault(register, len(self.versions) + 1) if register.version else 0
        return Register(register.cls, index, register.type, True, version)


# ----------------------------------------------------------------------------------------------------------------------
# Facts: what is asked of all instructions together, as texts and numbers.


def _fact(machine: Machine, name: str) -> Answer:
    if name.startswith(CAN):
        return repr(getattr(machine.capabilities, name.removeprefix(CAN)))
    if name == f"{CALLS}scratch":
        return sorted(machine.convention.scratch, key=repr)
    if name == f"{CALLS}saved":
        return machine.convention.saved
    if name.startswith(MOST_OF):
        return _sought_in(machine, name.removeprefix(MOST_OF)).most
    if name.startswith(STORED_ALONE):
        return _sought_in(machine, name.removeprefix(STORED_ALONE)).has_stores_alone
    if name.startswith(SYMBOLS_IN):
        return _sought_in(machine, name.removeprefix(SYMBOLS_IN)).has_symbols
    return _sought_in(machine, name).exist if name in MEANINGS else FACTS[name](machine)


def _sought_in(machine: Machine, name: str) -> Meanings:
    return machine.sought[MEANINGS.index(name)]


def signature(meaning: Meaning) -> Answer:
    """Return what a search sees of an instruction."""
    forms = [(f.text, f.low, f.high, f.values, f.multiple, _condition(f.condition)) for f in meaning.forms]
    leaves = [(leaf.name, leaf.cls, leaf.type) for leaf in meaning.leaves]
    numbers = [variable.name for variable in meaning.numbers]
    return repr((meaning.source, meaning.target, meaning.type, meaning.plain, leaves, numbers, forms))


@dataclass(frozen=True, slots=True)
class Described:
    """What answers of a machine depend on: its forms, the classes of registers that step, what is sought among its forms.

    And how many registers its classes have.
    """

    forms: list[Form]
    steps: list[str]
    meanings: list[list[str]]
    counts: dict[str, int]


class SaidBefore:
    """What a machine is asked that another one has answered: what it says of itself, and what it need not be asked."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.forms = forms(machine.recognizer.alternatives, machine.recognizer.operands)
        self.steps = sorted(machine.recognizer.stepping)
        self.counts = {name: cls.count for name, cls in machine.classes.items()}

    @cached_property
    def meanings(self) -> list[list[str]]:
        """What a search sees of the instructions."""
        return [[*map(signature, each.all)] for each in self.machine.sought]

    @property
    def described(self) -> Described:
        """What answers depend on."""
        return Described(self.forms, self.steps, self.meanings, self.counts)


class Comparison:
    """What a machine says to what another one was asked, as far as that follows from how they differ."""

    def __init__(self, machine: SaidBefore, other: Described) -> None:
        self.machine, self.other = machine, other
        self.difference = Difference(other.forms, machine.forms, (other.steps, machine.steps))
        both = ((name, count, other.counts.get(name, 0)) for name, count in machine.counts.items())
        self.common = {name: min(one, two) for name, one, two in both if one != two}  # registers of both, if one has more

    @cached_property
    def searches(self) -> Searches:
        """What was sought."""
        return Searches(self.machine, self.other.meanings)

    def is_same(self, question: Question, answer: Answer) -> bool | None:
        """Whether a machine would answer as the other one did; None if it must be asked itself."""
        kind, about = question
        if kind in OF_EFFECTS or kind == NEAR:
            effects = about[0] if kind == NEAR else about
            return None if self.difference.concerns(effects) or self._has_others(effects) else True
        if kind in UNSHAPED and kind != SOUGHT:
            return None
        if self.difference.is_none:
            return True
        return self.searches.is_same(about, answer) if kind == SOUGHT else None

    def _has_others(self, effects: Effects) -> bool:
        """Whether effects are of a register that only one of the machines has."""
        common = self.common
        registers = (r for effect in effects for r in (*effect.uses, *effect.sets)) if common else ()
        return any(not r.pseudo and r.index >= common.get(r.cls, r.index + 1) for r in registers)


class Searches:
    """What a machine says to what was sought in another one: only instructions that this has not are asked about."""

    def __init__(self, machine: SaidBefore, other: Sequence[Sequence[str]]) -> None:
        self.half = machine.machine.half
        self.changes: dict[str, tuple[Meanings, bool, bool]] = {}
        sought = zip(machine.machine.sought, machine.meanings, strict=True)
        for name, (meanings, now), before in zip(MEANINGS, sought, other, strict=True):
            old, new = set(before), set(now)
            added = Meanings([each for each, own in zip(meanings.all, now, strict=True) if own not in old])
            in_order = [each for each in before if each in new] == [each for each in now if each in old]
            self.changes[name] = added, not old <= new, in_order

    def is_same(self, sought: tuple[str, Sought], answer: Sequence[Expr]) -> bool | None:
        """Whether a machine would answer as the other one did; None if it must be asked itself."""
        added, some_gone, in_order = self.changes[sought[0]]
        if not in_order or (some_gone and answer):
            return None
        return not added.exist or not added.likely(sought[1], self.half)


def _condition(condition: Any) -> Answer:
    return condition and (condition.code.co_code.hex(), repr(condition.code.co_consts), condition.given)


def _permutations(machine: Machine) -> Answer:
    wide = Register(machine.values.integer, 0, machine.classes[machine.values.integer].type, True)
    return [(moved, repr(written(wide))) for moved, written in machine.bit_permutations.items()]


# whoever looks at these may have seen all of a description: `fingerprint` is asked for instructions that programs call by name
EVERYTHING = ("fingerprint", "recognizer", "syntax", "toolchain", "start")


def _all(machine: Machine) -> Answer:
    return machine.fingerprint


def _doubles(machine: Machine) -> Answer:
    pairs = machine.doubles.values()
    return [(signature(each.hard), signature(each.easy), each.targets, each.hard_first) for each in pairs]


FACTS: dict[str, Callable[[Machine], Answer]] = {
    **dict.fromkeys(EVERYTHING, _all),
    "expansions": lambda machine: [(each.text, repr(each.into), _condition(each.condition)) for each in machine.expansions],
    "bit_operators": lambda machine: sorted(machine.bit_operators),
    "bit_functions": lambda machine: [*map(signature, machine.bit_functions)],
    "bit_permutations": _permutations,
    **dict.fromkeys(("doubles", "double_meanings"), _doubles),
    "short_registers": lambda machine: sorted((bank, sorted(best)) for bank, best in machine.short_registers.items()),
    "timing": lambda machine: machine.timing.taken,
    "allocable": lambda machine: [*machine.allocable.items()],
}
for _name in FACTS:
    setattr(AskedMachine, _name, _Fact(_name))
