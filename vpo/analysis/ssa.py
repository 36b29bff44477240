"""Definitions, uses and live ranges of a function in SSA form.

A pseudo-register has one definition: an RTL or a phi.  Version 0 may have none, and is undefined then: any value will do.
A phi uses its sources at the ends of the predecessors.  Hard registers are not looked at.
"""

from __future__ import annotations

from typing import NamedTuple

from vpo.analysis.cfg import Cfg, build_cfg
from vpo.analysis.dominators import dominance_intervals, dominators, is_within
from vpo.rtl import Register
from vpo.rtl.function import Function

AT_PHIS = -1.0  # the position of phis, before the first RTL of a block


class Place(NamedTuple):
    """A place in a function: the index of a block and that of an RTL in it; what is put between two RTLs is at a half."""

    block: int
    position: float


def defining_blocks(function: Function) -> dict[Register, int]:
    """Return the block that defines each pseudo-register."""
    blocks: dict[Register, int] = {}
    for number, block in enumerate(function.blocks):
        defined = [phi.target for phi in block.phis] + [register for rtl in block.rtls for register in rtl.sets]
        blocks.update((register, number) for register in defined if register.pseudo)
    return blocks


class DefUse:
    """Where each pseudo-register of a function in SSA form is defined and used, and which live ranges intersect."""

    def __init__(self, function: Function) -> None:
        self.cfg: Cfg = build_cfg(function)
        self.intervals = dominance_intervals(dominators(self.cfg))
        self.definitions: dict[Register, Place] = {}
        self.uses: dict[Register, list[Place]] = {}
        for number, block in enumerate(function.blocks):
            for phi in block.phis:
                self.definitions[phi.target] = Place(number, AT_PHIS)
                for label, source in phi.sources.items():
                    index = self.cfg.labels[label]
                    self.uses.setdefault(source, []).append(Place(index, len(function.blocks[index].rtls)))
            for position, rtl in enumerate(block.rtls):
                for register in rtl.uses:
                    if register.pseudo:
                        self.uses.setdefault(register, []).append(Place(number, position))
                for register in rtl.sets:
                    if register.pseudo:
                        self.definitions[register] = Place(number, position)
        self._live_out: dict[Register, set[int]] = {}
        self._last_use: dict[tuple[Register, int], float] = {}

    def order(self, register: Register) -> tuple[int, float]:
        """Return a key: definitions that dominate others come before them."""
        place = self.definitions[register]
        return self.intervals[place.block][0], place.position

    def dominates(self, a: Place, b: Place) -> bool:
        """Whether every way to b goes through a before."""
        if a.block == b.block:
            return a.position < b.position
        return is_within(self.intervals, a.block, b.block)

    def live_out(self, register: Register) -> set[int]:
        """Return the blocks at whose end a defined register is live; a source of a phi is so in the predecessor only."""
        known = self._live_out.get(register)
        if known is not None:
            return known
        live = self._live_out[register] = set()
        home = self.definitions[register]
        entered: set[int] = set()
        for use in self.uses.get(register, ()):
            self._last_use[register, use.block] = max(use.position, self._last_use.get((register, use.block), AT_PHIS))
            work = [use.block] if use.block != home.block else []
            while work:
                block = work.pop()
                if block not in entered:
                    entered.add(block)
                    live.update(self.cfg.predecessors[block])
                    work += [p for p in self.cfg.predecessors[block] if p != home.block]
        return live

    def is_live_after(self, register: Register, place: Place) -> bool:
        """Whether a register, whose definition dominates a place, is used after it."""
        if place.block in self.live_out(register):
            return True
        return self._last_use.get((register, place.block), AT_PHIS) > place.position

    def intersect(self, a: Register, b: Register) -> bool:
        """Whether two registers hold values at the same time; a's definition comes before b's in `order`."""
        home, place = self.definitions[a], self.definitions[b]
        return home == place or (self.dominates(home, place) and self.is_live_after(a, place))
