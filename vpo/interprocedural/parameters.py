"""Parameters of static functions: those that are always the same go, structures become their members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vpo import il
from vpo.frontend.lower import trees
from vpo.frontend.lower.trees import reads_volatile
from vpo.il.traversal import reachable
from vpo.il.uses import assigned_locals, exposed_locals, locals_used
from vpo.interprocedural import symbol_references
from vpo.interprocedural.inlining import Rewriter, without_unreachable
from vpo.interprocedural.scalar_replacement import Partition, with_fills

# ----------------------------------------------------------------------------------------------------------------------
# Parameters of static functions that every call gives the same constant or address, or that are not used: they go.
#
# static int f(int x, int k) { return x * k; }  f(a, 3); f(b, 3);   =>   f(x): return x * 3;  f(a); f(b);


def remove_constant_parameters(unit: il.Unit, pointer: il.Type) -> None:
    """Change the static functions of a unit all of whose calls are known, and these calls; callers before callees."""
    wanted = reachable(unit)
    functions = {function.name: function for function in unit.functions if function.name in wanted}
    references = symbol_references.references_of_unit(unit)
    callers = symbol_references.callers_of(functions)
    for function in reversed(symbol_references.bottom_up(functions)):
        if function.static and function.parameters:
            calls = symbol_references.known_calls(function, callers.get(function.name, ()), references)
            if calls is not None:
                _remove(function, calls, functions, pointer)


def _remove(function: il.Function, calls: Sequence[il.Call], functions: dict[str, il.Function], pointer: il.Type) -> None:
    """Remove the parameters that need not be passed."""
    used = locals_used(function.body)
    constants: dict[int, il.Expr] = {}  # by position
    unused: set[int] = set()
    for position, parameter in enumerate(function.parameters):
        arguments = [call.arguments[position] for call in calls]
        if parameter.volatile or any(isinstance(a, il.Block) or reads_volatile(a) for a in arguments):
            continue
        if id(parameter) not in used:
            unused.add(position)
        elif (value := _common_value(parameter, [a for a in arguments if not isinstance(a, il.Block)])) is not None:
            constants[position] = value
    if constants:
        _substitute(function, constants, pointer)
    if gone := unused | constants.keys():
        _drop(function, gone, functions)


def _common_value(parameter: il.Local, arguments: Sequence[il.Expr]) -> il.Expr | None:
    """Return the constant or global address that all arguments are."""
    values = [symbol_references.converted(argument, parameter) for argument in arguments]
    first = values[0]
    for value in values:
        match value, first:
            case il.Const(value=a), il.Const(value=b) if repr(a) == repr(b):  # 0.0 is not -0.0
                continue
            case il.AddrGlobal(name=name, offset=offset), il.AddrGlobal(name=other, offset=distance) if (
                name == other and offset == distance
            ):
                continue
        return None
    return first


def _substitute(function: il.Function, constants: dict[int, il.Expr], pointer: il.Type) -> None:
    """Put constants in the places of parameters; one that changes becomes a local that begins with it."""
    changed = exposed_locals(function.body) | assigned_locals(function.body)
    values: dict[int, il.Expr] = {}
    starts: list[il.Statement] = []
    for position, value in constants.items():
        parameter = function.parameters[position]
        if id(parameter) in changed:
            function.locals.append(parameter)
            starts.append(il.Store(il.AddrLocal(pointer, parameter), value, function.line))
        else:
            values[id(parameter)] = value
    rewriter = Rewriter(values)
    body = [copy for statement in function.body for copy in rewriter.statement(statement)]
    function.body = without_unreachable([*starts, *body])


def _drop(function: il.Function, gone: set[int], functions: dict[str, il.Function]) -> None:
    """Remove parameters, by position, and what calls pass for them."""
    kept = [position for position in range(len(function.parameters)) if position not in gone]
    function.parameters = [function.parameters[position] for position in kept]
    function.parameter_scalars = {
        new: function.parameter_scalars[old] for new, old in enumerate(kept) if old in function.parameter_scalars
    }
    for caller in functions.values():
        caller.body = [
            replace(statement, arguments=tuple(statement.arguments[position] for position in kept))
            if isinstance(statement, il.Call) and symbol_references.callee_name(statement) == function.name
            else statement
            for statement in caller.body
        ]


# ----------------------------------------------------------------------------------------------------------------------
# Aggregate parameters of static functions whose members are used one by one: the members become parameters.
#
# static int f(struct point p) { return p.x + p.y; }  f(q);   =>   static int f(int x, int y) { return x + y; }  f(q.x, q.y);


MOST_PARTS = 6  # parameters that one may become
INT = 4  # bytes to which narrower integers are widened as arguments, if addresses have as many

Parts = dict[int, list[tuple[int, il.Type]]]  # by position of the parameter: offsets and types


def split_parameters(unit: il.Unit, pointer: il.Type) -> None:
    """Change the static functions of a unit all of whose calls are known, and these calls; callees before callers."""
    wanted = reachable(unit)
    functions = {function.name: function for function in unit.functions if function.name in wanted}
    references = symbol_references.references_of_unit(unit)
    callers = symbol_references.callers_of(functions)
    for function in symbol_references.bottom_up(functions):
        if not function.static or all(parameter.type is not None for parameter in function.parameters):
            continue
        calls = symbol_references.known_calls(function, callers.get(function.name, ()), references)
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
        if isinstance(statement, il.Call) and symbol_references.callee_name(statement) == callee:
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
