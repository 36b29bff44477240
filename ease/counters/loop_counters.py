"""Estimate what a counter at an edge costs, and choose the counters that stay in registers during loops.

A counter in a loop can be a variable of the host function, 0 outside of the loop, which is added to the counter in memory
when control leaves the loop.  That pays if the loop is left more rarely than the counter is incremented.  LLVM then computes
the number of iterations from the final value of an induction variable where it can.  And a counter of one edge of a branch
can be increased by the condition before the branch, so that LLVM remains free to select values instead of branching.
"""

from __future__ import annotations

from collections.abc import Iterable

from ease.counters.flow_graph import FlowGraph
from ease.counters.weights import Weights
from vpo.analysis.cfg import Cfg, build_cfg, transfer_of
from vpo.analysis.dominators import Loop, dominators, natural_loops
from vpo.rtl import Branch, Const, Jump, Mem, Op, Register, Rtl, Set, subexpressions
from vpo.rtl.function import Block, Function

# What an increment costs relative to one in memory: in a register, by a condition, of a counter for the iterations of a loop.
IN_REGISTER, BY_CONDITION, ITERATION = 0.4, 0.5, 0.1
ROOM = 6  # counters in registers at one place: beyond that they end up on the stack
# For each RTL executed: what a counter in a register must save, and how often a function is called that shall be inlined.
RARE, OFTEN = 1e-5, 1e-3
ARM = 4  # RTLs that LLVM executes rather than to branch around them
COSTLY = ("/", "%", "/u", "%u", "SYS")  # operators that it does not execute in vain


class LoopCounters:
    """The loops of a function, with the weights of the edges of its flow graph."""

    def __init__(self, function: Function, graph: FlowGraph, weights: Weights, visible: bool = False) -> None:
        """Look at the loops of a function; counters that are to be `visible` stay in registers in innermost loops only."""
        self.visible = visible
        self.graph, self.often = graph, weights.edges[function.name]
        self.least = RARE * weights.total if weights.known else 0.0
        self.called_often = weights.known and self.often[-1] >= OFTEN * weights.total
        cfg = build_cfg(function)
        self.loops = natural_loops(cfg, dominators(cfg))
        self.exits = {loop.header: self._exits(loop) for loop in self.loops}
        self.iterations = {("blocks", loop.header) for loop in self.loops if _goes_by_induction(function, cfg, loop)}
        self.backs = {loop.header: loop.blocks for loop in self.loops}
        self.choices = _choices(function, cfg)

    def _exits(self, loop: Loop) -> float:
        """Return how often a loop is left, which is how often it is entered."""
        graph, total = self.graph, 0.0
        for edge in range(len(graph.segments), len(graph.edges)):
            tail, head = self._blocks(edge)
            if head in loop.blocks and tail not in loop.blocks:
                total += self.often[edge]
        return total

    def _blocks(self, edge: int) -> tuple[int, int]:
        """Return the blocks that an edge connects, as `FlowGraph.block` has them."""
        tail, head = self.graph.edges[edge]
        return self.graph.block(tail), self.graph.block(head)

    def loop(self, edge: int) -> Loop | None:
        """Return the loop in which a counter at an edge stays in a register, None if there is none."""
        around = [loop for loop in self.loops if loop.blocks.issuperset(self._blocks(edge))]
        if self.visible:
            best = min(around, key=lambda loop: len(loop.blocks), default=None)
        else:
            best = min(around, key=lambda loop: (self.exits[loop.header], -len(loop.blocks)), default=None)
        place = self.graph.places[edge]
        if best is None or place is None or place[0] in ("ends", "resumed"):
            return None
        if self.exits[best.header] + self.least >= self.often[edge]:
            return None
        return best

    def keep(self, edges: Iterable[int]) -> dict[int, Loop]:
        """Return the loops in which counters at edges stay in registers; those that gain most, while there is room."""
        gains = {edge: self.often[edge] - self.exits[loop.header] for edge in edges if (loop := self.loop(edge)) is not None}
        crowd: dict[int, int] = {}
        result: dict[int, Loop] = {}
        for edge in sorted(gains, key=lambda edge: (-gains[edge], edge)):
            loop = self.loop(edge)
            if loop is not None and all(crowd.get(block, 0) < ROOM for block in loop.blocks):
                result[edge] = loop
                for block in loop.blocks:
                    crowd[block] = crowd.get(block, 0) + 1
        return result

    def choice(self, edge: int) -> int | None:
        """Return the block whose branch takes an edge, if the condition of the branch can increase the counter."""
        place = self.graph.places[edge]
        if place is not None and edge >= len(self.graph.segments):
            block: int = place[1] if place[0] == "taken" else place[1][0]
            if block in self.choices:
                return block
        return None

    def cost(self, edge: int) -> float:
        """Return the estimated cost of a counter at an edge."""
        loop, choice, weight = self.loop(edge), self.choice(edge), self.often[edge]
        if choice is not None:
            weight = self._weight(choice)
        if loop is None:
            return weight
        if choice is not None:
            return self.exits[loop.header] + BY_CONDITION * weight
        return self.exits[loop.header] + weight * (
            ITERATION if self._begins_iteration(edge) else IN_REGISTER + self._is_back(edge)
        )

    def _begins_iteration(self, edge: int) -> bool:
        """True if an edge begins an iteration of a loop with an induction variable."""
        return self.graph.places[edge] in self.iterations

    def _is_back(self, edge: int) -> bool:
        """True if an edge leads back to the header of a loop, where code would hide the induction variable from LLVM."""
        tail, head = self._blocks(edge)
        return edge >= len(self.graph.segments) and tail in self.backs.get(head, ())

    def _weight(self, block: int) -> float:
        return max(o for o, s in zip(self.often, self.graph.segments, strict=False) if s.block == block)


