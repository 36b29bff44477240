"""What registers hold of spilled values, in one block: a later use needs no load, and perhaps no cell.

A temporary that has loaded or stored a value keeps it as long as there is room: while the registers that are live leave
some of the bank free.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vpo.machines.machine import Machine
from vpo.opt.assign.interference import Graph
from vpo.rtl import Expr, Mem, Register, Rtl

MARGIN = 2  # registers that are left free, since one instruction may need temporaries


@dataclass(slots=True)
class Held:
    """What a cell holds, as long as a register holds it, too.

    `store` is what put it there, if nothing else has read the cell since.  If it is `brief`, the register is there for
    something else, or colouring has been hard: nothing else may come between.  If something has, the register `lasts`.
    """

    cell: Mem
    register: Register
    store: Rtl | None
    brief: bool
    lasts: bool = False


class Room:
    """How many registers of each bank are left."""

    def __init__(self, graph: Graph, spilled: Mapping[Register, object]) -> None:
        self.machine: Machine = graph.machine
        numbering = graph.numbering
        gone = numbering.mask(tuple(spilled))
        self.banks: dict[str, int] = {}  # the registers that compete
        for number, bank in enumerate(graph.banks):
            if not gone >> number & 1 and (not graph.hard[number] or graph.assignable >> number & 1):
                self.banks[bank] = self.banks.get(bank, 0) | 1 << number
        self.colours = {
            cls.name: sum(graph.assignable >> graph.colour_of(r) & 1 for r in graph.machine.allocable_in(cls.name))
            for cls in graph.machine.classes.values()
        }

    def left(self, cls: str, live: int) -> int:
        """Return how many registers of a class remain for values that are held, beside those live."""
        bank = self.machine.classes[cls].bank
        return self.colours[cls] - (live & self.banks.get(bank, 0)).bit_count() - MARGIN


class HeldValues:
    """The values that are held at some place of a block, the oldest first."""

    def __init__(self, room: Room, generous: bool) -> None:
        self.room, self.generous = room, generous
        self.values: list[Held] = []

    def find(self, cell: Mem, register: Register) -> Held | None:
        """Return what holds the value of a cell in a register like another."""
        for held in self.values:
            if held.cell is cell and (held.register.cls, held.register.type) == (register.cls, register.type):
                return held
        return None

    def put(self, cell: Mem, register: Register, store: Rtl | None = None, brief: bool = False) -> None:
        """Note that a register has the value of a cell, and no other."""
        self.values = [held for held in self.values if held.cell is not cell and held.register is not register]
        self.values.append(Held(cell, register, store, brief or not self.generous))

    def forget(self, what: Expr) -> None:
        """Forget what is known of a cell or a register."""
        self.values = [held for held in self.values if held.cell is not what and held.register is not what]

    def pass_by(self, rtl: Rtl, live: int, rewritten: bool = False) -> None:
        """Keep what can be held across an RTL; `live` are the registers wanted behind it."""
        if rtl.call is not None:
            self.values = []
            return
        for held in self.values:
            if held.cell in rtl.loads:
                held.store = None
            held.lasts = held.lasts or rewritten or self._mentions_bank(rtl, held)
        self.values = [held for held in self.values if not (held.brief and held.lasts)]
        self._make_room(live)

    def _make_room(self, live: int) -> None:
        by_class: dict[str, list[Held]] = {}
        for held in reversed(self.values):  # the youngest stay
            if not held.brief:
                by_class.setdefault(held.register.cls, []).append(held)
        for cls, ones in by_class.items():
            for held in ones[max(self.room.left(cls, live), 0) :]:
                held.brief = True

    def _mentions_bank(self, rtl: Rtl, held: Held) -> bool:
        classes = self.room.machine.classes
        bank = classes[held.register.cls].bank
        return any(classes[other.cls].bank == bank for other in (*rtl.uses, *rtl.sets) if other.cls in classes)
