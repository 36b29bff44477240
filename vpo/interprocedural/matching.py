"""Whether a call and a function agree about arguments and results, and what a parameter receives."""

from __future__ import annotations

from vpo import il
from vpo.frontend import trees


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
