"""Register transfer lists: the data only.  Text is in `vpo.text`, meaning in `vpo.interpret.interpreter` and docs/rtl.md.

Expressions and effects are immutable and interned: two equal ones are the same object, so `is` compares them and
they are cheap dictionary keys.  Build them with the functions of `vpo.algebra` wherever folding is wanted.

A value's type is the letter of the memory cell that holds it: B W L Q (integers of 8, 16, 32, 64 bits), F D (IEEE
single and double), C and G (the outcomes of integer and floating comparisons).
Constants, addresses of symbols and truth values have type ''
and take the width of what stands beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, get_args

BITS = {"B": 8, "W": 16, "L": 32, "Q": 64, "F": 32, "D": 64}
INTEGER_TYPES = ("B", "W", "L", "Q")
FLOAT_TYPES = ("F", "D")  # a tuple: the empty type is in every text

ARITHMETIC = frozenset(["+", "-", "*", "/", "%", "/u", "%u", "&", "|", "^", "<<", ">>", ">>u"])
SHIFTS = frozenset(["<<", ">>", ">>u"])
RELATIONS = frozenset(["==", "!=", "<", "<=", ">", ">=", "<u", "<=u", ">u", ">=u", "!<", "!<=", "!>", "!>="])
COMMUTATIVE = frozenset(["+", "*", "&", "|", "^", "==", "!="])
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

# Why an instruction exists; when two merge, the one that stands first here wins.
CAUSES = (
    "save",
    "callsave",
    "spill",
    "linkage",
    "argument",
    "variable",
    "program",
    "control",
    "address",
    "constant",
    "delay",
    "startup",
)
_CAUSE_RANK = {cause: rank for rank, cause in enumerate(CAUSES)}


LITERAL = "LIT"

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
    """

    __slots__ = ("memory", "size", "type", "uses")
    _table: ClassVar[dict[Any, Any]]
    type: str
    uses: tuple[Register, ...]
    memory: tuple[Mem, ...]
    size: int

    def __init_subclass__(cls) -> None:
        cls._table = {}

    @classmethod
    def _interned(cls, key: tuple[Any, ...]) -> Any:
        """Return the one node made of these parts; `_fill` makes a new one."""
        node: Any = cls._table.get(key)
        if node is None:
            node = cls._table[key] = object.__new__(cls)
            node.memory, node.size = (), 1
            node._fill(*key)
        return node

    def _constant(self) -> None:
        """Fill in what constants have in common: no type of their own, and nothing read."""
        self.type, self.uses = "", _NONE

    def __repr__(self) -> str:
        from vpo.text import show  # the printer knows the nodes, not the other way round

        return show(self)

    def __copy__(self) -> Node:
        return self

    def __deepcopy__(self, memo: object) -> Node:
        return self


class Const(Node):
    """An integer; its width is that of its context."""

    __slots__ = ("value",)
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
    name: str
    offset: int

    def __new__(cls, name: str, offset: int = 0) -> Symbol:
        return cls._interned((name, offset))  # type: ignore[no-any-return]

    def _fill(self, name: str, offset: int) -> None:
        self._constant()
        self.name, self.offset = name, offset

    def __reduce__(self) -> tuple[Any, ...]:
        return Symbol, (self.name, self.offset)


class Slot(Node):
    """The distance of a frame slot from the stack pointer, plus a byte offset: a number once the frame is laid out."""

    __slots__ = ("name", "offset")
    name: str
    offset: int

    def __new__(cls, name: str, offset: int = 0) -> Slot:
        return cls._interned((name, offset))  # type: ignore[no-any-return]

    def _fill(self, name: str, offset: int) -> None:
        self._constant()
        self.name, self.offset = name, offset

    def __reduce__(self) -> tuple[Any, ...]:
        return Slot, (self.name, self.offset)


