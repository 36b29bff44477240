"""Instructions by what they compute, on SSA form: one takes the place of as many RTLs as it means, in whatever blocks.

    r[t1]=65535;
    r[t2]=r[t8]&r[t1];
    r[t3]=r[t9]<<16;                   =>        r[t4]=PACK of r[t9], r[t8], as the description writes it
    r[t4]=r[t3]|r[t2];

Each value is looked at as a function of a few registers, in all ways in which definitions can be put into it
(`value_graph.py`), as in technology mapping (Mishchenko, Chatterjee, Brayton, "DAG-aware AIG rewriting", DAC 2006).  So it
does not matter how C, or the description, writes it.  An instruction is taken if it saves more than it costs by estimated
frequencies: an RTL that others use remains.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vpo.analysis.liveness import does_more_than_set
from vpo.analysis.ssa import DefUse
from vpo.machines.machine import Machine
from vpo.opt.state import CFG, FREQUENCIES, FunctionState, merged
from vpo.rtl import INTEGER_TYPES, Effect, Expr, Register, Rtl, Set
from vpo.rtl.function import Block, Phi

if TYPE_CHECKING:
    from vpo.opt.selection.value_graph import Cut

User = Rtl | Phi


def cover_values(state: FunctionState) -> None:
    """Let one instruction compute what several do, by what they mean."""
    if state.function.stage == "ssa" and state.machine.meanings.deep:
        _Cover(state).run()


def computes(effect: Set, machine: Machine) -> bool:
    """Whether an effect sets a pseudo-register to a number that it computes of others, and does nothing else."""
    target, source = effect.target, effect.source
    if type(target) is not Register or not target.pseudo or target.type not in INTEGER_TYPES or source.memory:
        return False
    return not does_more_than_set(effect) and all(r.pseudo or r in machine.zero for r in source.uses)


@dataclass(frozen=True, slots=True)
class _Choice:
    """Effects that compute a value, how much that saves, and what is not wanted any more."""

    saved: float
    way: list[tuple[Effect, ...]]
    freed: tuple[Rtl, ...]


class _Cover:
    """The work on one function."""

    def __init__(self, state: FunctionState) -> None:
        from vpo.opt.selection.value_graph import ValueGraph  # few machines need it, and it loads numpy

        self.state, self.machine, self.function = state, state.machine, state.function
        frequencies: list[float] = state.get(FREQUENCIES)
        self.weights: dict[Rtl, float] = {}
        self.definitions: dict[Register, Rtl] = {}
        self.sources: dict[Register, Expr] = {}
        self.users: dict[Register, set[User]] = {}
        self.live: DefUse | None = None  # of the function as it is
        self.graph = ValueGraph(state.machine, self.sources)
        self.blocks = [(self.function.blocks[n], frequencies[n]) for n in state.get(CFG).reverse_postorder()]
        self.graph.define_all([block for block, _ in self.blocks], self.function.arriving)
        for block, frequency in self.blocks:
            self._note(block, frequency)

    def _note(self, block: Block, frequency: float) -> None:
        """Take down what a block defines and uses."""
        for phi in block.phis:
            for source in phi.sources.values():
                self.users.setdefault(source, set()).add(phi)
        for rtl in block.rtls:
            self.weights[rtl] = frequency
            for register in rtl.uses:
                self.users.setdefault(register, set()).add(rtl)
            effect = rtl.single_set()
            if effect is not None and computes(effect, self.machine):
                assert isinstance(effect.target, Register)
                self.definitions[effect.target], self.sources[effect.target] = rtl, effect.source

    def run(self) -> None:
        """Look at each value, definitions before uses."""
        for block, _ in self.blocks:
            for rtl in list(block.rtls):
                for target in rtl.sets:
                    if self.definitions.get(target) is rtl:
                        self._value(block, rtl, target)

    def _value(self, block: Block, rtl: Rtl, target: Register) -> None:
        """Let the best instruction that there is compute a value."""
        cuts = self.graph.find_cuts(target, self.sources[target])
        best = max(self._choices(rtl, target, cuts), key=lambda choice: choice.saved, default=None)
        if best is None:
            return
        new = [merged(effects, rtl, *best.freed) for effects in self.graph.renamed(best.way, self.function.pseudo)]
        if self.state.change({block: [each for old in block.rtls for each in (new if old is rtl else (old,))]}):
            self.live = None
            self._renew(rtl, target, new)
            self.graph.find_cuts(target, self.sources[target])

    def _renew(self, old: Rtl, target: Register, new: Sequence[Rtl]) -> None:
        """Take down that other RTLs compute a value; what nobody uses any more is gone."""
        self._drop(old)
        for rtl in new:
            self.weights[rtl] = self.weights[old]
            for register in rtl.uses:
                self.users.setdefault(register, set()).add(rtl)
            effect = rtl.effects[0]
            assert isinstance(effect, Set)
            assert isinstance(effect.target, Register)
            self.definitions[effect.target], self.sources[effect.target] = rtl, effect.source
            self.graph.order.setdefault(effect.target, len(self.graph.order))

    def _drop(self, gone: Rtl) -> None:
        for register in gone.uses:
            users = self.users[register]
            users.discard(gone)
            if not users and (rtl := self.definitions.get(register)) is not None:
                self._drop(rtl)

    # -------------------------------------------------------------------------------------------------------- choices

    def _choices(self, rtl: Rtl, target: Register, cuts: Iterable[Cut]) -> Iterator[_Choice]:
        """Yield instructions that compute a value and save something."""
        for cut in cuts:
            if not cut.leaves or len(cut.inside) < 2:
                continue
            freed = self._freed(rtl, cut)
            saved = sum(self.weights[each] for each in freed if not _is_copy(each)) - self.weights[rtl]
            if saved <= 0:
                continue
            for way in self.graph.instructions(target, cut):
                cost = self.weights[rtl] * self._copies(rtl, way, freed)
                if saved > cost and self._is_good(rtl, way, cut) and self.graph.is_proven(target, cut, way):
                    yield _Choice(saved - cost, way, tuple(freed))
                    break

    def _freed(self, root: Rtl, cut: Cut) -> list[Rtl]:
        """Return the RTLs that are not wanted any more if an instruction computes a cut, the root first."""
        freed: dict[User, None] = {root: None}
        for register in sorted(cut.inside, key=self.graph.order.__getitem__, reverse=True):
            rtl = self.definitions.get(register)
            if rtl is not None and rtl is not root and self.users.get(register, set()) <= freed.keys():
                freed[rtl] = None
        return [rtl for rtl in freed if isinstance(rtl, Rtl)]

    def _copies(self, rtl: Rtl, way: Sequence[tuple[Effect, ...]], freed: Iterable[Rtl]) -> int:
        """Return how many copies remain: that of an operand whose value is used behind an RTL, too, that into a variable."""
        if len(way) == 1:
            return 0
        (copied,) = way[0][0].uses
        phis = [user for user in self.users.get(rtl.sets[0], ()) if isinstance(user, Phi)]
        if phis and all(copied.origin is not phi.target.origin for phi in phis):
            return 1  # a variable that the operand is not, and that lives beside it
        if not copied.pseudo or self.users.get(copied, set()) <= set(freed):
            return 0
        if self.live is None:
            self.live = DefUse(self.function)
        return int(self.live.is_live_after(copied, self.live.definitions[rtl.sets[0]]))

    def _is_good(self, rtl: Rtl, way: Sequence[tuple[Effect, ...]], cut: Cut) -> bool:
        """Whether a way changes nothing else, and takes no longer than the RTLs one after another that it stands for."""
        harmless = set(self.machine.clobbers(rtl.effects))
        if not all(harmless.issuperset(self.machine.may_clobber(effects)) for effects in way):
            return False
        record = self.machine.recognize(way[len(way) // 2])
        return record is not None and record.latency <= sum(self._latency(register) for register in cut.inside)

    def _latency(self, register: Register) -> float:
        return self.machine.record(self.definitions[register]).latency


def _is_copy(rtl: Rtl) -> bool:
    effect = rtl.single_set()
    return effect is not None and isinstance(effect.source, Register)
