"""Warnings about calls: their arguments, what is deprecated, functions of the library that leave an object."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from vpo import il
from vpo.frontend.builtins.names import PREFIX
from vpo.frontend.context import Context
from vpo.frontend.lower.values import Value
from vpo.frontend.scope import Symbol
from vpo.frontend.types.null_pointers import is_null_constant
from vpo.frontend.types.types import CType, Pointer
from vpo.frontend.warnings.diagnostics import Recover
from vpo.frontend.warnings.suspicious import same

# ----------------------------------------------------------------------------------------------------------------------
# Warnings about the arguments of calls: null pointers, sizes of the wrong thing, what is deprecated.

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



# ----------------------------------------------------------------------------------------------------------------------
# Warnings about calls of the library that leave an object, or free what was not allocated, as far as constants tell.


# Functions, with the positions of their size, of what they write and of what they read.
_BOUNDED: dict[str, tuple[int, int | None, tuple[int, ...]]] = {
    **dict.fromkeys(("memcpy", "memmove", "mempcpy"), (2, 0, (1,))),
    "bcopy": (2, 1, (0,)), "memset": (2, 0, ()), "bzero": (1, 0, ()), "strncpy": (2, 0, ()), "stpncpy": (2, 0, ()),
    "memcmp": (2, None, (0, 1)), "memchr": (2, None, (0,)),
}  # fmt: skip
_COPIES = frozenset(("strcpy", "stpcpy"))
_FREES = frozenset(("free", "realloc", "reallocarray"))
OF_OBJECTS = frozenset(prefix + name for name in (*_BOUNDED, *_COPIES, *_FREES) for prefix in ("", PREFIX))  # functions


def check_objects(ctx: Context, name: str, nodes: Sequence[Any], values: Sequence[Value], call: Any) -> None:
    """Warn of a call of a library function by what objects its arguments point to."""
    plain, own = name.removeprefix(PREFIX), ctx.externals.get(name)
    if own is not None and (own.static or own.defined):
        return
    if plain in _FREES and values:
        _check_free(ctx, plain, values[0], call)
    elif plain in _BOUNDED and len(values) > _BOUNDED[plain][0]:
        position, target, sources = _BOUNDED[plain]
        count = values[position].tree
        if isinstance(count, il.Const) and isinstance(count.value, int) and count.value > 0:
            if target is not None:
                _check_writing(ctx, plain, values[target], count.value, call)
            for source in sources:
                _check_reading(ctx, plain, values[source], count.value, call)
    elif plain in _COPIES and len(values) == 2 and type(nodes[1]).__name__ == "Constant":
        length = _length(ctx, values[1])
        if length is not None:
            _check_writing(ctx, plain, values[0], length, call)


def _room(ctx: Context, pointer: Value) -> int | None:
    """Return how many bytes of an object lie behind where a pointer points; None if that is not known.

    It is the whole object that counts: programs go through the members of a structure, or the rows of an array, by intent.
    """
    match pointer.tree:
        case il.AddrLocal(local=local, offset=offset) if local.size:
            size = local.size
        case il.AddrGlobal(name=name, offset=offset) if name in ctx.data and not ctx.data[name].weak:
            size = ctx.data[name].size
        case il.AddrGlobal(name=name, offset=offset) if name in ctx.tentative:
            size = ctx.tentative[name].type.size
        case _:
            return None
    return size - offset if size and 0 <= offset <= size else None


def _length(ctx: Context, literal: Value) -> int | None:
    """Return how many bytes a string literal has that is copied, with its end."""
    match literal.tree:
        case il.AddrGlobal(name=name, offset=0) if name in ctx.data:
            match ctx.data[name].items:
                case [il.BytesItem(data=data)]:
                    return data.index(0) + 1
    return None


def _check_writing(ctx: Context, name: str, pointer: Value, count: int, call: Any) -> None:
    room = _room(ctx, pointer)
    if room is not None and count > room:
        message = f"'{name}' writing {_bytes(count)} into a region of size {room} overflows the destination"
        _suspect(ctx, call, "stringop-overflow", message)


def _check_reading(ctx: Context, name: str, pointer: Value, count: int, call: Any) -> None:
    room = _room(ctx, pointer)
    if room is not None and count > room:
        message = f"'{name}' reading {_bytes(count)} from a region of size {room}"
        _suspect(ctx, call, "stringop-overread", message)


def _bytes(count: int) -> str:
    return f"{count} byte{'' if count == 1 else 's'}"


def _check_free(ctx: Context, name: str, pointer: Value, call: Any) -> None:
    match pointer.tree:
        case il.AddrLocal(local=local):
            what = f"unallocated object '{local.name}'"
        case il.AddrGlobal(name=symbol) if symbol in ctx.externals:
            what = f"unallocated object '{symbol}'"
        case il.AddrGlobal():
            what = "a pointer to an unallocated object"
        case _:
            return
    _suspect(ctx, call, "free-nonheap-object", f"'{name}' called on {what}")


def _suspect(ctx: Context, call: Any, flag: str, message: str) -> None:
    """Keep a warning about a call, to be told if control can come there."""
    ctx.state.suspected.append((ctx.mark, call.coord, flag, message))
