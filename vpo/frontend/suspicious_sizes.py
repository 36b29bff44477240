"""Warnings about calls of the library that leave an object, or free what was not allocated, as far as constants tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vpo import il
from vpo.frontend.builtin_names import PREFIX
from vpo.frontend.context import Context
from vpo.frontend.values import Value

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
