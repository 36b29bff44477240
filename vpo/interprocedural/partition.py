"""Which aggregate locals of a function fall apart into scalars, and into which.

A local does if all its accesses are of the same members: none overlaps another one partly or has another kind.  Locals that
are copied to each other have the same members.  After "The New Intraprocedural Scalar Replacement of Aggregates" (Jambor,
2010).
"""

from __future__ import annotations

from collections.abc import Iterable

from vpo import il
from vpo.interprocedural.aggregate_uses import Area, Item, Uses, weighed

MOST_BYTES = 128  # of an aggregate: larger ones are left alone
MOST_ELEMENTS = 16


class Partition:
    """The elements, types by offset, of each aggregate local of a function that falls apart.

    With `parameters_apart`, parameters could come as elements, also where the function calls itself.
    """

    def __init__(self, function: il.Function, items: list[Item], pointer: il.Type, parameters_apart: bool = False) -> None:
        self.word, self.parameters_apart = pointer.size, parameters_apart
        self.elements: dict[il.Local, dict[int, il.Type]] = {}
        candidates = {
            local
            for local in (*function.parameters, *function.locals)
            if local.type is None and not local.volatile and 0 < local.size <= MOST_BYTES
        }
        self.relevant = weighed(items, candidates) if candidates else []
        while candidates:
            self.uses = self._uses(function, candidates)
            rejected = self._rejected()
            if not rejected:
                break
            candidates -= rejected
        self.elements = {local: self.elements[local] for local in candidates}

    def within(self, area: Area) -> list[tuple[int, il.Type]]:
        """Return the elements in an area, by offsets in the aggregate."""
        return [(at, kind) for at, kind in sorted(self.elements[area.local].items()) if area.offset <= at < area.end]

    def _uses(self, function: il.Function, candidates: set[il.Local]) -> Uses:
        uses = Uses(candidates, function if self.parameters_apart else None)
        for parameter in function.parameters:
            if parameter in candidates:
                uses.parameter(parameter)
        for item, weight in self.relevant:
            uses.item(item, weight)
        return uses

    def _rejected(self) -> set[il.Local]:
        """Find the elements of all candidates; returns those that cannot have any, or would cost more with them."""
        if self.uses.rejected:
            return self.uses.rejected
        self.elements = {local: {} for local in self.uses.candidates}
        self.components = self._components()
        rejected: set[il.Local] = set()
        for area, kind, _ in self.uses.accesses:
            self._add(area.local, area.offset, kind, rejected)
        while not rejected:
            self._propagate(rejected)
            gaps = self._gaps()
            if rejected or not gaps:
                break
            for area, kind in gaps:
                self._add(area.local, area.offset, kind, rejected)
        rejected |= {area.local for area in self.uses.areas() if self._cuts(area)}
        rejected |= {area.local for area, align, _ in self.uses.traffic if self._is_unaligned(area, align)}
        rejected |= {local for local, elements in self.elements.items() if len(elements) > MOST_ELEMENTS}
        return rejected or self._too_costly()

    def _add(self, local: il.Local, offset: int, kind: il.Type, rejected: set[il.Local]) -> bool:
        """Add an element; returns whether it is new.  One that does not fit to the others rejects the local."""
        elements = self.elements[local]
        old = elements.get(offset)
        if old is not None and (old.size, old.is_float) == (kind.size, kind.is_float):
            return False
        if any(at < offset + kind.size and offset < at + other.size for at, other in elements.items()):
            rejected.add(local)
            return False
        elements[offset] = kind
        return True

    def _propagate(self, rejected: set[il.Local]) -> None:
        """Give aggregates that are copied to each other the same elements."""
        changed = True
        while changed and not rejected:
            changed = False
            for target, source, _, _ in self.uses.links:
                for one, other in ((target, source), (source, target)):
                    for at, kind in self.within(one):
                        changed |= self._add(other.local, at - one.offset + other.offset, kind, rejected)

    def _cuts(self, area: Area) -> bool:
        """Whether an element lies partly in an area."""
        return any(
            at < area.end and area.offset < at + kind.size and not (area.offset <= at and at + kind.size <= area.end)
            for at, kind in self.elements[area.local].items()
        )

    def _is_unaligned(self, area: Area, align: int) -> bool:
        """Whether elements would be copied from or to memory where their types may not lie: in a packed structure."""
        return align == 1 and any(kind.size > 1 for _, kind in self.within(area))

    # ----------------------------------------------------------------------- bytes that are only copied, and no element's

    def _gaps(self) -> list[tuple[Area, il.Type]]:
        """Return elements for bytes that come from somewhere and go somewhere and are in none."""
        arriving = self._reached([*self.uses.arriving, *self.uses.fills], forward=True)
        leaving = self._reached(self.uses.leaving, forward=False)
        found: list[tuple[Area, il.Type]] = []
        for local, elements in self.elements.items():
            covered = sum(Area(local, at, kind.size).mask for at, kind in elements.items())
            gap = arriving.get(local, 0) & leaving.get(local, 0) & ~covered
            while gap:
                at = (gap & -gap).bit_length() - 1
                size = self.grain[self.components[local]]
                while at % size or (Area(local, at, size).mask & ~gap):
                    size //= 2
                found.append((Area(local, at, size), il.Type("U", size)))
                gap &= ~Area(local, at, size).mask
        return found

    def _reached(self, areas: Iterable[Area], forward: bool) -> dict[il.Local, int]:
        """Return the bytes that data from some areas reach by copies between candidates, as masks; or come to them from."""
        masks: dict[il.Local, int] = {}
        for area in areas:
            masks[area.local] = masks.get(area.local, 0) | area.mask
        changed = True
        while changed:
            changed = False
            for target, source, _, _ in self.uses.links:
                one, other = (source, target) if forward else (target, source)
                moved = (masks.get(one.local, 0) & one.mask) >> one.offset << other.offset
                if moved & ~masks.get(other.local, 0):
                    masks[other.local] = masks.get(other.local, 0) | moved
                    changed = True
        return masks

    # ----------------------------------------------------------------------------------------------------------- costs

    def _components(self) -> dict[il.Local, il.Local]:
        """Return for each candidate one that stands for all it is copied to and from; finds the alignments of these."""
        leader = {local: local for local in self.uses.candidates}

        def find(local: il.Local) -> il.Local:
            while leader[local] is not local:
                local = leader[local]
            return local

        for target, source, _, _ in self.uses.links:
            leader[find(target.local)] = find(source.local)
        components = {local: find(local) for local in leader}
        self.grain = dict.fromkeys(components.values(), self.word)
        aligns = [(area.local, align) for area, align, _ in (*self.uses.traffic, *self.uses.handed)]
        aligns += [(target.local, align) for target, _, align, _ in self.uses.links]
        for local, align in (*aligns, *((local, local.align) for local in components)):
            self.grain[components[local]] = max(1, min(self.grain[components[local]], align))
        return components

    def _too_costly(self) -> set[il.Local]:
        """Return the locals that are handed over as a whole where that takes as many operations as elements save."""
        saved = dict.fromkeys(self.components.values(), 0)
        extra: dict[il.Local, int] = {}
        for area, _, weight in self.uses.accesses:
            saved[self.components[area.local]] += weight
        for target, _, _, weight in self.uses.links:
            saved[self.components[target.local]] += 2 * weight * self._words(target)
        for area, _, weight in self.uses.traffic:
            saved[self.components[area.local]] += weight * (2 * self._words(area) - len(self.within(area)))
        for area, _, weight in self.uses.handed:
            extra[area.local] = extra.get(area.local, 0) + weight * len(self.within(area))
        for local, cost in extra.items():
            saved[self.components[local]] -= cost
        return {local for local in extra if saved[self.components[local]] <= 0}

    def _words(self, area: Area) -> int:
        return -(-area.size // self.word)
