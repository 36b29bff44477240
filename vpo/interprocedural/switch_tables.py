"""Switches whose arms only choose constants: the constants are read from a table.

    switch (x) { case 1: return 7; case 2: return 9; ... default: return -1; }

    =>    i = x - 1; if (i > 3) goto default; return table[i];

Arms store constants to the same locals and go on at the same place, or return them.  Values between the least and the
greatest case that are none are in the table if the default chooses constants, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vpo import il
from vpo.frontend.lower import trees
from vpo.il.uses import is_whole
from vpo.interprocedural.inlining import without_unreachable

LEAST = 4  # cases of a switch: for fewer, comparisons take no more room
SPREAD = 4  # entries of a table for each case, at most
MOST = 2  # locals that arms store to


def read_choices_from_tables(unit: il.Unit, pointer: il.Type) -> None:
    """Replace the switches of a unit that only choose constants."""
    for function in unit.functions:
        if any(isinstance(statement, il.Switch) and len(statement.cases) >= LEAST for statement in function.body):
            _Tables(unit, function, pointer).run()


@dataclass(frozen=True)
class _Arm:
    """What an arm of a switch does: constants for locals, in their order, and the label behind it, or what it returns."""

    stores: tuple[il.Store, ...]
    label: str
    returns: il.Expr | None

    @property
    def values(self) -> list[il.Expr]:
        """The constants that it chooses."""
        return [*(store.value for store in self.stores), *([self.returns] if self.returns is not None else [])]

    def is_like(self, other: _Arm) -> bool:
        """Whether another arm does the same with constants of the same types."""
        places = [[id(_local(store)) for store in arm.stores] for arm in (self, other)]
        types = [[value.type for value in arm.values] for arm in (self, other)]
        return places[0] == places[1] and types[0] == types[1] and self.label == other.label


class _Tables:
    """The tables for the switches of one function."""

    def __init__(self, unit: il.Unit, function: il.Function, pointer: il.Type) -> None:
        self.unit, self.function, self.pointer = unit, function, pointer
        body = function.body
        self.places = {statement.name: index for index, statement in enumerate(body) if isinstance(statement, il.Label)}
        self.number = 0

    def run(self) -> None:
        """Replace what can be."""
        body = [new for old in self.function.body for new in (self._replaced(old) or [old])]
        if self.number:
            self.function.body = without_unreachable(body)

    def _replaced(self, switch: il.Statement) -> list[il.Statement] | None:
        if not isinstance(switch, il.Switch) or len(switch.cases) < LEAST:
            return None
        arms = {label: self._arm(label) for label in {label for _, label in switch.cases}}
        first = arms[switch.cases[0][1]]
        if first is None or not first.values or any(arm is None or not arm.is_like(first) for arm in arms.values()):
            return None
        numbers = {number: arm for number, label in switch.cases if (arm := arms[label]) is not None}
        low, high = min(numbers), max(numbers)
        default = self._arm(switch.default)
        count = high - low + 1
        if count > SPREAD * len(numbers) or (count > len(numbers) and (default is None or not default.is_like(first))):
            return None
        chosen = [numbers.get(number, default) for number in range(low, high + 1)]
        columns = zip(*(arm.values for arm in chosen if arm is not None), strict=True)
        return self._lookup(switch, first, low, [list(column) for column in columns])

    def _arm(self, label: str) -> _Arm | None:
        """Return what is done from a label on, if that is to choose constants."""
        stores: list[il.Store] = []
        for statement in self.function.body[self.places[label] :]:
            match statement:
                case il.Label(name=name) if stores and name != label:
                    return _Arm(tuple(stores), name, None)
                case il.Label():
                    pass
                case il.Store() if len(stores) < MOST and _is_choice(statement):
                    stores.append(statement)
                case il.Jump(label=name) if stores:
                    return _Arm(tuple(stores), name, None)
                case il.Return(value=il.Const() | il.AddrGlobal() as value) if not stores:
                    return _Arm((), "", value)
                case _:
                    return None
        return None

    def _lookup(self, switch: il.Switch, arm: _Arm, low: int, columns: Sequence[list[il.Expr]]) -> list[il.Statement]:
        """Return statements that find the place of a value in the tables, and do with what is there as an arm does."""
        line, size = switch.line, max(switch.value.type.size, min(4, self.pointer.size))
        type_ = il.Type("U", size)
        index = il.Local("index", type_, size, size)
        self.function.locals.append(index)
        address = il.AddrLocal(self.pointer, index)
        distance = trees.binary("sub", type_, trees.convert(type_, switch.value), trees.constant(type_, low))
        result: list[il.Statement] = [
            il.Store(address, distance, line),
            il.Branch("gt", il.Load(type_, address), il.Const(type_, len(columns[0]) - 1), switch.default, line),
        ]
        read = [self._read(column, il.Load(type_, address)) for column in columns]
        result += [il.Store(store.address, value, store.line) for store, value in zip(arm.stores, read, strict=False)]
        return [*result, il.Return(read[-1], line) if arm.returns is not None else il.Jump(arm.label, line)]

    def _read(self, column: list[il.Expr], index: il.Expr) -> il.Expr:
        """Return the entry with an index of a new table."""
        kind = column[0].type
        held = _narrowest(kind, column)
        name = f"{self.function.name}.chosen{self.number}"
        self.number += 1
        items = list(_items(column, held.size))
        self.unit.data.append(il.Data(name, held.size * len(column), held.size, items, constant=True, static=True))
        distance = trees.binary("mul", self.pointer, trees.convert(self.pointer, index), il.Const(self.pointer, held.size))
        entry = il.Binary("add", self.pointer, il.AddrGlobal(self.pointer, name, 0), distance)
        return trees.convert(kind, il.Load(held, entry))


def _local(store: il.Store) -> il.Local:
    assert isinstance(store.address, il.AddrLocal)
    return store.address.local


def _is_choice(store: il.Store) -> bool:
    """Whether a store gives a whole local a constant."""
    address, value = store.address, store.value
    if not isinstance(address, il.AddrLocal) or not isinstance(value, il.Const | il.AddrGlobal):
        return False
    return not store.volatile and not address.local.volatile and is_whole(address, value.type)


def _narrowest(kind: il.Type, column: Sequence[il.Expr]) -> il.Type:
    """Return the smallest type that holds all constants of a type."""
    numbers = [int(value.value) for value in column if isinstance(value, il.Const) and not kind.is_float]
    if kind.kind == "P" or len(numbers) < len(column):
        return kind
    kinds = (il.Type(sign, size) for size in (1, 2, 4) if size < kind.size for sign in ("U", "I"))
    return next((each for each in kinds if all(trees.wrap(each, number) == number for number in numbers)), kind)


def _items(column: Sequence[il.Expr], size: int) -> Iterator[il.Item]:
    for place, value in enumerate(column):
        if isinstance(value, il.AddrGlobal):
            yield il.AddressItem(place * size, value.name, value.offset)
        elif isinstance(value, il.Const) and value.type.is_float:
            yield il.FloatItem(place * size, size, float(value.value))
        elif isinstance(value, il.Const):
            yield il.IntItem(place * size, size, int(value.value))
