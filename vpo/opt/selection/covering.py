"""The values of a function on SSA form and who uses them, where instructions are put in by what they compute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vpo.analysis.liveness import does_more_than_set
from vpo.analysis.ssa import DefUse
from vpo.machines.machine import Machine
from vpo.opt.state import CFG, FREQUENCIES, FunctionState
from vpo.rtl import INTEGER_TYPES, Const, Expr, Half, Mem, Register, Rtl, Set
from vpo.rtl.function import Block, Phi

if TYPE_CHECKING:
    from vpo.machines.match.meanings import Meanings
    from vpo.opt.selection.value_graph import ValueGraph

User = Rtl | Phi


class Covering:
    """What is known of one function."""

    def __init__(self, state: FunctionState, meanings: Meanings) -> None:
        self.state, self.machine, self.function = state, state.machine, state.function
        frequencies: list[float] = state.get(FREQUENCIES)
        self.weights: dict[Rtl, float] = {}
        self.definitions: dict[Register, Rtl] = {}
        self.sources: dict[Register, Expr] = {}
        self.users: dict[Register, set[User]] = {}
        self.live: DefUse | None = None  # of the function as it is
        self.blocks = [(self.function.blocks[n], frequencies[n]) for n in state.get(CFG).reverse_postorder()]
        self.graph = self._graph(meanings)
        for block, frequency in self.blocks:
            self._note(block, frequency)
        for register, rtl in reversed([*self.definitions.items()]):
            if not self.users.get(register):  # what an instruction put in before stands for
                for used in rtl.uses:
                    self.users[used].discard(rtl)

    def _graph(self, meanings: Meanings) -> ValueGraph:
        """Return the values of the function for a search for some instructions."""
        from vpo.opt.selection.value_graph import ValueGraph  # it loads numpy, which known code does not need

        graph = ValueGraph(self.machine, self.sources, meanings)
        graph.define_all([block for block, _ in self.blocks], self.function.arriving)
        return graph

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
                self.definitions[effect.target], self.sources[effect.target] = rtl, literal(effect.source)


def computes(effect: Set, machine: Machine) -> bool:
    """Whether an effect sets a pseudo-register to a number that it computes of others, and does nothing else."""
    target, source = effect.target, literal(effect.source)
    if type(target) is not Register or not target.pseudo or target.type not in INTEGER_TYPES or source.memory:
        return False
    return not does_more_than_set(effect) and all(r.pseudo or r in machine.zero for r in source.uses)


def is_copy(rtl: Rtl) -> bool:
    """Whether an RTL copies a register."""
    effect = rtl.single_set()
    return effect is not None and isinstance(effect.source, Register)


def literal(source: Expr) -> Expr:
    """Return the number that a literal pool holds, for its cell; other expressions as they are."""
    if type(source) is Mem and type(source.address) is Half and source.address.is_literal:
        return source.address.of if type(source.address.of) is Const else source
    return source
