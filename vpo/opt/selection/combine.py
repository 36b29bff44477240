"""Instruction selection by combining: merge pairs and triples of RTLs linked by a set and its use.

    r[t1]=r[t2]+8;
    r[t3]=L[r[t1]];     =>   r[t3]=L[r[t2]+8];        if the machine has it, and r[t1] is not wanted elsewhere

Davidson and Fraser, "Code Selection through Object Code Optimization" (TOPLAS 1984).  The merged RTL is tried with one
substitution and, if illegal, with a second one on top.
"""

from __future__ import annotations

from bisect import bisect, insort
from dataclasses import dataclass, field

from vpo.algebra import is_step, rebuild_effect, substitute_in
from vpo.analysis.alias import Aliases
from vpo.analysis.liveness import Access, Liveness, access, has_side_effect
from vpo.opt.selection.fuse_branches import recast
from vpo.opt.state import ALIASES, LIVENESS, FunctionState, merged
from vpo.rtl import CODE_TYPES, Branch, Const, Effect, Expr, Half, Mem, Op, Register, Rtl, Set, Slot, Symbol, subexpressions
from vpo.rtl.function import Block

FREE = (Const, Symbol, Slot, Half, Register)  # sources that may be repeated in several users
MAX_SIZE = 24  # larger expressions are no instruction anywhere


def combine_instructions(state: FunctionState) -> None:
    """Merge RTLs of a basic block that depend on each other into single instructions."""
    liveness, aliases = state.get(LIVENESS).copy(), state.get(ALIASES)
    for index, block in enumerate(state.function.blocks):
        Combiner(block, index, liveness, aliases, state).run()


def _parts(effect: Effect) -> list[Expr]:
    """Return the proper operator sub-expressions that an effect reads."""
    roots: list[Expr] = []
    if isinstance(effect, Set):
        roots = [effect.source] if not isinstance(effect.source, Op) else list(effect.source.args)
        if isinstance(effect.target, Mem):
            roots = [effect.source, effect.target.address]
    elif isinstance(effect, Branch):
        roots = list(effect.condition.args)
    return [node for root in roots for node in subexpressions(root) if isinstance(node, Op)]


def _is_computed(node: Expr) -> bool:
    """Whether a node is the result of an operator on several values, or comes from memory."""
    return bool(node.memory) or (type(node) is Op and len(node.args) > 1)


