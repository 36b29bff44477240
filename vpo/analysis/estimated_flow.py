"""Guess how often the blocks and edges of a function are executed, from its code alone.

Each heuristic that predicts a branch has a known share of correct predictions (Ball and Larus, "Branch prediction for free",
1993).  Heuristics are combined, and frequencies propagated through loops, as by Wu and Larus ("Static branch frequency and
program profile analysis", 1994).  Flow is conserved: a loop is left as often as it is entered.  What phases go by is rougher
(`frequency.py`); this is for what is woven into final code: counters, checkpoints.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from vpo.analysis.cfg import Cfg, build_cfg, transfer_of
from vpo.analysis.dominators import Loop, dominators, natural_loops
from vpo.analysis.frequency import RARELY
from vpo.rtl import CODE_TYPES, Branch, Const, Expr, Op, Return, Rtl, Set
from vpo.rtl.function import Block, Function

STAYS, UNEQUAL, NOT_NEGATIVE, NO_CALL, NO_RETURN, ENTERS_LOOP = 0.9, 0.8, 0.84, 0.78, 0.72, 0.75
MOST = 0.99  # of the iterations of a loop are followed by another one

Flow = tuple[list[float], dict[tuple[int, int], float]]  # of blocks, and of edges between blocks


def estimated_flow(function: Function) -> Flow:
    """Estimate how often each block and each edge is executed in one activation of the function."""
    return _Estimate(function).flow()


class _Estimate:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.delayed = function.stage == "final"
        self.cfg: Cfg = build_cfg(function)
        self.order = self.cfg.reverse_postorder()
        self.position = {block: number for number, block in enumerate(self.order)}
        self.loops = natural_loops(self.cfg, dominators(self.cfg))
        self.headers = {loop.header for loop in self.loops}
        self.shares = {(b, s): p for b in self.order for s, p in self._shares(b)}
        self.repeated: dict[int, float] = {}  # the share of a loop's iterations that are followed by another one

    def flow(self) -> Flow:
        """Propagate frequencies through inner loops first, then through the whole function."""
        for loop in self.loops:
            edges = self._spread(loop.header, loop.blocks)[1]
            back = sum(edges.get((block, loop.header), 0.0) for block in loop.blocks)
            self.repeated[loop.header] = min(back, MOST)
        blocks, edges = self._spread(0, self.position)
        return [max(blocks.get(b, 0.0), RARELY) for b in range(len(self.function.blocks))], edges

    def _spread(self, start: int, region: Collection[int]) -> tuple[dict[int, float], dict[tuple[int, int], float]]:
        """Propagate a frequency of 1 from a block through a region; flow back to the block is not followed."""
        blocks: dict[int, float] = {}
        edges: dict[tuple[int, int], float] = {}
        for block in sorted(region, key=self.position.__getitem__):
            coming = [edges.get((p, block), 0.0) for p in self.cfg.predecessors[block]]
            often = 1.0 if block == start else sum(coming)
            if block in self.repeated:
                often /= 1 - self.repeated[block]
            blocks[block] = often
            for successor in self.cfg.successors[block]:
                edges[block, successor] = often * self.shares[block, successor]
        return blocks, edges

    def _shares(self, block: int) -> Iterator[tuple[int, float]]:
        """Return the probability of each successor of a block."""
        successors = self.cfg.successors[block]
        rtl = transfer_of(self.function.blocks[block], self.delayed)
        if len(successors) != 2 or rtl is None or not isinstance(rtl.transfer, Branch):
            yield from ((successor, share) for successor, share in self._switch(block, successors))
            return
        falls = 0.5
        for share in self._signs(block, rtl, successors):
            falls = falls * share / (falls * share + (1 - falls) * (1 - share))
        yield successors[0], falls
        yield successors[1], 1 - falls

    def _switch(self, block: int, successors: list[int]) -> Iterator[tuple[int, float]]:
        inside = next((loop.blocks for loop in self.loops if block in loop.blocks), frozenset(successors))
        weights = [1.0 if successor in inside else 1 - STAYS for successor in successors]
        for successor, weight in zip(successors, weights, strict=True):
            yield successor, weight / sum(weights)

    def _signs(self, block: int, rtl: Rtl, successors: list[int]) -> Iterator[float]:
        """Yield the probability of falling through, for each heuristic that predicts the branch."""
        inner = next((loop for loop in self.loops if block in loop.blocks), None)
        stays = [inner is not None and successor in inner.blocks for successor in successors]
        if stays[0] != stays[1]:
            yield STAYS if stays[0] else 1 - STAYS
        for share in _signs_of_condition(self.function.blocks[block], rtl):
            yield 1 - share
        blocks = [(s, self.function.blocks[s]) for s in successors]
        for share, shown in (
            (NO_CALL, [self._is_own(s) and any(r.call is not None for r in b.rtls) for s, b in blocks]),
            (NO_RETURN, [any(isinstance(r.transfer, Return) for r in b.rtls) for _, b in blocks]),
            (1 - ENTERS_LOOP, [self._is_own(s) and self._enters(s, inner) for s, _ in blocks]),
        ):
            if shown[0] != shown[1]:
                yield share if shown[1] else 1 - share

    def _is_own(self, block: int) -> bool:
        """True if a block has no other predecessor than another block."""
        return len(self.cfg.predecessors[block]) == 1

    def _enters(self, block: int, inner: Loop | None) -> bool:
        around = inner.blocks if inner is not None else frozenset()
        targets = {block, *(self.cfg.successors[block] if len(self.cfg.successors[block]) == 1 else ())}
        return any(target in self.headers and target not in around for target in targets)


def _signs_of_condition(block: Block, rtl: Rtl) -> Iterator[float]:
    """Yield the probability that a branch is taken, for each heuristic about its condition."""
    branch = rtl.transfer
    assert isinstance(branch, Branch)
    condition: Expr = branch.condition
    if not isinstance(condition, Op):
        return
    right = _compared_with(block, condition)
    if condition.op in ("==", "!="):
        yield UNEQUAL if condition.op == "!=" else 1 - UNEQUAL
    elif isinstance(right, Const) and right.value == 0 and condition.op in ("<", "<=", ">", ">="):
        yield NOT_NEGATIVE if condition.op in (">", ">=") else 1 - NOT_NEGATIVE


def _compared_with(block: Block, condition: Op) -> Expr | None:
    """Return the right operand of a condition's comparison, even if a condition code comes between."""
    if condition.args[0].type not in CODE_TYPES:
        return condition.args[1]
    for rtl in reversed(block.rtls):
        for effect in rtl.effects:
            if isinstance(effect, Set) and effect.target is condition.args[0]:
                return effect.source.args[-1] if isinstance(effect.source, Op) else None
    return None
