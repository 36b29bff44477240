"""Fold the computation of addresses into the RTLs that use them, across blocks, on SSA form.

    d[t1.2]=d[t1.1]<<2;
    a[t2]=a[t3]+d[t1.2];                 d[t4]=L[a[t3]+(d[t5]<<2)+8];
    d[t4]=L[a[t2]+8];              =>    d[t6]=L[a[t3]+(d[t5]<<2)+12];
    d[t6]=L[a[t2]+12];

What was computed once for several users is computed by each of them if the machine's addressing modes do it in the same
instruction: then the computation itself is dead.  Values do not change in SSA form, so only what is legal decides, and that
nothing is computed in a loop that was computed before it, unless it becomes a displacement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vpo.algebra import rebuild_effect
from vpo.analysis.liveness import does_more_than_set
from vpo.machines.machine import Machine
from vpo.opt.selection.combine import MAX_SIZE
from vpo.opt.state import FREQUENCIES, FunctionState
from vpo.rtl import Const, Effect, Expr, Op, Register, Rtl, Set
from vpo.rtl.function import Block

DEPTH = 4  # definitions that one address is made of
TRIES = 16  # forms of one RTL
RARER = 0.9  # how often a definition is executed for each use, at least
Effects = tuple[Effect, ...]


def fold_addresses(state: FunctionState) -> None:
    """Let RTLs compute the addresses that they use, where the machine has such addressing modes."""
    if state.function.stage == "ssa":
        _Folding(state).run()


class _Folding:
    """What addresses of one function are made of: `definitions` has sources, and how often they are computed."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.machine = state, state.machine
        self.untracked = state.machine.zero | {state.machine.stack_pointer}
        self.frequencies = state.get(FREQUENCIES)
        self.definitions: dict[Register, tuple[Expr, float]] = {}
        for block, frequency in zip(state.function.blocks, self.frequencies, strict=True):
            for rtl in block.rtls:
                effect = rtl.single_set()
                if effect is not None and isinstance(effect.target, Register) and self._is_pure(effect):
                    self.definitions[effect.target] = effect.source, frequency

    def _is_pure(self, effect: Set) -> bool:
        """Whether an effect computes the same wherever it stands."""
        if effect.memory or does_more_than_set(effect) or not isinstance(effect.source, Op | Register):
            return False
        return all(register.pseudo or register in self.untracked for register in effect.uses)

    def run(self) -> None:
        """Fold the addresses that all of their users can compute."""
        found: dict[Rtl, tuple[Block, Effects]] = {}
        for block, frequency in zip(self.state.function.blocks, self.frequencies, strict=True):
            for rtl in block.rtls:
                if (rtl.stores or rtl.loads) and (best := self._best(rtl, frequency)) is not None:
                    found[rtl] = block, best
        kept = self._kept(found)
        for rtl, (block, effects) in found.items():
            if kept.isdisjoint(rtl.uses) or kept.intersection(rtl.uses) <= {r for e in effects for r in e.uses}:
                self.state.replace(block, rtl, effects)

    def _kept(self, found: Mapping[Rtl, tuple[Block, Effects]]) -> set[Register]:
        """Return the registers that are computed in any case, since somebody reads them."""
        kept = {source for block in self.state.function.blocks for phi in block.phis for source in phi.sources.values()}
        for block in self.state.function.blocks:
            for rtl in block.rtls:
                effects = found[rtl][1] if rtl in found else rtl.effects
                kept.update(register for effect in effects for register in effect.uses)
        return kept

    def _best(self, rtl: Rtl, frequency: float) -> Effects | None:
        """Return the legal form of an RTL in which most definitions are folded."""
        best: Effects | None = None
        level = [rtl.effects]
        tries = TRIES
        for _ in range(DEPTH):
            following: dict[Effects, None] = {}
            for effects in level:
                for new in self._folded(effects, frequency):
                    tries -= 1
                    if tries < 0 or sum(effect.size for effect in new) > MAX_SIZE:
                        continue
                    following[new] = None
            level = list(following)
            best = next((new for new in level if is_form(new, self.machine)), best)
        return best

    def _folded(self, effects: Effects, frequency: float) -> Iterator[Effects]:
        """Yield effects in which one register of an address is replaced by what it is computed from."""
        registers = dict.fromkeys(r for effect in effects for cell in _cells(effect) for r in cell.uses)
        for register in registers:
            source, computed = self.definitions.get(register, (register, 0.0))
            if computed < frequency * RARER and not _is_displaced(source):
                continue
            new = tuple(rebuild_effect(e, lambda node, r=register, s=source: s if node is r else None) for e in effects)  # type: ignore[misc]
            if not any(register in effect.uses for effect in new):
                yield new


def _is_displaced(source: Expr) -> bool:
    """Whether an address is one at a distance from a register: as a displacement it takes no time."""
    return (
        isinstance(source, Op)
        and source.op == "+"
        and isinstance(source.args[0], Register)
        and isinstance(source.args[1], Const)
    )


def _cells(effect: Effect) -> Iterator[Expr]:
    """Yield the addresses of the memory that an effect reads and sets."""
    for cell in effect.memory:
        yield cell.address
    if isinstance(effect, Set) and not isinstance(effect.target, Register):
        yield effect.target.address


def is_form(effects: Effects, machine: Machine) -> bool:
    """Whether effects are an instruction; asked with other names for pseudo-registers, so that most answers are known."""
    names: dict[Expr, Register] = {}
    for effect in effects:
        for register in (*effect.uses, *([effect.target] if isinstance(effect, Set) else [])):
            if isinstance(register, Register) and register.pseudo and register not in names:
                if register.version:
                    return machine.is_legal(effects)  # what is tied depends on the names
                names[register] = Register(register.cls, len(names) + 1, register.type, True)
    return machine.is_legal(tuple(rebuild_effect(effect, names.get, targets=True) for effect in effects))
