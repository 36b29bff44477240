"""Parameters of static functions that every call gives the same constant or address, or that are not used: they go.

static int f(int x, int k) { return x * k; }  f(a, 3); f(b, 3);   =>   f(x): return x * 3;  f(a); f(b);
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vpo import il
from vpo.frontend.trees import reads_volatile
from vpo.il_locals import assigned_locals, exposed_locals, locals_used
from vpo.il_traversal import reachable
from vpo.interprocedural.matching import callee_name, converted
from vpo.interprocedural.rewriting import Rewriter, without_unreachable
from vpo.interprocedural.symbol_references import bottom_up, callers_of, known_calls, references_of_unit


def remove_constant_parameters(unit: il.Unit, pointer: il.Type) -> None:
    """Change the static functions of a unit all of whose calls are known, and these calls; callers before callees."""
    wanted = reachable(unit)
    functions = {function.name: function for function in unit.functions if function.name in wanted}
    references = references_of_unit(unit)
    callers = callers_of(functions)
    for function in reversed(bottom_up(functions)):
        if function.static and function.parameters:
            calls = known_calls(function, callers.get(function.name, ()), references)
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
        _drop(function, calls, gone, functions)


def _common_value(parameter: il.Local, arguments: Sequence[il.Expr]) -> il.Expr | None:
    """Return the constant or global address that all arguments are."""
    values = [converted(argument, parameter) for argument in arguments]
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


def _drop(function: il.Function, calls: Sequence[il.Call], gone: set[int], functions: dict[str, il.Function]) -> None:
    """Remove parameters, by position, and what calls pass for them."""
    kept = [position for position in range(len(function.parameters)) if position not in gone]
    function.parameters = [function.parameters[position] for position in kept]
    function.parameter_scalars = {
        new: function.parameter_scalars[old] for new, old in enumerate(kept) if old in function.parameter_scalars
    }
    for caller in functions.values():
        caller.body = [
            replace(statement, arguments=tuple(statement.arguments[position] for position in kept))
            if isinstance(statement, il.Call) and callee_name(statement) == function.name
            else statement
            for statement in caller.body
        ]
