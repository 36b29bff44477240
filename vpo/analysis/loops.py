"""Natural loops of a flow graph: the blocks from which control returns to a header that dominates them."""

from __future__ import annotations

from dataclasses import dataclass

from vpo.analysis.cfg import Cfg
from vpo.analysis.dominators import dominance_intervals, is_within


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
