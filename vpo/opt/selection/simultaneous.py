"""Two neighbours as one instruction whose effects are simultaneous: flags set by arithmetic, stepping addresses, pairs.

    r[1]=r[1]+-1;                                 r[1]=r[1]+-1; cc=(r[1]+-1)?0;
    cc=r[1]?0;                 =>

    r[1]=L[r[2]];                                 r[1]=L[r[2]]; r[2]=r[2]+4;
    r[2]=r[2]+4;               =>

    r[3]=L[r[2]+4];                               r[1]=L[r[2]]; r[3]=L[r[2]+4];
    r[1]=L[r[2]];              =>

    r[1]=r[2]/r[3];                               r[1]=r[2]/r[3]; r[4]=r[2]%r[3];
    r[4]=r[2]%r[3];            =>

    r[1]=L[r[2]];                                 r[1]=L[r[2]]; L[r[2]]=L[r[2]]+r[3];
    r[4]=r[1]+r[3];
    L[r[2]]=r[4];              =>

    r[1]=r[3];                                    r[1]=r[3]; r[2]=r[4];
    r[2]=r[4];                 =>

The two may stand a few RTLs apart if the first can wait for the second, or the second come forward to the first.
"""

from __future__ import annotations

from itertools import repeat

from vpo.algebra import binary, is_step, rebuild_effect, substitute_in
from vpo.algebra.equivalents import are_adjacent, unextended
from vpo.analysis.alias import Aliases
from vpo.analysis.liveness import Liveness, access
from vpo.opt.selection.fuse_branches import recast
from vpo.opt.state import ALIASES, LIVENESS, FunctionState, merged
from vpo.rtl import CODE_TYPES, INTEGER_TYPES, Branch, Const, Effect, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Block

WINDOW = 8  # how far apart the two may stand


def make_simultaneous(state: FunctionState) -> None:
    """Join two RTLs into one instruction that has the effects of both."""
    early = state.function.stage == "pseudo"
    capabilities = state.machine.capabilities
    if not early and capabilities.computes_and_steps:
        from vpo.opt.selection.stepping import compute_and_step  # hardly any machine needs it

        compute_and_step(state)  # first, since a load that steps is part of nothing larger
    if not early and capabilities.pairs_that_step:
        from vpo.opt.selection.paired_steps import pair_and_step  # likewise

        pair_and_step(state)  # nor part of a pair
    if capabilities.double_results if early else capabilities.pairs:
        _join_pairs(state, early)


def _join_pairs(state: FunctionState, early: bool) -> None:
    if not early and state.machine.capabilities.linked:
        from vpo.opt.selection.linked_pairs import link_registers  # nor this

        link_registers(state)
    liveness, aliases = state.get(LIVENESS).copy(), state.get(ALIASES)
    for index, block in enumerate(state.function.blocks):
        while (pairs := _Pairs(block, index, liveness, aliases, state)).join() or (
            not early and (pairs.swap() or pairs.update() or pairs.decide())
        ):
            pass


