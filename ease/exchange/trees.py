"""What instructions do, as their sources say it: expressions and statements of IDL and CoreDSL, and encodings."""

from __future__ import annotations

from dataclasses import dataclass, field


class SourceError(Exception):
    """A source that cannot be read; the text begins with file and line."""


class Unsayable(Exception):
    """An instruction that has no RTL; the text says why."""


class TooMuch(Unsayable):
    """An instruction that computes more than one RTL should say; it may have a name in RTLs."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number; without a width, it is as wide as what stands beside it wants."""

    value: int
    width: int | None = None
    signed: bool = False
    of_word: bool = False  # as wide as a register


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, a parameter of the machine or a field of the encoding."""

    name: str


@dataclass(frozen=True, slots=True)
class Index:
    """A register of a file, or a bit of a value."""

    base: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Slice:
    """Some bits of a value, or adjacent cells of memory."""

    base: Expression
    high: Expression
    low: Expression


@dataclass(frozen=True, slots=True)
class Unary:
    """An operator with one operand: one of - ~ and !."""

    op: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary:
    """An operator with two; with ` before it, the result has room for all results."""

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Choice:
    """One of two values."""

    condition: Expression
    yes: Expression
    no: Expression


@dataclass(frozen=True, slots=True)
class Concatenation:
    """Values side by side, the highest first."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Repetition:
    """A value many times."""

    times: Expression
    part: Expression


@dataclass(frozen=True, slots=True)
class Cast:
    """A value as another type; without a width, of the same one."""

    signed: bool
    width: Expression | None
    operand: Expression


@dataclass(frozen=True, slots=True)
class CallOf:
    """A call of a function, with arguments of its template first."""

    name: str
    template: tuple[Expression, ...]
    arguments: tuple[Expression, ...]


Expression = Number | Name | Index | Slice | Unary | Binary | Choice | Concatenation | Repetition | Cast | CallOf


@dataclass(frozen=True, slots=True)
class Declaration:
    """A variable with its type; without a width it is a truth value."""

    line: int
    name: str
    width: Expression | None
    signed: bool
    value: Expression | None


@dataclass(frozen=True, slots=True)
class Assignment:
    """A value for a variable, a register, some bits or memory."""

    line: int
    target: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class If:
    """Statements under a condition."""

    line: int
    condition: Expression
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """A loop."""

    line: int
    begin: Statement | None
    condition: Expression
    step: Statement
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Do:
    """A call of a function for its effect."""

    line: int
    call: CallOf


Statement = Declaration | Assignment | If | For | Do


@dataclass(frozen=True, slots=True)
class Part:
    """Adjacent bits of an encoding: of the opcode, or those of a variable down to bit `low`, above its `shift`."""

    bits: int
    value: int = 0
    variable: str = ""
    low: int = 0


@dataclass(frozen=True, slots=True)
class Variable:
    """A field: `shift` zeros stand below its bits; it is not one of `without`."""

    name: str
    bits: int
    shift: int = 0
    signed: bool = False
    without: tuple[int, ...] = ()

    @property
    def width(self) -> int:
        """The bits of its value."""
        return self.bits + self.shift


NAMES_ONLY = "names and fields are known, and no meaning"  # the problem of instructions whose source has nothing else


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction as its source has it."""

    name: str
    where: str  # file and line
    parts: tuple[Part, ...]
    variables: tuple[Variable, ...]
    assembly: str  # $variable for variables
    body: tuple[Statement, ...] = ()
    exact: bool = False  # operators never overflow, as in CoreDSL
    problem: str = ""  # why it has no body
    parameters: dict[str, int] = field(default_factory=dict)

    @property
    def bits(self) -> int:
        """The length of its words."""
        return sum(part.bits for part in self.parts)

    def variable(self, name: str) -> Variable | None:
        """Return the field with a name."""
        return next((each for each in self.variables if each.name == name), None)
