"""Patterns of operands and instructions, compiled to Python functions that match interned RTL nodes.

The functions are the fast twin of the Lark grammar of `vpo.machines.match.grammar`: same patterns, same conditions.
A pattern with commutative operators is compiled in each operand order.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from vpo.machines.match.number_sums import Sum, number_minus, solution, sum_of
from vpo.machines.match.record import Occupancy
from vpo.machines.read.condition import Condition
from vpo.machines.read.source import Place
from vpo.rtl import (
    COMMUTATIVE,
    NODES,
    Branch,
    By,
    Call,
    Const,
    Delay,
    Effect,
    Half,
    IndirectJump,
    Jump,
    LabelAddress,
    Mem,
    Next,
    Op,
    Register,
    Return,
    Set,
    Slot,
    Symbol,
)
from vpo.rtl.function import FAR
from vpo.text import RegisterVariable, Variable

TRIED_BITS = 8  # of parts of addresses: their values are tried one by one
ORDERS = 32
COUNT, MASK = "count", "mask"  # in the condition of a repeated pattern: how many registers it moves, and a bit for each


@dataclass(frozen=True, eq=False)
class OperandForm:
    """One way to write an operand: a constant range, a symbol, or an RTL fragment over further operands."""

    mode: str
    place: Place
    pattern: Any = None  # an expression with Variables, or None
    low: int = 0
    high: int = -1
    values: tuple[int, ...] = ()
    multiple: int = 1
    slots: bool = False
    far: bool = False
    symbol: bool = False
    operands: dict[str, str] = field(default_factory=dict)  # variable -> operand name
    asm: str = ""
    show: Callable[[dict[str, Any]], Any] | None = None  # how a constant prints, over v
    condition: Condition | None = None
    size: int = 0
    text: str = ""  # the pattern as written
    steps: str = ""  # the class of its register, if that steps

    @property
    def multiples(self) -> range:
        """The numbers that a constant of this form may be, if they are no list."""
        return range(-(-self.low // self.multiple) * self.multiple, self.high + 1, self.multiple)

    def accepts(self, node: Any) -> bool:
        """Whether a constant, slot or symbol is of this form (which has no pattern)."""
        kind = type(node)
        if kind is Const:
            value = node.value
            if self.values:
                return value in self.values
            return bool(self.low <= value <= self.high and value % self.multiple == 0)
        if kind is Slot:
            return self.far if node.name.startswith(FAR) else self.slots
        if kind is Half:
            return node.part is not None and self.takes_parts(node.part[1])
        return bool(self.symbol and kind is Symbol and node.offset % self.multiple == 0)

    def takes_parts(self, bits: int) -> bool:
        """Whether all numbers of so many bits are of this form, so that a part of an address is one, whatever it is."""
        return not self.values and self.multiple == 1 and self.low <= 0 and (self.high + 1) >> bits > 0

    def holds(self, bindings: dict[str, Any]) -> bool:
        """Whether the condition holds for what the variables stand for in a match; for all numbers that a part may be."""
        if self.condition is None:
            return True
        match bindings.get("v"):
            case Half(part=(_, bits)):
                return bits <= TRIED_BITS and all(self.condition({"v": value}) for value in range(1 << bits))
        return bool(self.condition({k: number_of(v) for k, v in bindings.items()}))


@dataclass(frozen=True, eq=False)
class Alternative:
    """One form of an instruction."""

    name: str
    place: Place
    effects: tuple[Any, ...]
    repeated: bool
    operands: dict[str, str]
    asm: str
    size: int
    latency: int
    slots: int
    clobbers: tuple[Register, ...]
    reach: tuple[int, int] | None
    condition: Condition | None
    order: int = 0
    text: str = ""  # the pattern as written
    separator: str = ","
    load_slots: int = 0
    hold_slots: int = 0
    fields: dict[str, str] = field(default_factory=dict)  # report field -> addressing mode; '' hides it
    implied: bool = False  # what another form is with a number that leaves something as it is
    pseudo: bool = False  # only until registers are assigned: an expansion then says what it stands for
    into: tuple[tuple[Any, ...], ...] = ()  # the instructions that replace it when delay slots are filled
    counted: bool = True
    fetched: bool = True
    occupancy: Occupancy = field(default_factory=Occupancy)
    latencies: dict[str, int] = field(default_factory=dict)  # by kind: see vpo.machines.read.sections; before `latency`
    encoding: dict[str, int] = field(default_factory=dict)  # bits by field, if the description says so
    code: Any = None  # the `vpo.machines.read.encoding.Code`, if all of the opcode's bits are known
    if_dead: tuple[Register, ...] = ()  # changes these, too, and is taken only where nobody reads them behind it
    longer: bool = False  # has in any case the byte that some registers add
    slot: bool = True  # may stand in a delay slot
    literal: str = ""  # the variable that stands for what is in a literal pool
    _variables: list[tuple[str, str, str]] = field(default_factory=list, init=False, repr=False)  # once they are asked for

    def repetition(self, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        """Return those effects of a match that the last one of the pattern stands for."""
        return effects[len(self.effects) - 1 :]

    def holds(self, bindings: dict[str, Any], effects: tuple[Effect, ...]) -> bool:
        """Whether the condition holds for what the variables stand for in a match; with `pseudo`, one is a pseudo-register."""
        if self.pseudo and not any(type(node) is Register and node.pseudo for node in bindings.values()):
            return False
        if self.condition is None:
            return True
        values = {name: number_of(node) for name, node in bindings.items()}
        if self.repeated:
            moves = self.repetition(effects)
            values = {COUNT: len(moves), MASK: _mask(moves), **values}
        return bool(self.condition(values))

    @property
    def variables(self) -> list[tuple[str, str, str]]:
        """(name, kind, type) of each variable in order of appearance.

        kind is 'register', 'operand' or 'label'; type is the letter of the datum that the variable is or addresses.
        """
        if not self._variables:
            found: dict[str, tuple[str, str, str]] = {}
            for effect in self.effects:
                collect(effect, "", found)
            self._variables.extend(found.values())
        return self._variables


def _mask(moves: tuple[Effect, ...]) -> int:
    """Return a number with a bit for each register that moves to or from memory name."""
    sides = [side for move in moves if isinstance(move, Set) for side in (move.target, move.source)]
    return sum(1 << side.index for side in sides if type(side) is Register and not side.pseudo)


def collect(node: Any, type_: str, found: dict[str, tuple[str, str, str]]) -> None:
    """Add the variables of a pattern below `node`, whose context has type `type_`."""
    match node:
        case RegisterVariable():
            found.setdefault(node.name, (node.name, "register", node.type))
        case Variable():
            found.setdefault(node.name, (node.name, "operand", type_))
        case Op(op=op, args=args):
            inner = "" if op in ("sx", "zx", "tr", "cvt", "cvtu", "bits", "SYS") else node.type
            inner = inner or next((a.type for a in args if a.type), "") or type_
            for arg in args:
                collect(arg, inner, found)
        case Mem():
            collect(node.address, node.type, found)
        case Half():
            collect(node.of, type_, found)
        case LabelAddress():
            _label(node.label, found)
        case By():
            collect(node.register, "", found)
        case Set():
            collect(node.target, node.target.type, found)
            collect(node.source, node.target.type, found)
        case Branch():
            collect(node.condition, "", found)
            _label(node.label, found)
        case Jump():
            _label(node.label, found)
        case IndirectJump() | Return() | Call():
            collect(node.target, type_, found)


def _label(label: str, found: dict[str, tuple[str, str, str]]) -> None:
    if not label.startswith("L"):
        found.setdefault(label, (label, "label", ""))


def number_of(node: Any) -> Any:
    """Return what a variable is called in a condition: a constant's value, a register's number, else the node."""
    if type(node) is Const:
        return node.value
    if type(node) is Register:
        return node.index if not node.pseudo else -1 - abs(node.index)
    return node


# ----------------------------------------------------------------------------------------------- compilation


def orders(node: Any) -> Iterator[Any]:
    """Yield a pattern expression in every order of its commutative operators (the written one first)."""
    if isinstance(node, Op):
        arguments: list[tuple[Any, ...]] = [()]
        for arg in node.args:
            arguments = [(*before, new) for before in arguments for new in orders(arg)][:ORDERS]
        for args in arguments:
            yield Op(node.op, node.type, *args)
        if node.op in COMMUTATIVE and len(node.args) == 2 and not isinstance(node.args[1], Const):
            for args in arguments:
                yield Op(node.op, node.type, args[1], args[0])
    elif isinstance(node, Mem):
        for address in orders(node.address):
            yield node.at(address)
    elif isinstance(node, Set):
        for target in orders(node.target):
            for source in orders(node.source):
                yield Set(target, source)
    elif isinstance(node, Branch):
        for condition in orders(node.condition):
            yield Branch(condition, node.label)
    else:
        yield node


def effect_orders(effects: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Return a pattern's effects with commutative operators in each order, the written one first, up to ORDERS.

    What so many operators compute is found by its meaning, and then is as written (`vpo/machines/match/likely.py`).
    """
    result: list[tuple[Any, ...]] = [()]
    for effect in effects:
        result = [(*before, new) for before in result for new in islice(orders(effect), ORDERS)][:ORDERS]
    return result