class Half(Node):
    """What serves to build a constant: its HI or LO, or LIT, the address of a word near the instruction that holds it."""

    __slots__ = ("of", "which")
    which: str
    of: Expr

    def __new__(cls, which: str, of: Expr) -> Half:
        return cls._interned((which, of))  # type: ignore[no-any-return]

    def _fill(self, which: str, of: Expr) -> None:
        self._constant()
        self.which, self.of, self.size = which, of, 2

    def __reduce__(self) -> tuple[Any, ...]:
        return Half, (self.which, self.of)

    @property
    def is_literal(self) -> bool:
        """Whether this is the address of a literal, which depends on the place of the instruction."""
        return self.which == LITERAL


class Next(Node):
    """`NPC`: the address of the instruction after this one (after its delay slots), as calls save it."""

    __slots__ = ()

    def __new__(cls) -> Next:
        return cls._interned(())  # type: ignore[no-any-return]

    def _fill(self) -> None:
        self._constant()

    def __reduce__(self) -> tuple[Any, ...]:
        return Next, ()


class Register(Node):
    """Register `index` of a register class; a pseudo-register (`pseudo`) stands for one not chosen yet.

    In stage 'ssa' the values of one pseudo-register are told apart by `version`.
    """

    __slots__ = ("cls", "index", "pseudo", "version")
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
    """The memory cell of `type` at `address`."""

    __slots__ = ("address", "volatile")
    address: Expr
    volatile: bool

    def __new__(cls, type_: str, address: Expr, volatile: bool = False) -> Mem:
        key = (type_, address, volatile)
        node = cls._table.get(key)
        if node is None:
            node = object.__new__(cls)
            node.type, node.address, node.volatile, node.uses = type_, address, volatile, address.uses
            node.memory = (*address.memory, node)
            node.size = address.size + 1
            cls._table[key] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Mem, (self.type, self.address, self.volatile)


class Op(Node):
    """An operator applied to operands.

    Binary: ARITHMETIC, RELATIONS, and '?' (compare, type C or G).  Unary: 'neg', 'not', 'sqrt', 'abs'; conversions to
    `type`: 'sx' 'zx' (extend), 'tr' (truncate), 'cvt' 'cvtu' (to or from floating, between floating types),
    'bits' (same bits, other kind).  'SEL': the second operand if the first, a relation, holds, else the third.
    'SYS': a system call.
    """

    __slots__ = ("args", "op")
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


Expr = Const | Symbol | Slot | Half | Next | Register | Mem | Op
Cell = Register | Mem


# --------------------------------------------------------------------------------------------------- effects


class Set(Node):
    """`target=source;`: a store to memory truncates, a register takes exactly its own width."""

    __slots__ = ("source", "target")
    target: Cell
    source: Expr

    def __new__(cls, target: Cell, source: Expr) -> Set:
        node = cls._table.get((target, source))
        if node is None:
            node = object.__new__(cls)
            node.target, node.source, node.type = target, source, target.type
            if isinstance(target, Mem):
                node.uses = united(source.uses, target.address.uses)
                node.memory = source.memory + target.address.memory
            else:
                node.uses, node.memory = source.uses, source.memory
            node.size = source.size + target.size
            cls._table[target, source] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Set, (self.target, self.source)


class Jump(Node):
    """`PC=L5;`."""

    __slots__ = ("label",)
    label: str

    def __new__(cls, label: str) -> Jump:
        return cls._interned((label,))  # type: ignore[no-any-return]

    def _fill(self, label: str) -> None:
        self._constant()
        self.label = label

    def __reduce__(self) -> tuple[Any, ...]:
        return Jump, (self.label,)


class Branch(Node):
    """`PC=condition,L5;`: to the label if the relation holds, else to the next instruction."""

    __slots__ = ("condition", "label")
    condition: Op
    label: str

    def __new__(cls, condition: Op, label: str) -> Branch:
        return cls._interned((condition, label))  # type: ignore[no-any-return]

    def _fill(self, condition: Op, label: str) -> None:
        self.type, self.condition, self.label = "", condition, label
        self.uses, self.memory, self.size = condition.uses, condition.memory, condition.size + 1

    def __reduce__(self) -> tuple[Any, ...]:
        return Branch, (self.condition, self.label)


