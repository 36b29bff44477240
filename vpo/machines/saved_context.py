"""What a `jmp_buf` holds of a machine, as its calling convention has it.

A function finds these as they were when a call of it returns: the registers that calls preserve, what the return instruction
goes by, and the stack pointer.  What a call pushes is there as well, since another call may have overwritten it.
"""

from __future__ import annotations

from dataclasses import dataclass

from vpo.machines.calling_convention import Convention
from vpo.rtl import BITS, Register, Set


@dataclass(frozen=True, slots=True)
class Context:
    """The layout of a `jmp_buf` of `size` bytes.

    `registers` have their offsets in it; `entry` is that of the stack pointer on entry of the function that fills it, and
    `linkage` maps the distances of what was pushed from there to their offsets.
    """

    registers: tuple[tuple[Register, int], ...]
    entry: int
    linkage: tuple[tuple[int, int], ...]
    size: int


def context_of(convention: Convention, stack_pointer: Register, address_type: str) -> Context:
    """Lay out the registers and words, each at a multiple of its size."""
    entered = [effect.target for effect in convention.enter if isinstance(effect, Set)]
    kept = dict.fromkeys([*convention.preserved, *(r for r in entered if isinstance(r, Register))])
    step = BITS[address_type] // 8
    pushed = range(min(convention.pushed, 0), max(convention.pushed, 0), step)
    size = 0

    def place(width: int) -> int:
        nonlocal size
        offset = -(-size // width) * width
        size = offset + width
        return offset

    registers = tuple((r, place(BITS[r.type] // 8)) for r in kept if r is not stack_pointer)
    entry = place(step)
    linkage = tuple((distance, place(step)) for distance in pushed)
    return Context(registers, entry, linkage, size)
