"""Two cells side by side and a step of their address as one instruction, where no two of these need be one.

    r[1]=L[r[8]];
    r[2]=L[r[8]+4];               =>      r[1]=L[r[8]]; r[2]=L[r[8]+4]; r[8]=r[8]+8;
    r[8]=r[8]+8;

`simultaneous.py` joins one more effect with what is an instruction already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

from vpo.algebra import is_step, rebuild_effect
from vpo.algebra.equivalents import are_adjacent
from vpo.analysis.liveness import access
from vpo.opt.state import ALIASES, LIVENESS, FunctionState, merged
from vpo.rtl import Expr, Mem, Rtl, Set
from vpo.rtl.function import Block

WINDOW = 8  # how far from a step the cells may stand


def pair_and_step(state: FunctionState) -> None:
    """Let one instruction load, or store, two cells and step their address."""
    for index, block in enumerate(state.function.blocks):
        while _Block(state, block, index).join():
            pass


class _Block:
    """The work on one block: one instruction."""

    def __init__(self, state: FunctionState, block: Block, index: int) -> None:
        self.state, self.machine, self.block, self.rtls = state, state.machine, block, block.rtls
        self.aliases, liveness = state.get(ALIASES), state.get(LIVENESS)
        self.accesses = [access(rtl, liveness.numbering) for rtl in self.rtls]

    def join(self) -> bool:
        """Put in the first instruction that there is; return whether there was one."""
        effects = [rtl.single_set for rtl in self.rtls]
        for place, step in enumerate(effects):
            if step is not None and is_step(step):
                near = range(max(place - WINDOW, 0), min(place + WINDOW, len(effects)))
                more = next((k for k in near if k > place and self.accesses[k].sets & self.accesses[place].sets), None)
                later = effects[more] if more is not None else None
                steps = {place: step, **({more: later} if more is not None and later is not None and is_step(later) else {})}
                if self._join_at(steps, {k: one for k in near if k not in steps and (one := effects[k]) is not None}):
                    return True
        return False

    def _join_at(self, steps: Mapping[int, Set], effects: Mapping[int, Set]) -> bool:
        """Put in an instruction with one or two steps of a register, one after the other, and two cells near them."""
        for count in range(1, len(steps) + 1):
            chosen = dict([*steps.items()][:count])
            seen = {k: _seen(one, [step for place, step in chosen.items() if place < k]) for k, one in effects.items()}
            step = _seen([*chosen.values()][-1], [*chosen.values()][:-1])
            using = [k for k, one in seen.items() if _uses(one, step)]
            for a, b in combinations(using, 2):
                if are_adjacent(seen[a], seen[b]) and self._try((a, b, *chosen), (seen[a], seen[b], step)):
                    return True
        return False

    def _try(self, places: tuple[int, ...], effects: tuple[Set, ...]) -> bool:
        """Put in an instruction that has the effects of several RTLs, if there is one and they may come together."""
        if len({effect.target for effect in effects}) < len(effects):
            return False
        found = next(filter(self.machine.is_legal, permutations(effects)), None)
        if found is None or self.machine.clobbers(found):
            return False
        group = sorted(places)
        for to in reversed(group):
            if all(self._may_move(place, to, group) for place in group):
                gone: dict[Rtl, Rtl | None] = {self.rtls[place]: None for place in group}
                gone[self.rtls[to]] = merged(found, *(self.rtls[place] for place in group))
                return self.state.substitute(self.block, gone)
        return False

    def _may_move(self, place: int, to: int, group: Sequence[int]) -> bool:
        """Whether an RTL may be executed at another place, together with the others there."""
        moved = self.accesses[place]
        for k in range(min(place, to) + 1, max(place, to)):
            entry = self.accesses[k]
            if k in group:
                continue
            if self.rtls[k].call is not None or (entry.sets | entry.clobbers) & (moved.uses | moved.sets):
                return False
            if entry.uses & moved.sets or self.aliases.conflict(self.rtls[k], self.rtls[place]):
                return False
        return not any(self._needs(place, k) for k in group if k != place)

    def _needs(self, one: int, other: int) -> bool:
        """Whether an RTL reads what another one loads, so that both are no one instruction."""
        loaded = self.rtls[other].single_set
        return loaded is not None and not is_step(loaded) and bool(self.accesses[other].sets & self.accesses[one].uses)


def _seen(effect: Set, steps: Sequence[Set]) -> Set:
    """Return an effect in which a register is what it was before it stepped."""
    for step in reversed(steps):
        known: dict[Expr, Expr] = {step.target: step.source}
        found = rebuild_effect(effect, known.get)
        assert isinstance(found, Set)
        effect = found
    return effect


def _uses(effect: Set, step: Set) -> bool:
    """Whether an effect reads or sets a cell at an address that steps, which it only moves."""
    cells = [cell for cell in (*effect.memory, effect.target) if isinstance(cell, Mem)]
    return len(cells) == 1 and not cells[0].volatile and step.target in cells[0].address.uses
