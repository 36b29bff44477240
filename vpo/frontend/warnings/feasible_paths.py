"""Paths through a function on which a variable is read before anything was stored in it.

A path counts only if its branches do not contradict each other, as far as equal conditions and constants tell: what
`if (c) x = 1; ... if (c) use(x);` does is right.  A search that takes too many steps finds nothing.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from typing import Any, Protocol

from vpo import il
from vpo.frontend.lower import trees
from vpo.il.traversal import expressions_of, walk

# ----------------------------------------------------------------------------------------------------------------------
# Values of expressions by names, and what is known of them on one path through a function.
#
# A value is a tuple, equal to another one if both are certainly the same number: a constant, a symbol (what a parameter, a
# call or a statement gave), or an operator with operands.  Facts are intervals of values, and relations between two of them.


Symbolic = tuple[Any, ...]
MAX_DEPTH = 6  # of operators in a value
MAX_EXCLUDED = 8  # numbers that a value is known not to be
_ALL = {"lt", "eq", "gt", "un"}  # the third: neither, of NaN
_HOLDS = {"lt": {"lt"}, "le": {"lt", "eq"}, "eq": {"eq"}, "ne": {"lt", "gt", "un"}, "ge": {"gt", "eq"}, "gt": {"gt"}}
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


def constant(value: float) -> Symbolic:
    """Return the value of a number."""
    return ("c", value)


def symbol(*name: object) -> Symbolic:
    """Return a value of which nothing is known but where it comes from."""
    return ("s", *name)


def symbols(value: Symbolic) -> Iterator[Symbolic]:
    """Yield the symbols within a value."""
    if value[0] == "s":
        yield value
    else:
        for part in value[1:]:
            if isinstance(part, tuple):
                yield from symbols(part)


def depth(value: Symbolic) -> int:
    """Return the number of operators in each other."""
    return 1 + max((depth(part) for part in value[1:] if isinstance(part, tuple)), default=0)


@dataclass(slots=True)
class Range:
    """The numbers that a value may be: from `low` to `high`, without those that are `excluded`."""

    low: int
    high: int
    excluded: frozenset[int] = frozenset()

    def key(self) -> Symbolic:
        """Return the range as something to compare."""
        return self.low, self.high, self.excluded


def range_of_type(kind: il.Type) -> Range:
    """Return the numbers of an integer type."""
    bits = 8 * kind.size
    return Range(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind.kind == "I" else Range(0, (1 << bits) - 1)


def wide_range(known: Range, kind: il.Type) -> Range:
    """Return a range for a value that each round of a loop changes: bounds that move from round to round are left out."""
    whole = range_of_type(kind)
    low = max(whole.low, 0) if known.low >= 0 else whole.low
    return Range(low, whole.high if known.high > whole.high // 2 else known.high)


@dataclass(slots=True)
class Facts:
    """What is known on a path; `assume` returns more facts, or None if they contradict each other."""

    ranges: dict[Symbolic, Range] = field(default_factory=dict)
    relations: dict[tuple[Symbolic, Symbolic], frozenset[str]] = field(default_factory=dict)

    def key(self) -> Symbolic:
        """Return the facts as something to compare."""
        return (
            frozenset((value, known.key()) for value, known in self.ranges.items()),
            frozenset(self.relations.items()),
        )

    def without(self, dead: Symbolic) -> Facts:
        """Return the facts that say nothing of a symbol."""
        if not self.ranges and not self.relations:
            return self
        ranges = {value: known for value, known in self.ranges.items() if dead not in symbols(value)}
        relations = {pair: held for pair, held in self.relations.items() if dead not in symbols(("", *pair))}
        return Facts(ranges, relations)

    def range_of(self, value: Symbolic, kind: il.Type) -> Range:
        """Return what numbers a value of an integer type may be."""
        match value:
            case ("c", int(number)):
                return Range(number, number)
            case ("+", inner, int(distance)):
                found = self.range_of(inner, kind)
                return Range(found.low + distance, found.high + distance, frozenset(x + distance for x in found.excluded))
            case ("address", *_):
                return Range(1, range_of_type(kind).high)
            case ("cmp", *_):
                return self.ranges.get(value) or Range(0, 1)
            case ("op", "and", _, _, ("c", int(mask))) if mask >= 0:
                return self.ranges.get(value) or Range(0, mask)
            case ("narrow", smaller, _):
                return self.ranges.get(value) or range_of_type(smaller)
        return self.ranges.get(value) or range_of_type(kind)

    def assume(self, relation: str, left: Symbolic, right: Symbolic, kind: il.Type) -> Facts | None:
        """Add a relation between two values of a type."""
        if left[0] == "c" and right[0] != "c":
            left, right, relation = right, left, _MIRRORED[relation]
        if left[0] == "cmp" and right[0] == "c" and right[1] in (0, 1) and relation in ("eq", "ne"):
            holds = (relation == "eq") == (right[1] == 1)
            _, inner, a, b, inner_kind = left
            return self._assume_truth(inner, a, b, inner_kind, holds)
        if kind.kind == "F" or right[0] != "c" or not isinstance(right[1], int):
            return self._relate(left, right, kind, _HOLDS[relation])
        if left[0] == "c":
            return self if _relation_of(left[1], right[1]) in _HOLDS[relation] else None
        number = right[1]
        while left[0] == "+":
            left, number = left[1], number - left[2]
        known = _cut(self.range_of(left, kind), relation, number)
        if known is None or (known.low == known.high and not self._allows(left, known.low)):
            return None
        return replace(self, ranges=self.ranges | {left: known})

    def _allows(self, value: Symbolic, number: int) -> bool:
        """Return whether bits of a value that are known may be those of a number."""
        for other, known in self.ranges.items():
            match other:
                case ("op", "and", _, inner, ("c", int(mask))) if inner == value:
                    if _cut(known, "eq", number & mask) is None:
                        return False
        return True

    def _assume_truth(self, relation: str, left: Symbolic, right: Symbolic, kind: il.Type, holds: bool) -> Facts | None:
        if holds:
            return self.assume(relation, left, right, kind)
        if kind.kind == "F":
            return self._relate(left, right, kind, _ALL - _HOLDS[relation])
        return self.assume(trees.INVERSE[relation], left, right, kind)

    def refuse(self, relation: str, left: Symbolic, right: Symbolic, kind: il.Type) -> Facts | None:
        """Add that a relation between two values does not hold."""
        return self._assume_truth(relation, left, right, kind, False)

    def _relate(self, left: Symbolic, right: Symbolic, kind: il.Type, holds: set[str]) -> Facts | None:
        if left == right and kind.kind != "F":
            return self if "eq" in holds else None
        if repr(left) > repr(right):
            left, right = right, left
            holds = {_MIRRORED.get(relation, relation) for relation in holds}
        possible = set(self.relations.get((left, right), _ALL)) & holds
        if kind.kind != "F":
            possible -= {"un"}
            possible &= _possible(self.range_of(left, kind), self.range_of(right, kind))
        return replace(self, relations=self.relations | {(left, right): frozenset(possible)}) if possible else None


def _relation_of(a: float, b: float) -> str:
    return "lt" if a < b else "gt" if a > b else "eq"


def _possible(left: Range, right: Range) -> set[str]:
    """Return the relations in which two numbers within ranges may be."""
    found = set()
    if left.low < right.high:
        found.add("lt")
    if left.high > right.low:
        found.add("gt")
    if left.low <= right.high and right.low <= left.high:
        found.add("eq")
    return found


def _cut(known: Range, relation: str, number: int) -> Range | None:
    """Return the part of a range whose numbers are in a relation to one; None if there is none."""
    low, high, excluded = known.low, known.high, known.excluded
    match relation:
        case "eq":
            low, high = max(low, number), min(high, number)
        case "lt" | "le":
            high = min(high, number - (relation == "lt"))
        case "gt" | "ge":
            low = max(low, number + (relation == "gt"))
        case "ne" if len(excluded) < MAX_EXCLUDED:
            excluded = excluded | {number}
    while low in excluded and low <= high:
        low += 1
    while high in excluded and low <= high:
        high -= 1
    if low > high:
        return None
    return Range(low, high, frozenset(number for number in excluded if low <= number <= high))



# ----------------------------------------------------------------------------------------------------------------------


MAX_STEPS = 8000  # statements that the searches in one function go through
MAX_VISITS = 20  # of a statement, before its value counts as unknown: a loop has gone round often
# Functions of the library whose result depends on their arguments and memory only.
_PURE = frozenset((
    "abs", "atoi", "isalnum", "isalpha", "isdigit", "isspace", "isupper", "memchr", "memcmp", "strcasecmp", "strchr", "strcmp",
    "strcspn", "strlen", "strncasecmp", "strncmp", "strrchr", "strspn", "strstr", "tolower", "toupper",
))  # fmt: skip


class Graph(Protocol):
    """The statements of a function, and where control goes from each."""

    body: list[il.Statement]

    def after(self, at: int) -> Iterator[int]:
        """Yield the positions where control may go from one."""

    def position(self, label: str) -> int:
        """Return where a label stands."""


@dataclass(slots=True)
class _State:
    """Where a path has come to, and what is known there."""

    at: int
    values: dict[il.Local, Symbolic] = field(default_factory=dict)
    memory: Symbolic = ("s", "memory")
    facts: Facts = field(default_factory=Facts)

    def key(self) -> Symbolic:
        """Return the state as something to compare."""
        return self.at, frozenset(self.values.items()), self.memory, self.facts.key()


class PathSearch:
    """Searches for paths through one function; `in_memory` are locals whose address is taken."""

    def __init__(self, graph: Graph, in_memory: Iterable[il.Local]) -> None:
        self._graph, self._in_memory = graph, frozenset(in_memory)
        self._before: dict[int, list[int]] = {}
        self._visits: Counter[int] = Counter()  # of statements that set variables, within a search
        self._steps = MAX_STEPS
        for at in range(len(graph.body)):
            for successor in graph.after(at):
                self._before.setdefault(successor, []).append(at)

    def reaches(self, target: int, stores: set[int]) -> bool:
        """Return whether control can come to a position from the beginning without any of some stores."""
        distances = self._distances(target, stores)
        if 0 not in distances:
            return False
        relevant = self._relevant(distances)
        work, seen = [(0, 0, _State(0))], set[Symbolic]()
        self._visits.clear()
        while work and self._steps > 0:
            state = heappop(work)[2]
            while True:
                if state.at == target:
                    return True
                self._steps -= 1 + len(state.values) // 8  # a step costs as much as is known
                successors = [successor for successor in self._step(state, relevant) if successor.at in distances]
                if len(successors) != 1 or len(self._before[successors[0].at]) > 1:
                    break
                state = successors[0]
            for successor in successors:
                if (key := successor.key()) not in seen:
                    seen.add(key)
                    heappush(work, (distances[successor.at], len(seen), successor))
        return False

    def _distances(self, target: int, stores: set[int]) -> dict[int, int]:
        """Return how far it is to a target from the positions from which control can come to it without some stores."""
        found, work = {target: 0}, deque([target])
        while work:
            behind = work.popleft()
            for at in self._before.get(behind, ()):
                if at not in found and at not in stores:
                    found[at] = found[behind] + 1
                    work.append(at)
        return found

    def _relevant(self, usable: Iterable[int]) -> set[il.Local]:
        """Return the locals on which conditions at some positions depend."""
        body = self._graph.body
        found: set[il.Local] = set()
        work = [tree for at in usable if at < len(body) and isinstance(body[at], il.Branch | il.Switch)
                for tree in expressions_of(body[at])]  # fmt: skip
        values: dict[il.Local, list[il.Expr]] = {}
        for at in usable:
            match body[at] if at < len(body) else None:
                case il.Store(address=il.AddrLocal(local=local, offset=0), value=value):
                    values.setdefault(local, []).append(value)
                case il.Call(function=il.AddrGlobal(name=name), arguments=arguments, result=il.Local() as local):
                    if name in _PURE:
                        values.setdefault(local, []).extend(a for a in arguments if not isinstance(a, il.Block))
        while work:
            for node in walk(work.pop()):
                if isinstance(node, il.AddrLocal) and node.local not in found:
                    found.add(node.local)
                    work += values.get(node.local, ())
        return found

    # ------------------------------------------------------------------------------------------------- one step

    def _step(self, state: _State, relevant: set[il.Local]) -> Iterator[_State]:
        """Yield the states in which one statement may leave control."""
        at, body = state.at, self._graph.body
        if at >= len(body):
            return
        statement = body[at]
        match statement:
            case il.Branch(relation=relation, left=left, right=right, label=label):
                a, b = self._value(left, state), self._value(right, state)
                taken, other = state.facts.assume(relation, a, b, left.type), state.facts.refuse(relation, a, b, left.type)
                if taken is not None:
                    yield replace(state, at=self._graph.position(label), facts=taken)
                if other is not None:
                    yield replace(state, at=at + 1, facts=other)
            case il.Switch():
                yield from self._cases(statement, state)
            case _:
                behind = self._behind(statement, state, relevant)
                for successor in self._graph.after(at):
                    yield replace(behind, at=successor)

    def _cases(self, switch: il.Switch, state: _State) -> Iterator[_State]:
        value, kind = self._value(switch.value, state), switch.value.type
        rest: Facts | None = state.facts
        for number, label in switch.cases:
            chosen = state.facts.assume("eq", value, constant(number), kind)
            if chosen is not None:
                yield replace(state, at=self._graph.position(label), facts=chosen)
            rest = rest and rest.assume("ne", value, constant(number), kind)
        if rest is not None:
            yield replace(state, at=self._graph.position(switch.default), facts=rest)

    def _behind(self, statement: il.Statement, state: _State, relevant: set[il.Local]) -> _State:
        """Return what is known behind a statement that does not branch."""
        fresh = symbol(state.at)
        match statement:
            case il.Store(address=il.AddrLocal(local=local), value=value) if self._is_register(local):
                if local not in relevant:
                    return state
                self._visits[state.at] += 1
                if local.type != value.type:
                    return _with_value(state, local, fresh, fresh)
                found = self._value(value, state)
                if self._visits[state.at] <= MAX_VISITS and depth(found) <= MAX_DEPTH:
                    return _with_value(state, local, found, fresh)
                known = None if value.type.kind == "F" else wide_range(state.facts.range_of(found, value.type), value.type)
                behind = _with_value(state, local, fresh, fresh)
                ranges = behind.facts.ranges if known is None else behind.facts.ranges | {fresh: known}
                return replace(behind, facts=replace(behind.facts, ranges=ranges))
            case il.Store() | il.Copy() | il.VaStart():
                return _with_memory(state, symbol(state.at, "memory"))
            case il.Call(function=il.AddrGlobal(name=name), arguments=arguments, result=local) if name in _PURE:
                if local is None or local not in relevant:
                    return state
                given = [self._value(a, state) for a in arguments if not isinstance(a, il.Block)]
                found = ("call", name, state.memory, *given)
                return _with_value(state, local, fresh if depth(found) > MAX_DEPTH else found, fresh)
            case il.Call(result=local) | il.Syscall(result=local) | il.VaArg(result=local):
                behind = _with_memory(state, symbol(state.at, "memory"))
                return behind if local is None or local not in relevant else _with_value(behind, local, fresh, fresh)
        return state

    # ------------------------------------------------------------------------------------------------- values

    def _is_register(self, local: il.Local) -> bool:
        return local.type is not None and local not in self._in_memory

    def _value(self, tree: il.Expr, state: _State) -> Symbolic:
        """Return the value of an expression."""
        match tree:
            case il.Const(value=value):
                return constant(value)
            case il.AddrGlobal(name=name, offset=offset):
                return ("address", name, offset)
            case il.AddrLocal(local=local, offset=offset):
                return ("address", id(local), offset)
            case il.Load(volatile=True):
                return symbol("volatile", id(tree), state.at)
            case il.Load(address=il.AddrLocal(local=local, offset=0)) if self._is_register(local):
                return state.values.get(local) or symbol("local", id(local))
            case il.Load(type=kind, address=address):
                return ("load", kind, state.memory, self._value(address, state))
            case il.Convert(type=kind, operand=operand):
                return _converted(kind, operand.type, self._value(operand, state), state.facts)
            case il.Compare(relation=relation, left=left, right=right):
                return ("cmp", relation, self._value(left, state), self._value(right, state), left.type)
            case il.Unary(operator=operator, type=kind, operand=operand):
                return ("unary", operator, kind, self._value(operand, state))
            case il.Binary():
                return self._binary(tree, state)

    def _binary(self, tree: il.Binary, state: _State) -> Symbolic:
        left, right = self._value(tree.left, state), self._value(tree.right, state)
        kind = tree.type
        if left[0] == "c" and right[0] == "c":
            folded = trees.binary(tree.operator, kind, *(trees.constant(side.type, value[1])
                                  for side, value in ((tree.left, left), (tree.right, right))))  # fmt: skip
            if isinstance(folded, il.Const):
                return constant(folded.value)
        if kind.kind == "I" and tree.operator in ("add", "sub") and right[0] == "c":
            distance = int(right[1]) if tree.operator == "add" else -int(right[1])
            if left[0] == "+":
                left, distance = left[1], distance + left[2]
            return ("+", left, distance) if distance else left
        return ("op", tree.operator, kind, left, right)


def _converted(kind: il.Type, source: il.Type, value: Symbolic, facts: Facts) -> Symbolic:
    """Return a value in another type: the same one, if the type has all numbers that it may be."""
    if "F" in (kind.kind, source.kind):
        return ("convert", kind, source, value)
    possible, room = facts.range_of(value, source), range_of_type(kind)
    if room.low <= possible.low and possible.high <= room.high:
        return value
    if value[0] == "c":
        return constant(trees.wrap(kind, int(value[1])))
    return ("narrow", kind, value)


def _forget(state: _State, dead: Symbolic) -> _State:
    """Return a state in which a symbol may be used anew."""
    facts = state.facts.without(dead)
    old = {local: symbol("old", id(local)) for local, value in state.values.items() if dead in symbols(value)}
    for value in old.values():
        facts = facts.without(value)
    return replace(state, values=state.values | old, facts=facts)


def _with_value(state: _State, local: il.Local, value: Symbolic, fresh: Symbolic) -> _State:
    """Return a state in which a local has another value; `fresh` is the symbol of the statement."""
    if value == fresh:
        state = _forget(state, fresh)
    return _pruned(replace(state, values=state.values | {local: value}))


def _with_memory(state: _State, memory: Symbolic) -> _State:
    """Return a state in which other things may be in memory."""
    return _pruned(replace(_forget(state, memory), memory=memory))


def _pruned(state: _State) -> _State:
    """Leave out facts of values that nothing has any more, so that states are alike again."""
    if not state.facts.ranges and not state.facts.relations:
        return state
    alive = {state.memory}
    for value in state.values.values():
        alive.update(symbols(value))

    def lives(value: Symbolic) -> bool:
        return all(part in alive or part[1] == "local" for part in symbols(value))

    facts = state.facts
    ranges = {value: known for value, known in facts.ranges.items() if lives(value)}
    relations = {pair: held for pair, held in facts.relations.items() if lives(("", *pair))}
    return replace(state, facts=Facts(ranges, relations))
