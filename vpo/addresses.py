"""The parts of an address: what varies, and a byte offset."""

from __future__ import annotations

from typing import Any

from vpo.rtl import Const, Op, Slot, Symbol


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
