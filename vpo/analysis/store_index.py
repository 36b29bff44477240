"""The definitions of memory in a block, found by what they may concern: so that a search need not look at each.

Most store one cell.  Such a store does not concern a cell of another object, nor, unless both are at known distances from one
address, one of a C type that is never that of its own cell.  What is left is asked for by `Aliases.may_change`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from vpo.analysis.alias import Aliases
from vpo.analysis.pointers import ANY, UNKNOWN, Base
from vpo.il.data_model import type_parts
from vpo.rtl import BITS, Mem, Rtl

VAGUE = frozenset((ANY, UNKNOWN))
STRUCTURES = 8  # so many are looked at one by one
GRAIN = 8  # bytes of a piece in which cells at known distances are looked for

Places = list[int]  # of definitions in their block, ascending


class StoreIndex:
    """The definitions of one block; the answers stay right as long as those of `aliases` do."""

    def __init__(self, definitions: Sequence[Rtl], aliases: Aliases) -> None:
        self.aliases = aliases
        self.places = {rtl: place for place, rtl in enumerate(definitions)}
        self.others: Places = []  # what does something else than to store one cell
        self.vague: Places = []  # stores to where a pointer from outside may point
        self.in_object: dict[Base, Places] = {}
        self.at: dict[tuple[object, int], Places] = {}  # by terms of the address and pieces behind them
        self.untyped: Places = []
        self.of_scalar: dict[str, dict[str, Places]] = {}  # by the type's parts: a scalar, in a structure
        self.of_type: dict[str, Places] = {}
        self._concerning: dict[Mem, tuple[list[Places], ...]] = {}
        for place, rtl in enumerate(definitions):
            plain = aliases.only_store(rtl)
            if plain is None:
                self.others.append(place)
            else:
                self._add(place, *plain)

    def _add(self, place: int, store: Mem, objects: frozenset[Base]) -> None:
        if not VAGUE.isdisjoint(objects):
            self.vague.append(place)
        for base in objects:
            self.in_object.setdefault(base, []).append(place)
        for piece in self._pieces(store):
            self.at.setdefault(piece, []).append(place)
        if store.effective:
            scalar, structure = type_parts(store.effective)
            self.of_scalar.setdefault(scalar, {}).setdefault(structure, []).append(place)
            self.of_type.setdefault(store.effective, []).append(place)
        else:
            self.untyped.append(place)

    def last(self, place: int, cell: Mem) -> int:
        """Return the place of the last definition, from one place on upwards, that may change a cell; -1 if none may."""
        if cell.volatile:
            return place
        criteria = self._concerning.get(cell)
        if criteria is None:
            criteria = self._concerning[cell] = tuple(self._criteria(cell))
        while place >= 0:
            found = place
            for lists in criteria:
                found = _last(lists, found)
            if found == place:
                break
            place = found
        return place

    def _criteria(self, cell: Mem) -> Iterator[list[Places]]:
        """Yield places among which all definitions are that may change a cell, once for each reason why others may not."""
        objects = self.aliases.bases(cell)
        if VAGUE.isdisjoint(objects):
            yield [self.others, self.vague, *(self.in_object[base] for base in objects if base in self.in_object)]
        scalar, structure = type_parts(cell.effective)
        structures = self.of_scalar.get(scalar, {})
        if cell.effective and len(structures) <= STRUCTURES:
            near = [self.at[piece] for piece in self._pieces(cell) if piece in self.at]
            typed = [places for name, places in structures.items() if not structure or name != structure]
            same = [self.of_type[cell.effective]] if cell.effective in self.of_type else []
            yield [self.others, self.untyped, *near, *typed, *same]

    def _pieces(self, cell: Mem) -> set[tuple[object, int]]:
        """Return the pieces of memory that a cell has a part in, if it is at a known distance from something."""
        form, size = self.aliases.form(cell.address), BITS[cell.type] // 8
        if form is None:
            return set()
        ends = [form.offset + distance for distance in (*range(0, size, GRAIN), size - 1)]
        return {(form.terms, end % self.aliases.linear.modulus // GRAIN) for end in ends}


def _last(lists: list[Places], place: int) -> int:
    """Return the greatest of several places up to one, -1 if there is none."""
    found = -1
    for places in lists:
        index = bisect_right(places, place)
        if index and places[index - 1] > found:
            found = places[index - 1]
    return found
