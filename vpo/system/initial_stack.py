"""What a program finds on its stack when it starts; no part of the compiler is imported, since repeated runs lay it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate


class ArgumentsTooLong(ValueError):
    """The arguments and the environment leave no room on the program's stack."""


def page_ceil(address: int, page: int) -> int:
    """Round up to a page."""
    return -(-address // page) * page


@dataclass(frozen=True, slots=True)
class StackShape:
    """What the initial stack of any program on a machine has in common: bytes of a word, alignment, `low` to `top`.

    `reserve`: bytes between the stack pointer and what lies there.
    """

    word: int
    big_endian: bool
    align: int
    grows_up: bool
    low: int
    top: int
    page: int
    reserve: int


@dataclass(frozen=True, slots=True)
class InitialStack:
    """What a program finds when it starts: the stack pointer, argc, the address of argv, and the bytes at an address."""

    pointer: int
    count: int
    vector: int
    address: int
    content: bytes


def lay_out(shape: StackShape, arguments: Sequence[str | bytes], environment: Sequence[str | bytes] = ()) -> InitialStack:
    """Lay out the initial stack as Linux does: argc, argv, NULL, the environment, NULL, the end of the auxiliary vector.

    The strings lie nearer to where the stack begins: above, or below if it grows upwards.

    Raises ArgumentsTooLong.
    """
    word, align = shape.word, shape.align
    order = "big" if shape.big_endian else "little"
    strings = [(a if isinstance(a, bytes) else a.encode(errors="surrogateescape")) + b"\0" for a in (*arguments, *environment)]
    total = sum(map(len, strings))
    count = len(arguments)
    size = (1 + len(strings) + 1 + 1 + 2) * word
    if shape.grows_up:
        base = page_ceil(shape.low, shape.page)
        first = -(-(base + total) // align) * align
        sp = -(-(first + size) // align) * align + shape.reserve
    else:
        base = shape.top // 16 * 16 - 16 - total
        first = (base - size) // 16 * 16
        sp = first - shape.reserve
    if not shape.low <= sp <= shape.top:
        raise ArgumentsTooLong("the program's arguments and environment do not fit on its stack")
    starts = list(accumulate(map(len, strings), initial=base))[:-1]
    table = [count, *starts[:count], 0, *starts[count:], 0, 0, 0]
    raw = b"".join(value.to_bytes(word, order) for value in table)  # type: ignore[arg-type]
    lower, higher = sorted(((base, b"".join(strings)), (first, raw)))
    content = lower[1] + bytes(higher[0] - lower[0] - len(lower[1])) + higher[1]
    return InitialStack(sp, count, first + word, lower[0], content)
