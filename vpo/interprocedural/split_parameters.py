"""Aggregate parameters of static functions whose members are used one by one: the members become parameters.

static int f(struct point p) { return p.x + p.y; }  f(q);   =>   static int f(int x, int y) { return x + y; }  f(q.x, q.y);
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vpo import il
from vpo.frontend import trees
from vpo.il_traversal import reachable
from vpo.interprocedural.aggregate_uses import with_fills
from vpo.interprocedural.matching import callee_name
from vpo.interprocedural.partition import Partition
from vpo.interprocedural.symbol_references import bottom_up, callers_of, known_calls, references_of_unit

MOST_PARTS = 6  # parameters that one may become
INT = 4  # bytes to which narrower integers are widened as arguments, if addresses have as many

Parts = dict[int, list[tuple[int, il.Type]]]  # by position of the parameter: offsets and types


def split_parameters(unit: il.Unit, pointer: il.Type) -> None:
    """Change the static functions of a unit all of whose calls are known, and these calls; callees before callers."""
    wanted = reachable(unit)
    functions = {function.name: function for function in unit.functions if function.name in wanted}
    references = references_of_unit(unit)
    callers = callers_of(functions)
    for function in bottom_up(functions):
        if not function.static or all(parameter.type is not None for parameter in function.parameters):
            continue
        calls = known_calls(function, callers.get(function.name, ()), references)
        parts = _parts(function, calls, pointer) if calls else {}
        if parts:
            _receive(function, parts, pointer)
            for caller in functions.values():
                _pass(caller, function.name, parts, pointer)


def _parts(function: il.Function, calls: Sequence[il.Call], pointer: il.Type) -> Parts:
    """Return what to pass in place of aggregates."""
    partition = Partition(function, with_fills(function.body), pointer, parameters_apart=True)
    found: Parts = {}
    for position, parameter in enumerate(function.parameters):
        parts = sorted(partition.elements[parameter].items()) if parameter in partition.elements else []
        if 0 < len(parts) <= MOST_PARTS and not any(_is_volatile(call.arguments[position]) for call in calls):
            found[position] = parts
    return found


def _is_volatile(argument: il.Expr | il.Block) -> bool:
    return isinstance(argument, il.Block) and trees.reads_volatile(argument.address)


def _receive(function: il.Function, parts: Parts, pointer: il.Type) -> None:
    """Make parameters of parts; the aggregates become locals, which begin with them."""
    parameters: list[il.Local] = []
    scalars: dict[int, tuple[tuple[int, il.Type], ...]] = {}
    starts: list[il.Statement] = []
    for position, parameter in enumerate(function.parameters):
        if position not in parts:
            if position in function.parameter_scalars:
                scalars[len(parameters)] = function.parameter_scalars[position]
            parameters.append(parameter)
            continue
        function.locals.append(parameter)
        for at, kind in parts[position]:
            part = il.Local(f"{parameter.name}.{at}", kind, kind.size, min(kind.size, parameter.align))
            parameters.append(part)
            value = il.Load(kind, il.AddrLocal(pointer, part))
            starts.append(il.Store(il.AddrLocal(pointer, parameter, at), value, function.line))
    function.parameters, function.parameter_scalars = parameters, scalars
    function.body = [*starts, *function.body]


def _pass(caller: il.Function, callee: str, parts: Parts, pointer: il.Type) -> None:
    """Change the calls of a function to pass parts of aggregates."""
    body: list[il.Statement] = []
    for statement in caller.body:
        if isinstance(statement, il.Call) and callee_name(statement) == callee:
            arguments: list[il.Expr | il.Block] = []
            for position, argument in enumerate(statement.arguments):
                if isinstance(argument, il.Block) and position in parts:
                    address = _once(argument.address, caller, statement.line, body, pointer)
                    arguments += [_argument(kind, trees.offset(address, at), pointer) for at, kind in parts[position]]
                else:
                    arguments.append(argument)
            statement = replace(statement, arguments=tuple(arguments))
        body.append(statement)
    caller.body = body


def _once(address: il.Expr, caller: il.Function, line: int, body: list[il.Statement], pointer: il.Type) -> il.Expr:
    """Return an address that may be used several times; what computes it is added to the body."""
    if trees.is_cheap(address):
        return address
    kept = il.Local("at", pointer, pointer.size, pointer.size)
    caller.locals.append(kept)
    body.append(il.Store(il.AddrLocal(pointer, kept), address, line))
    return il.Load(pointer, il.AddrLocal(pointer, kept))


def _argument(kind: il.Type, address: il.Expr, pointer: il.Type) -> il.Expr:
    """Return a member as an argument."""
    widened = il.Type(kind.kind, min(INT, pointer.size))
    value = il.Load(kind, address)
    return value if kind.is_float or kind.size >= widened.size else il.Convert(widened, value)
