"""Which blocks every way from the entry to a block goes through, and where such dominance ends."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from vpo.analysis.cfg import Cfg


def dominators(cfg: Cfg) -> dict[int, int]:
    """Return the immediate dominator of each reachable block; the entry's is itself.

    Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
    """
    order = cfg.reverse_postorder()
    position = {block: i for i, block in enumerate(order)}
    idom = {order[0]: order[0]}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            ready = [p for p in cfg.predecessors[block] if p in idom]
            new = ready[0]
            for other in ready[1:]:
                a, b = new, other
                while a != b:
                    while position[a] > position[b]:
                        a = idom[a]
                    while position[b] > position[a]:
                        b = idom[b]
                new = a
            if idom.get(block) != new:
                idom[block] = new
                changed = True
    return idom


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
    intervals = dominance_intervals(idom)
    bodies: dict[int, set[int]] = {}
    for block in idom:
        for target in cfg.successors[block]:
            if is_within(intervals, target, block):
                body = bodies.setdefault(target, {target})
                stack = [block]
                while stack:
                    node = stack.pop()
                    if node not in body:
                        body.add(node)
                        stack.extend(p for p in cfg.predecessors[node] if p in idom)
    loops = [Loop(header, frozenset(body)) for header, body in bodies.items()]
    return sorted(loops, key=lambda loop: (len(loop.blocks), loop.header))


def loops_around(blocks: int, loops: list[Loop]) -> list[set[int]]:
    """Return the numbers of the loops that each of so many blocks is in."""
    around: list[set[int]] = [set() for _ in range(blocks)]
    for number, loop in enumerate(loops):
        for block in loop.blocks:
            around[block].add(number)
    return around
