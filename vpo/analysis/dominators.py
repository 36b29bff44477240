"""Which blocks every way to a block goes through, where dominance ends, and the regions between a branch and its end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from vpo.algebra import select
from vpo.analysis.cfg import Cfg, branch_of, jumps_computed, transfer_of
from vpo.rtl import Expr, Op, Register, Rtl
from vpo.rtl.function import Block, Phi

# ----------------------------------------------------------------------------------------------------------------------
# Which blocks every way from the entry to a block goes through, and where such dominance ends.


def dominators(cfg: Cfg) -> dict[int, int]:
    """Return the immediate dominator of each reachable block; the entry's is itself.

    Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
    """
    order = cfg.reverse_postorder()
    position = {block: i for i, block in enumerate(order)}
    idom = {order[0]: order[0]}
    joins = [block for block in order[1:] if len(cfg.predecessors[block]) > 1]
    again = False  # whether predecessors were not looked at yet
    for block in order[1:]:
        predecessors = cfg.predecessors[block]
        if len(predecessors) == 1:
            idom[block] = predecessors[0]
        else:
            ready = [p for p in predecessors if p in idom]
            again = again or len(ready) < len(predecessors)
            idom[block] = _meeting(ready, idom, position)
    while again:
        again = False
        for block in joins:
            new = _meeting([p for p in cfg.predecessors[block] if p in idom], idom, position)
            if idom[block] != new:
                idom[block] = new
                again = True
    return idom


def _meeting(blocks: list[int], idom: dict[int, int], position: dict[int, int]) -> int:
    """Return the block nearest to some blocks that dominates them all, as far as dominators are known."""
    new = blocks[0]
    for other in blocks:
        while new != other:
            while position[new] > position[other]:
                new = idom[new]
            while position[other] > position[new]:
                other = idom[other]
    return new


def dominates(idom: dict[int, int], a: int, b: int) -> bool:
    """Whether block a dominates block b."""
    while True:
        if a == b:
            return True
        parent = idom[b]
        if parent == b:
            return False
        b = parent


def dominator_tree(idom: dict[int, int]) -> dict[int, list[int]]:
    """Return the blocks that each block immediately dominates."""
    children: dict[int, list[int]] = {block: [] for block in idom}
    for block, parent in idom.items():
        if parent != block:
            children[parent].append(block)
    return children


def dominance_intervals(idom: dict[int, int]) -> dict[int, tuple[int, int]]:
    """Return each block's number in a preorder of the dominator tree, and the last number below it.

    Block a dominates block b if a's interval contains b's number.
    """
    children = dominator_tree(idom)
    result: dict[int, tuple[int, int]] = {}
    first: dict[int, int] = {}
    work = [(block, False) for block, parent in idom.items() if parent == block]
    while work:
        block, done = work.pop()
        if done:
            result[block] = first[block], len(first) - 1
        else:
            first[block] = len(first)
            work.append((block, True))
            work += [(child, False) for child in reversed(children[block])]
    return result


def is_within(intervals: Mapping[int, tuple[int, int]], a: int, b: int) -> bool:
    """Whether block a dominates block b, as their intervals tell."""
    first, last = intervals[a]
    return first <= intervals[b][0] <= last


def common_dominator(idom: dict[int, int], intervals: Mapping[int, tuple[int, int]], blocks: Collection[int]) -> int:
    """Return the block nearest to some blocks that dominates them all; `intervals` are those of the same tree."""
    result = next(iter(blocks))
    while not all(is_within(intervals, result, block) for block in blocks):
        result = idom[result]
    return result


def dominance_frontiers(cfg: Cfg, idom: dict[int, int]) -> dict[int, set[int]]:
    """Return, for each reachable block, the blocks where its dominance ends: it dominates a predecessor, but not them.

    Cooper, Harvey and Kennedy (2001), after Cytron et al. (1991).
    """
    frontiers: dict[int, set[int]] = {block: set() for block in idom}
    for block in idom:
        predecessors = [p for p in cfg.predecessors[block] if p in idom]
        if len(predecessors) < 2 and idom[block] != block:
            continue
        for runner in predecessors:
            while runner != idom[block]:
                frontiers[runner].add(block)
                runner = idom[runner]
            if idom[block] == block:  # the entry, which nothing else dominates
                frontiers[block].add(block)
    return frontiers


# ----------------------------------------------------------------------------------------------------------------------
# Natural loops of a flow graph: the blocks from which control returns to a header that dominates them.


@dataclass(frozen=True, slots=True)
class Loop:
    """A natural loop: its header and all its blocks (the header among them)."""

    header: int
    blocks: frozenset[int]


def natural_loops(cfg: Cfg, idom: dict[int, int]) -> list[Loop]:
    """Return the natural loops, one per header, inner ones first."""
    position = {block: place for place, block in enumerate(cfg.reverse_postorder())}
    bodies: dict[int, set[int]] = {}
    for block in idom:
        for target in cfg.successors[block]:
            if position[target] <= position[block] and dominates(idom, target, block):
                body = bodies.setdefault(target, {target})
                stack = [block]
                while stack:
                    node = stack.pop()
                    if node not in body:
                        body.add(node)
                        stack += [p for p in cfg.predecessors[node] if p in idom]
    loops = [Loop(header, frozenset(body)) for header, body in bodies.items()]
    return sorted(loops, key=lambda loop: (len(loop.blocks), loop.header))


def loops_around(blocks: int, loops: list[Loop]) -> list[set[int]]:
    """Return the numbers of the loops that each of so many blocks is in."""
    around: list[set[int]] = [set() for _ in range(blocks)]
    for number, loop in enumerate(loops):
        for block in loop.blocks:
            around[block].add(number)
    return around


# ----------------------------------------------------------------------------------------------------------------------
# Regions: the blocks between a branch and the block where all its ways meet, on SSA form.


BLOCKS = 8  # of a region
MANY_BLOCKS = 24


@dataclass(frozen=True, slots=True)
class Region:
    """Blocks that are reached from `head` only and lead to `join` only, in an order in which control may come to them."""

    head: Block
    inner: tuple[Block, ...]
    join: Block

    def rtls(self) -> list[Rtl]:
        """Return what the inner blocks compute."""
        return [rtl for block in self.inner for rtl in block.rtls if rtl is not transfer_of(block)]


def region_of(head: int, blocks: list[Block], cfg: Cfg, position: dict[int, int], most: int = BLOCKS) -> Region | None:
    """Return the region that a branch begins, if there are `most` blocks; `position` is that in reverse postorder."""
    frontier, inner = set(cfg.successors[head]), list[int]()
    while len(frontier) > 1:
        block = min(frontier, key=lambda index: (position[index] <= position[head], position[index]))
        reached = {head, *inner}
        if len(inner) == most or position[block] <= position[head] or jumps_computed(blocks[block]):
            return None
        following = cfg.successors[block]
        if not following or not reached.issuperset(cfg.predecessors[block]) or reached.intersection(following):
            return None
        frontier.remove(block)
        inner.append(block)
        frontier.update(following)
    (join,) = frontier
    if not inner or join == head or join in inner:
        return None
    return Region(blocks[head], tuple(blocks[index] for index in inner), blocks[join])


class Values:
    """What the phis of a region's join, and of its inner blocks, have when control comes from its head."""

    def __init__(self, region: Region, blocks: list[Block], cfg: Cfg, condition_of: Callable[[Block], Op | None]) -> None:
        self.region, self.condition_of = region, condition_of
        ends = (region.head, *region.inner)
        self.ways = {block: [blocks[n] for n in cfg.successors[cfg.labels[block.label]]] for block in ends}
        self.inner: dict[Register, Expr] = {}
        for block in region.inner:
            for phi in block.phis:
                value = self.of(phi, block)
                if value is not None:
                    self.inner[phi.target] = value

    def of(self, phi: Phi, join: Block) -> Expr | None:
        """Return the value of a phi as an expression of the conditions of branches."""
        self.known: dict[Block, Expr | None] = {}  # what the phi is on the way from a block
        return self._behind(self.region.head, phi, join)

    def _behind(self, block: Block, phi: Phi, join: Block) -> Expr | None:
        if block not in self.known:
            self.known[block] = self._found_behind(block, phi, join)
        return self.known[block]

    def _found_behind(self, block: Block, phi: Phi, join: Block) -> Expr | None:
        values = [self._along(block, way, phi, join) for way in self.ways[block]]
        if branch_of(block) is None or len(values) == 1:
            return values[0]
        straight, aside = values
        if straight is None or aside is None:  # control does not come to the phi on one of the ways
            return straight or aside
        condition = self.condition_of(block)
        return select(condition, aside, straight) if condition is not None else None

    def _along(self, block: Block, way: Block, phi: Phi, join: Block) -> Expr | None:
        if way is join:
            return phi.sources[block.label]
        return self._behind(way, phi, join) if way in self.ways else None
