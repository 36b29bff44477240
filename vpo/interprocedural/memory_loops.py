"""Loops that fill memory with one byte, or copy one object into another: they become calls of memset and memcpy.

    for (i = 0; i < n; i++) a[i] = 0;      =>     if (i < n) memset(a + i, 0, (n - i) * sizeof *a); i = n;

A loop is a list of statements from its label to a jump back to it, with one way out.  Its rounds are followed once, in terms
of what variables are when a round begins: what a round adds to each, where it stores what, and what its test compares.
Called "loop distribution patterns" by gcc, "loop idioms" by LLVM.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from vpo import il
from vpo.frontend.lower.trees import INVERSE
from vpo.il.data_model import DataModel
from vpo.il.traversal import children, expressions_of, walk
from vpo.il.uses import exposed_locals, is_whole, locals_used, pointed_to, private_data

MADE = ("memset", "memcpy")
LONGEST = 16  # statements of a loop
SWAPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "ne": "ne"}


def replace_memory_loops(unit: il.Unit, pointer: il.Type, model: DataModel, kept: Collection[str] = ()) -> None:
    """Replace loops in the functions of a unit, unless the functions to call are its own, or `kept`."""
    if any(function.name in MADE for function in unit.functions) or any(name in kept for name in MADE):
        return
    hidden: set[str] | None = None
    for function in unit.functions:
        places = {s.name: index for index, s in enumerate(function.body) if isinstance(s, il.Label)}
        backward = [index for index, s in enumerate(function.body)
                    if isinstance(s, il.Jump | il.Branch) and 0 <= index - places.get(s.label, index) <= LONGEST]  # fmt: skip
        if backward:
            hidden = private_data(unit) if hidden is None else hidden
            _replace(function, backward, places, hidden, pointer, model)


def _replace(
    function: il.Function,
    backward: list[int],
    places: Mapping[str, int],
    objects: Collection[str],
    pointer: il.Type,
    model: DataModel,
) -> None:
    body = function.body
    targets = Counter(label for statement in body for label in _targets(statement))
    exposed, pointed = exposed_locals(body), pointed_to(body)
    hidden: set[Root] = {*objects, *(id(local) for local in function.locals if id(local) not in pointed)}
    made: dict[int, tuple[int, list[il.Statement]]] = {}
    named: dict[int, tuple[int, int]] = {}
    for end in backward:
        jump = body[end]
        assert isinstance(jump, il.Jump | il.Branch)
        start = places[jump.label]
        found = _Loop(function, start, end, exposed, hidden, pointer, model, named).made(targets, places)
        if found is not None:
            made[start] = end, found
    result: list[il.Statement] = []
    index = 0
    while index < len(body):
        end, instead = made.get(index, (index, body[index : index + 1]))
        result += instead
        index = end + 1
    function.body = result


def _named(body: Sequence[il.Statement]) -> dict[int, tuple[int, int]]:
    """Return the first and the last statement that names each local."""
    found: dict[int, tuple[int, int]] = {}
    for index, statement in enumerate(body):
        for local in locals_used((statement,)):
            found[local] = found[local][0] if local in found else index, index
    return found


def _targets(statement: il.Statement) -> Iterator[str]:
    match statement:
        case il.Jump(label=label) | il.Branch(label=label):
            yield label
        case il.Switch(cases=cases, default=default):
            yield from (label for _, label in cases)
            yield default


@dataclass(frozen=True)
class _Test:
    """The loop goes on while a relation holds, of values told in terms of the round's beginning; `place` is the branch's."""

    relation: str
    left: il.Expr
    right: il.Expr
    place: int


@dataclass(frozen=True)
class _Rounds:
    """How often a loop goes round: `least`, and if a condition holds (where there is one) `count`."""

    least: int
    condition: tuple[str, il.Expr, il.Expr] | None
    count: il.Expr


Root = str | int | None  # an object: the name of a global one, or the id of a local one


@dataclass
class _Loop:
    """The statements of a function's body from a label at `start` to a jump back at `end`."""

    function: il.Function
    start: int
    end: int
    exposed: set[int]
    hidden: Collection[Root]  # objects whose addresses only accesses use
    pointer: il.Type
    model: DataModel
    named: dict[int, tuple[int, int]]  # by local, the first and the last statement that names it; empty until asked for
    now: dict[int, tuple[il.Local, il.Expr]] = field(default_factory=dict)  # what variables are, of the round's beginning
    stores: list[il.Store] = field(default_factory=list)
    steps: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.body: Sequence[il.Statement] = self.function.body
        self.unsigned = il.Type("U", self.pointer.size)
        self.known: dict[int, int] = {}  # variables that are numbers before the loop
        self.pointers: dict[int, Root] = {}  # the objects that pointers point to before the loop, and so in it
        self.ordered = 0  # the id of the variable that ends the loop when it is not below a limit any more, or above

    def made(self, targets: Counter[str], places: Mapping[str, int]) -> list[il.Statement] | None:
        """Return what stands for the loop, None if it is not a loop that fills or copies."""
        test = self._follow(targets, places)
        if test is None or not self.stores or not self._find_steps():
            return None
        before = self._before()
        self.known = {key: n for key, value in before.items() if (n := _number(value, {})) is not None}
        self.pointers = {key: _root(value) for key, value in before.items() if key in self.steps}
        self.written = [self._root(store.address) for store in self.stores]
        rounds = self._rounds(test)
        if rounds is None:
            return None
        number = il.Local("rounds", self.unsigned, self.pointer.size, self.pointer.size)
        counted = il.Load(self.unsigned, il.AddrLocal(self.pointer, number))
        times = rounds.count if isinstance(rounds.count, il.Const) else counted
        actions = [self._action(store, times) for store in self.stores]
        if None in actions or not self._are_independent(actions):
            return None
        self.function.locals.append(number)
        return self._statements(test, rounds, number, times, [action for action in actions if action is not None])

    # ------------------------------------------------------------------------------------------------- what a round does

    def _follow(self, targets: Counter[str], places: Mapping[str, int]) -> _Test | None:
        """Go through the statements of a round, and return its test; None if it does more than to set and to store."""
        head, test = self.body[self.start], None
        if not isinstance(head, il.Label) or targets[head.name] != 1:
            return None
        for place in range(self.start + 1, self.end + 1):
            statement = self.body[place]
            match statement:
                case il.Label(name=name) if not targets[name]:
                    pass
                case il.Jump() if place == self.end and test is not None:
                    pass
                case il.Branch(relation=relation, left=left, right=right, label=label) if test is None:
                    back = place == self.end
                    if not back and (self.stores or self.start <= places[label] <= self.end):
                        return None
                    test = _Test(relation if back else INVERSE[relation], self._of(left), self._of(right), place)
                case il.Store(volatile=False):
                    self._note(statement)
                case _:
                    return None
            if any(isinstance(n, il.Load) and n.volatile for root in expressions_of(statement) for n in walk(root)):
                return None
        return test

    def _note(self, store: il.Store) -> None:
        value = self._of(store.value)
        if isinstance(store.address, il.AddrLocal) and self._is_variable(store.address, store.value.type):
            self.now[id(store.address.local)] = store.address.local, value
        else:
            self.stores.append(replace(store, address=self._of(store.address), value=value))

    def _is_variable(self, address: il.Expr, type_: il.Type) -> bool:
        """Whether an address is that of a local that only whole loads and stores use."""
        return isinstance(address, il.AddrLocal) and is_whole(address, type_) and id(address.local) not in self.exposed

    def _of(self, node: il.Expr) -> il.Expr:
        """Return an expression in terms of what variables were when the round began."""
        match node:
            case il.Load(type=type_, address=il.AddrLocal(local=local) as address) if self._is_variable(address, type_):
                value = self.now[id(local)][1] if id(local) in self.now else node
                return value if value.type == type_ else il.Convert(type_, value)
            case il.Load(address=address):
                return replace(node, address=self._of(address))
            case il.Binary(left=left, right=right) | il.Compare(left=left, right=right):
                return replace(node, left=self._of(left), right=self._of(right))
            case il.Unary(operand=operand) | il.Convert(operand=operand):
                return replace(node, operand=self._of(operand))
        return node

    def _find_steps(self) -> bool:
        """Find what a round adds to each variable; return whether all others are only wanted within a round."""
        for key, (local, value) in self.now.items():
            match value:
                case il.Binary(operator="add" | "sub" as operator, left=il.Load(address=il.AddrLocal(local=left)),
                               right=il.Const(value=int(number))) if left is local and self._counts(local.type):  # fmt: skip
                    self.steps[key] = number if operator == "add" else -number
        passing = self.now.keys() - self.steps.keys()
        at_first = [value for _, value in self.now.values()] + [
            e for store in self.stores for e in (store.address, store.value)
        ]
        read = {id(n.local) for e in at_first for n in walk(e) if isinstance(n, il.AddrLocal)}
        return passing.isdisjoint(read) and not any(map(self._is_used_outside, passing))

    def _is_used_outside(self, local: int) -> bool:
        """Whether a statement that is not of the loop names a local."""
        if not self.named:
            self.named.update(_named(self.body))
        first, last = self.named.get(local, (self.start, self.end))
        return first < self.start or last > self.end

    def _counts(self, type_: il.Type | None) -> bool:
        return type_ is not None and (type_ == self.pointer or (type_.kind in "IU" and type_.size >= self.model.sizes["int"]))

    # --------------------------------------------------------------------------------------------- what changes, and how

    def _change(self, node: il.Expr) -> int | None:
        """Return what a round adds to an expression; None if that is not always the same."""
        match node:
            case il.Const() | il.AddrGlobal() | il.AddrLocal():
                return 0
            case il.Load(type=type_, address=il.AddrLocal(local=local) as address) if self._is_variable(address, type_):
                return self.steps.get(id(local), None if id(local) in self.now else 0)
            case il.Load(address=address):
                root = self._root(address)
                constant = all(self._are_apart(root, written) for written in self.written)
                return 0 if constant and self._change(address) == 0 else None
            case il.Convert(type=type_, operand=operand):
                change = self._change(operand)
                exact = not type_.is_float and not operand.type.is_float and type_.size >= operand.type.size
                if type_.size > operand.type.size:
                    exact = exact and all(map(self._is_monotonous, walk(operand)))
                return change if exact or change == 0 else None
            case il.Binary(operator="add" | "sub" as operator, type=type_, left=left, right=right) if not type_.is_float:
                a, b = self._change(left), self._change(right)
                return None if a is None or b is None else a + b if operator == "add" else a - b
            case il.Binary(operator="mul" | "shl" as operator, left=left, right=il.Const(value=int(factor))) if factor >= 0:
                change = self._change(left)
                return (
                    None
                    if change is None or (factor > 64 and operator == "shl")
                    else change * (factor if operator == "mul" else 1 << factor)
                )
        return 0 if all(self._change(child) == 0 for child in children(node)) else None

    def _are_apart(self, one: Root, other: Root) -> bool:
        """Whether two addresses lie in different objects: no pointer points to one that is hidden."""
        return one != other and (None not in (one, other) or one in self.hidden or other in self.hidden)

    def _root(self, address: il.Expr) -> Root:
        return _root(address, self.pointers)

    def _is_monotonous(self, node: il.Expr) -> bool:
        """Whether a part of a number does not wrap while the loop goes round: if signed, or ended by an order."""
        if node.type.is_signed or not isinstance(node, il.Load):
            return node.type.is_signed or isinstance(node, il.Const | il.AddrLocal)
        address = node.address
        return isinstance(address, il.AddrLocal) and (id(address.local) == self.ordered or id(address.local) not in self.now)

    def _rounds(self, test: _Test) -> _Rounds | None:
        """Return how often the loop goes round."""
        relation, left, right = test.relation, test.left, test.right
        step = self._change(left)
        if step == 0 and relation in SWAPPED:
            relation, left, right = SWAPPED[relation], right, left
            step = self._change(left)
        if (
            not step
            or self._change(right) != 0
            or not self._counts(left.type)
            or relation not in ("lt", "le", "gt", "ge", "ne")
        ):
            return None
        size = abs(step)
        if (relation in ("lt", "le") and step < 0) or (relation in ("gt", "ge") and step > 0) or size & (size - 1):
            return None
        if relation != "ne" and isinstance(left, il.Load) and isinstance(left.address, il.AddrLocal):
            self.ordered = id(left.address.local)
        least = int(test.place == self.end)
        known = self.known
        first, last = _number(left, known), _number(right, known)
        if first is not None and last is not None:
            distance = last - first if step > 0 else first - last
            if distance < 0 or (relation == "ne" and distance % size):
                return None
            more = distance // size + 1 if relation in ("le", "ge") else -(-distance // size)
            return _Rounds(0, None, il.Const(self.unsigned, more + least)) if more + least else None
        return _Rounds(
            least, (relation, left, right) if relation != "ne" else None, self._count(relation, left, right, step, least)
        )

    def _count(self, relation: str, left: il.Expr, right: il.Expr, step: int, least: int) -> il.Expr:
        """Return how often the loop goes round if its condition holds at first."""
        size, type_ = abs(step), il.Type("U", left.type.size)
        low, high = (left, right) if step > 0 else (right, left)
        count: il.Expr = il.Binary("sub", type_, _converted(high, type_), _converted(low, type_))
        if relation in ("lt", "gt") and size > 1:
            count = il.Binary("add", type_, count, il.Const(type_, size - 1))
        if size > 1:
            count = il.Binary("shr", type_, count, il.Const(type_, size.bit_length() - 1))
        more = least + (relation in ("le", "ge"))
        return _converted(il.Binary("add", type_, count, il.Const(type_, more)) if more else count, self.unsigned)

    def _before(self) -> dict[int, il.Expr]:
        """Return the numbers and addresses of objects that variables are set to right before the loop."""
        found: dict[int, il.Expr] = {}
        for statement in reversed(self.body[max(0, self.start - LONGEST) : self.start]):
            match statement:
                case il.Store(address=il.AddrLocal(local=local) as address, value=value) if self._is_variable(
                    address, value.type
                ):
                    found.setdefault(id(local), value)
                case _:
                    break
        return {key: value for key, value in found.items() if isinstance(value, il.Const | il.AddrGlobal | il.AddrLocal)}

    # ---------------------------------------------------------------------------------------------------- what is made

    def _action(self, store: il.Store, times: il.Expr) -> il.Call | None:
        """Return the call that does what all rounds do by a store."""
        address, value, size = store.address, store.value, store.value.type.size
        step = self._change(address)
        if step is None or abs(step) != size:
            return None
        bytes_: il.Expr = (
            il.Const(times.type, int(times.value) * size)
            if isinstance(times, il.Const)
            else times
            if size == 1
            else il.Binary("mul", times.type, times, il.Const(times.type, size))
        )
        target = self._start(address, step, bytes_)
        filled = self._filled(value)
        if filled is not None:
            return self._call("memset", (target, filled, bytes_), store.line)
        match value:
            case il.Load(address=source) if self._change(source) == step:
                if self._are_apart(self._root(source), self._root(address)):
                    return self._call("memcpy", (target, self._start(source, step, bytes_), bytes_), store.line)
        return None

    def _call(self, name: str, arguments: tuple[il.Expr, ...], line: int) -> il.Call:
        return il.Call(il.AddrGlobal(self.pointer, name), arguments, None, line)

    def _start(self, address: il.Expr, step: int, bytes_: il.Expr) -> il.Expr:
        """Return where the block begins whose parts rounds reach one by one, the last one first if they go down."""
        address = self._placed(address)
        if step > 0:
            return address
        behind = il.Binary("add", self.pointer, address, il.Const(self.pointer, -step))
        return il.Binary("sub", self.pointer, behind, _converted(bytes_, self.pointer))

    def _placed(self, address: il.Expr) -> il.Expr:
        """Return an address with the numbers that are known before the loop."""
        match address:
            case il.Binary(operator="add", left=left, right=right):
                left, offset = self._placed(left), _number(right, self.known)
                if offset is not None and isinstance(left, il.AddrGlobal | il.AddrLocal):
                    return replace(left, offset=left.offset + offset)
                return replace(address, left=left)
        return address

    def _filled(self, value: il.Expr) -> il.Expr | None:
        """Return the byte that fills all of a value."""
        whole = il.Type("I", self.model.sizes["int"])
        match value:
            case il.Const(type=type_, value=int(number)):
                data = {*(number % (1 << 8 * type_.size)).to_bytes(type_.size, "little")}
                return il.Const(whole, data.pop()) if len(data) == 1 else None
            case il.Const(value=float(number)):
                return il.Const(whole, 0) if struct.pack("d", number) == bytes(8) else None
        return _converted(value, whole) if value.type.size == 1 and self._change(value) == 0 else None

    def _are_independent(self, actions: Sequence[il.Call | None]) -> bool:
        """Whether it does not matter in which order stores of several rounds are made."""
        if len(self.stores) == 1:
            return True
        values = {a.arguments[1].value for a in actions if a is not None and isinstance(a.arguments[1], il.Const)}
        same = len(values) == 1 and all(a is not None and isinstance(a.arguments[1], il.Const) for a in actions)
        return same and all(self._filled(store.value) is not None for store in self.stores)

    def _statements(
        self, test: _Test, rounds: _Rounds, number: il.Local, times: il.Expr, actions: list[il.Call]
    ) -> list[il.Statement]:
        line, place = self.stores[0].line, il.AddrLocal(self.pointer, number)
        head = self.body[self.start]
        assert isinstance(head, il.Label)
        made: list[il.Statement] = []
        if rounds.condition is not None:
            relation, left, right = rounds.condition
            done = il.Label(f"done_{head.name}")
            made.append(il.Store(place, il.Const(self.unsigned, rounds.least), line))
            made.append(il.Branch(INVERSE[relation], left, right, done.name, line))
            made.append(il.Store(place, rounds.count, line))
            made += [done, *actions] if rounds.least else [*actions, done]
        else:
            if not isinstance(times, il.Const):
                made.append(il.Store(place, rounds.count, line))
            made += actions
        made += [self._advance(self.now[key][0], step, times, line) for key, step in self.steps.items()]
        branch = self.body[test.place]
        assert isinstance(branch, il.Branch)
        if test.place != self.end:
            made += [s for s in self.body[self.start + 1 : test.place] if isinstance(s, il.Store)]
            made.append(il.Jump(branch.label, branch.line))
        return made

    def _advance(self, local: il.Local, step: int, times: il.Expr, line: int) -> il.Statement:
        """Return what adds to a variable what all rounds add."""
        assert local.type is not None
        address = il.AddrLocal(self.pointer, local)
        amount: il.Expr
        if isinstance(times, il.Const):
            amount = il.Const(local.type, int(times.value) * abs(step))
        else:
            amount = _converted(times, local.type)
            if abs(step) != 1:
                amount = il.Binary("mul", times.type, times, il.Const(times.type, abs(step)))
                amount = _converted(amount, local.type)
        operator = "add" if step > 0 else "sub"
        return il.Store(address, il.Binary(operator, local.type, il.Load(local.type, address), amount), line)


