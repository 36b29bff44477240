"""Sink computations, on SSA form: what only some ways need is computed on these.

    r[t3]=r[t2]-1;                   PC=r[t4]<=r[t5],L6;
    PC=r[t4]<=r[t5],L6;       =>     r[t3]=r[t2]-1;
    PC=r[t3]>0,L7;                   PC=r[t3]>0,L7;

An RTL moves down the dominator tree, towards the block that dominates all uses of its result, to where it is executed most
rarely, but never into a loop.  A load moves if memory is the same there.  Users sink before what they use.
"""

from __future__ import annotations

from collections.abc import Iterator

from vpo.analysis.dominators import Loop, common_dominator, dominance_intervals
from vpo.analysis.liveness import has_side_effect
from vpo.opt.state import CFG, DOMINATORS, FREQUENCIES, LIVENESS, LOOPS, MEMORY_SSA, FunctionState
from vpo.rtl import Register, Rtl

RARER = 0.99  # of the frequency with which an RTL is executed: less is worth a move


def sink_computations(state: FunctionState) -> None:
    """Move what computes values to where they are used, if that is executed more rarely."""
    if state.function.stage == "ssa":
        _Sinking(state).run()


class _Sinking:
    """The RTLs of a function on their way down."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.blocks = state, state.function.blocks
        self.cfg, self.idom = state.get(CFG), state.get(DOMINATORS)
        self.frequencies = state.get(FREQUENCIES)
        self.intervals = dominance_intervals(self.idom)
        self.untracked = state.machine.zero | {state.machine.stack_pointer}
        self.loops: list[set[int]] = [set() for _ in self.blocks]
        loops: list[Loop] = state.get(LOOPS)
        for number, loop in enumerate(loops):
            for block in loop.blocks:
                self.loops[block].add(number)
        self.places = {rtl: (number, at) for number, block in enumerate(self.blocks) for at, rtl in enumerate(block.rtls)}
        self.homes = {rtl: number for rtl, (number, _) in self.places.items()}
        self.users: dict[Register, list[Rtl | int]] = {}  # RTLs, and the blocks at whose ends phis read
        headers = {loop.header for loop in loops}
        self.steps = {phi.target: phi.sources.values() for header in headers for phi in self.blocks[header].phis}
        for number in self.idom:
            for phi in self.blocks[number].phis:
                for label, source in phi.sources.items():
                    self.users.setdefault(source, []).append(self.cfg.labels[label])
            for rtl in self.blocks[number].rtls:
                for register in rtl.uses:
                    self.users.setdefault(register, []).append(rtl)

    def run(self) -> None:
        """Look at each RTL behind all that use its result, and move them when all is decided: until then analyses hold."""
        moves: list[tuple[Rtl, int, int]] = []
        for number in reversed(self.cfg.reverse_postorder()):
            for rtl in reversed(self.blocks[number].rtls):
                target = self._target(number, rtl) if self._may_move(rtl) else None
                if target is not None:
                    self.homes[rtl] = target
                    moves.append((rtl, number, target))
        for rtl, number, target in moves:
            block, below = self.blocks[number], self.blocks[target]
            self.state.change({block: [other for other in block.rtls if other is not rtl], below: [rtl, *below.rtls]})

    def _may_move(self, rtl: Rtl) -> bool:
        """Whether an RTL sets one pseudo-register, which is used, to what registers that do not change and memory hold."""
        effect = rtl.single_set
        if effect is None or type(effect.target) is not Register or not effect.target.pseudo or has_side_effect(rtl):
            return False
        return effect.target in self.users and all(r.pseudo or r in self.untracked for r in rtl.uses)

    def _target(self, number: int, rtl: Rtl) -> int | None:
        """Return the block that an RTL should move to: below its own, as rare as can be, and as near to the uses."""
        (register,) = rtl.sets
        homes = {user if isinstance(user, int) else self.homes[user] for user in self.users[register]}
        if number in homes:
            return None
        best, least = None, self.frequencies[number] * RARER
        for block in self._dominators(common_dominator(self.idom, self.intervals, homes), number):
            if self.frequencies[block] < least and self.loops[block] <= self.loops[number] and self._fits(rtl, block):
                best, least = block, self.frequencies[block]
        return best

    def _dominators(self, block: int, end: int) -> Iterator[int]:
        """Yield a block and its dominators up to another."""
        while block != end:
            yield block
            block = self.idom[block]

    def _fits(self, rtl: Rtl, block: int) -> bool:
        """Whether an RTL does the same at the head of a block, and keeps no old value of a variable that is stepped before."""
        liveness = self.state.get(LIVENESS)
        numbering, live = liveness.numbering, liveness.live_in[block]
        if numbering.mask(self.state.machine.may_clobber(rtl.effects)) & live:
            return False
        (result,) = rtl.sets
        stepped = tuple(r for r in rtl.uses if r in self.steps and result not in self.steps[r])
        mask = numbering.mask(stepped)
        if mask & live != mask:
            return False
        if not rtl.loads:
            return True
        (number, at), memory = self.places[rtl], self.state.get(MEMORY_SSA)
        cells = [cell.of_any_type for cell in rtl.loads]
        return all(memory.clobber(number, at, cell) is memory.clobber(block, 0, cell) for cell in cells)
