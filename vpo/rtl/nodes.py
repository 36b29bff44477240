"""Expressions: constants, addresses, registers, memory cells and operators on them, immutable and interned.

The letters of types and the operators come first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

# ----------------------------------------------------------------------------------------------------------------------
# The letters of types and the operators of expressions, with what holds of them.


BITS = {"B": 8, "W": 16, "L": 32, "Q": 64, "F": 32, "D": 64}
INTEGER_TYPES = ("B", "W", "L", "Q")
CODE_TYPES = ("C", "G")  # of condition codes
FLOAT_TYPES = ("F", "D")  # a tuple: the empty type is in every text

ARITHMETIC = frozenset(["+", "-", "*", "/", "%", "/u", "%u", "&", "|", "^", "<<", ">>", ">>u"])
QUOTIENTS = frozenset(["/", "%", "/u", "%u"])  # those that fault where they divide by 0
SHIFTS = frozenset(["<<", ">>", ">>u", "rotl"])  # the amount is taken modulo the width
COUNTS = frozenset(["clz", "ctz", "popcount"])  # of the bits of one operand
REVERSALS = frozenset(["bswap", "brev"])  # of the bytes, or of the bits, of one operand
HIGH_PRODUCTS = {"mulh": ("sx", "sx"), "mulhu": ("zx", "zx"), "mulhsu": ("sx", "zx")}  # how the operands are extended
NAMED = frozenset([*HIGH_PRODUCTS, "clmul", "clmulh", "rotl"])  # of two operands, but written as functions
RELATIONS = frozenset(["==", "!=", "<", "<=", ">", ">=", "<u", "<=u", ">u", ">=u", "!<", "!<=", "!>", "!>="])
COMMUTATIVE = frozenset(["+", "*", "&", "|", "^", "==", "!=", "mulh", "mulhu", "clmul", "clmulh"])
REVERSED = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "<u": ">=u",
    ">=u": "<u",
    ">u": "<=u",
    "<=u": ">u",
    "!<": "<",
    "!<=": "<=",
    "!>": ">",
    "!>=": ">=",
}  # the relation that holds when this one does not, for ordered (integer) operands
UNORDERED_REVERSED = {**REVERSED, "<": "!<", "<=": "!<=", ">": "!>", ">=": "!>="}  # for floating operands
SWAPPED = {
    "==": "==",
    "!=": "!=",
    "<": ">",
    ">": "<",
    "<=": ">=",
    ">=": "<=",
    "<u": ">u",
    ">u": "<u",
    "<=u": ">=u",
    ">=u": "<=u",
    "!<": "!>",
    "!>": "!<",
    "!<=": "!>=",
    "!>=": "!<=",
}  # the relation after exchanging the operands


# ----------------------------------------------------------------------------------------------------------------------
# Nodes.


LITERAL, PART = "LIT", "PART"

_NONE: tuple[Any, ...] = ()


def united(*groups: tuple[Register, ...]) -> tuple[Register, ...]:
    """Return the registers of some groups, each once, in order (sets would have none that is the same in every run)."""
    result: tuple[Register, ...] = _NONE
    for group in groups:
        if not result:
            result = group
        elif group:
            result += tuple([register for register in group if register not in result])
    return result


class Node:
    """Base of all interned expressions and effects.

    `uses` holds every register read (once, in order), `memory` every cell read (in evaluation order), `size` counts nodes.
    Of effects, `sets` holds the register that is set, `transfers` tells whether they end a basic block, and `acts` whether
    they are anything but setting a register to what registers and memory hold.
    """

    __slots__ = ("memory", "size", "type", "uses")
    transfers: ClassVar[bool] = False
    acts: bool = True
    sets: tuple[Register, ...] = ()
    type: str
    uses: tuple[Register, ...]
    memory: tuple[Mem, ...]
    size: int

    def _constant(self) -> None:
        """Fill in what constants have in common: no type of their own, and nothing read."""
        self.type, self.uses, self.memory, self.size = "", _NONE, (), 1

    def __repr__(self) -> str:
        from vpo.rtl.printer import show  # the printer knows the nodes, not the other way round

        return show(self)

    def __copy__(self) -> Node:
        return self

    def __deepcopy__(self, memo: object) -> Node:
        return self


class Const(Node):
    """An integer; its width is that of its context."""

    __slots__ = ("value",)
    _table: ClassVar[dict[int, Const]] = {}
    value: int

    def __new__(cls, value: int) -> Const:
        node = cls._table.get(value)
        if node is None:
            node = object.__new__(cls)
            node.value, node.type, node.uses, node.memory, node.size = value, "", _NONE, (), 1
            cls._table[value] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Const, (self.value,)


class Symbol(Node):
    """The address of a global symbol plus a byte offset."""

    __slots__ = ("name", "offset")
    _table: ClassVar[dict[tuple[str, int], Symbol]] = {}
    name: str
    offset: int

    def __new__(cls, name: str, offset: int = 0) -> Symbol:
        key = (name, offset)
        node = cls._table.get(key)
        if node is None:
            node = object.__new__(cls)
            node._constant()
            node.name, node.offset = name, offset
            cls._table[key] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Symbol, (self.name, self.offset)


class Slot(Node):
    """The distance of a frame slot from the stack pointer, plus a byte offset: a number once the frame is laid out."""

    __slots__ = ("name", "offset")
    _table: ClassVar[dict[tuple[str, int], Slot]] = {}
    name: str
    offset: int

    def __new__(cls, name: str, offset: int = 0) -> Slot:
        key = (name, offset)
        node = cls._table.get(key)
        if node is None:
            node = object.__new__(cls)
            node._constant()
            node.name, node.offset = name, offset
            cls._table[key] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Slot, (self.name, self.offset)


class Half(Node):
    """What serves to build a constant: its HI or LO, or LIT, the address of a word near the instruction that holds it.

    PART16_8 are the eight bits from bit 16 on, as a number that is not negative.
    """

    __slots__ = ("of", "which")
    _table: ClassVar[dict[tuple[str, Expr], Half]] = {}
    which: str
    of: Expr

    def __new__(cls, which: str, of: Expr) -> Half:
        key = (which, of)
        node = cls._table.get(key)
        if node is None:
            node = object.__new__(cls)
            node._constant()
            node.which, node.of, node.size = which, of, 2
            cls._table[key] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Half, (self.which, self.of)

    @property
    def is_literal(self) -> bool:
        """Whether this is the address of a literal, which depends on the place of the instruction."""
        return self.which == LITERAL

    @property
    def part(self) -> tuple[int, int] | None:
        """The lowest bit of a part, and how many bits it has; None for other kinds."""
        if not self.which.startswith(PART):
            return None
        low, bits = self.which.removeprefix(PART).split("_")
        return int(low), int(bits)


class Next(Node):
    """`NPC`: the address of the instruction after this one (after its delay slots), as calls save it."""

    __slots__ = ()
    _table: ClassVar[dict[tuple[()], Next]] = {}

    def __new__(cls) -> Next:
        node = cls._table.get(())
        if node is None:
            node = object.__new__(cls)
            node._constant()
            cls._table[()] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Next, ()


class LabelAddress(Node):
    """`AT[L5]`: the address of a label of the function, which a transfer by a branch register goes to."""

    __slots__ = ("label",)
    _table: ClassVar[dict[str, LabelAddress]] = {}
    label: str

    def __new__(cls, label: str) -> LabelAddress:
        node = cls._table.get(label)
        if node is None:
            node = object.__new__(cls)
            node._constant()
            node.label = label
            cls._table[label] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return LabelAddress, (self.label,)


class Register(Node):
    """Register `index` of a register class; a pseudo-register (`pseudo`) stands for one not chosen yet.

    In stage 'ssa' the values of one pseudo-register are told apart by `version`.
    """

    __slots__ = ("cls", "index", "pseudo", "version")
    _table: ClassVar[dict[tuple[str, int, str, bool, int], Register]] = {}
    cls: str
    index: int
    pseudo: bool
    version: int

    def __new__(cls, name: str, index: int, type_: str, pseudo: bool = False, version: int = 0) -> Register:
        key = (name, index, type_, pseudo, version)
        node = cls._table.get(key)
        if node is None:
            node = object.__new__(cls)
            node.cls, node.index, node.type, node.pseudo, node.version = name, index, type_, pseudo, version
            node.memory, node.size = (), 1
            node.uses = (node,)
            cls._table[key] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Register, (self.cls, self.index, self.type, self.pseudo, self.version)

    @property
    def origin(self) -> Register:
        """The pseudo-register of which this is a version."""
        return Register(self.cls, self.index, self.type, self.pseudo) if self.version else self


class Mem(Node):
    """The memory cell of `type` at `address`.

    `effective` is the C type by which the program refers to it (C11 6.5p6-7), as `vpo.il.data_model` writes it; empty if
    that may be any, as in a union.
    """

    __slots__ = ("address", "effective", "volatile")
    _table: ClassVar[dict[tuple[str, Expr, bool, str], Mem]] = {}
    address: Expr
    volatile: bool
    effective: str

    def __new__(cls, type_: str, address: Expr, volatile: bool = False, effective: str = "") -> Mem:
        key = (type_, address, volatile, effective)
        node = cls._table.get(key)
        if node is None:
            node = object.__new__(cls)
            node.type, node.address, node.volatile, node.uses = type_, address, volatile, address.uses
            node.effective = effective
            node.memory = (*address.memory, node)
            node.size = address.size + 1
            cls._table[key] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Mem, (self.type, self.address, self.volatile, self.effective)

    def at(self, address: Expr) -> Mem:
        """Return a cell of the same kind at another address."""
        return Mem(self.type, address, self.volatile, self.effective)

    @property
    def of_any_type(self) -> Mem:
        """The cell when nothing is known of its C type."""
        return Mem(self.type, self.address, self.volatile) if self.effective else self


class Op(Node):
    """An operator applied to operands.

    Binary: ARITHMETIC, RELATIONS, NAMED, and '?' (compare, type C or G).  Unary: 'neg', 'not', 'sqrt', 'abs', COUNTS,
    REVERSALS; conversions to `type`: 'sx' 'zx' (extend), 'tr' (truncate), 'cvt' 'cvtu' (to or from floating, between
    floating types), 'bits' (same bits, other kind).  'SEL': the second operand if the first, a relation, holds, else the
    third.  'fma': the product of two operands and the third, rounded once.
    'SYS': a system call.
    """

    __slots__ = ("args", "op")
    _table: ClassVar[dict[tuple[str, str, tuple[Expr, ...]], Op]] = {}
    op: str
    args: tuple[Expr, ...]

    def __new__(cls, op: str, type_: str, *args: Expr) -> Op:
        key = (op, type_, args)
        node = cls._table.get(key)
        if node is None:
            node = object.__new__(cls)
            node.op, node.type, node.args = op, type_, args
            if len(args) == 2:
                left, right = args
                node.uses = united(left.uses, right.uses)
                node.memory = left.memory + right.memory
                node.size = left.size + right.size + 1
            else:
                node.uses = united(*[arg.uses for arg in args])
                node.memory = sum((arg.memory for arg in args), ())
                node.size = 1 + sum(arg.size for arg in args)
            cls._table[key] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Op, (self.op, self.type, *self.args)

    @property
    def is_infix(self) -> bool:
        """Whether the operator is written between its two operands."""
        return len(self.args) == 2 and self.op not in NAMED and self.op != "SYS"


# What the patterns of machine descriptions have beside these; they are not interned.


class RegisterVariable(Node):
    """In a pattern: any register of class `cls`, called `name`."""

    __slots__ = ("cls", "name")
    cls: str
    name: str

    def __new__(cls, register_class: str, name: str, type_: str) -> RegisterVariable:
        node = object.__new__(cls)
        node.cls, node.name, node.type = register_class, name, type_
        node.uses, node.memory, node.size = (), (), 1
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return RegisterVariable, (self.cls, self.name, self.type)

    @property
    def shown(self) -> str:
        """The text in a pattern."""
        return f"{self.cls}[{self.name}]"


class Variable(Node):
    """In a pattern: whatever the operand called `name` stands for."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, name: str) -> Variable:
        node = object.__new__(cls)
        node.name, node.type, node.uses, node.memory, node.size = name, "", (), (), 1
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Variable, (self.name,)

    @property
    def shown(self) -> str:
        """The text in a pattern."""
        return self.name


Expr = Const | Symbol | Slot | Half | Next | LabelAddress | Register | Mem | Op | RegisterVariable | Variable
Cell = Register | Mem | RegisterVariable | Variable  # that an effect sets: a variable in patterns only


def selector(node: Op) -> Op:
    """Return the relation that a SEL tests."""
    relation = node.args[0]
    assert isinstance(relation, Op)
    return relation


def distinct_parts(node: Expr, most: int) -> list[Expr]:
    """Return a node and what is below it, each once however often it stands there; more than `most` are not looked at."""
    found = {node: None}
    for part in (work := [node]):
        if len(found) > most:
            break
        below = part.args if isinstance(part, Op) else (part.address,) if isinstance(part, Mem) else ()
        for inner in below:
            if inner not in found:
                found[inner] = None
                work.append(inner)
    return list(found)


def subexpressions(node: Expr) -> Iterator[Expr]:
    """Yield a node and everything below it, parents first."""
    work = [node]
    while work:
        part = work.pop()
        yield part
        if type(part) is Op:
            work += part.args[::-1]
        elif type(part) is Mem:
            work.append(part.address)
        elif type(part) is Half:
            work.append(part.of)
