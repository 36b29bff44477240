"""The intermediate language between a front end and the code expander.

A front end (C is the only one so far) turns a translation unit into a `Unit`: data definitions and functions.
A function is a linear list of statements over *pure* expression trees: a tree may read memory but never
writes it, calls or jumps.  The front end therefore decides every order of evaluation, and the expander
(`vpo.expand.expander`) decides everything about registers, words and calling conventions.

Types follow the operands, as in lcc's typed trees: I, U (integers), F (floating), P (address) with a size in bytes.
Sizes of C types are those of the target's `DataModel`; the language itself has none.
"""

from __future__ import annotations

from dataclasses import dataclass, field, is_dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A machine-level type: kind 'I' signed, 'U' unsigned, 'F' floating, 'P' address; size in bytes."""

    kind: str
    size: int

    def __str__(self) -> str:
        return f"{self.kind}{self.size}"

    @property
    def is_float(self) -> bool:
        """Whether values of the type are floating."""
        return self.kind == "F"

    @property
    def is_signed(self) -> bool:
        """Whether an integer type is signed."""
        return self.kind == "I"


I1, I2, I4, I8 = Type("I", 1), Type("I", 2), Type("I", 4), Type("I", 8)
U1, U2, U4, U8 = Type("U", 1), Type("U", 2), Type("U", 4), Type("U", 8)
F4, F8 = Type("F", 4), Type("F", 8)


@dataclass(eq=False, slots=True)
class Local:
    """A parameter, local variable or temporary of one function.

    `type` is None for aggregates.  `size` and `align` are in bytes.  Identity matters, not equality.
    """

    name: str
    type: Type | None
    size: int
    align: int
    volatile: bool = False


# ---------------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True, eq=False)
class Const:
    """An integer (any kind but F; stored as its mathematical value) or floating constant."""

    type: Type
    value: int | float


@dataclass(frozen=True, slots=True, eq=False)
class AddrGlobal:
    """The address of a global symbol plus a byte offset; type P."""

    type: Type
    name: str
    offset: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class AddrLocal:
    """The address of a local plus a byte offset; type P."""

    type: Type
    local: Local
    offset: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """The value of type `type` at an address.  Reads of scalar locals are Load(AddrLocal) too.

    `effective` is the source's type of what is read (`data_model.py`).
    """

    type: Type
    address: Expr
    volatile: bool = False
    effective: str = ""


BIT_OPERATORS = ("clz", "ctz", "popcount", "bswap", "brev")  # as in RTLs; trees have them where the machine does
UNARY_OPERATORS = ("neg", "not", "sqrt", "abs", *BIT_OPERATORS)  # not: bitwise complement; sqrt, abs: floating only
BINARY_OPERATORS = ("add", "sub", "mul", "div", "mod", "and", "or", "xor", "shl", "shr")
RELATIONS = ("eq", "ne", "lt", "le", "gt", "ge")


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """`operator` applied to an operand of the same type."""

    operator: str
    type: Type
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """`operator` applied to two operands of type `type`, except that a shift's right operand is any integer type.

    Pointer arithmetic is add/sub on P with the integer operand already scaled and converted to P.
    div, mod and shr are signed for I and unsigned for U.  Integer results wrap,
    but those of I that the source computes do not overflow in a program that is correct (`vpo.expand.locals`).
    """

    operator: str
    type: Type
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Compare:
    """A relation between two operands of one type; `type` is the type of its 0 or 1 (the target's int)."""

    relation: str
    type: Type
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Convert:
    """The operand's value in another type: widen by the operand's signedness, truncate, or to/from floating."""

    type: Type
    operand: Expr


Expr = Const | AddrGlobal | AddrLocal | Load | Unary | Binary | Compare | Convert


# ----------------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """An aggregate as an argument or result: `size` bytes at `address`.

    `scalars` lists (offset, type) of every scalar member in order, flattened, for conventions that look inside; none if there
    are very many.  A callee may change an argument that it owns: nothing reads the bytes again before they are stored anew.
    """

    address: Expr
    size: int
    align: int
    scalars: tuple[tuple[int, Type], ...] = ()
    owned: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """Memory[address] := value, with the value's type.  Assignments to scalar locals are Store(AddrLocal) too."""

    address: Expr
    value: Expr
    line: int
    volatile: bool = False
    effective: str = ""  # as of Load


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """Copy `size` bytes (a compile-time constant) from source to target; equal or disjoint areas."""

    target: Expr
    source: Expr
    size: int
    align: int
    line: int


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """Call `function` (AddrGlobal for a direct call).  `fixed` is the number of named parameters when variadic.

    `result` is a Local of scalar type, an aggregate Local (filled in), or None.  Arguments are promoted already.
    `unprototyped` marks calls through `()` declarations.  `result_align` is the alignment of the type of an aggregate result,
    by which conventions go; the Local itself may be aligned more.
    """

    function: Expr
    arguments: tuple[Expr | Block, ...]
    result: Local | None
    line: int
    variadic: bool = False
    fixed: int = 0
    result_scalars: tuple[tuple[int, Type], ...] = ()
    unprototyped: bool = False
    result_align: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Syscall:
    """Ask the system: number and arguments are word-sized integers; `result` receives what it answers."""

    number: Expr
    arguments: tuple[Expr, ...]
    result: Local
    line: int


@dataclass(frozen=True, slots=True, eq=False)
class Instruction:
    """An instruction of a machine, called by name: what its RTL means, as that one instruction where the target has it.

    `effects` are nodes of `vpo.rtl` over the registers `places`, which hold the `arguments`, and `targets`, from which the
    `results` are taken.  `machine` is the fingerprint of the description: only there hard registers are these.
    """

    name: str
    machine: str
    effects: tuple[object, ...]
    places: tuple[object, ...]
    arguments: tuple[Expr, ...]
    targets: tuple[object, ...]
    results: tuple[Local, ...]
    line: int


@dataclass(frozen=True, slots=True, eq=False)
class VaStart:
    """Store at `address` (of a va_list, one P as a rule) the address of the first variable argument."""

    address: Expr
    line: int


@dataclass(frozen=True, slots=True, eq=False)
class VaArg:
    """Advance the va_list at `address` over one argument; `result` (P) receives that argument's address.

    `type` is None for an aggregate of `size` and `align` bytes, with the `scalars` at their offsets.
    """

    address: Expr
    type: Type | None
    size: int
    align: int
    result: Local
    line: int
    scalars: tuple[tuple[int, Type], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """A place that Jump, Branch and Switch name."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Jump:
    """Go to a label."""

    label: str
    line: int


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """Go to `label` if the relation holds, else fall through.  Operands have one type."""

    relation: str
    left: Expr
    right: Expr
    label: str
    line: int


@dataclass(frozen=True, slots=True, eq=False)
class Switch:
    """Go to the label of the case that equals the integer `value`, else to `default`."""

    value: Expr
    cases: tuple[tuple[int, str], ...]
    default: str
    line: int


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """Leave the function, with a scalar, a Block, or nothing."""

    value: Expr | Block | None
    line: int


Statement = Store | Copy | Call | Syscall | Instruction | VaStart | VaArg | Label | Jump | Branch | Switch | Return


# ------------------------------------------------------------------------------------------------- top level


@dataclass(eq=False, slots=True)
class Function:
    """One function.  Control never falls off the end: the front end closes every path with a Return.

    `result` is None for void or when `result_size` > 0, the size of an aggregate result.  `inline` is a wish of the source;
    with `separate` it forbids to inline calls.  A `static` one is `shared` if its name means the same in all files, each
    of which may have a definition of its own: C's inline functions.  With `contracts`, a product and a sum of one tree may be
    rounded once.
    """

    name: str
    parameters: list[Local]
    result: Type | None
    body: list[Statement]
    locals: list[Local]
    file: str
    line: int
    variadic: bool = False
    static: bool = False
    inline: bool = False
    separate: bool = False
    shared: bool = False
    contracts: bool = False
    result_size: int = 0
    result_align: int = 1
    result_scalars: tuple[tuple[int, Type], ...] = ()
    parameter_scalars: dict[int, tuple[tuple[int, Type], ...]] = field(default_factory=dict)  # by parameter position


@dataclass(frozen=True, slots=True)
class IntItem:
    """An integer of `size` bytes at `offset`; the target's byte order applies."""

    offset: int
    size: int
    value: int


@dataclass(frozen=True, slots=True)
class FloatItem:
    """A floating value of `size` bytes at `offset`."""

    offset: int
    size: int
    value: float


@dataclass(frozen=True, slots=True)
class AddressItem:
    """The address `symbol` + `addend` (of pointer size) at `offset`."""

    offset: int
    symbol: str
    addend: int


@dataclass(frozen=True, slots=True)
class BytesItem:
    """Raw bytes at `offset`."""

    offset: int
    data: bytes


Item = IntItem | FloatItem | AddressItem | BytesItem


@dataclass(eq=False, slots=True)
class Data:
    """A global or static object.  Bytes that no item covers are zero; without items it is zero throughout.

    Items are in ascending order of offset and do not overlap.  `tentative` definitions merge across units.
    One that is `weak` is no object: where nothing else defines its name, this is the name of what its one item has the address
    of, or of address 0 if it has no item.  Where it must be `section` says, '' anywhere, and
    `place` which file and line want that.
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


@dataclass(eq=False, slots=True)
class Unit:
    """A translation unit: `name` is its source file.

    Static symbols that could clash carry names made unique within the unit (`name.1` for block-scope statics).
    """

    name: str
    functions: list[Function]
    data: list[Data]


# all that a unit is made of
CLASSES = frozenset(each for each in tuple(globals().values()) if isinstance(each, type) and is_dataclass(each))