class IndirectJump(Node):
    """`PC=r[5],{L1,L2};`: to a computed address, which is one of the labels."""

    __slots__ = ("labels", "target")
    target: Expr
    labels: tuple[str, ...]

    def __new__(cls, target: Expr, labels: tuple[str, ...]) -> IndirectJump:
        return cls._interned((target, labels))  # type: ignore[no-any-return]

    def _fill(self, target: Expr, labels: tuple[str, ...]) -> None:
        self.type, self.target, self.labels = "", target, labels
        self.uses, self.memory, self.size = target.uses, target.memory, target.size + 1

    def __reduce__(self) -> tuple[Any, ...]:
        return IndirectJump, (self.target, self.labels)


class Call(Node):
    """`ST=_f(r[10],r[11]),RT(f[0]);`: call; the registers named carry arguments, and results that the caller must drop."""

    __slots__ = ("arguments", "results", "target")
    target: Expr
    arguments: tuple[Register, ...]
    results: tuple[Register, ...]

    def __new__(cls, target: Expr, arguments: tuple[Register, ...] = (), results: tuple[Register, ...] = ()) -> Call:
        return cls._interned((target, arguments, results))  # type: ignore[no-any-return]

    def _fill(self, target: Expr, arguments: tuple[Register, ...], results: tuple[Register, ...]) -> None:
        self.type, self.target, self.arguments, self.results = "", target, arguments, results
        self.uses, self.memory, self.size = united(target.uses, arguments), target.memory, target.size + 1

    def __reduce__(self) -> tuple[Any, ...]:
        return Call, (self.target, self.arguments, self.results)


class Return(Node):
    """`PC=r[1],RT(r[10]);`: return to the address `target`; the registers named carry results or must be preserved."""

    __slots__ = ("results", "target")
    target: Expr
    results: tuple[Register, ...]

    def __new__(cls, target: Expr, results: tuple[Register, ...] = ()) -> Return:
        return cls._interned((target, results))  # type: ignore[no-any-return]

    def _fill(self, target: Expr, results: tuple[Register, ...]) -> None:
        self.type, self.target, self.results = "", target, results
        self.uses, self.memory, self.size = united(target.uses, results), target.memory, target.size + 1

    def __reduce__(self) -> tuple[Any, ...]:
        return Return, (self.target, self.results)


class Delay(Node):
    """`DS=taken;` beside a transfer or call: when what stands in its delay slots is executed.

    'taken': only if the branch is taken, else it is annulled; 'always', 'never' tell an instruction with slots from the
    one without where a machine has both.
    """

    __slots__ = ("when",)
    when: str

    def __new__(cls, when: str) -> Delay:
        return cls._interned((when,))  # type: ignore[no-any-return]

    def _fill(self, when: str) -> None:
        self._constant()
        self.when = when

    def __reduce__(self) -> tuple[Any, ...]:
        return Delay, (self.when,)


Effect = Set | Jump | Branch | IndirectJump | Call | Return | Delay
NODES = (*get_args(Expr), *get_args(Effect))
TRANSFERS = (Jump, Branch, IndirectJump, Return)  # what ends a basic block
DELAYS = ("always", "taken", "never")
TAKEN = Delay("taken")


# ------------------------------------------------------------------------------------------------------- RTL


