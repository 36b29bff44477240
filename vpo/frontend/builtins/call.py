"""What lowerings of built-in functions get: a call with its name, which its arguments are checked to be enough for.

A file of its own: all files of this folder need it, and `builtins.py` needs all of them.

A file of its own, since all lowerings of built-in functions get it.
"""

from __future__ import annotations

from collections.abc import Callable

from vpo.frontend.context import Context, refuse_type_name
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import Argument, Coord, Expression, Node, Typename


class BuiltinCall(Node):
    """A call of a built-in function."""

    __slots__ = ("arguments", "name")

    def __init__(self, name: str, arguments: list[Argument], coord: Coord) -> None:
        self.name, self.arguments, self.coord = name, arguments, coord


Builtin = Callable[[Context, BuiltinCall], Value]


def expect(ctx: Context, call: BuiltinCall, least: int, most: int | None = None) -> None:
    """Complain if there are fewer or more arguments; without `most`, only of fewer."""
    count = len(call.arguments)
    if count < least or (most is not None and count > most):
        ctx.report.fail(call.coord, f"too {'few' if count < least else 'many'} arguments to function '{call.name}'")


def operand(ctx: Context, argument: Argument) -> Expression:
    """Return an argument that must be an expression."""
    if isinstance(argument, Typename):
        refuse_type_name(ctx, argument)
    return argument
