"""Two branches as one, by what they decide together, on SSA form: ranges of numbers, bits that are all there.

        PC=r[t1]<48,L9;
    L3:                          =>      PC=(r[t1]-48)>=u10,L9;      as the description writes it
        PC=r[t1]>57,L9;

The second block only computes what it decides by, and control comes to it from the first one alone.

Or the first branch only chose what the second one decides by, and goes when nobody wants that any more:

        PC=r[t1]>=0,L2;
    L3: r[t2]=neg(r[t1]);        =>      PC=abs(r[t1])>=7,L9;
    L2: r[t3]=PHI(L1:r[t1],L3:r[t2]);
        PC=r[t3]>=7,L9;
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vpo.algebra import rebuild, reverse
from vpo.analysis.dominators import Region, Values
from vpo.analysis.frequency import Comparison, branch_comparison
from vpo.machines.match.meanings import CONDITION
from vpo.opt.selection.choosing_regions import compared_by_branch, find_regions
from vpo.opt.selection.cover import NAME, Choice, Uses
from vpo.opt.selection.covering import User
from vpo.opt.state import CFG, FunctionState, merged
from vpo.rtl import INTEGER_TYPES, Branch, Const, Jump, Op, Register, Rtl
from vpo.rtl.function import Block, Phi

if TYPE_CHECKING:
    from vpo.opt.selection.value_graph import Cut, ValueGraph


def cover_branches(state: FunctionState) -> None:
    """Let one branch decide what two do, one after the other."""
    chosen = [block for block in state.function.blocks if block.phis and _decides_by_phi(block)]
    regions = {region.join: region for region in find_regions(state)} if chosen else {}
    for block in chosen:
        if block in regions and block in state.function.blocks:
            _Chosen(state, regions[block]).run()
    _Joined(state, state.machine.sought[0]).run()


@dataclass(frozen=True, slots=True)
class _Way:
    """Where control goes from a block, through blocks that only pass it on: the last of them and the first other one."""

    last: Block
    end: Block
    between: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class _Two:
    """Two blocks with branches, of which one may decide: whether `condition` brings control to where the second branches."""

    first: Block
    second: Block
    comparisons: tuple[Comparison, Comparison]
    condition: Op
    gone: _Way  # on which the first block leaves
    is_either: bool  # whether it leaves to where the second branches


class _Joined(Uses):
    """The work on one function."""

    def run(self) -> None:
        """Look at each branch with the one that follows."""
        graph = self._graph(self.machine.sought[1])
        for block in list(self.function.blocks):
            two = self._two(block) if block in self.function.blocks else None
            if two is not None:
                self._join(two, graph)
                self.beside, self.unwanted = (), []

    def _two(self, first: Block) -> _Two | None:
        """Return what is known of a block and the next one, if one branch may decide what both do."""
        blocks, cfg = self.function.blocks, self.state.get(CFG)
        number = blocks.index(first)
        second = blocks[number + 1] if number + 2 < len(blocks) else first
        comparisons = branch_comparison(first), branch_comparison(second)
        if second is first or cfg.predecessors[number + 1] != [number] or second.phis:
            return None
        one, other = comparisons
        if one is None or other is None or not all(self._is_simple(found) for found in (one, other)):
            return None
        gone, taken, fallen = (self._way(block, at) for block, at in (
            (first, cfg.labels[one.branch.transfer.label]),  # type: ignore[union-attr]
            (second, cfg.labels[other.branch.transfer.label]), (second, number + 2)))  # type: ignore[union-attr]  # fmt: skip
        type_ = self.machine.address_type
        either = Op("|", type_, one.relation, other.relation)
        for way, condition in (
            (taken, Op("!=", "", either, Const(0))),
            (fallen, Op("!=", "", Op("&", type_, reverse(one.relation), other.relation), Const(0))),
        ):
            same = (phi.sources[way.last.label] is phi.sources[gone.last.label] for phi in way.end.phis)
            if way.end is gone.end and all(same):
                return _Two(first, second, (one, other), condition, gone, way is taken)
        return None

    def _is_simple(self, found: Comparison) -> bool:
        """Whether a comparison is one of integers in registers, and nothing else."""
        compares = found.compare is found.branch or len(found.compare.effects) == 1
        types = {arg.type for arg in found.relation.args} - {""}
        return compares and bool(types) and types <= {*INTEGER_TYPES} and not found.relation.memory

    def _way(self, block: Block, number: int) -> _Way:
        """Return where control goes from a block, if it goes on with that of a number."""
        blocks, cfg = self.function.blocks, self.state.get(CFG)
        between: list[Block] = []
        last = block
        while not blocks[number].phis and cfg.predecessors[number] == [blocks.index(last)] and _only_passes(blocks[number]):
            last = blocks[number]
            between.append(last)
            (number,) = cfg.successors[number]
        return _Way(last, blocks[number], tuple(between))

    def _join(self, two: _Two, graph: ValueGraph) -> None:
        """Let one branch, or its opposite, decide what two do."""
        rtl, (one, other) = two.comparisons[0].branch, two.comparisons
        compares = tuple(found.compare for found in (one, other) if found.compare is not found.branch)
        inner = [each for each in two.second.rtls if each is not other.branch and each not in compares]
        known = {*self.definitions.values()}
        if not all(each in known for each in inner):
            return
        self.beside = (*compares, other.branch)
        self.unwanted = self._unwanted_codes(two.second)
        if any(not {*each.sets} <= {*self.unwanted} for each in compares):
            return
        label = other.branch.transfer.label  # type: ignore[union-attr]
        for condition, is_turned in ((two.condition, False), (reverse(two.condition), True)):
            best = self._best(rtl, graph, Register(CONDITION, NAME, "", True), condition)
            if best is None:
                continue
            kept = [each for each in inner if each not in best.freed]
            more = len(kept) * (self.weights[rtl] - self.weights[other.branch])
            more += self._goes(two) if is_turned else 0
            if best.saved > more:
                self._replace(two, best, kept, label, is_turned)
                return

    def _goes(self, two: _Two) -> float:
        """Estimate how often control comes to where the second block branches, from both."""
        one, other = two.comparisons
        goes = self._taken(two.second, other.branch.transfer.label)  # type: ignore[union-attr]
        return goes + self._taken(two.first, one.branch.transfer.label) if two.is_either else goes  # type: ignore[union-attr]

    def _replace(self, two: _Two, best: Choice, kept: Sequence[Rtl], label: str, is_turned: bool) -> None:
        """Put a branch at the end of the first block; the second one is empty then, or a jump."""
        first, second, rtl = two.first, two.second, two.comparisons[0].branch
        blocks = self.function.blocks
        (effect,) = best.way[0]
        assert isinstance(effect, Branch)
        target = blocks[blocks.index(second) + 1].label if is_turned else label
        new = merged((Branch(effect.condition, target),), rtl, *best.freed)
        rest = [each for each in first.rtls if each is not rtl and each not in self.beside]
        jump = [Rtl((Jump(label),), rtl.lines, "control")] if is_turned else []
        gone, goal = {*map(id, two.gone.between)}, next(block for block in blocks if block.label == target)
        phis = {two.gone.end: [_without(phi, two.gone.last.label) for phi in two.gone.end.phis]} if two.gone.end.phis else {}
        if goal.phis:  # control comes from the first block now
            phis[goal] = [_renamed(phi, second.label, first.label) for phi in phis.get(goal, goal.phis)]
        contents: dict[Block, list[Rtl]] = {first: [*rest, *kept, new], second: jump}
        if self.state.change(contents, [block for block in blocks if id(block) not in gone], phis):
            for each in kept:
                self.weights[each] = self.weights[rtl]
            self._renew_uses(rtl, new)
            for phi in (phi for changed in phis.values() for phi in changed):
                for source in phi.sources.values():
                    self.users[source].add(phi)


class _Chosen(Uses):
    """The work on one branch that decides by what a region chooses."""

    def __init__(self, state: FunctionState, region: Region) -> None:
        super().__init__(state, state.machine.sought[1])
        self.region = region
        self.inside = {register for block in region.inner for rtl in block.rtls for register in rtl.sets}
        self.phis = [phi for phi in region.join.phis if self.users.get(phi.target)]

    def run(self) -> None:
        """Let the branch compute what is chosen, if nobody else wants it."""
        region, cfg, blocks = self.region, self.state.get(CFG), self.function.blocks
        found, first = branch_comparison(region.join), compared_by_branch(region.head)
        ways = {blocks[n] for n in cfg.predecessors[cfg.labels[region.join.label]]}
        if found is None or first is None or first.relation.memory or not ways <= {region.head, *region.inner}:
            return
        targets = {phi.target for phi in self.phis}
        wanted = {user for target in targets for user in self.users[target]}
        if not targets <= {*found.relation.uses} or not wanted <= {found.compare, found.branch}:
            return
        values = Values(region, blocks, cfg, _decided_by)
        for phi in self.phis:
            value = values.of(phi, region.join)
            if value is None:
                return
            value = rebuild(value, lambda node: values.inner.get(node) if isinstance(node, Register) else None)
            self.sources[phi.target], self.definitions[phi.target] = value, first.branch
        self.first = (first.branch,) if first.compare is first.branch else (first.branch, first.compare)
        self._branch(region.join, found.branch, self.graph)

    def _cuts(self, rtl: Rtl, name: Register) -> list[Cut]:
        inner = self.inside.union(phi.target for phi in self.phis)
        return [cut for cut in super()._cuts(rtl, name) if inner.isdisjoint(cut.leaves)]

    def _freed(self, root: Rtl, cut: Cut) -> list[Rtl]:
        freed: dict[User, None] = dict.fromkeys((root, *self.beside, *self.first, *self.phis))
        for register in sorted(self.graph.members(cut.inside), key=self.graph.order.__getitem__, reverse=True):
            rtl = self.definitions.get(register)
            if rtl is not None and self.is_unwanted(rtl, freed.keys()):
                freed[rtl] = None
        return [rtl for rtl in freed if isinstance(rtl, Rtl)]


def _decides_by_phi(block: Block) -> bool:
    """Whether a branch at the end of a block decides by what ways to the block have chosen."""
    found = branch_comparison(block)
    return found is not None and any(phi.target in found.relation.uses for phi in block.phis)


def _decided_by(block: Block) -> Op | None:
    """Return what the branch at the end of a block decides by."""
    found = branch_comparison(block)
    is_known = found is not None and not found.relation.memory and all(register.pseudo for register in found.relation.uses)
    return found.relation if found is not None and is_known else None


def _only_passes(block: Block) -> bool:
    """Whether a block does nothing but to go on with another one."""
    return not block.rtls or (len(block.rtls) == 1 and isinstance(block.rtls[0].transfer, Jump))


def _without(phi: Phi, label: str) -> Phi:
    """Return a phi without what it takes from one block."""
    return replace(phi, sources={way: source for way, source in phi.sources.items() if way != label})


def _renamed(phi: Phi, old: str, new: str) -> Phi:
    """Return a phi that takes from one block what it took from another one."""
    return replace(phi, sources={new if way == old else way: source for way, source in phi.sources.items()})