class _Pairs:
    """Joins one pair of a block."""

    def __init__(self, block: Block, index: int, liveness: Liveness, aliases: Aliases, state: FunctionState) -> None:
        self.block, self.state, self.machine, self.numbering = block, state, state.machine, liveness.numbering
        self.aliases = aliases
        self.rtls = block.rtls
        self.accesses = liveness.accesses[index] = [access(rtl, self.numbering) for rtl in block.rtls]
        self.after = liveness.backward(index)

    def join(self) -> bool:
        """Join the first pair that can be; whether there was one."""
        for second in range(1, len(self.rtls)):
            later = self.rtls[second].single_set
            if later is None:
                continue
            for first in range(second - 1, max(second - 1 - WINDOW, -1), -1):
                if self.rtls[first].call is not None:
                    break
                earlier = tuple(effect for effect in self.rtls[first].effects if type(effect) is Set)
                if not 0 < len(earlier) == len(self.rtls[first].effects) <= 2:
                    continue
                if any(map(self._related, earlier, repeat(later))) and self._try(first, second, earlier, later):
                    return True
        return False

    def swap(self) -> bool:
        """Let one instruction exchange two registers in the place of three copies; return whether there were such."""
        for place, rtl in enumerate(self.rtls):
            copy = rtl.single_set
            if copy is None or not isinstance(copy.target, Register) or not isinstance(copy.source, Register):
                continue
            kept, one = copy.target, copy.source
            second = self._toucher(place, (kept, one))
            other = self._copied(second, one)
            third = self._toucher(second, (kept, one, other)) if second and other is not None and other is not kept else None
            if second is None or other is None or third is None or self._copied(third, other) is not kept:
                continue
            ways = (Set(one, other), Set(other, one)), (Set(other, one), Set(one, other))
            effects = next(filter(self.machine.is_legal, ways), None)
            dead = not self.numbering.mask((kept,)) & self.after[third]
            if dead and effects is not None and not self.machine.clobbers(effects):
                gone = [rtl, self.rtls[second], self.rtls[third]]
                return self.state.substitute(self.block, {gone[0]: None, gone[1]: None, gone[2]: merged(effects, *gone)})
        return False

    def update(self) -> bool:
        """Join a load with a store to the cell of what is computed of it, the first that can be; whether there was one."""
        for second, rtl in enumerate(self.rtls):
            store = rtl.single_set
            value = store.source if store is not None and type(store.target) is Mem else None
            if store is None or type(value) is not Register or self.numbering.mask((value,)) & self.after[second]:
                continue
            least = max(second - WINDOW, 0)
            middle = next((k for k in range(second - 1, least, -1) if value in self.rtls[k].sets), None)
            made = self.rtls[middle].single_set if middle is not None else None
            if middle is None or made is None or made.memory or value in made.uses:
                continue
            for first in range(middle - 1, least - 1, -1):
                load = self.rtls[first].single_set
                if (
                    load is not None
                    and type(load.target) is Register
                    and store.target in load.memory
                    and self._join_update((first, middle, second), load, Set(store.target, made.source))
                ):
                    return True
        return False

    def decide(self) -> bool:
        """Let what a branch tests tell by flags what it is, where the branch only reaches forward; return whether it does.

        r[1]=r[1]+-1;                                 r[1]=r[1]+-1; cc=(r[1]+-1)?0;
        PC=r[1]!=0,L1;             =>                 PC=cc!=0,L1;
        """
        match self.rtls[-1].effects if len(self.rtls) > 1 else ():
            case (Branch(condition=Op(args=(Register() as tested, Const(value=0)))) as branch,):
                pass
            case _:
                return False
        code = next((Register(c.name, 0, c.type) for c in self.machine.classes.values() if c.type == "C"), None)
        first = next((k for k in reversed(range(len(self.rtls) - 1)) if tested in self.rtls[k].sets), None)
        if code is None or first is None or tested.type not in INTEGER_TYPES or self.machine.reaches(self.rtls[-1], 0):
            return False
        made = self.rtls[first].single_set
        if made is None or type(made.source) is not Op:
            return False
        bit, rest = self.numbering.mask((tested,)), self.accesses[first + 1 : -1]
        wanted = self.after[-1] & bit or any(entry.uses & bit for entry in rest)
        on_code = Branch(Op(branch.condition.op, "", code, Const(0)), branch.label)
        for beside in ((made,),) if wanted else ((), (made,)):
            found = recast(self.machine, Set(code, binary("?", made.source, Const(0))), on_code, beside)
            if found is None:
                continue
            new = merged((*beside, found[0]), self.rtls[first], self.rtls[-1])
            entry = access(new, self.numbering)
            changed, code_bit = (entry.sets | entry.clobbers) & ~self.accesses[first].sets, self._mask(found[0])
            if not changed & self.after[first] and not any((each.sets | each.clobbers) & code_bit for each in rest):
                return self._install(new, first, first, (len(self.rtls) - 1, found[1]))
        return False

    def _join_update(self, places: tuple[int, int, int], load: Set, store: Set) -> bool:
        """Put a load into the place of a store of what is computed between the two."""
        first, middle, second = places
        seen = substitute_in(store, {load.target: load.source})
        effects = next(filter(self.machine.is_legal, ((load, seen), (seen, load))), None)
        if effects is None or self.machine.clobbers(effects) or not self._can_wait(first, second, middle):
            return False
        used, made = self.accesses[middle].uses & ~self.accesses[first].sets, self.accesses[middle].sets
        if any((each.sets | each.clobbers) & used or each.uses & made for each in self.accesses[middle + 1 : second]):
            return False
        gone = [self.rtls[place] for place in places]
        return self.state.substitute(self.block, {gone[0]: None, gone[1]: None, gone[2]: merged(effects, *gone)})

    def _toucher(self, place: int, registers: tuple[Register, ...]) -> int | None:
        """Return the next RTL that reads or changes registers, if it is not far away."""
        bits = self.numbering.mask(registers)
        touching = (
            k
            for k in range(place + 1, min(place + WINDOW, len(self.rtls)))
            if (self.accesses[k].uses | self.accesses[k].sets | self.accesses[k].clobbers) & bits
        )
        return next(touching, None)

    def _copied(self, place: int | None, target: Register) -> Register | None:
        """Return what an RTL copies to a register, if it does."""
        copy = self.rtls[place].single_set if place is not None else None
        return copy.source if copy is not None and copy.target is target and isinstance(copy.source, Register) else None

    def _related(self, earlier: Set, later: Set) -> bool:
        """Whether two effects may belong together; before registers are chosen, which others need, two results."""
        late = self.state.function.stage != "pseudo"
        if late and _related(earlier, later):
            return True
        one, other = earlier.source, later.source
        if type(one) is type(other) is type(earlier.target) is type(later.target) is Register:
            return late and self.machine.capabilities.copies_twice
        if type(one) is not Op or type(other) is not Op or type(later.target) is not Register or later.memory:
            return False
        return (one.op, other.op) in self.machine.capabilities.double_results

    def _try(self, first: int, second: int, earlier: tuple[Set, ...], later: Set) -> bool:
        values = {effect.target: effect.source for effect in earlier if type(effect.target) is Register}
        seen = rebuild_effect(later, lambda node: values.get(node) if type(node) is Register else None)
        if type(seen) is not Set or seen.target in values:
            return False
        stores = [effect.target for effect in earlier if type(effect.target) is Mem]
        if any(self.aliases.may_alias(store, cell) for store in stores for cell in seen.memory):
            return False  # the store might change what is read
        effects: tuple[Effect, ...] = (*earlier, seen)
        branch: tuple[int, Branch] | None = None
        if type(seen.target) is Mem or seen.memory or self.machine.capabilities.double_results:
            effects = next(filter(self.machine.is_legal, (effects, (seen, *earlier))), effects)
        if not self.machine.is_legal(effects):
            found = self._decide(second, earlier, seen)
            if found is None:
                return False
            effects, branch = (*earlier, found[1]), (found[0], found[2])
        new = merged(effects, self.rtls[first], self.rtls[second])
        entry = access(new, self.numbering)
        old_code = self.accesses[second].sets if branch is not None else 0
        for place, moves in ((second, self._can_wait(first, second)), (first, self._can_come(first, second, effects[-1]))):
            live = self.after[place] & ~old_code
            if not moves or entry.clobbers & live & ~self.accesses[place].clobbers:
                continue
            if branch is not None and not self._reaches_branch(entry.sets, place, second):
                continue
            if self._install(new, place, first + second - place, branch):
                return True
        return False

    def _decide(self, second: int, earlier: tuple[Set, ...], compare: Set) -> tuple[int, Set, Branch] | None:
        """Find a compare that can be simultaneous with the earlier effect, and the branch on it at the end of the block."""
        last = self.rtls[-1].effects
        if compare.target.type not in CODE_TYPES or len(last) != 1 or type(last[0]) is not Branch:
            return None
        bit = self._mask(compare)
        between = self.accesses[second + 1 : -1]
        if compare.target not in last[0].uses or self.after[-1] & bit or any(e.uses & bit for e in between):
            return None
        found = recast(self.machine, compare, last[0], earlier)
        return None if found is None else (len(self.rtls) - 1, *found)

    def _mask(self, effect: Set) -> int:
        return self.numbering.mask((effect.target,)) if type(effect.target) is Register else 0

    def _can_wait(self, first: int, second: int, gone: int = -1) -> bool:
        """Whether the first RTL may be executed only just before the second, if another one is gone."""
        moved = self.accesses[first]
        for k in range(first + 1, second):
            if k == gone:
                continue
            entry = self.accesses[k]
            changed = entry.sets | entry.clobbers
            if (changed | entry.uses) & moved.sets or changed & moved.uses:
                return False
            if self.aliases.conflict(self.rtls[first], self.rtls[k]):
                return False
        return True

    def _can_come(self, first: int, second: int, seen: Effect) -> bool:
        """Whether the second RTL, as `seen` from the first, may be executed just behind it."""
        moved = self.accesses[second]
        fixed = moved.sets | (self.accesses[first].sets & moved.uses) | self.numbering.mask(seen.uses)
        for k in range(first + 1, second):
            entry = self.accesses[k]
            if (entry.sets | entry.clobbers) & fixed or entry.uses & moved.sets:
                return False
            if self.aliases.conflict(self.rtls[k], self.rtls[second]):
                return False
        return True

    def _reaches_branch(self, code: int, place: int, second: int) -> bool:
        """Whether nothing between the joined RTL and the branch at the end changes the condition code."""
        between = [entry for k, entry in enumerate(self.accesses[:-1]) if k > place and k != second]
        return not any((entry.sets | entry.clobbers) & code for entry in between)

    def _install(self, new: Rtl, place: int, other: int, branch: tuple[int, Branch] | None) -> bool:
        instead: dict[Rtl, Rtl | None] = {self.rtls[other]: None, self.rtls[place]: new}
        if branch is not None:
            old = self.rtls[branch[0]]
            instead[old] = Rtl((branch[1],), old.lines, old.cause)
        return self.state.substitute(self.block, instead)


def _related(earlier: Set, later: Set) -> bool:
    """Whether two effects may belong together: a comparison of what was set, a step of an address, cells side by side."""
    if later.target.type in CODE_TYPES:
        return earlier.target in later.uses
    if _steps(earlier) and type(later.target) is Mem:
        return earlier.target in later.target.address.uses
    if type(later.target) is Mem or (type(unextended(later.source)) is Mem and not _steps(earlier)):
        return are_adjacent(earlier, later) or later.target in earlier.memory
    if _steps(later):
        cells = (*earlier.memory, earlier.target)
        return any(type(cell) is Mem and later.target in cell.address.uses for cell in cells)
    if _steps(earlier):
        return any(earlier.target in cell.address.uses for cell in later.memory)
    return False


def _steps(effect: Set) -> bool:
    """Whether a register steps by a number, or by another register."""
    source = effect.source
    return is_step(effect) or (
        type(source) is Op and source.op == "+" and source.args[0] is effect.target and type(source.args[1]) is Register
    )
