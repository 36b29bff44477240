"""Which cells of memory may overlap: the one answer that every phase goes by which moves or removes a reference."""

from __future__ import annotations

from vpo.rtl import BITS, Const, Expr, Mem, Op, Slot, Symbol


def base_of(address: Expr) -> tuple[object, int] | None:
    """Return the symbol or slot and offset that an address is made of, or None if a register is involved."""
    if isinstance(address, Symbol | Slot):
        return (type(address), address.name), address.offset
    if isinstance(address, Op) and address.op == "+" and isinstance(address.args[1], Slot):
        return (Slot, address.args[1].name), address.args[1].offset
    return None


def may_alias(a: Mem, b: Mem) -> bool:
    """Whether two cells may overlap: different symbols or slots, or disjoint parts of one, do not."""
    first, second = base_of(a.address), base_of(b.address)
    if first is not None and second is not None:
        if first[0] != second[0]:
            return False
        return _overlap(first[1], a, second[1], b)
    if isinstance(a.address, Op) and isinstance(b.address, Op) and a.address.op == b.address.op == "+":
        (x, c), (y, d) = a.address.args, b.address.args
        if x is y and isinstance(c, Const) and isinstance(d, Const):
            return _overlap(c.value, a, d.value, b)
    return True


def _overlap(start: int, a: Mem, other: int, b: Mem) -> bool:
    """Whether cells that begin at two offsets from one base have a byte in common."""
    return start < other + BITS[b.type] // 8 and other < start + BITS[a.type] // 8
