"""Which blocks every way from the entry to a block goes through."""

from __future__ import annotations

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
