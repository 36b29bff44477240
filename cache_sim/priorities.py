"""Caches of all ways from one pass under any stack policy, with the lines that they write back.

A policy is a stack policy if a set's lines have an order at each moment, the same for all numbers of ways, and the last line
of it goes (Mattson et al. 1970).  Then what is in a cache is in each with more ways, and a set is one stack: the line that is
used comes to the top, and on the way down to where it was, the line that has to go on is whichever of two comes later in the
order.  `fifo` is none: more ways may miss more (Belady).  Nor is `random` here, which draws a way for each victim.

A line is dirty in all caches with more than so many ways: in those that have had it since it was last written.  A read at some
distance makes it clean in those without it; a write makes it dirty everywhere (Thompson and Smith 1989).
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from math import inf

from cache_sim.distances import Histogram, Sample
from cache_sim.results import Kind, Kinds
from cache_sim.sweeps import SIDES, Grid, Key, Swept

References = Sequence[tuple[Kind, int, int]]  # kind, address, bytes


class LastUsed:
    """LRU: the line used last stays longest."""

    def use(self, line: int) -> None:
        """Note a use of a line."""

    def stays(self, carried: int, line: int) -> bool:
        """Return whether a line from higher in the stack stays longer than one below it."""
        return True


class FirstUsed(LastUsed):
    """MRU: the line used last goes first."""

    def stays(self, carried: int, line: int) -> bool:
        """Return whether a line from higher in the stack stays longer than one below it."""
        return False


class MostUsed(LastUsed):
    """LFU: the line stays that was used most often since the caches were empty, of two such that which was used last."""

    def __init__(self) -> None:
        self.uses: dict[int, tuple[int, int]] = {}
        self.now = 0

    def use(self, line: int) -> None:
        """Note a use of a line."""
        self.now += 1
        self.uses[line] = self.uses.get(line, (0, 0))[0] + 1, self.now

    def stays(self, carried: int, line: int) -> bool:
        """Return whether a line from higher in the stack stays longer than one below it."""
        return self.uses[carried] > self.uses[line]


class NextUsed(LastUsed):
    """OPT: the line stays that is used next; `lines` are all uses.  Of lines never used again, the lower number stays."""

    def __init__(self, lines: Iterable[int]) -> None:
        self.moments: defaultdict[int, deque[int]] = defaultdict(deque)
        for moment, line in enumerate(lines):
            self.moments[line].append(moment)

    def use(self, line: int) -> None:
        """Note a use of a line."""
        self.moments[line].popleft()

    def stays(self, carried: int, line: int) -> bool:
        """Return whether a line from higher in the stack stays longer than one below it."""
        return self._order(carried) < self._order(line)

    def _order(self, line: int) -> tuple[float, int]:
        return (self.moments[line] or [inf])[0], line


ORDERS: dict[str, Callable[[Iterable[int]], LastUsed]] = {
    "lru": lambda lines: LastUsed(), "mru": lambda lines: FirstUsed(), "lfu": lambda lines: MostUsed(), "opt": NextUsed,
}  # fmt: skip


class PriorityStack:
    """The lines of a set, and for each the fewest ways in which it is dirty."""

    def __init__(self, order: LastUsed) -> None:
        self.order = order
        self.lines: list[int] = []
        self.dirty: dict[int, float] = {}

    def access(self, line: int, write: bool) -> tuple[int | None, float | None]:
        """Use a line; return its distance, None if it is new, and, of a write, the fewest ways in which it was dirty."""
        distance = self.lines.index(line) if line in self.lines else None
        found = max(self.dirty.get(line, inf), inf if distance is None else distance + 1)
        self.dirty[line] = 1 if write else found
        if distance != 0:
            self._bring_to_top(line, len(self.lines) if distance is None else distance)
        return distance, found if write else None

    def _bring_to_top(self, line: int, distance: int) -> None:
        above, below = self.lines[:distance], self.lines[distance + 1 :]
        kept: list[int] = [line]
        for number, carried in enumerate(above):
            if number == 0:
                going = carried
            elif self.order.stays(going, carried):
                kept.append(going)
                going = carried
            else:
                kept.append(carried)
        self.lines = [*kept, *([going] if above else []), *below]

    def left(self) -> Iterable[float]:
        """Yield, for each line, the fewest ways in which it is there and dirty."""
        return (max(self.dirty[line], place + 1) for place, line in enumerate(self.lines))


class PrioritySets:
    """The stacks of one number of sets, and what was counted in them."""

    def __init__(self, sets: int, order: LastUsed) -> None:
        self.stacks = [PriorityStack(order) for _ in range(sets)]
        self.order = order
        self.distances: Counter[int | None] = Counter()
        self.made_dirty: Counter[float] = Counter()

    def access(self, line: int, write: bool) -> None:
        """Count an access of a line."""
        distance, clean = self.stacks[line % len(self.stacks)].access(line, write)
        self.distances[distance] += 1
        if clean is not None:
            self.made_dirty[clean] += 1

    def misses(self) -> Histogram:
        """Return the distances of accesses: those in which a cache has no more ways than the distance miss."""
        known = sorted((distance, count) for distance, count in self.distances.items() if distance is not None)
        return Histogram(dict(known), self.distances[None])

    def written_back(self) -> Histogram:
        """Return a histogram whose `misses(ways)` are the lines that a cache has written back.

        They are those that a write made dirty, without those that are there and dirty at the end.
        """
        known = Counter({ways: count for ways, count in self.made_dirty.items() if ways != inf})
        never = self.made_dirty[inf]
        for stack in self.stacks:
            for ways in stack.left():
                if ways != inf:
                    known[ways] += 1
                    never -= 1
        return Histogram({int(ways) - 1: known[ways] for ways in sorted(known)}, never)


def sweep_by(policy: str, grid: Grid, references: References) -> tuple[Swept, Swept]:
    """Return the misses, and the lines written back, of all caches of a grid (without switches or samples) by a policy."""
    missed: dict[Key, Histogram] = {}
    written: dict[Key, Histogram] = {}
    full: list[dict[tuple[str, int], Sample]] = [{}, {}]
    accesses: dict[tuple[str, int], int] = {}
    made: Counter[Kind] = Counter(kind for kind, _, _ in references)
    for side in grid.sides:
        for line in grid.lines:
            touched = [access for reference in references for access in _touched(side, line, *reference)]
            accesses[side, line] = len(touched)
            for sets in {*grid.levels(line), *([1] if grid.full else [])}:
                order = ORDERS[policy](number for number, _ in touched)
                counted = PrioritySets(sets, order)
                for number, write in touched:
                    order.use(number)
                    counted.access(number, write)
                missed[side, line, sets], written[side, line, sets] = counted.misses(), counted.written_back()
            if grid.full:
                for samples, found in zip(full, (missed, written), strict=True):
                    samples[side, line] = Sample(1.0, len(touched), found[side, line, 1])
    kinds = Kinds(made[Kind.FETCH], made[Kind.READ], made[Kind.WRITE])
    results = [Swept(grid, kinds, found, samples, accesses) for found, samples in zip((missed, written), full, strict=True)]
    return results[0], results[1]


def _touched(side: str, line: int, kind: Kind, address: int, size: int) -> Iterable[tuple[int, bool]]:
    """Yield the lines that a reference touches, with whether it writes, if it belongs to a side."""
    if kind.name.lower() in SIDES[side]:
        for number in range(address // line, (address + max(size, 1) - 1) // line + 1):
            yield number, kind is Kind.WRITE
