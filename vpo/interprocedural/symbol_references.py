"""Which functions of a unit refer to which, how often, and in what order callees come before callers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from vpo import il
from vpo.il_traversal import expressions_of, reachable, walk
from vpo.interprocedural.matching import callee_name, matches


def references_of(body: Iterable[il.Statement]) -> Counter[str]:
    """Return how often a body names each symbol."""
    return Counter(
        node.name
        for statement in body
        for root in expressions_of(statement)
        for node in walk(root)
        if isinstance(node, il.AddrGlobal)
    )


def names_called(unit: il.Unit) -> set[str]:
    """Return the names of the functions that the functions of a unit call."""
    return {name for function in unit.functions for name in _callees(function)}


def references_of_data(data: Iterable[il.Data]) -> Counter[str]:
    """Return how often initial values name each symbol."""
    return Counter(item.symbol for datum in data for item in datum.items if isinstance(item, il.AddressItem))


def references_of_unit(unit: il.Unit) -> Counter[str]:
    """Return how often the reachable functions and the data of a unit name each symbol."""
    wanted = reachable(unit)
    counts = references_of_data(data for data in unit.data if data.name in wanted)
    for function in unit.functions:
        if function.name in wanted:
            counts += references_of(function.body)
    return counts


def callers_of(functions: Mapping[str, il.Function]) -> dict[str | None, list[il.Function]]:
    """Return the functions that call each function, by its name."""
    callers: dict[str | None, list[il.Function]] = {}
    for caller in functions.values():
        for name in dict.fromkeys(callee_name(statement) for statement in caller.body if isinstance(statement, il.Call)):
            callers.setdefault(name, []).append(caller)
    return callers


def known_calls(function: il.Function, callers: Iterable[il.Function], references: Counter[str]) -> list[il.Call] | None:
    """Return the calls of a function by its callers, if these are all its references and fit to it."""
    calls = [statement for caller in callers for statement in caller.body
             if isinstance(statement, il.Call) and callee_name(statement) == function.name]  # fmt: skip
    return calls if len(calls) == references[function.name] and all(matches(call, function) for call in calls) else None


def bottom_up(functions: Mapping[str, il.Function]) -> list[il.Function]:
    """Return functions in an order in which callees come before callers, except in cycles."""
    order: list[il.Function] = []
    seen: set[str] = set()
    for root in functions.values():
        stack = [(root, iter(_callees(root)))] if root.name not in seen else []
        seen.add(root.name)
        while stack:
            function, callees = stack[-1]
            name = next((name for name in callees if name in functions and name not in seen), None)
            if name is None:
                order.append(function)
                stack.pop()
            else:
                seen.add(name)
                stack.append((functions[name], iter(_callees(functions[name]))))
    return order


def _callees(function: il.Function) -> dict[str, None]:
    names = (callee_name(statement) for statement in function.body if isinstance(statement, il.Call))
    return dict.fromkeys(name for name in names if name is not None)


def loop_depths(body: Sequence[object]) -> list[int]:
    """Return for each statement how many loops are around it: stretches from a label to a jump back to it."""
    places = {statement.name: index for index, statement in enumerate(body) if isinstance(statement, il.Label)}
    ends: dict[int, int] = {}  # of loops, by their beginnings
    for index, statement in enumerate(body):
        if isinstance(statement, il.Jump | il.Branch) and places[statement.label] <= index:
            ends[places[statement.label]] = index
    changes = [0] * (len(body) + 1)
    for start, end in ends.items():
        changes[start] += 1
        changes[end + 1] -= 1
    depths, depth = [], 0
    for change in changes[:-1]:
        depth += change
        depths.append(depth)
    return depths
