"""Two neighbours as one instruction whose effects are simultaneous: flags set by arithmetic, stepping addresses.

    r[1]=r[1]+-1;                                 r[1]=r[1]+-1; cc=(r[1]+-1)?0;
    cc=r[1]?0;                 =>

    r[1]=L[r[2]];                                 r[1]=L[r[2]]; r[2]=r[2]+4;
    r[2]=r[2]+4;               =>

The two may stand a few RTLs apart if the first can wait for the second, or the second come forward to the first.
"""

from __future__ import annotations

from vpo.algebra import is_step, rebuild_effect
from vpo.analysis.cfg import build_cfg
from vpo.analysis.liveness import Liveness, access, compute_liveness, has_side_effect
from vpo.function import Block, Function
from vpo.machines.machine import Machine
from vpo.opt.changes import permitted
from vpo.opt.recast import recast
from vpo.rtl import Branch, Effect, Mem, Register, Rtl, Set, merge_provenance

WINDOW = 8  # how far apart the two may stand


def make_simultaneous(function: Function, machine: Machine) -> bool:
    """Join two RTLs into one instruction that has the effects of both."""
    recognizer = machine.options["recognizer"]
    if not recognizer.stepping and not any(_is_pair(a.effects) and not a.repeated for a in recognizer.alternatives):
        return False
    liveness = compute_liveness(function, build_cfg(function), machine)
    changed = False
    for index, block in enumerate(function.blocks):
        while _Pairs(block, index, liveness, machine).join():
            changed = True
    return changed


def _is_pair(effects: tuple[Effect, ...]) -> bool:
    return len(effects) == 2 and all(type(effect) is Set for effect in effects)


class _Pairs:
    """Joins one pair of a block."""

    def __init__(self, block: Block, index: int, liveness: Liveness, machine: Machine) -> None:
        self.block, self.machine, self.numbering = block, machine, liveness.numbering
        self.rtls = block.rtls
        self.accesses = liveness.accesses[index] = [access(rtl, self.numbering) for rtl in block.rtls]
        self.after = liveness.backward(index)

    def join(self) -> bool:
        """Join the first pair that can be; whether there was one."""
        for second in range(1, len(self.rtls)):
            later = self.rtls[second].single_set()
            if later is None or type(later.target) is not Register:
                continue
            for first in range(second - 1, max(second - 1 - WINDOW, -1), -1):
                if self.rtls[first].call is not None:
                    break
                earlier = tuple(effect for effect in self.rtls[first].effects if type(effect) is Set)
                if not 0 < len(earlier) == len(self.rtls[first].effects) <= 2:
                    continue
                if any(_related(e, later) for e in earlier) and self._try(first, second, earlier, later):
                    return True
        return False

    def _try(self, first: int, second: int, earlier: tuple[Set, ...], later: Set) -> bool:
        values = {effect.target: effect.source for effect in earlier if type(effect.target) is Register}
        seen = rebuild_effect(later, lambda node: values.get(node) if type(node) is Register else None)
        if type(seen) is not Set or seen.target in values:
            return False
        if len(values) < len(earlier) and seen.memory:
            return False  # the store might change what is read
        effects: tuple[Effect, ...] = (*earlier, seen)
        branch: tuple[int, Branch] | None = None
        if not self.machine.is_legal(effects):
            found = self._decide(second, earlier, seen)
            if found is None:
                return False
            effects, branch = (*earlier, found[1]), (found[0], found[2])
        new = Rtl(effects, *merge_provenance(self.rtls[first], self.rtls[second]))
        entry = access(new, self.numbering)
        old_code = self.accesses[second].sets if branch is not None else 0
        for place, moves in ((second, self._can_wait(first, second)), (first, self._can_come(first, second, effects[-1]))):
            live = self.after[place] & ~old_code
            if not moves or entry.clobbers & live & ~self.accesses[place].clobbers:
                continue
            if branch is not None and not self._reaches_branch(entry.sets, place, second):
                continue
            if permitted():
                self._install(new, place, first + second - place, branch)
                return True
        return False

    def _decide(self, second: int, earlier: tuple[Set, ...], compare: Set) -> tuple[int, Set, Branch] | None:
        """Find a compare that can be simultaneous with the earlier effect, and the branch on it at the end of the block."""
        last = self.rtls[-1].effects
        if compare.target.type not in ("C", "G") or len(last) != 1 or type(last[0]) is not Branch:
            return None
        bit = self._mask(compare)
        between = self.accesses[second + 1 : -1]
        if compare.target not in last[0].uses or self.after[-1] & bit or any(e.uses & bit for e in between):
            return None
        found = recast(self.machine, compare, last[0], earlier)
        return None if found is None else (len(self.rtls) - 1, *found)

    def _mask(self, effect: Set) -> int:
        return self.numbering.mask((effect.target,)) if type(effect.target) is Register else 0

    def _can_wait(self, first: int, second: int) -> bool:
        """Whether the first RTL may be executed only just before the second."""
        moved = self.accesses[first]
        for k in range(first + 1, second):
            entry = self.accesses[k]
            changed = entry.sets | entry.clobbers
            if (changed | entry.uses) & moved.sets or changed & moved.uses or self._share_memory(first, k):
                return False
        return True

    def _can_come(self, first: int, second: int, seen: Effect) -> bool:
        """Whether the second RTL, as `seen` from the first, may be executed just behind it."""
        moved = self.accesses[second]
        fixed = moved.sets | self.accesses[first].sets | self.numbering.mask(seen.uses)
        for k in range(first + 1, second):
            entry = self.accesses[k]
            if (entry.sets | entry.clobbers) & fixed or entry.uses & moved.sets or self._share_memory(second, k):
                return False
        return True

    def _share_memory(self, one: int, other: int) -> bool:
        """Whether two RTLs may not be exchanged because of memory."""
        first, second = self.rtls[one], self.rtls[other]
        if has_side_effect(first):
            return bool(second.loads) or has_side_effect(second)
        return bool(first.loads) and has_side_effect(second)

    def _reaches_branch(self, code: int, place: int, second: int) -> bool:
        """Whether nothing between the joined RTL and the branch at the end changes the condition code."""
        between = [entry for k, entry in enumerate(self.accesses[:-1]) if k > place and k != second]
        return not any((entry.sets | entry.clobbers) & code for entry in between)

    def _install(self, new: Rtl, place: int, other: int, branch: tuple[int, Branch] | None) -> None:
        if branch is not None:
            old = self.rtls[branch[0]]
            self.rtls[branch[0]] = Rtl((branch[1],), old.lines, old.cause)
        self.rtls[place] = new
        del self.rtls[other]


def _related(earlier: Set, later: Set) -> bool:
    """Whether two effects may belong together: a comparison of what was set, or a step of an address that is used."""
    if later.target.type in ("C", "G"):
        return earlier.target in later.uses
    if is_step(later):
        cells = (*earlier.memory, earlier.target)
        return any(type(cell) is Mem and later.target in cell.address.uses for cell in cells)
    if is_step(earlier):
        return any(earlier.target in cell.address.uses for cell in later.memory)
    return False
