"""Functions, basic blocks, frame slots and program units: data only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from itertools import accumulate
from typing import Any, get_args

from vpo import il
from vpo.rtl import NODES, Register, Rtl, Slot

# Slot kinds, in the order in which they lie above the stack pointer: outgoing arguments are plain offsets below them.
SLOT_KINDS = ("spill", "save", "local", "incoming")
FAR = ".far."  # slots whose name begins so are too far from the stack pointer for a displacement
STAGES = ("ssa", "pseudo", "allocated", "framed", "final")


@dataclass(eq=False, slots=True)
class FrameSlot:
    """`size` bytes of a function's frame.

    `offset` is the distance in bytes from the stack pointer once the frame is laid out; for an 'incoming' stack
    argument it is, before that, the distance from the stack pointer at entry, against the growth of the stack.
    """

    name: str
    kind: str
    size: int
    align: int
    offset: int | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return FrameSlot, (self.name, self.kind, self.size, self.align, self.offset)


@dataclass(eq=False, slots=True)
class Phi:
    """`target` takes the register that belongs to the predecessor, by label, from which control came.

    All phis of a block take effect at once.  Provenance is as in an RTL.
    """

    target: Register
    sources: dict[str, Register]
    lines: tuple[int, ...] = (0,)
    cause: str = "program"

    def __reduce__(self) -> tuple[Any, ...]:
        return Phi, (self.target, self.sources, self.lines, self.cause)

    def copy(self) -> Phi:
        """A new Phi with the same target, sources and provenance."""
        return replace(self, sources=dict(self.sources))


class Block:
    """A basic block: a label and the RTLs that run one after another; only the last may transfer control.

    In stage 'ssa' its phis come before the RTLs; in stage 'final' a delayed transfer or call is followed by the RTLs in
    its delay slots.
    """

    __slots__ = ("label", "phis", "rtls")

    def __init__(self, label: str, rtls: list[Rtl] | None = None, phis: list[Phi] | None = None) -> None:
        self.label = label
        self.rtls: list[Rtl] = [] if rtls is None else rtls
        self.phis: list[Phi] = [] if phis is None else phis

    def __reduce__(self) -> tuple[Any, ...]:
        return Block, (self.label, self.rtls, self.phis)

    def __repr__(self) -> str:
        return f"<Block {self.label}: {len(self.rtls)} RTLs>"


@dataclass(eq=False)
class Function:
    """One function in layout order.  `blocks[0]` is the entry; a block without a jump falls into the next.

    Stages: 'ssa' (each pseudo-register has one definition; blocks may have phis), 'pseudo' (pseudo-registers allowed),
    'allocated' (hard registers, slots symbolic), 'framed' (entry and exit code present, slots are numbers), 'final' (delay
    slots filled).  With `inline` it is static as one of several definitions of an inline function, all of one address
    (`vpo.link.symbols`).  `arriving` says of registers and slots with arguments how their values were extended ('sx',
    'zx') and from which type, `leaving` of registers with results which type of it callers read.
    """

    name: str
    file: str = ""
    line: int = 0
    static: bool = False
    stage: str = "pseudo"
    blocks: list[Block] = field(default_factory=list)
    slots: dict[str, FrameSlot] = field(default_factory=dict)
    frame: int = 0  # bytes, once laid out
    outgoing: int = 0  # bytes of stack arguments of the calls it makes
    pseudos: int = 0  # how many pseudo-registers have been handed out
    labels: int = 0
    inline: bool = False
    arriving: dict[Register | Slot, tuple[str, str]] = field(default_factory=dict)
    leaving: dict[Register, str] = field(default_factory=dict)
    numberings: dict[int, Any] = field(default_factory=dict, init=False, repr=False)  # of registers

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what is written to files: without what this process keeps of the function."""
        return Function, tuple([getattr(self, name) for name in _FIELDS])

    def forget(self) -> None:
        """Forget what this process keeps of the function, and the numbers of registers and labels that it has no more."""
        self.numberings.clear()
        self.pseudos = max([register.index for register in self.registers() if register.pseudo], default=0)
        numbers = [block.label[1:] for block in self.blocks if block.label[:1] == "L"]
        self.labels = max([int(number) for number in numbers if number.isdigit()], default=0)

    def registers(self) -> set[Register]:
        """Return the registers that it reads and sets."""
        groups: list[Iterable[Register]] = [rtl.uses for block in self.blocks for rtl in block.rtls]
        groups += [rtl.sets for block in self.blocks for rtl in block.rtls]
        groups += [(phi.target, *phi.sources.values()) for block in self.blocks for phi in block.phis]
        return set[Register]().union(*groups)

    def copy(self) -> Function:
        """Return a function that may be changed without a change of this one."""
        blocks = [Block(b.label, [rtl.copy() for rtl in b.rtls], [phi.copy() for phi in b.phis]) for b in self.blocks]
        return replace(self, blocks=blocks, slots={name: replace(slot) for name, slot in self.slots.items()})

    def pseudo(self, cls: str, type_: str) -> Register:
        """Hand out a fresh pseudo-register."""
        self.pseudos += 1
        return Register(cls, self.pseudos, type_, True)

    def label(self) -> str:
        """Hand out a fresh label."""
        self.labels += 1
        return f"L{self.labels}"

    def slot_name(self, prefix: str) -> str:
        """Return a name for a new slot, which no slot has."""
        number = len(self.slots)
        while f"{prefix}{number}" in self.slots:  # since slots have been removed
            number += 1
        return f"{prefix}{number}"

    def rtls(self) -> list[Rtl]:
        """All RTLs in layout order."""
        return [rtl for block in self.blocks for rtl in block.rtls]

    def block_starts(self) -> list[int]:
        """Return the index in `rtls` at which each block begins."""
        return list(accumulate((len(block.rtls) for block in self.blocks), initial=0))[:-1]


