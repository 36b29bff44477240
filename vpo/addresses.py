"""The parts of an address, what varies and a byte offset, and which cells lie side by side by them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from vpo.rtl import BITS, Const, Mem, Op, Slot, Symbol


def split_address(address: Any) -> tuple[Any, int]:
    """Split an address into what varies and a byte offset."""
    if isinstance(address, Const):
        return None, address.value
    if isinstance(address, Symbol | Slot):
        return (type(address), address.name), address.offset
    if isinstance(address, Op) and address.op == "+":
        base, right = address.args
        inner, offset = split_address(right)
        if inner is None or isinstance(right, Symbol | Slot):
            return (base, inner), offset
    return (address, None), 0


def is_run(cells: Sequence[Mem]) -> bool:
    """Whether cells of one type lie side by side, in ascending order."""
    places = [split_address(cell.address) for cell in cells]
    size = BITS[cells[0].type] // 8
    return all(cell.type == cells[0].type for cell in cells) and all(
        a[0] == b[0] and a[1] + size == b[1] for a, b in pairwise(places)
    )