def _converted(value: il.Expr, type_: il.Type) -> il.Expr:
    if isinstance(value, il.Const) and isinstance(value.value, int) and 0 <= value.value < 1 << (8 * type_.size - 1):
        return il.Const(type_, value.value)
    return value if value.type == type_ else il.Convert(type_, value)


def _root(address: il.Expr, pointers: Mapping[int, Root] = MappingProxyType({})) -> Root:
    """Return the object that an address lies in, if it is known, with what pointers are known to point to."""
    match address:
        case il.AddrGlobal(name=name):
            return name
        case il.AddrLocal(local=local):
            return id(local)
        case il.Load(address=il.AddrLocal(local=local, offset=0)):
            return pointers.get(id(local))
        case il.Binary(operator="add", left=left, right=right):
            found = _root(left, pointers)
            return _root(right, pointers) if found is None else found
        case il.Binary(operator="sub", left=left):
            return _root(left, pointers)
    return None


def _number(node: il.Expr, known: Mapping[int, int]) -> int | None:
    """Return the number that an expression is, if some variables are known."""
    match node:
        case il.Const(value=int(number)):
            return number
        case il.Load(address=il.AddrLocal(local=local, offset=0)):
            return known.get(id(local))
        case il.Convert(type=type_, operand=operand) if not (type_.is_float or operand.type.is_float):
            same = _number(operand, known)
            return same if same is not None and 0 <= same < 1 << (8 * type_.size - 1) else None
        case il.Binary(operator="add" | "sub" | "mul" as operator, type=type_, left=left, right=right) if not type_.is_float:
            a, b = _number(left, known), _number(right, known)
            if a is None or b is None:
                return None
            result = a + b if operator == "add" else a - b if operator == "sub" else a * b
            bits = 8 * type_.size
            low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if type_.is_signed else (0, 1 << bits)
            return result if low <= result < high else None
    return None
