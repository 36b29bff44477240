"""Warnings about the arguments of calls: null pointers, sizes of the wrong thing, what is deprecated."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from vpo.frontend.context import Context
from vpo.frontend.diagnostics import Recover
from vpo.frontend.null_pointers import is_null_constant
from vpo.frontend.same_expressions import same
from vpo.frontend.scope import Symbol
from vpo.frontend.types import CType, Pointer
from vpo.frontend.values import Value

OF_ARGUMENTS = frozenset(("memset-transposed-args", "nonnull", "sizeof-pointer-memaccess"))  # flags
# Arguments of functions of the library that are not to be null, from 1.
_NOT_NULL = {
    **dict.fromkeys(("strlen", "puts", "strdup", "atoi", "atol", "atof", "fclose", "printf", "scanf"), (1,)),
    **dict.fromkeys(
        ("memcpy", "memmove", "memcmp", "strcpy", "strcat", "strcmp", "strncpy", "strncat", "strncmp", "strstr", "strpbrk",
         "strspn", "strcspn", "fputs", "fopen", "sscanf", "stpcpy", "strcasecmp", "strncasecmp", "fprintf", "fscanf"), (1, 2)
    ),
    **dict.fromkeys(("memset", "memchr", "strchr", "strrchr", "fgets", "qsort"), (1,)),
    "sprintf": (1, 2), "snprintf": (3,),
}  # fmt: skip
_SIZED = {  # functions, with the positions of their size and of the pointers that it is about
    **dict.fromkeys(
        ("memcpy", "memmove", "memcmp", "strncpy", "strncmp", "strncat", "mempcpy", "stpncpy", "bcopy", "bcmp"), (2, (0, 1))
    ),
    **dict.fromkeys(("memset", "memchr"), (2, (0,))), "bzero": (1, (0,)), "snprintf": (1, (0,)), "strndup": (1, (0,)),
}  # fmt: skip
_ATTRIBUTE = re.compile(r"\b_*nonnull_*\b(?:\s*\(([\d,\s]*)\))?")


def check_arguments(ctx: Context, name: str, nodes: Sequence[Any], values: Sequence[Value], call: Any) -> None:
    """Warn of the arguments of a call to a function with a name."""
    plain = name.removeprefix("__builtin_")
    symbol = ctx.externals.get(name)
    if "nonnull" in ctx.report.wanted:
        _check_null(ctx, name, plain if symbol is None or not symbol.static else "", nodes, values)
    if plain in _SIZED:
        _check_size(ctx, plain, nodes, values)
    if plain == "memset" and len(values) == 3 and _is_zero(nodes[2]) and not _is_zero(nodes[1]):
        message = "'memset' used with constant zero length parameter; this could be due to transposed parameters"
        ctx.report.warning(call.coord, "memset-transposed-args", message)


def _is_zero(node: Any) -> bool:
    return type(node).__name__ == "Constant" and node.value == "0"


def _check_null(ctx: Context, name: str, library: str, nodes: Sequence[Any], values: Sequence[Value]) -> None:
    positions = _NOT_NULL.get(library, ())
    declared = ctx.noted["nonnull"].get(name)
    for match in _ATTRIBUTE.finditer(declared or ""):
        if match[1] is None or not match[1].strip():
            positions = tuple(at for at, value in enumerate(values, 1) if isinstance(value.type, Pointer))
        else:
            positions += tuple(int(number) for number in match[1].split(",") if number.strip().isdecimal())
    for at in sorted(set(positions)):
        if 0 < at <= len(values) and is_null_constant(values[at - 1]):
            ctx.report.warning(nodes[at - 1].coord, "nonnull", f"argument {at} null where non-null expected")


def _check_size(ctx: Context, name: str, nodes: Sequence[Any], values: Sequence[Value]) -> None:
    """Warn of `sizeof p` for the size of what `p` points to."""
    at, pointers = _SIZED[name]
    size: Any = nodes[at] if at < len(nodes) else None
    if type(size).__name__ != "UnaryOp" or size.op != "sizeof" or type(size.expr).__name__ == "Typename":
        return
    for position in pointers:
        if same(nodes[position], size.expr) and isinstance(_type_of(ctx, size.expr), Pointer):
            which = "destination" if position == 0 and len(pointers) == 2 else "source" if len(pointers) == 2 else "pointer"
            message = f"argument to 'sizeof' in '{name}' call is the same expression as the {which}"
            ctx.report.warning(size.coord, "sizeof-pointer-memaccess", f"{message}; did you mean to dereference it?")
            return


def _type_of(ctx: Context, node: Any) -> CType | None:
    try:
        with ctx.scratch(unevaluated=True):
            return ctx.expression(node).type
    except Recover:
        return None


def check_use(ctx: Context, symbol: Symbol, node: Any) -> None:
    """Warn of a name that its declaration says is deprecated; one that is unavailable is an error."""
    texts = ctx.marks.get((symbol.coord.file, symbol.coord.line, symbol.coord.column), []) if symbol.coord is not None else []
    if symbol.kind == "function":
        texts = [ctx.noted[name][symbol.name] for name in ("deprecated", "unavailable") if symbol.name in ctx.noted[name]]
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
