"""Warnings about calls: sizes of the wrong thing, and what is deprecated."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vpo.frontend.context import Context
from vpo.frontend.lower.values import Value
from vpo.frontend.scope import Symbol
from vpo.frontend.syntax.nodes import ID, Constant, FuncCall, Node, SizeOf
from vpo.frontend.types.types import Pointer

OF_ARGUMENTS = frozenset(("memset-transposed-args", "sizeof-pointer-memaccess"))  # flags
_SIZED = {  # functions, with the positions of their size and of the pointers that it is about
    **dict.fromkeys(
        ("memcpy", "memmove", "memcmp", "strncpy", "strncmp", "strncat", "mempcpy", "stpncpy", "bcopy", "bcmp"), (2, (0, 1))
    ),
    **dict.fromkeys(("memset", "memchr"), (2, (0,))), "bzero": (1, (0,)), "snprintf": (1, (0,)), "strndup": (1, (0,)),
}  # fmt: skip


def check_arguments(ctx: Context, name: str, nodes: Sequence[Node], values: Sequence[Value], call: FuncCall) -> None:
    """Warn of the arguments of a call to a function with a name."""
    plain = name.removeprefix("__builtin_")
    if plain in _SIZED:
        _check_size(ctx, plain, nodes, values)
    if plain == "memset" and len(values) == 3 and _is_zero(nodes[2]) and not _is_zero(nodes[1]):
        message = "'memset' used with constant zero length parameter; this could be due to transposed parameters"
        ctx.report.warning(call.coord, "memset-transposed-args", message)


def _is_zero(node: Node) -> bool:
    return isinstance(node, Constant) and node.value == "0"


def _check_size(ctx: Context, name: str, nodes: Sequence[Node], values: Sequence[Value]) -> None:
    """Warn of `sizeof p` for the size of what `p` points to."""
    at, pointers = _SIZED[name]
    match nodes[at] if at < len(nodes) else None:
        case SizeOf(op="sizeof", expr=ID(name=sized), coord=place):
            for position in pointers:
                node, which = nodes[position], ("destination", "source")[position] if len(pointers) == 2 else "pointer"
                symbol = ctx.scope.lookup(sized)
                if isinstance(node, ID) and node.name == sized and symbol and isinstance(symbol.type, Pointer):
                    message = f"argument to 'sizeof' in '{name}' call is the same expression as the {which}"
                    ctx.report.warning(place, "sizeof-pointer-memaccess", f"{message}; did you mean to dereference it?")
                    return


def check_use(ctx: Context, symbol: Symbol, node: Node) -> None:
    """Warn of a name that its declaration says is deprecated; one that is unavailable is an error."""
    texts = ctx.notes.marks.get((symbol.coord.file, symbol.coord.line, symbol.coord.column), [])
    if symbol.kind == "function":
        attributes = [ctx.notes.by_attribute[name] for name in ("deprecated", "unavailable")]
        texts = [texts_of[symbol.name] for texts_of in attributes if symbol.name in texts_of]
    for text in texts:
        found = re.search(r"\b_*(deprecated|unavailable)_*\b", text)
        if found is None:
            continue
        why = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', text[found.end() :].partition(")")[0]))
        message = f"'{symbol.name}' is {found[1]}{': ' if why else ''}{why}"
        if found[1] == "unavailable":
            ctx.report.error(node.coord, message)
        else:
            ctx.report.warning(node.coord, "deprecated-declarations", message)
        return

