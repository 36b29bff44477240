"""Replacement policies: which line of a full set goes.  A user's own is a `Policy`, made known with `register`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable


class Policy(ABC):
    """The choice of victims of one cache; ways count from 0, and `index` is the number of a set.

    The cache asks for a `victim` only when every way of the set holds a line, and follows it with an `insert`.
    """

    def __init__(self, sets: int, ways: int) -> None:
        self.sets, self.ways = sets, ways
        self.reset()

    def reset(self) -> None:  # noqa: B027  a policy may have nothing to forget
        """Forget everything: the cache was emptied by a context switch (or is new)."""

    def touch(self, index: int, way: int) -> None:  # noqa: B027  hits need not matter
        """Be told of a hit."""

    def insert(self, index: int, way: int) -> None:  # noqa: B027
        """Be told that a way got another line."""

    @abstractmethod
    def victim(self, index: int) -> int:
        """Return the way whose line goes."""


class _Ordered(Policy):
    """A policy that keeps the ways of each set in an order; the first of it goes."""

    def reset(self) -> None:
        """Forget the orders."""
        self.orders: defaultdict[int, list[int]] = defaultdict(list)

    def insert(self, index: int, way: int) -> None:
        """Move a way to the end."""
        order = self.orders[index]
        if way in order:
            order.remove(way)
        order.append(way)

    def victim(self, index: int) -> int:
        """Return the first way."""
        return self.orders[index][0]


class Fifo(_Ordered):
    """The line that came first goes."""


class Lru(_Ordered):
    """The line that was not used for the longest time goes."""

    def touch(self, index: int, way: int) -> None:
        """Move a way to the end."""
        self.insert(index, way)


class Random(Policy):
    """Any line goes: a linear congruential generator with a state per cache makes runs repeatable."""

    def __init__(self, sets: int, ways: int) -> None:
        super().__init__(sets, ways)
        self.state = 1  # not touched by reset, or every stretch between context switches would draw the same

    def victim(self, index: int) -> int:
        """Draw a way."""
        self.state = (self.state * 1664525 + 1013904223) % (1 << 32)
        return (self.state >> 16) % self.ways


class Plru(Policy):
    """Tree-PLRU: a binary tree of bits over the ways (a power of two), each of which points to the side to evict from.

    Node n has the sons 2n+1 (lower ways) and 2n+2; a bit is 0 if it points to the lower ways.
    """

    def reset(self) -> None:
        """Let all bits point to the lower ways."""
        self.trees: defaultdict[int, list[int]] = defaultdict(lambda: [0] * (self.ways - 1))

    def touch(self, index: int, way: int) -> None:
        """Let every bit on the path to a way point away from it."""
        tree, node, half = self.trees[index], 0, self.ways // 2
        while half:
            upper = 1 if way & half else 0
            tree[node] = 1 - upper
            node, half = 2 * node + 1 + upper, half // 2

    insert = touch

    def victim(self, index: int) -> int:
        """Follow the bits."""
        tree, node = self.trees[index], 0
        while node < len(tree):
            node = 2 * node + 1 + tree[node]
        return node - len(tree)


FARTHEST, LONG = 3, 2  # predictions of RRIP, of two bits: used again farthest away, and so far that it is not used soon


class Rrip(Policy):
    """Static re-reference interval prediction, two bits, hit priority (A. Jaleel and others, ISCA 2010).

    A line is predicted to be used again far away when it comes, and soon once it is used; the first of those farthest away
    goes, after all were moved farther away by as much as it takes for one to be there.  References to one line, one behind the
    other in its set, are one: in the paper the levels in front of the cache see to that.
    """

    def reset(self) -> None:
        """Forget the predictions."""
        self.ages: defaultdict[int, list[int]] = defaultdict(lambda: [FARTHEST] * self.ways)
        self.last: dict[int, int] = {}  # way of each set

    def touch(self, index: int, way: int) -> None:
        """Predict that a line is used again soon, unless it is the last one that was used."""
        if self.last.get(index) != way:
            self.ages[index][way], self.last[index] = 0, way

    def insert(self, index: int, way: int) -> None:
        """Predict that a line is not used again soon."""
        self.ages[index][way], self.last[index] = LONG, way

    def victim(self, index: int) -> int:
        """Return the first way that is farthest away."""
        ages = self.ages[index]
        more = FARTHEST - max(ages)
        ages[:] = [age + more for age in ages]
        return ages.index(FARTHEST)


PolicyMaker = Callable[[int, int], Policy]
_makers: dict[str, PolicyMaker] = {"lru": Lru, "fifo": Fifo, "random": Random, "plru": Plru, "rrip": Rrip}


def register(name: str, maker: PolicyMaker) -> None:
    """Make a policy known by a name; `maker` (a subclass of Policy, say) is called with numbers of sets and ways.

    Raises ValueError if the name is taken or not an identifier in lower case.
    """
    if name in _makers:
        raise ValueError(f"there is a policy '{name}' already")
    if not (name.isidentifier() and name == name.lower()):
        raise ValueError(f"'{name}' cannot name a policy: a name is an identifier in lower case")
    _makers[name] = maker


def names() -> tuple[str, ...]:
    """Return the names of all policies."""
    return tuple(_makers)


def make(name: str, sets: int, ways: int) -> Policy:
    """Make the policy of a cache.

    Raises ValueError if there is none of the name.
    """
    if name not in _makers:
        raise ValueError(f"there is no policy '{name}' (there are {', '.join(_makers)})")
    return _makers[name](sets, ways)