class Rtl:
    """One instruction: simultaneous effects (all reads come before any write), and where it came from.

    No effects at all is a no-operation.  `lines` are source lines, ascending, never empty; `cause` is one of CAUSES.
    Two Rtls are never equal: compare their `effects`.
    """

    __slots__ = ("cause", "effects", "lines", "record")

    def __init__(self, effects: Iterable[Effect], lines: tuple[int, ...] = (0,), cause: str = "program") -> None:
        self.effects: tuple[Effect, ...] = tuple(effects)
        self.lines = lines
        self.cause = cause
        self.record: Any = None  # the machine's semantic record, filled in by recognition

    def __eq__(self, other: object) -> bool:
        raise TypeError("do not compare Rtls; compare their effects, or use 'is'")

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        from vpo.text import show_rtl

        return show_rtl(self)

    def __getstate__(self) -> tuple[Any, ...]:
        return self.effects, self.lines, self.cause

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.effects, self.lines, self.cause = state
        self.record = None

    @property
    def uses(self) -> tuple[Register, ...]:
        """Registers read by the stated effects."""
        effects = self.effects
        return effects[0].uses if len(effects) == 1 else united(*[effect.uses for effect in effects])

    @property
    def sets(self) -> list[Register]:
        """Registers written by the stated effects, in order."""
        return [e.target for e in self.effects if type(e) is Set and type(e.target) is Register]

    @property
    def stores(self) -> list[Mem]:
        """Memory cells written, in order."""
        return [e.target for e in self.effects if type(e) is Set and type(e.target) is Mem]

    @property
    def loads(self) -> list[Mem]:
        """Memory cells read, in evaluation order."""
        return [cell for effect in self.effects for cell in effect.memory]

    @property
    def transfer(self) -> Jump | Branch | IndirectJump | Return | None:
        """The effect that ends a basic block, if there is one."""
        for effect in self.effects:
            if type(effect) in TRANSFERS:
                return effect  # type: ignore[return-value]
        return None

    @property
    def annuls(self) -> bool:
        """Whether what stands in its delay slots is executed only if the branch is taken."""
        return len(self.effects) > 1 and TAKEN in self.effects

    @property
    def call(self) -> Call | None:
        """The call among the effects, if there is one."""
        for effect in self.effects:
            if type(effect) is Call:
                return effect
        return None

    @property
    def system_call(self) -> Op | None:
        """The call of the system that an effect sets something to, if there is one."""
        for effect in self.effects:
            if type(effect) is Set and type(effect.source) is Op and effect.source.op == "SYS":
                return effect.source
        return None

    def single_set(self) -> Set | None:
        """The effect, if it is the only one and a Set."""
        effects = self.effects
        return effects[0] if len(effects) == 1 and type(effects[0]) is Set else None

    def copy(self) -> Rtl:
        """A new Rtl with the same effects and provenance."""
        return Rtl(self.effects, self.lines, self.cause)


def tie(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Return effects that set the version of a register which they read, where they set another version of it.

    In SSA form `r[t1.2]=r[t1.1]+r[t3];` is an instruction with two addresses if `r[t1.1]=r[t1.1]+r[t3];` is.  Effects that
    read several versions of what they set are left as they are, and so is what is not in SSA form.
    """
    result = effects
    for number, effect in enumerate(effects):
        if type(effect) is Set and type(effect.target) is Register and effect.target.pseudo:
            target = effect.target
            read = [r for e in effects for r in e.uses if r.index == target.index and r.cls == target.cls and r.pseudo]
            if read and len(set(read)) == 1 and read[0] is not target:
                result = (*result[:number], Set(read[0], effect.source), *result[number + 1 :])
    return result


def merge_provenance(*rtls: Rtl) -> tuple[tuple[int, ...], str]:
    """Return the lines and the cause of an Rtl that replaces all of these.

    The cause is that of the memory references, if there are any, so that each keeps its own.
    """
    lines = sorted({line for rtl in rtls for line in rtl.lines})
    referring = [rtl for rtl in rtls if rtl.loads or rtl.stores] or rtls
    return tuple(lines), min((rtl.cause for rtl in referring), key=_CAUSE_RANK.__getitem__)


def selector(node: Op) -> Op:
    """Return the relation that a SEL tests."""
    relation = node.args[0]
    assert isinstance(relation, Op)
    return relation


def subexpressions(node: Expr) -> Iterator[Expr]:
    """Yield a node and everything below it, parents first."""
    yield node
    if isinstance(node, Op):
        for arg in node.args:
            yield from subexpressions(arg)
    elif isinstance(node, Mem):
        yield from subexpressions(node.address)
    elif isinstance(node, Half):
        yield from subexpressions(node.of)
