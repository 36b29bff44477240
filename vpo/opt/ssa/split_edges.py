"""Split edges, so that code can be put on each way into a block, and one block for the returns, on SSA form."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from vpo.algebra import rebuild_effect
from vpo.analysis.cfg import Cfg, jumps_computed, transfer_of
from vpo.analysis.dominators import Loop
from vpo.analysis.liveness import has_side_effect
from vpo.machines.machine import Machine
from vpo.opt.selection.covering import literal
from vpo.opt.state import CFG, LOOPS, FunctionState, retarget
from vpo.rtl import Branch, Effect, Jump, Register, Return, Rtl, Set
from vpo.rtl.function import Block, Phi

# ----------------------------------------------------------------------------------------------------------------------
# Split edges, so that code can be put on each way into a block.
#
# PC=r[1]==0,L3;  L2: ...  L3: ...     =>     PC=r[1]==0,L4;  L2: ...  PC=L3;  L4:  L3: ...
#
# A loop gets a preheader: a block that all ways into it from outside go through, and nothing else.  An edge from a block with
# several successors to one with several predecessors gets a block of its own, unless it leads back to the head of a loop:
# nothing is ever moved there.  What stays empty is removed with the next clean-up of control flow.


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


# ----------------------------------------------------------------------------------------------------------------------
# One block for the returns of a function, on SSA form, as long as a phase is at work that looks for phis.
#
#     L1: r[10]=r[t1];                          L1: PC=L9;
#         PC=r[1],RT(r[10]);                    L2: PC=L9;
#     L2: r[10]=r[t2];                  <=>     L9: r[t3]=PHI(L1:r[t1],L2:r[t2]);
#         PC=r[1],RT(r[10]);                        r[10]=r[t3];
#                                                   PC=r[1],RT(r[10]);
#
# Each way gets its own return back, so that no jump is left over.


Key = tuple[tuple[Effect, ...] | Register, ...]


@contextmanager
def shared_returns(state: FunctionState) -> Iterator[frozenset[str]]:
    """Let blocks that return values alike have their return in common; the labels are theirs and of what they have so."""
    groups: dict[Key, list[Block]] = {}
    for block in state.function.blocks:
        if (key := _key(block, state.machine)) is not None:
            groups.setdefault(key, []).append(block)
    with state.required():
        shared = [_Shared(state, blocks, len(key) - 1) for key, blocks in groups.items() if len(blocks) > 1]
    yield frozenset(label for each in shared for label in (each.block.label, *each.ends))
    with state.required():
        for each in shared:
            each.give_back()


def _key(block: Block, machine: Machine) -> Key | None:
    """Return the return of a block and the registers that it is given values in, if the values may be computed elsewhere."""
    last = transfer_of(block)
    if last is None or not isinstance(last.transfer, Return):
        return None
    places: list[Register] = []
    for rtl in reversed(block.rtls[:-1]):
        copy = rtl.single_set
        if copy is None or not isinstance(target := copy.target, Register) or target.pseudo or target in places:
            break
        if has_side_effect(rtl) or literal(copy.source).memory or not all(r.pseudo or r in machine.zero for r in copy.uses):
            break
        value = Register(target.cls, 1, target.type, True)
        if not machine.is_legal((Set(target, value),)) or not machine.is_legal((Set(value, copy.source),)):
            break
        places.append(target)
    return (last.effects, *places) if places else None


class _Shared:
    """The return that some blocks have in common: `count` copies, and the transfer of control."""

    def __init__(self, state: FunctionState, blocks: list[Block], count: int) -> None:
        self.state, self.function = state, state.function
        self.ends = {block.label: block.rtls[-count - 1 :] for block in blocks}  # what the blocks had
        self.added: set[Rtl] = set()  # what gives numbers to registers for the phis
        model = self.ends[blocks[0].label]
        self.block = Block(self.function.label(), [model[-1]])
        contents = {block: block.rtls[: -count - 1] for block in blocks}
        for place in reversed(range(count)):
            self._share_copy(place, contents)
        for block, rtls in contents.items():
            rtls.append(Rtl((Jump(self.block.label),), block.rtls[-1].lines, block.rtls[-1].cause))
        state.change(contents, [*self.function.blocks, self.block])
        self.sources = self._sources()

    def _share_copy(self, place: int, contents: dict[Block, list[Rtl]]) -> None:
        """Let the common block make a copy that all blocks made in a place, from a phi."""
        old = self.ends[next(iter(self.ends))][place]
        (result,) = old.sets
        target = self.function.pseudo(result.cls, result.type)
        sources = {
            block.label: self._register(self.ends[block.label][place], target, rtls) for block, rtls in contents.items()
        }
        self.block.phis.append(Phi(target, sources, old.lines, old.cause))
        self.block.rtls.insert(0, Rtl((Set(result, target),), old.lines, old.cause))

    def _register(self, copy: Rtl, like: Register, rtls: list[Rtl]) -> Register:
        """Return a register that has the value which is copied."""
        effect = copy.single_set
        assert effect is not None
        if isinstance(effect.source, Register) and effect.source.pseudo:
            return effect.source
        register = self.function.pseudo(like.cls, like.type)
        rtls.append(Rtl((Set(register, effect.source),), copy.lines, copy.cause))
        self.added.add(rtls[-1])
        return register

    def _sources(self) -> dict[str, list[Register]]:
        """Return for each way to the common block what its phis take."""
        labels = self.block.phis[0].sources
        return {label: [phi.sources[label] for phi in self.block.phis] for label in labels}

    def give_back(self) -> None:
        """Copy the common block to all ways that lead to it, and remove it."""
        ways = self._sources()
        contents: dict[Block, list[Rtl]] = {}
        for block in self.function.blocks:
            if block.label in ways:
                last = transfer_of(block)
                before = block.rtls[:-1] if last is not None and isinstance(last.transfer, Jump) else block.rtls
                contents[block] = [*before, *self._end(block.label, ways[block.label])]
        needed = {register for rtls in contents.values() for rtl in rtls for register in rtl.uses}
        contents = {b: [r for r in rtls if r not in self.added or needed & set(r.sets)] for b, rtls in contents.items()}
        self.state.change(contents, [block for block in self.function.blocks if block is not self.block])

    def _end(self, label: str, sources: list[Register]) -> list[Rtl]:
        """Return the end of a block: what it was if it still returns the same."""
        if self.sources.get(label) == sources:
            return self.ends[label]
        values = dict(zip((phi.target for phi in self.block.phis), sources, strict=True))
        return [Rtl(tuple(_with(e, values) for e in rtl.effects), rtl.lines, rtl.cause) for rtl in self.block.rtls]


def _with(effect: Effect, values: dict[Register, Register]) -> Effect:
    return rebuild_effect(effect, lambda node: values.get(node) if isinstance(node, Register) else None)