@dataclass(eq=False)
class Combiner:
    """Combines within one block, front to back."""

    block: Block
    index: int
    liveness: Liveness
    aliases: Aliases
    state: FunctionState
    links: list[dict[Register, int]] = field(default_factory=list)  # per RTL: register read -> RTL that set it
    users: list[set[int]] = field(default_factory=list)  # per RTL: the RTLs that read what it set
    last_set: dict[int, int] = field(default_factory=dict)  # register number -> RTL
    outdated: bool = False  # whether what is known of the block no longer holds
    stores: list[int] = field(default_factory=list)  # RTLs that change memory, or must stay in order
    gone: list[int] = field(default_factory=list)  # RTLs that were merged into others, in order

    def run(self) -> None:
        """Try every RTL of the block."""
        self.machine = self.state.machine
        self.rtls: list[Rtl | None] = list(self.block.rtls)  # None: gone
        self.after = self.liveness.backward(self.index)
        self.accesses = self.liveness.accesses[self.index]
        for i in range(len(self.rtls)):
            self._link(i)
            while self._improve(i):
                if self.outdated:
                    self._restart()
                    return
            self._record(i)

    def _restart(self) -> None:
        """Begin again: RTLs have been changed by other means than `_install`."""
        self.outdated = False
        self.liveness.accesses[self.index] = [access(rtl, self.liveness.numbering) for rtl in self.block.rtls]
        for known in (self.links, self.users, self.last_set, self.stores, self.gone):
            known.clear()
        self.run()

    def _link(self, i: int) -> None:
        rtl = self.rtls[i]
        assert rtl is not None
        links = {}
        for register in rtl.uses:
            setter = self._last_set(register)
            if setter is not None:
                links[register] = setter
                self.users[setter].add(i)
        self.links.append(links)
        self.users.append(set())

    def _last_set(self, register: Register) -> int | None:
        """Return the last RTL that set a register, or a part of it."""
        numbering = self.liveness.numbering
        if not numbering.is_pair(register):
            return self.last_set.get(numbering.number(register))
        setters = [self.last_set.get(numbering.number(part), -1) for part in numbering.members(numbering.pair(register))]
        return max(setters) if max(setters) >= 0 else None

    def _record(self, i: int) -> None:
        rtl = self.rtls[i]
        assert rtl is not None
        entry = self.accesses[i]
        changed = entry.sets | entry.clobbers
        while changed:
            low = changed & -changed
            self.last_set[low.bit_length() - 1] = i
            changed ^= low
        if has_side_effect(rtl):
            self.stores.append(i)

    def _improve(self, i: int) -> bool:
        rtl = self.rtls[i]
        assert rtl is not None
        for register, j in list(self.links[i].items()):
            if not self._substitutable(register, j, i):
                if self._before_step(register, j, i):
                    return True
                continue
            effects = self._substitute(rtl.effects, register, j)
            if effects is None:
                continue
            deletes = self._only_user(register, j, i)
            if not deletes and (effects == rtl.effects or not self._free(j)):
                continue  # nothing gained, or work done twice
            if self._install(i, effects, [(register, j)], deletes):
                return True
            if deletes and self._second(i, effects, register, j):
                return True
            if deletes and self._accumulate(i, effects, j):
                return True
        return False

    def _before_step(self, register: Register, j: int, i: int) -> bool:
        """Merge what RTL j loads into RTL i, in front of the step of its address that stands between: `*d++ = *s++`."""
        rtl, load, source = self.rtls[i], self.rtls[j], self._source(j)
        if rtl is None or load is None or rtl.transfer is not None or rtl.call is not None or not isinstance(source, Expr):
            return False
        places = [place for used in source.uses if (place := self._last_set(used)) is not None and j < place < i]
        step = self._single(places[0]) if len(places) == 1 else None
        if not source.memory or step is None or not is_step(step) or not self._keeps_memory(source, j):
            return False
        (k,), bit = places, self.liveness.numbering.mask(tuple(step.sets))
        stepped, entries = self.rtls[k], self.accesses
        if stepped is None or any((each.uses | each.sets | each.clobbers) & bit for each in entries[k + 1 : i + 1]):
            return False
        if any((each.sets | each.clobbers) & entries[j].uses for n, each in enumerate(entries[j + 1 : i], j + 1) if n != k):
            return False
        effects = self._substitute(rtl.effects, register, j) if self._only_user(register, j, i) else None
        if effects is None or not self.machine.is_legal(effects):
            return False
        new = merged(effects, rtl, load)
        changed = access(new, self.liveness.numbering).clobbers & ~entries[i].clobbers
        if (changed | entries[k].clobbers) & self.after[i]:
            return False
        between = [each for n in range(j + 1, i) if n != k and (each := self.rtls[n]) is not None]
        first, last = j - bisect(self.gone, j), i + 1 - bisect(self.gone, i)
        self.outdated = self.state.splice(self.block, first, last, [*between, new, stepped])
        return self.outdated

    def _accumulate(self, i: int, effects: tuple[Effect, ...], j: int) -> bool:
        """Try an instruction that changes the register it sets: an operand of the merged RTL is put there before."""
        (effect, *others), rtl, middle = effects, self.rtls[i], self.rtls[j]
        if others or rtl is None or middle is None or type(effect) is not Set or type(effect.target) is not Register:
            return False
        if type(effect.source) is not Op or sum(map(_is_computed, effect.source.args)) != 1:
            return False  # not an operator on the result of another one, or on a cell
        target, mask = effect.target, self.liveness.numbering.mask
        if not target.pseudo or target in effect.uses or self.after[j] & mask((target,)):
            return False
        for operand in effect.uses:
            if not operand.pseudo or operand.cls != target.cls or self.after[i] & mask((operand,)):
                continue
            new = (substitute_in(effect, {operand: target}),)
            if self.machine.is_legal(new) and self._prepare(i, j, operand, target, merged(new, rtl, middle)):
                return True
        return False

    def _prepare(self, i: int, j: int, operand: Register, target: Register, new: Rtl) -> bool:
        """Replace RTL i by one that finds an operand in its target: what sets the operand does, or a copy instead of RTL j."""
        rtl, middle = self.rtls[i], self.rtls[j]
        assert rtl is not None
        assert middle is not None
        setter = self._last_set(operand)
        instead: dict[Rtl, Rtl | None]
        if setter is None or setter < j:
            place, first, instead = j, (Set(target, operand),), {rtl: new}
        elif (effect := self._single(setter)) is not None and self.users[setter] == {i} and operand not in effect.uses:
            place, first, instead = setter, (Set(target, effect.source),), {rtl: new, middle: None}
        else:
            return False
        old = self.rtls[place]
        assert old is not None
        between = self.accesses[place + 1 : i]
        bit = self.liveness.numbering.mask((target,))
        clobbered = access(new, self.liveness.numbering).clobbers & self.after[i] & ~self.accesses[i].clobbers
        if clobbered or any((entry.uses | entry.sets | entry.clobbers) & bit for entry in between):
            return False
        before = merged(first, old)
        if access(before, self.liveness.numbering).clobbers & self.after[place] & ~self.accesses[place].clobbers:
            return False
        self.outdated = self.state.substitute(self.block, {**instead, old: before})
        return self.outdated

    def _is_copy(self, place: int) -> bool:
        effect = self._single(place)
        return effect is not None and type(effect.target) is Register and type(effect.source) is Register

    def _single(self, j: int) -> Set | None:
        rtl = self.rtls[j]
        return rtl.single_set if rtl is not None else None

    def _second(self, i: int, effects: tuple[Effect, ...], register: Register, j: int) -> bool:
        """Try a second substitution on top of an illegal first one."""
        others = {**self.links[j], **{r: k for r, k in self.links[i].items() if r is not register}}
        for other, k in others.items():
            if k == j or not self._substitutable(other, k, i, through=j):
                continue
            again = self._substitute(effects, other, k)
            only = self._only_user(other, k, i, through=j)
            if again is None or not (only or self._free(k)):
                continue
            if self._install(i, again, [(register, j), (other, k)], True, keep=-1 if only else k):
                return True
            if only and self._split(i, again, register, j, k):
                return True
        return False

    def _split(self, i: int, effects: tuple[Effect, ...], register: Register, j: int, k: int) -> bool:
        """Make two RTLs of three: find a part of the merged RTL that can be computed where RTL j was."""
        if any(register in effect.uses for effect in effects):
            return False  # its older value is wanted too
        if sum(self._is_copy(place) for place in (i, j, k)) > 1:
            return False  # copies may vanish: there is one instruction only
        for part in dict.fromkeys(p for effect in effects for p in _parts(effect)):
            if part.type != register.type or part.memory or not self._ready(part, j, {j, k}):
                continue
            first: tuple[Effect, ...] = (Set(register, part),)
            rest = tuple(rebuild_effect(e, lambda n, p=part: register if n is p else None) for e in effects)  # type: ignore[misc]
            if not (self.machine.is_legal(first) and self.machine.is_legal(rest)):
                continue
            return self._install_split(i, rest, j, first, k)
        return False

    def _ready(self, part: Expr, j: int, gone: set[int]) -> bool:
        """Whether a part's registers have their final values before RTL j."""
        setters = [self._setter(r, gone) for r in part.uses]
        return all(setter is None or setter < j for setter in setters)

    def _setter(self, register: Register, gone: set[int]) -> int | None:
        """Return the RTL that sets a register for RTL i once some RTLs are gone."""
        setter = self._last_set(register)
        while setter in gone:
            assert setter is not None
            setter = self.links[setter].get(register)
        return setter

    def _install_split(self, i: int, rest: tuple[Effect, ...], j: int, first: tuple[Effect, ...], k: int) -> bool:
        rtl, middle, oldest = self.rtls[i], self.rtls[j], self.rtls[k]
        if rtl is None or middle is None or oldest is None:
            return False
        new_first = merged(first, middle, oldest)
        new = Rtl(rest, rtl.lines, rtl.cause)
        entry_first = access(new_first, self.liveness.numbering)
        entry = access(new, self.liveness.numbering)
        if entry.clobbers & self.after[i] & ~self.accesses[i].clobbers:
            return False
        if entry_first.clobbers & self.after[j] & ~self.accesses[j].clobbers:
            return False
        if not self._put({i: new, j: new_first, k: None}):
            return False
        self.rtls[i] = new
        self._relink(i, new, {j, k}, entry, j)
        self.rtls[j] = new_first
        for setter in self.links[j].values():
            self.users[setter].discard(j)
        self.links[j] = {}
        for register in new_first.uses:
            setter_or_none = self._setter(register, {j, k})
            if setter_or_none is not None:
                self.links[j][register] = setter_or_none
                self.users[setter_or_none].add(j)
        self.accesses[j] = entry_first
        (target,) = new_first.sets
        self.aliases.forget(target)  # it holds something else
        self.links[i][target] = j
        self.users[j] = {i}
        for between in range(k, j):
            self.after[between] |= entry_first.uses
        self._delete(k)
        return True

    def _source(self, j: int) -> Expr | None:
        rtl = self.rtls[j]
        effect = rtl.single_set if rtl is not None else None
        return None if effect is None or getattr(effect.source, "op", "") == "SYS" else effect.source

    def _free(self, j: int) -> bool:
        source = self._source(j)
        return isinstance(source, FREE) and (not isinstance(source, Register) or source.pseudo)

    def _substitutable(self, register: Register, j: int, i: int, through: int | None = None) -> bool:
        """Whether what RTL j assigned to a register can be computed at RTL i instead."""
        rtl = self.rtls[j]
        if rtl is None:
            return False
        effect = rtl.single_set
        if effect is None or effect.target is not register:
            return False
        source = effect.source
        if getattr(source, "op", "") == "SYS":
            return False
        if any(not r.pseudo and r not in self.liveness.numbering.untracked for r in source.uses):
            return False  # hard registers live as briefly as they can
        if source.memory and not self._keeps_memory(source, j):
            return False
        numbering = self.liveness.numbering
        for used in source.uses:
            if used in numbering.untracked:
                continue
            setter = self._last_set(used)
            if setter != self.links[j].get(used) and setter not in (j if used is register else None, through):
                return False
            if setter == through is not None and used is not register and setter != self.links[j].get(used):
                return False
        return True

    def _keeps_memory(self, source: Expr, j: int) -> bool:
        """Whether the cells of an expression hold after all RTLs so far what they held at RTL j, and may be read later."""
        changing = [rtl for k in self.stores[bisect(self.stores, j) :] if (rtl := self.rtls[k]) is not None]
        return not any(cell.volatile or self._changed(cell, changing) for cell in source.memory)

    def _changed(self, cell: Mem, rtls: list[Rtl]) -> bool:
        return any(self.aliases.may_change(rtl, cell.of_any_type) for rtl in rtls)

    def _only_user(self, register: Register, j: int, i: int, through: int | None = None) -> bool:
        """Whether RTL i is the last and only reader of what RTL j set."""
        if self.users[j] - {i, through}:
            return False
        bit = self.liveness.numbering.mask((register,))
        return not self.after[i] & bit or bool(self.accesses[i].sets & bit)

    def _substitute(self, effects: tuple[Effect, ...], register: Register, j: int) -> tuple[Effect, ...] | None:
        source = self._source(j)
        assert source is not None
        new = tuple(substitute_in(e, {register: source}) for e in effects)
        if (new == effects and register not in source.uses) or sum(e.size for e in new) > MAX_SIZE:
            return None  # equal effects from a changed register: what RTL j did to it makes no difference
        if any(register in getattr(e, "arguments", ()) or register in getattr(e, "results", ()) for e in new):
            return None  # an argument must be in its register
        return new

    def _install(
        self, i: int, effects: tuple[Effect, ...], linked: list[tuple[Register, int]], delete: bool, keep: int = -1
    ) -> bool:
        rtl = self.rtls[i]
        assert rtl is not None
        decision = None
        if not self.machine.is_legal(effects):
            decision = self._decide(i, effects)
            if decision is None:
                return False
            effects = (decision[1],)
        sources = [source for _, j in linked if (source := self.rtls[j]) is not None]
        new = merged(effects, rtl, *sources) if delete else Rtl(effects, rtl.lines, rtl.cause)
        entry = access(new, self.liveness.numbering)
        live = self.after[i] & ~self.accesses[i].sets if decision is not None else self.after[i]
        if entry.clobbers & live & ~self.accesses[i].clobbers:
            return False
        deleted = {j for _, j in linked if j != keep} if delete else set()
        instead: dict[int, Rtl | None] = {**dict.fromkeys(deleted), i: new}
        branch = None
        if decision is not None and (old := self.rtls[decision[0]]) is not None:
            branch = instead[decision[0]] = Rtl((decision[2],), old.lines, old.cause)
        if not self._put(instead):
            return False
        if decision is not None and branch is not None:
            self._change_branch(i, decision[0], branch, entry)
        self.rtls[i] = new
        self._relink(i, new, deleted, entry, min(j for _, j in linked))
        for j in deleted:
            self._delete(j)
        return True

    def _decide(self, i: int, effects: tuple[Effect, ...]) -> tuple[int, Set, Branch] | None:
        """Find another way for an illegal compare and the branch on it: where the branch is, new compare, new branch."""
        compare = effects[0]
        if len(effects) != 1 or type(compare) is not Set or compare.target.type not in CODE_TYPES:
            return None
        if type(compare.target) is not Register:
            return None
        bit = 1 << self.liveness.numbering.number(compare.target)
        for place in range(i + 1, len(self.rtls)):
            rtl, entry = self.rtls[place], self.accesses[place]
            if rtl is not None and entry.uses & bit:
                branch = rtl.effects[0]
                if type(branch) is not Branch or len(rtl.effects) != 1 or self.after[place] & bit:
                    return None
                found = recast(self.machine, compare, branch)
                if found is None or not self._undisturbed(found[0], i, place):
                    return None
                return place, *found
            if (entry.sets | entry.clobbers) & bit:
                return None
        return None

    def _undisturbed(self, compare: Set, i: int, place: int) -> bool:
        """Whether the condition code of a compare would arrive at its branch."""
        bit = self.liveness.numbering.mask(tuple(r for r in (compare.target,) if isinstance(r, Register)))
        between = self.accesses[i + 1 : place]
        return not any((entry.sets | entry.clobbers) & bit for entry in between)

    def _change_branch(self, i: int, place: int, branch: Rtl, compare: Access) -> None:
        self.rtls[place] = branch
        self.accesses[place] = access(branch, self.liveness.numbering)
        for k in range(i, place):
            self.after[k] = (self.after[k] & ~self.accesses[i].sets) | compare.sets

    def _relink(self, i: int, new: Rtl, deleted: set[int], entry: Access, first: int) -> None:
        """Point the links of a changed RTL at what now sets its registers."""
        for setter in self.links[i].values():
            self.users[setter].discard(i)
        links: dict[Register, int] = {}
        for register in new.uses:
            setter_or_none = self._last_set(register)
            while setter_or_none in deleted:
                assert setter_or_none is not None
                setter_or_none = self.links[setter_or_none].get(register)
            if setter_or_none is not None:
                links[register] = setter_or_none
                self.users[setter_or_none].add(i)
        self.links[i] = links
        self.accesses[i] = entry
        for k in range(first, i):
            self.after[k] |= entry.uses

    def _put(self, instead: dict[int, Rtl | None]) -> bool:
        """Put other RTLs, or nothing, in the places of some; what lies outside these is not looked at."""
        first, last = min(instead), max(instead)
        new = [rtl for k in range(first, last + 1) if (rtl := instead.get(k, self.rtls[k])) is not None]
        return self.state.splice(self.block, first - bisect(self.gone, first), last + 1 - bisect(self.gone, last), new)

    def _delete(self, j: int) -> None:
        for setter in self.links[j].values():
            self.users[setter].discard(j)
        self.rtls[j] = None
        insort(self.gone, j)
        self.accesses[j] = Access(0, 0, 0)
