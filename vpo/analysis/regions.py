"""Regions: the blocks between a branch and the block where all its ways meet, on SSA form."""

from __future__ import annotations

from dataclasses import dataclass

from vpo.algebra import select
from vpo.analysis.cfg import Cfg, branch_of, jumps_computed, transfer_of
from vpo.rtl import Expr, Register, Rtl
from vpo.rtl.function import Block, Phi

BLOCKS = 8  # of a region


@dataclass(frozen=True, slots=True)
class Region:
    """Blocks that are reached from `head` only and lead to `join` only, in an order in which control may come to them."""

    head: Block
    inner: tuple[Block, ...]
    join: Block

    def rtls(self) -> list[Rtl]:
        """Return what the inner blocks compute."""
        return [rtl for block in self.inner for rtl in block.rtls if rtl is not transfer_of(block)]


def region_of(head: int, blocks: list[Block], cfg: Cfg, position: dict[int, int]) -> Region | None:
    """Return the region that a branch begins, if there are few blocks; `position` is that in reverse postorder."""
    frontier, inner = set(cfg.successors[head]), list[int]()
    while len(frontier) > 1:
        block = min(frontier, key=lambda index: (position[index] <= position[head], position[index]))
        reached = {head, *inner}
        if len(inner) == BLOCKS or position[block] <= position[head] or jumps_computed(blocks[block]):
            return None
        following = cfg.successors[block]
        if not following or not reached.issuperset(cfg.predecessors[block]) or reached.intersection(following):
            return None
        frontier.remove(block)
        inner.append(block)
        frontier.update(following)
    (join,) = frontier
    if not inner or join in (head, *inner):
        return None
    return Region(blocks[head], tuple(blocks[index] for index in inner), blocks[join])


class Values:
    """What the phis of a region's join, and of its inner blocks, have when control comes from its head."""

    def __init__(self, region: Region, blocks: list[Block], cfg: Cfg) -> None:
        self.region = region
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
        return self._behind(self.region.head, phi, join)

    def _behind(self, block: Block, phi: Phi, join: Block) -> Expr | None:
        values = [self._along(block, way, phi, join) for way in self.ways[block]]
        branch = branch_of(block)
        if branch is None or len(values) == 1:
            return values[0]
        straight, aside = values
        if straight is None or aside is None:  # control does not come to the phi on one of the ways
            return straight or aside
        return select(branch.condition, aside, straight)

    def _along(self, block: Block, way: Block, phi: Phi, join: Block) -> Expr | None:
        if way is join:
            return phi.sources[block.label]
        return self._behind(way, phi, join) if way in self.ways else None