_FIELDS = tuple(each.name for each in fields(Function) if each.init)
_PLAIN = tuple(name for name in _FIELDS if name not in ("blocks", "slots", "arriving", "leaving"))  # numbers and texts
LINE = _PLAIN.index("line")  # among the last of a function's data


FunctionData = tuple[Any, ...]  # a function as tuples: equal if phases make the same of it


def as_data(function: Function, rtls: dict[object, Any] | None = None) -> FunctionData:
    """Return a function as plain data, which do not change with it; `rtls` has RTLs that others share with it."""
    known = {} if rtls is None else rtls
    blocks = []
    for block in function.blocks:
        held = [(rtl.effects, rtl.lines, rtl.cause, rtl.form) for rtl in block.rtls]
        phis = tuple((phi.target, tuple(phi.sources.items()), phi.lines, phi.cause) for phi in block.phis)
        blocks.append((block.label, tuple([known.setdefault(rtl, rtl) for rtl in held]), phis))
    slots = tuple((slot.name, slot.kind, slot.size, slot.align, slot.offset) for slot in function.slots.values())
    rest = tuple(getattr(function, name) for name in _PLAIN)
    return tuple(blocks), slots, tuple(function.arriving.items()), tuple(function.leaving.items()), rest


def from_data(data: FunctionData) -> Function:
    """Return a function from plain data."""
    blocks, slots, arriving, leaving, rest = data
    function = Function(**dict(zip(_PLAIN, rest, strict=True)))
    function.slots = {slot[0]: FrameSlot(*slot) for slot in slots}
    function.arriving, function.leaving = dict(arriving), dict(leaving)
    for label, rtls, phis in blocks:
        made = [Phi(target, dict(sources), lines, cause) for target, sources, lines, cause in phis]
        function.blocks.append(Block(label, [Rtl(*rtl) for rtl in rtls], made))
    return function


@dataclass(frozen=True, slots=True)
class LabelItem:
    """The address of a label inside a function, in a jump table."""

    offset: int
    label: str
    function: str

    def __reduce__(self) -> tuple[Any, ...]:
        return LabelItem, (self.offset, self.label, self.function)


@dataclass(frozen=True, slots=True)
class PartItem:
    """Another object of the unit, which lies at this place: its own data say what is in it."""

    offset: int
    symbol: str

    def __reduce__(self) -> tuple[Any, ...]:
        return PartItem, (self.offset, self.symbol)


Item = il.Item | LabelItem | PartItem


@dataclass(eq=False, slots=True)
class Data:
    """A global object: items in ascending order of offset, zero bytes elsewhere.  For `weak`, `section` see `il.Data`.

    One whose items are all other objects is a group of these (`vpo.build.neighbours`): they lie there and nowhere else.
    """

    name: str
    size: int
    align: int
    items: list[Item]
    constant: bool = False
    static: bool = False
    tentative: bool = False
    weak: bool = False
    section: str = ""
    place: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        flags = self.constant, self.static, self.tentative, self.weak
        return Data, (self.name, self.size, self.align, self.items, *flags, self.section, self.place)

    @property
    def parts(self) -> list[PartItem]:
        """The objects of a group; none of any other object."""
        return [item for item in self.items if isinstance(item, PartItem)]


@dataclass(eq=False, slots=True)
class Unit:
    """What one source file becomes: the unit of compilation, of caching and of linking.

    `file` is what messages call it.
    """

    machine: str
    functions: list[Function] = field(default_factory=list)
    data: list[Data] = field(default_factory=list)
    file: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        return Unit, (self.machine, self.functions, self.data, self.file)


# all that a unit is made of
UNIT_CLASSES = frozenset([Unit, Function, Block, Phi, FrameSlot, Data, *get_args(Item), Rtl, *NODES])
