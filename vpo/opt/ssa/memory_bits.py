"""Where the bits of cells are in memory, and which blocks are executed one after the other: for phases that join cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeVar

from vpo.algebra import on_part
from vpo.algebra.equivalents import Bits
from vpo.analysis.alias import Aliases
from vpo.machines.machine import Machine
from vpo.opt.state import CFG, FunctionState
from vpo.rtl import BITS, INTEGER_TYPES, Expr, Mem, Op, Register, Rtl
from vpo.rtl.function import Block, Phi

Part = TypeVar("Part")
CELLS = {BITS[type_]: type_ for type_ in reversed(INTEGER_TYPES) if BITS[type_] > 8}  # by the bits that they have


def chains(state: FunctionState, rtls: Collection[Rtl]) -> Iterator[list[Block]]:
    """Yield blocks that are always executed one after the other, as those of a loop that was unrolled.

    They have two at least of some RTLs.
    """
    cfg, blocks = state.get(CFG), state.function.blocks
    counts = [len([rtl for rtl in block.rtls if rtl in rtls]) for block in blocks] if rtls else []
    having = [number for number, count in enumerate(counts) if count]
    seen: set[int] = set()

    def before(number: int) -> int | None:
        ways = cfg.predecessors[number]
        return ways[0] if number and len(ways) == 1 and len(cfg.successors[ways[0]]) == 1 else None

    def behind(number: int) -> int | None:
        onward = cfg.successors[number]
        return onward[0] if len(onward) == 1 and before(onward[0]) == number else None

    for number in having:
        if number in seen:
            continue
        found = [number]
        while (place := before(found[0])) is not None and place not in found:
            found.insert(0, place)
        while (place := behind(found[-1])) is not None and place not in found:
            found.append(place)
        seen.update(found)
        if sum(counts[place] for place in found) > 1:
            yield [blocks[place] for place in found]


def is_narrow(machine: Machine, cells: Iterable[Mem]) -> bool:
    """Whether some cell has fewer bits than integer registers."""
    whole = BITS[machine.classes[machine.values.integer].type]
    return any(BITS[cell.type] < whole and cell.type in INTEGER_TYPES for cell in cells)


def places(machine: Machine, bits: int) -> Sequence[int]:
    """Return where in memory the bits of a cell are, the lowest first, from its first byte on."""
    found = range(bits)
    return found if not machine.big_endian else turned(found)


def turned(bits: Sequence[Part]) -> list[Part]:
    """Return bits with their bytes in the other order."""
    return [bit for byte in reversed(range(0, len(bits), 8)) for bit in bits[byte : byte + 8]]


def bits_of(machine: Machine, aliases: Aliases, cell: Mem) -> Bits | None:
    """Return the bits of a cell, the lowest first, by the terms of its address and their distance; None if not known."""
    form = aliases.form(cell.address)
    if form is None or cell.volatile or cell.type not in INTEGER_TYPES:
        return None
    return tuple((form.terms, 8 * form.offset + at) for at in places(machine, BITS[cell.type]))


def swaps(machine: Machine, register: Register, part: str) -> Iterator[Expr]:
    """Yield ways to write the bytes of the low part of a register in the other order, with 0 above them."""
    for value in on_part("bswap", part, register):
        if register.type == part or (isinstance(value, Op) and value.op == "zx"):
            yield value
    above = [None] * (BITS[register.type] - BITS[part])
    written = machine.bit_permutations.get((*turned(range(BITS[part])), *above))
    if written is not None:
        yield written(register)


class Users:
    """Who uses each register; found when it is first asked."""

    def __init__(self, state: FunctionState) -> None:
        self.state = state
        self.found: dict[Register, set[Phi | Rtl]] = {}

    def of(self, register: Register) -> set[Phi | Rtl]:
        """Return the RTLs and phis that use a register, or what is a copy of it since control comes one way only."""
        if not self.found:
            for block in self.state.function.blocks:
                for phi in block.phis:
                    for source in phi.sources.values():
                        self.found.setdefault(source, set()).add(phi)
                for rtl in block.rtls:
                    for used in rtl.uses:
                        self.found.setdefault(used, set()).add(rtl)
        users: set[Phi | Rtl] = set()
        for user in self.found.get(register, set()):
            users |= self.of(user.target) if isinstance(user, Phi) and len(user.sources) == 1 else {user}
        return users