class Emitter:
    """Writes the body of one matching function: a chain of tests that returns None at the first that fails.

    `summed` are the variables of which the pattern computes numbers.
    """

    def __init__(self, operands: dict[str, str], counts: Mapping[str, int], summed: Container[str]) -> None:
        self.lines: list[str] = []
        self.operands, self.counts, self.summed = operands, counts, summed
        self.computed: list[tuple[Sum, str]] = []  # numbers that the pattern computes, and where they are
        self.bound: dict[str, str] = {}
        self.count = 0

    def fail_unless(self, condition: str) -> None:
        """Emit a test."""
        self.lines.append(f"    if not ({condition}): return None")

    def function(self, head: str) -> str:
        """Return the source of a function that returns the bindings, or None."""
        self.solve()
        bindings = ", ".join(f"{variable!r}: {name}" for variable, name in self.bound.items())
        return f"def {head}:\n" + "\n".join(self.lines) + f"\n    return {{{bindings}}}\n"

    def local(self, expression: str) -> str:
        """Emit an assignment to a fresh name, and return the name."""
        self.count += 1
        name = f"n{self.count}"
        self.lines.append(f"    {name} = {expression}")
        return name

    def bind(self, variable: str, name: str) -> bool:
        """Bind a variable, or test that it is the same node again; True at the first binding."""
        if variable in self.bound:
            self.fail_unless(f"{name} is {self.bound[variable]}")
            return False
        self.bound[variable] = name
        return True

    def solve(self) -> None:
        """Emit assignments to the variables of which numbers are computed, and tests that these are as they should be."""
        for found, name, unknown in solution(self.computed, self.bound):
            rest = [f"{factor} * {self.bound[other]}.value" for other, factor in found.factors.items() if other != unknown]
            for other in found.factors:
                if other != unknown:
                    self.fail_unless(f"{self.bound[other]}.__class__ is Const")
            value = " - ".join([f"{name}.value", str(found.constant), *rest])
            if not unknown:
                self.fail_unless(f"{name}.__class__ is Const and {value} == 0")
            elif rest or found.factors[unknown] < 0:
                self.fail_unless(f"{name}.__class__ is Const")
                self._solved(unknown, self.local(f"Const({found.factors[unknown]} * ({value}))"))
            else:
                self._solved(unknown, self.local(f"number_minus({name}, {found.constant})"))

    def _solved(self, variable: str, name: str) -> None:
        self.bound[variable] = name
        self.fail_unless(f"operand_{self.operands[variable]}({name}) is not None")

    def expression(self, pattern: Any, name: str) -> None:
        """Emit the tests that `name` matches an expression pattern."""
        if self.summed and isinstance(pattern, Op) and (found := sum_of(pattern, self.summed)) is not None:
            self.computed.append((found, name))
            return
        match pattern:
            case RegisterVariable():
                self.fail_unless(f"{name}.__class__ is Register and {name}.cls == {pattern.cls!r}"
                                 f" and ({name}.pseudo or {name}.index < {self.counts[pattern.cls]})")  # fmt: skip
                self.bind(pattern.name, name)
            case Variable():
                if self.bind(pattern.name, name):
                    self.fail_unless(f"operand_{self.operands[pattern.name]}({name}) is not None")
            case Register():
                self.fail_unless(f"{name}.__class__ is Register and {name}.cls == {pattern.cls!r}"
                                 f" and {name}.index == {pattern.index} and not {name}.pseudo")  # fmt: skip
            case Const():
                self.fail_unless(f"{name}.__class__ is Const and {name}.value == {pattern.value}")
            case Op():
                test = f"{name}.__class__ is Op and {name}.op == {pattern.op!r}"
                test += f" and len({name}.args) == {len(pattern.args)}"
                if pattern.op in ("sx", "zx", "tr", "cvt", "cvtu", "bits", "SYS"):
                    test += f" and {name}.type == {pattern.type!r}"
                self.fail_unless(test)
                args = self.local(f"{name}.args")
                for index, arg in enumerate(pattern.args):
                    self.expression(arg, self.local(f"{args}[{index}]"))
            case Mem():
                self.fail_unless(f"{name}.__class__ is Mem and {name}.type == {pattern.type!r}")
                self.expression(pattern.address, self.local(f"{name}.address"))
            case Half():
                self.fail_unless(f"{name}.__class__ is Half and {name}.which == {pattern.which!r}")
                self.expression(pattern.of, self.local(f"{name}.of"))
            case Next():
                self.fail_unless(f"{name}.__class__ is Next")
            case LabelAddress():
                self.fail_unless(f"{name}.__class__ is LabelAddress")
                self.bind(pattern.label, self.local(f"{name}.label"))
            case Symbol():
                self.fail_unless(f"{name}.__class__ is Symbol and {name}.name == {pattern.name!r}")
            case _:
                raise TypeError(f"{pattern!r} cannot stand in a pattern")

    def effect(self, pattern: Any, name: str) -> None:
        """Emit the tests that `name` matches an effect pattern."""
        self.fail_unless(f"{name}.__class__ is {type(pattern).__name__}")
        match pattern:
            case Set():
                self.expression(pattern.target, self.local(f"{name}.target"))
                self.expression(pattern.source, self.local(f"{name}.source"))
            case Branch():
                self.expression(pattern.condition, self.local(f"{name}.condition"))
                self.bind(pattern.label, self.local(f"{name}.label"))
            case Jump():
                self.bind(pattern.label, self.local(f"{name}.label"))
            case IndirectJump() | Call() | Return():
                self.expression(pattern.target, self.local(f"{name}.target"))
            case Delay():
                self.fail_unless(f"{name}.when == {pattern.when!r}")
            case By():
                self.expression(pattern.register, self.local(f"{name}.register"))


NAMESPACE: dict[str, Any] = {cls.__name__: cls for cls in NODES}
NAMESPACE["number_minus"] = number_minus


def matcher_source(
    function: str, alternative: Alternative, effects: tuple[Any, ...], counts: Mapping[str, int], summed: Container[str]
) -> str:
    """Return Python source of a function: effects -> dict of bindings, or None; `counts` are those of registers, by class."""
    emitter = Emitter(alternative.operands, counts, summed)
    emitter.fail_unless(f"len(effects) {'>=' if alternative.repeated else '=='} {len(effects)}")
    for index, effect in enumerate(effects):
        emitter.effect(effect, emitter.local(f"effects[{index}]"))
    return emitter.function(f"{function}(effects)")


def operand_source(function: str, form: OperandForm, pattern: Any, counts: Mapping[str, int], summed: Container[str]) -> str:
    """Return Python source of a function: node -> dict of bindings, or None; `counts` are those of registers, by class."""
    emitter = Emitter(form.operands, counts, summed)
    emitter.expression(pattern, "node")
    return emitter.function(f"{function}(node)")
