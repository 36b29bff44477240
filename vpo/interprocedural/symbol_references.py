"""Which functions of a unit refer to which, how often, and in what order callees come before callers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from vpo import il
from vpo.frontend.lower import trees
from vpo.il.traversal import children, expressions_of, reachable, walk

# ----------------------------------------------------------------------------------------------------------------------
# Whether a call and a function agree about arguments and results, and what a parameter receives.


def callee_name(call: il.Call) -> str | None:
    """Return the name of the function that a call names, None if it calls through an address."""
    function = call.function
    return function.name if isinstance(function, il.AddrGlobal) and function.offset == 0 else None


def matches(call: il.Call, function: il.Function) -> bool:
    """Return whether a call is one of this function, with arguments and a result as it has them."""
    if callee_name(call) != function.name or function.variadic or call.variadic:
        return False
    if len(call.arguments) != len(function.parameters) or not _matching_result(call.result, function):
        return False
    pairs = zip(call.arguments, function.parameters, strict=True)
    return all(_matching_argument(argument, parameter, call.unprototyped) for argument, parameter in pairs)


def _matching_argument(argument: il.Expr | il.Block, parameter: il.Local, unprototyped: bool) -> bool:
    if isinstance(argument, il.Block):
        return parameter.type is None and parameter.size == argument.size
    if parameter.type is None or argument.type.is_float != parameter.type.is_float:
        return False
    promoted = not argument.type.is_float and not unprototyped
    return argument.type.size == parameter.type.size or (promoted and argument.type.size > parameter.type.size)


def _matching_result(result: il.Local | None, function: il.Function) -> bool:
    if result is None or result.type is None:
        return function.result is None and function.result_size == (0 if result is None else result.size)
    return result.type == function.result


def converted(argument: il.Expr, parameter: il.Local) -> il.Expr:
    """Return what a scalar parameter receives; narrow ones come in wider arguments."""
    assert parameter.type is not None
    return trees.convert(parameter.type, argument)


# ----------------------------------------------------------------------------------------------------------------------


def references_of(body: Iterable[il.Statement]) -> Counter[str]:
    """Return how often a body names each symbol."""
    names: list[str] = []
    for statement in body:
        for root in expressions_of(statement):
            names += [node.name for node in walk(root) if type(node) is il.AddrGlobal]
    return Counter(names)


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


# ----------------------------------------------------------------------------------------------------------------------
# Estimates of the size of intermediate code, in operations: about one instruction of a simple machine each.


CALL = 2  # operations of a call itself: the transfer there and back
COPY_BYTES = 8  # of a block copy that count as one operation
LONGEST_COPY = 10
SWITCH = 4


def expression_size(expression: il.Expr) -> int:
    """Return the operations that an expression takes; reading a scalar local takes none."""
    size, work = 0, [expression]
    while work:
        node = work.pop()
        if type(node) is il.Const or type(node) is il.AddrLocal:
            continue
        if type(node) is il.Load:
            size += type(node.address) is not il.AddrLocal
            work.append(node.address)
        elif type(node) is il.Convert and "F" not in (node.type.kind, node.operand.type.kind):
            size += node.type.size < node.operand.type.size
            work.append(node.operand)
        else:
            size += 1
            work += children(node)
    return size


def argument_size(argument: il.Expr | il.Block) -> int:
    """Return the operations that put an argument in its place."""
    if isinstance(argument, il.Block):
        return expression_size(argument.address) + _copy_size(argument.size)
    return max(1, expression_size(argument))


def statement_size(statement: il.Statement) -> int:
    """Return the operations of a statement."""
    inside = sum(map(expression_size, expressions_of(statement)))
    match statement:
        case il.Label():
            return 0
        case il.Store(address=il.AddrLocal()):
            return max(1, inside)
        case il.Copy(size=size):
            return inside + _copy_size(size)
        case il.Call(function=function, arguments=arguments):
            return CALL + expression_size(function) - 1 + sum(map(argument_size, arguments))
        case il.Switch(cases=cases):
            return inside + SWITCH + len(cases)
        case il.Return():
            return inside
    return inside + 1


def body_size(body: Iterable[il.Statement]) -> int:
    """Return the operations of a body."""
    return sum(map(statement_size, body))


def _copy_size(size: int) -> int:
    return min(1 + size // COPY_BYTES, LONGEST_COPY)
