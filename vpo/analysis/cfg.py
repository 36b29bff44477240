"""Control flow of a function: edges, reverse postorder, dominators, natural loops.  Computed, never stored on blocks."""

from __future__ import annotations

from dataclasses import dataclass

from vpo.function import Block, Function
from vpo.rtl import Branch, IndirectJump, Jump, Return, Rtl

ROUNDS = 10.0  # that a loop is taken to make
RARELY = 1e-6  # the least frequency


def transfer_of(block: Block, delayed: bool = False) -> Rtl | None:
    """Return the RTL that ends a block by a transfer of control, or None if it falls through.

    With `delayed`, the RTL may stand before those in its delay slots.
    """
    if not block.rtls:
        return None
    if not delayed:
        last = block.rtls[-1]
        return last if last.transfer is not None else None
    for rtl in reversed(block.rtls[-3:]):
        if rtl.transfer is not None:
            return rtl
    return None


def annulled_slots(block: Block) -> int:
    """Return how many RTLs at the end of a block stand in delay slots that its branch may annul."""
    return next((count for count, rtl in enumerate(reversed(block.rtls[-3:])) if rtl.annuls), 0)


@dataclass(frozen=True, slots=True)
class Cfg:
    """Edges by block index: `successors[i]` lists the fall-through first, then the targets."""

    labels: dict[str, int]
    successors: list[list[int]]
    predecessors: list[list[int]]

    def reachable(self) -> set[int]:
        """Return the blocks that control can reach from the entry."""
        seen = {0}
        stack = [0]
        while stack:
            for successor in self.successors[stack.pop()]:
                if successor not in seen:
                    seen.add(successor)
                    stack.append(successor)
        return seen

    def reverse_postorder(self) -> list[int]:
        """Return the reachable blocks so that a block precedes its successors but for back edges."""
        order: list[int] = []
        seen = {0}
        stack = [(0, iter(self.successors[0]))]
        while stack:
            block, successors = stack[-1]
            for successor in successors:
                if successor not in seen:
                    seen.add(successor)
                    stack.append((successor, iter(self.successors[successor])))
                    break
            else:
                order.append(block)
                stack.pop()
        return order[::-1]


def build_cfg(function: Function) -> Cfg:
    """Find the edges of a function.

    Raises KeyError for a jump to a label that is not there.
    """
    blocks = function.blocks
    delayed = function.stage == "final"
    labels = {block.label: index for index, block in enumerate(blocks)}
    successors: list[list[int]] = []
    for index, block in enumerate(blocks):
        rtl = transfer_of(block, delayed)
        effect = rtl.transfer if rtl is not None else None
        match effect:
            case None:
                targets = [index + 1]
            case Jump(label=label):
                targets = [labels[label]]
            case Branch(label=label):
                targets = [index + 1, labels[label]]
            case IndirectJump(labels=names):
                targets = [labels[name] for name in names]
            case Return():
                targets = []
        successors.append(list(dict.fromkeys(t for t in targets if t < len(blocks))))
    predecessors: list[list[int]] = [[] for _ in blocks]
    for index, targets in enumerate(successors):
        for target in targets:
            predecessors[target].append(index)
    return Cfg(labels, successors, predecessors)


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


@dataclass(frozen=True, slots=True)
class Loop:
    """A natural loop: its header and all its blocks (the header among them)."""

    header: int
    blocks: frozenset[int]


def natural_loops(cfg: Cfg, idom: dict[int, int]) -> list[Loop]:
    """Return the natural loops, one per header, inner ones first."""
    bodies: dict[int, set[int]] = {}
    for block in idom:
        for target in cfg.successors[block]:
            if dominates(idom, target, block):
                body = bodies.setdefault(target, {target})
                stack = [block]
                while stack:
                    node = stack.pop()
                    if node not in body:
                        body.add(node)
                        stack.extend(p for p in cfg.predecessors[node] if p in idom)
    loops = [Loop(header, frozenset(body)) for header, body in bodies.items()]
    return sorted(loops, key=lambda loop: (len(loop.blocks), loop.header))


def frequencies(function: Function) -> list[float]:
    """Estimate how often each block is executed for each time the function is entered.

    A loop makes ten rounds, and a branch that does not leave one goes either way equally often.
    """
    cfg = build_cfg(function)
    idom = dominators(cfg)
    loops = natural_loops(cfg, idom)
    headers = {loop.header for loop in loops}
    inside: list[set[int]] = [set() for _ in function.blocks]
    for number, loop in enumerate(loops):
        for block in loop.blocks:
            inside[block].add(number)
    result = [RARELY] * len(function.blocks)
    arriving = [0.0] * len(function.blocks)
    arriving[0] = 1.0
    for block in cfg.reverse_postorder():
        result[block] = max(RARELY, arriving[block] * (ROUNDS if block in headers else 1))
        leaving = [target for target in cfg.successors[block] if inside[block] - inside[target]]
        staying = [target for target in cfg.successors[block] if target not in leaving]
        for targets, share in ((leaving, 1 / ROUNDS if staying else 1.0), (staying, 1 - 1 / ROUNDS if leaving else 1.0)):
            for target in targets:
                if not dominates(idom, target, block):
                    arriving[target] += result[block] * share / len(targets)
    return result
