"""Effects: what one instruction sets and where it transfers control to, immutable and interned like expressions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from vpo.rtl.nodes import Cell, Expr, Mem, Node, Op, Register, united


class Set(Node):
    """`target=source;`: a store to memory truncates, a register takes exactly its own width."""

    __slots__ = ("sets", "source", "target")
    target: Cell
    source: Expr
    sets: tuple[Register, ...]

    def __new__(cls, target: Cell, source: Expr) -> Set:
        node = cls._table.get((target, source))
        if node is None:
            node = object.__new__(cls)
            node.target, node.source, node.type = target, source, target.type
            if isinstance(target, Mem):
                node.uses = united(source.uses, target.address.uses)
                node.memory, node.sets = source.memory + target.address.memory, ()
            else:
                node.uses, node.memory, node.sets = source.uses, source.memory, (target,)
            node.size = source.size + target.size
            cls._table[target, source] = node
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return Set, (self.target, self.source)


class Jump(Node):
    """`PC=L5;`."""

    __slots__ = ("label",)
    transfers = True
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
    transfers = True
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
    transfers = True
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
    transfers = True
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


def expressions_read(effect: Effect) -> Iterator[Expr]:
    """Yield the whole expressions that an effect evaluates: a source, the address of a store, a condition, a target."""
    match effect:
        case Set(target=target, source=source):
            yield source
            if isinstance(target, Mem):
                yield target.address
        case Branch(condition=condition):
            yield condition
        case IndirectJump(target=where) | Call(target=where) | Return(target=where):
            yield where
