"""Paths through a function on which a variable is read before anything was stored in it.

A path counts only if its branches do not contradict each other, as far as equal conditions and constants tell: what
`if (c) x = 1; ... if (c) use(x);` does is right.  A search that takes too many steps finds nothing.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from typing import Protocol

from vpo import il
from vpo.frontend import trees
from vpo.frontend.symbolic_values import (
    MAX_DEPTH,
    Facts,
    Symbolic,
    constant,
    depth,
    range_of_type,
    symbol,
    symbols,
    wide_range,
)
from vpo.il_traversal import expressions_of, walk

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
