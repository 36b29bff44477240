"""Split edges, so that code can be put on each way into a block.

PC=r[1]==0,L3;  L2: ...  L3: ...     =>     PC=r[1]==0,L4;  L2: ...  PC=L3;  L4:  L3: ...

A loop gets a preheader: a block that all ways into it from outside go through, and nothing else.  An edge from a block with
several successors to one with several predecessors gets a block of its own, unless it leads back to the head of a loop:
nothing is ever moved there.  What stays empty is removed with the next clean-up of control flow.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from vpo.analysis.cfg import Cfg, jumps_computed, transfer_of
from vpo.analysis.dominators import Loop
from vpo.opt.state import CFG, LOOPS, FunctionState, retarget
from vpo.rtl import Branch, Jump, Rtl
from vpo.rtl.function import Block


def split_edges(state: FunctionState) -> None:
    """Give loops preheaders, and blocks to edges where control both forks and joins."""
    preheaders = _Insertion(state)
    for loop in state.get(LOOPS):
        if preheader_of(state.get(CFG), loop) is None:
            preheaders.before_loop(loop)
    preheaders.apply()
    edges = _Insertion(state)
    for source, target in _critical_edges(state):
        edges.on_edge(source, target)
    edges.apply()


def preheader_of(cfg: Cfg, loop: Loop) -> int | None:
    """Return the block that all ways into a loop go through and nothing else, if there is one."""
    outside = [p for p in cfg.predecessors[loop.header] if p not in loop.blocks]
    return outside[0] if len(outside) == 1 and cfg.successors[outside[0]] == [loop.header] else None


def _critical_edges(state: FunctionState) -> list[tuple[int, int]]:
    """Return the edges from blocks with several successors to those with several predecessors, but for back edges."""
    cfg = state.get(CFG)
    inside = {loop.header: loop.blocks for loop in state.get(LOOPS)}
    return [
        (source, target)
        for source, targets in enumerate(cfg.successors)
        for target in targets
        if len(targets) > 1 and len(cfg.predecessors[target]) > 1 and source not in inside.get(target, ())
    ]


@dataclass
class _Insertion:
    """New blocks, all inserted by one change."""

    state: FunctionState
    before: dict[int, list[Block]] = field(default_factory=dict)  # by the index of the block that they come before
    behind: list[Block] = field(default_factory=list)  # at the end of the function
    targets: dict[int, dict[str, str]] = field(default_factory=dict)  # by block: other labels that it goes to

    def before_loop(self, loop: Loop) -> None:
        """Plan a preheader; a block of the loop that falls into the header goes around it."""
        cfg, blocks = self.state.get(CFG), self.state.function.blocks
        outside = [p for p in cfg.predecessors[loop.header] if p not in loop.blocks]
        if any(jumps_computed(blocks[source]) for source in outside):
            return  # what its table holds cannot be changed here
        header, new = blocks[loop.header], Block(self.state.function.label())
        made = [new]
        if loop.header - 1 in loop.blocks and self._is_fallen_into(loop.header):
            made.insert(0, Block(self.state.function.label(), [self._jump(header, header.label)]))
        self.before[loop.header] = made
        for source in outside:
            self.targets.setdefault(source, {})[header.label] = new.label

    def on_edge(self, source: int, target: int) -> None:
        """Plan a block on an edge, where it needs no jump if there is such a place."""
        function, blocks = self.state.function, self.state.function.blocks
        if jumps_computed(blocks[source]):
            return
        new, label = Block(function.label()), blocks[target].label
        if source + 1 == target:
            self.before.setdefault(target, []).append(new)
            return
        self.targets.setdefault(source, {})[label] = new.label
        if target > 0 and not self._is_fallen_into(target) and target not in self.before:
            self.before[target] = [new]
        else:
            new.rtls = [self._jump(blocks[source], label)]
            self.behind.append(new)

    def _is_fallen_into(self, index: int) -> bool:
        """Whether control falls into a block from the one before."""
        rtl = transfer_of(self.state.function.blocks[index - 1])
        return rtl is None or isinstance(rtl.transfer, Branch)

    def _jump(self, near: Block, label: str) -> Rtl:
        """Return a jump with the lines of the last RTL of a block."""
        return Rtl((Jump(label),), near.rtls[-1].lines if near.rtls else (self.state.function.line,), "control")

    def apply(self) -> None:
        """Insert the blocks."""
        blocks = self.state.function.blocks
        layout = [new for index, block in enumerate(blocks) for new in (*self.before.get(index, ()), block)]
        contents = {blocks[index]: _retargeted(blocks[index], labels) for index, labels in self.targets.items()}
        if len(layout) > len(blocks) or self.behind:
            self.state.change(contents, [*layout, *self.behind])


def _retargeted(block: Block, labels: dict[str, str]) -> list[Rtl]:
    """Return the RTLs of a block that goes to other labels."""
    rtl = transfer_of(block)
    if rtl is None:
        return block.rtls
    effects = rtl.effects
    for old, new in labels.items():
        effects = tuple(retarget(effect, old, new) for effect in effects)
    return block.rtls if effects == rtl.effects else [*block.rtls[:-1], Rtl(effects, rtl.lines, rtl.cause)]
