"""Effects: what one instruction sets and where it transfers control to, immutable and interned like expressions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, get_args

from vpo.rtl.nodes import Cell, Expr, Mem, Node, Op, Register, united


class Set(Node):
    """`target=source;`: a store to memory truncates, a register takes exactly its own width."""

    __slots__ = ("acts", "sets", "source", "target")
    _table: ClassVar[dict[tuple[Cell, Expr], Set]] = {}
    target: Cell
    source: Expr
    sets: tuple[Register, ...]
    acts: bool

    def __new__(cls, target: Cell, source: Expr) -> Set:
        node = cls._table.get((target, source))
        if node is None:
            node = object.__new__(cls)
            node.target, node.source, node.type = target, source, target.type
            if type(target) is Mem:
                node.uses = united(source.uses, target.address.uses)
                node.memory, node.sets = source.memory + target.address.memory, ()
                node.acts = True
            else:
                node.uses, node.memory = source.uses, source.memory
                node.sets = (target,)  # type: ignore[assignment] # a variable, in a pattern
                refers = bool(node.memory) and any(cell.volatile for cell in node.memory)
                node.acts = refers or (type(source) is Op and source.op == "SYS")
            node.size = source.size + target.size
            cls._table[target, source] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Set, (self.target, self.source)


class Jump(Node):
    """`PC=L5;`."""

    __slots__ = ("label",)
    _table: ClassVar[dict[str, Jump]] = {}
    transfers = True
    label: str

    def __new__(cls, label: str) -> Jump:
        node = cls._table.get(label)
        if node is None:
            node = object.__new__(cls)
            node._constant()
            node.label = label
            cls._table[label] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Jump, (self.label,)


class Branch(Node):
    """`PC=condition,L5;`: to the label if the relation holds, else to the next instruction."""

    __slots__ = ("condition", "label")
    _table: ClassVar[dict[tuple[Op, str], Branch]] = {}
    transfers = True
    condition: Op
    label: str

    def __new__(cls, condition: Op, label: str) -> Branch:
        key = (condition, label)
        node = cls._table.get(key)
        if node is None:
            node = object.__new__(cls)
            node.type, node.condition, node.label = "", condition, label
            node.uses, node.memory, node.size = condition.uses, condition.memory, condition.size + 1
            cls._table[key] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Branch, (self.condition, self.label)


class IndirectJump(Node):
    """`PC=r[5],{L1,L2};`: to a computed address, which is one of the labels."""

    __slots__ = ("labels", "target")
    _table: ClassVar[dict[tuple[Expr, tuple[str, ...]], IndirectJump]] = {}
    transfers = True
    target: Expr
    labels: tuple[str, ...]

    def __new__(cls, target: Expr, labels: tuple[str, ...]) -> IndirectJump:
        key = (target, labels)
        node = cls._table.get(key)
        if node is None:
            node = object.__new__(cls)
            node.type, node.target, node.labels = "", target, labels
            node.uses, node.memory, node.size = target.uses, target.memory, target.size + 1
            cls._table[key] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return IndirectJump, (self.target, self.labels)


class Call(Node):
    """`ST=_f(r[10],r[11]),RT(f[0]);`: call; the registers named carry arguments, and results that the caller must drop."""

    __slots__ = ("arguments", "results", "target")
    _table: ClassVar[dict[tuple[Expr, tuple[Register, ...], tuple[Register, ...]], Call]] = {}
    target: Expr
    arguments: tuple[Register, ...]
    results: tuple[Register, ...]

    def __new__(cls, target: Expr, arguments: tuple[Register, ...] = (), results: tuple[Register, ...] = ()) -> Call:
        key = (target, arguments, results)
        node = cls._table.get(key)
        if node is None:
            node = object.__new__(cls)
            node.type, node.target, node.arguments, node.results = "", target, arguments, results
            node.uses, node.memory, node.size = united(target.uses, arguments), target.memory, target.size + 1
            cls._table[key] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Call, (self.target, self.arguments, self.results)


class Return(Node):
    """`PC=r[1],RT(r[10]);`: return to the address `target`; the registers named carry results or must be preserved."""

    __slots__ = ("results", "target")
    _table: ClassVar[dict[tuple[Expr, tuple[Register, ...]], Return]] = {}
    transfers = True
    target: Expr
    results: tuple[Register, ...]

    def __new__(cls, target: Expr, results: tuple[Register, ...] = ()) -> Return:
        key = (target, results)
        node = cls._table.get(key)
        if node is None:
            node = object.__new__(cls)
            node.type, node.target, node.results = "", target, results
            node.uses, node.memory, node.size = united(target.uses, results), target.memory, target.size + 1
            cls._table[key] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Return, (self.target, self.results)


class Delay(Node):
    """`DS=taken;` beside a transfer or call: when what stands in its delay slots is executed.

    'taken': only if the branch is taken, else it is annulled; 'always', 'never' tell an instruction with slots from the
    one without where a machine has both.
    """

    __slots__ = ("when",)
    _table: ClassVar[dict[str, Delay]] = {}
    when: str

    def __new__(cls, when: str) -> Delay:
        node = cls._table.get(when)
        if node is None:
            node = object.__new__(cls)
            node._constant()
            node.when = when
            cls._table[when] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Delay, (self.when,)


class By(Node):
    """`BY=b[1];` beside a transfer or call: the instruction finds the address of its target in a branch register."""

    __slots__ = ("register",)
    _table: ClassVar[dict[Register, By]] = {}
    register: Register

    def __new__(cls, register: Register) -> By:
        node = cls._table.get(register)
        if node is None:
            node = object.__new__(cls)
            node._constant()
            node.register, node.uses, node.size = register, register.uses, 2
            cls._table[register] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return By, (self.register,)


Effect = Set | Jump | Branch | IndirectJump | Call | Return | Delay | By
NODES = (*get_args(Expr), *get_args(Effect))
TRANSFERS = (Jump, Branch, IndirectJump, Return)  # what ends a basic block
DELAYS = ("always", "taken", "never")
TAKEN = Delay("taken")


def expressions_read(effect: Effect) -> Iterator[Expr]:
    """Yield the whole expressions that an effect evaluates: a source, the address of a store, a condition, a target."""
    match effect:
        case Set(target=target, source=source):
            yield source
            if type(target) is Mem:
                yield target.address
        case Branch(condition=condition):
            yield condition
        case IndirectJump(target=where) | Call(target=where) | Return(target=where):
            yield where
