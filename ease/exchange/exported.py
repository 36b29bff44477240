"""An instruction as templates and languages see it: its name, its encoding field by field, its operands, its RTL."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from vpo.machines.callable import c_name
from vpo.machines.match.pattern import Alternative
from vpo.machines.read.encoding import OPCODE, Code
from vpo.rtl import Branch, Mem, Set, subexpressions


def read_by(effect: Set | Branch) -> Iterable[object]:
    """Yield what an effect reads, and what that consists of."""
    if isinstance(effect, Branch):
        yield from subexpressions(effect.condition)
        return
    yield from subexpressions(effect.source)
    if isinstance(effect.target, Mem):
        yield from subexpressions(effect.target.address)


@dataclass(frozen=True)
class Operand:
    """A field that is a register or a number, and its lowest bit in the word.

    `pieces` are its parts, those of the highest bits first: bits, the lowest bit in the word, the lowest bit of the number.
    """

    name: str
    bits: int
    low: int
    is_register: bool
    signed: bool = False
    shift: int = 0
    read: bool = True
    written: bool = False
    pieces: tuple[tuple[int, int, int], ...] = ()
    without: tuple[int, ...] = ()  # numbers that are another instruction's
    first: int = 0  # the register that number 0 means
    is_label: bool = False

    @property
    def location(self) -> str:
        """The bits of the word, as the Unified Database writes them."""
        places = self.pieces or ((self.bits, self.low, 0),)
        return "|".join(f"{low + bits - 1}-{low}" if bits > 1 else str(low) for bits, low, _ in places)


@dataclass
class Exported:
    """An instruction as templates see it."""

    name: str
    rtl: str
    code: Code
    operands: list[Operand]
    memory: bool
    form: Alternative
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def c_name(self) -> str:
        """What it is called in C and in other languages that have no dots."""
        return c_name(self.name).lower()

    @property
    def fields(self) -> list[tuple[str, int, int]]:
        """Name, bits and value of each field, the most significant first; those of the opcode have no name.

        Those of variables have the lowest bit of the number as their value.
        """
        return [
            ("", each.bits, each.value) if each.name == OPCODE else (each.name, each.bits, each.low or 0)
            for each in self.code.fields
        ]

    @property
    def pattern(self) -> str:
        """The word, with ? for what is no part of the opcode."""
        return "".join(f"{value:0{bits}b}" if not name else "?" * bits for name, bits, value in self.fields)

    def operand(self, name: str) -> Operand:
        """Return an operand by its name."""
        return next(each for each in self.operands if each.name == name)

    @property
    def target(self) -> Operand | None:
        """The register that is set."""
        return next((each for each in self.operands if each.written), None)

    @property
    def inputs(self) -> list[Operand]:
        """What is read."""
        return [each for each in self.operands if each.read]

    @property
    def loads(self) -> bool:
        """Whether it reads memory."""
        return any(isinstance(node, Mem) for effect in self.form.effects for node in read_by(effect))

    @property
    def stores(self) -> bool:
        """Whether it changes memory."""
        return any(isinstance(effect, Set) and isinstance(effect.target, Mem) for effect in self.form.effects)

    @property
    def branches(self) -> bool:
        """Whether it may transfer control."""
        return any(isinstance(effect, Branch) for effect in self.form.effects)

    @property
    def sources(self) -> list[Operand]:
        """What is read, the register that is also set left out."""
        return [each for each in self.operands if not each.written]