def _goes_by_induction(function: Function, cfg: Cfg, loop: Loop) -> bool:
    """True if a loop ends when a register reaches a value, and each iteration adds the same amount to the register."""
    stepped: set[Register] = set()
    changed: set[Register] = set()
    for number in loop.blocks:
        for rtl in function.blocks[number].rtls:
            for effect in rtl.effects:
                target = effect.target if isinstance(effect, Set) else None
                if isinstance(effect, Set) and isinstance(target, Register):
                    (stepped if _is_step(effect) and target not in stepped else changed).add(target)
    leaving = [number for number in loop.blocks if not loop.blocks.issuperset(cfg.successors[number])]
    return any(not (stepped - changed).isdisjoint(_decisive(function.blocks[number])) for number in leaving)


def _is_step(effect: Set) -> bool:
    source = effect.source
    return isinstance(source, Op) and source.op in "+-" and source.args[0] is effect.target and type(source.args[1]) is Const


def _decisive(block: Block) -> set[Register]:
    """Return the registers on which the branch at the end of a block depends."""
    result: set[Register] = set()
    for rtl in reversed(block.rtls):
        for effect in rtl.effects:
            if isinstance(effect, Branch) or (
                isinstance(effect, Set) and effect.target.type in "CG" and effect.target in result
            ):
                result.update(effect.uses)
    return result


def _choices(function: Function, cfg: Cfg) -> set[int]:
    """Return the blocks whose branch skips so little that LLVM can do without it."""
    delayed = function.stage == "final"
    arms = {
        number
        for number, block in enumerate(function.blocks)
        if len(cfg.predecessors[number]) == len(cfg.successors[number]) == 1 and _is_arm(block, delayed)
    }
    result = set()
    for number, block in enumerate(function.blocks):
        rtl = transfer_of(block, delayed)
        if rtl is not None and isinstance(rtl.transfer, Branch) and not rtl.annuls and len(cfg.successors[number]) == 2:
            ends = [cfg.successors[successor][0] if successor in arms else successor for successor in cfg.successors[number]]
            if ends[0] == ends[1]:
                result.add(number)
    return result


def _is_arm(block: Block, delayed: bool) -> bool:
    transfer = transfer_of(block, delayed)
    rtls = [rtl for rtl in block.rtls if rtl is not transfer]
    return len(rtls) <= ARM and all(map(_is_harmless, rtls)) and (transfer is None or isinstance(transfer.transfer, Jump))


def _is_harmless(rtl: Rtl) -> bool:
    """True if an RTL only computes registers and cannot fault, so that it may be executed without need."""
    return all(
        isinstance(effect, Set)
        and isinstance(effect.target, Register)
        and not any(isinstance(e, Mem) or (isinstance(e, Op) and e.op in COSTLY) for e in subexpressions(effect.source))
        for effect in rtl.effects
    )
