"""Strength reduction, on SSA form: step what is a linear function of a loop's variable instead of computing it anew.

    L3: r[t1.1]=0;                          L3: r[t1.1]=0;
    L4: r[t1.2]=PHI(L3:r[t1.1],L4:r[t1.3]); L4: r[t1.2]=PHI(L3:r[t1.1],L4:r[t1.3]);
        r[t2]=r[t1.2]<<2;                       r[t8.1]=PHI(L3:r[t9],L4:r[t8.2]);
        r[t3]=r[t2]+r[t9];              =>
        r[t4]=L[r[t3]];                         r[t4]=L[r[t8.1]];
        r[t1.3]=r[t1.2]+1;                      r[t1.3]=r[t1.2]+1;
                                                r[t8.2]=r[t8.1]+4;

What the addressing modes of the machine compute for nothing is left as it is, and so is what there are no registers for.
Where a variable is then needed for the test of the loop only, this tests another one (`vpo/opt/loops/loop_variables.py`).

After Allen, Cocke and Kennedy, "Reduction of Operator Strength" (1981), and Cooper, Simpson and Vick, "Operator Strength
Reduction" (2001).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from vpo.algebra import CONSTANTS, binary, rebuild, reverse
from vpo.analysis.dominators import Loop, dominates
from vpo.analysis.frequency import branch_comparison
from vpo.analysis.induction import Induction, Linear
from vpo.opt.loops.count_down import count_early
from vpo.opt.loops.loop_variables import (
    Ends,
    Group,
    LoopTest,
    NewVariables,
    NotExpressible,
    Room,
    User,
    Users,
    calls_in,
    find_test,
    is_linear,
    named_in,
    single_latch_loops,
)
from vpo.opt.loops.widen import widen_variables
from vpo.opt.ssa.propagate_constants import substituted
from vpo.opt.state import CFG, DOMINATORS, FREQUENCIES, LIVENESS, LOOPS, ROUTINE_CALLS, FunctionState
from vpo.rtl import Branch, Const, Effect, Expr, Op, Register, Rtl, Set, subexpressions
from vpo.rtl.function import Phi

MAX_ROUNDS = 8  # on one loop
MULTIPLICATION = 2  # what it costs more than an addition
ROUTINE = 30  # what a call of a routine costs more


def reduce_strength(state: FunctionState) -> None:
    """Step linear functions of loop variables instead of computing them anew."""
    if state.function.stage != "ssa":
        return
    if not state.get(LOOPS):
        return
    widen_variables(state)
    count_early(state)
    users = Users(state)
    order = {number: position for position, number in enumerate(state.get(CFG).reverse_postorder())}
    for loop, place, latch in single_latch_loops(state):
        if state.function.blocks[loop.header].phis:
            numbers = sorted(loop.blocks, key=order.__getitem__)
            for _ in range(MAX_ROUNDS):
                if not _Reduction(state, loop, numbers, place, latch, users).run():
                    break


class _Reduction:
    """The work on one loop."""

    def __init__(self, state: FunctionState, loop: Loop, numbers: list[int], place: int, latch: int, users: Users) -> None:
        self.state, self.machine, self.blocks = state, state.machine, state.function.blocks
        self.loop, self.place, self.latch = loop, place, latch
        self.preheader = self.blocks[place]
        self.numbers = numbers  # the blocks of the loop in reverse postorder
        ways = self.preheader.label, self.blocks[latch].label
        blocks = [self.blocks[number] for number in self.numbers]
        header, calls = self.blocks[loop.header], state.get(ROUTINE_CALLS)
        self.facts = Induction(blocks, header, ways, state.machine, users.constants, calls, parts=True)
        self.uses, self.users, self.homes = users, users.of, users.homes
        self.moved = {r for r, form in self.facts.forms.items() if form.variable is None and self.facts.inside[r] is not None}

    def run(self) -> bool:
        """Reduce what pays for one variable; return whether there was something."""
        groups = self._groups() if self.facts.variables else []
        for variable in self.facts.variables:
            mine = [group for group in groups if group.form.variable is variable]
            chosen = self._chosen(variable, mine) if mine else []
            if chosen:
                return self._reduce(variable, chosen)
        return False

    # -------------------------------------------------------------------------------------------------- what there is

    def _home(self, register: Register) -> int:
        """Return the block of the RTL that sets a register of the loop."""
        rtl = self.facts.inside[register]
        return self.homes[rtl] if rtl is not None else self.loop.header

    def _is_outside(self, register: Register) -> bool:
        """Whether a register is read outside the loop."""
        return any(isinstance(u, Rtl) and self.homes[u] not in self.loop.blocks for u in self.users.get(register, ()))

    def _groups(self) -> list[Group]:
        """Return the groups of registers that could be stepped, in the order of the loop."""
        groups: dict[object, list[Group]] = {}
        for register, form in self.facts.forms.items():
            roots = self.uses.roots(register, self.facts) if self.facts.varies(register) else []
            if roots:
                found = groups.setdefault((form.base, register.cls, register.type), [])
                group = next((g for g in found if self._fits(register, form.offset - g.form.offset, roots)), None)
                if group is None:
                    group = Group(register, form)
                    found.append(group)
                self._join(group, register, form.offset - group.form.offset, roots)
        every = [group for found in groups.values() for group in found]
        for group in every if self.machine.capabilities.pairs else ():
            if group.accessed and group.form.by is None:
                self._step_by_access(group)
        return every

    def _step_by_access(self, group: Group) -> None:
        """Let a group's variable be what its last access of a round can use and step, if one instruction does both."""
        assert group.form.variable is not None
        members = {**dict.fromkeys(group.copies, 0), **group.displaced}
        users = [(self._place(user), user, one) for one in members for user in self.uses.roots(one, self.facts)]
        if not all(isinstance(user, Rtl) and home in self.loop.blocks for (home, _), user, _ in users):
            return
        (home, _), last, register = max(users, key=lambda each: (self.numbers.index(each[0][0]), each[0][1]))
        assert isinstance(last, Rtl)
        new = _next(register)
        step = group.form.scale * self.facts.variables[group.form.variable]
        effects = (*last.effects, Set(new, binary("+", register, Const(step), register.type)))
        together = home == self._home(self._last(group.form.variable)) or all(place[0] == home for place, _, _ in users)
        if not together or not self._is_access(last, register, group.form) or not self.machine.is_legal(effects):
            return
        if any(home in loop.blocks and loop.blocks < self.loop.blocks for loop in self.state.get(LOOPS)):
            return
        if len(users) == 2 and self._are_pair(members, [user for _, user, _ in users], effects[-1]):
            return
        moved = {one: distance - members[register] for one, distance in members.items()}
        if all(self._fits(one, distance, self.uses.roots(one, self.facts)) for one, distance in moved.items()):
            group.first, group.form, group.stepped = register, self.facts.forms[register], True
            group.copies = [one for one, distance in moved.items() if not distance]
            group.displaced = {one: distance for one, distance in moved.items() if distance}

    def _are_pair(self, members: Mapping[Register, int], users: Sequence[User], step: Effect) -> bool:
        """Whether one instruction makes two accesses at one register, perhaps with its step."""
        base = next(one for one, distance in members.items() if not distance)
        effects: list[Effect] = []
        for user in users:
            for register, distance in members.items():
                if isinstance(user, Rtl) and register in user.uses:
                    address = binary("+", base, Const(distance), base.type)
                    effects += substituted(user.effects, register, address) or ()
        assert isinstance(step, Set)
        stepping = Set(_next(base), rebuild(step.source, lambda node: base if type(node) is Register else None))
        ways = (way for pair in (effects, effects[::-1]) for way in ((*pair, stepping), (*pair,)))
        return len(effects) == 2 and any(map(self.machine.is_legal, ways))

    def _place(self, user: User) -> tuple[int, int]:
        """Return where a user is: its block, and its place there."""
        if not isinstance(user, Rtl):
            return -1, -1
        home = self.homes[user]
        return home, next(place for place, rtl in enumerate(self.blocks[home].rtls) if rtl is user)

    def _fits(self, register: Register, distance: int, roots: list[User]) -> bool:
        """Whether all that uses a register can add a distance itself."""
        if not distance:
            return True
        if self.facts.forms[register].part is not None:
            return False
        value = binary("+", Register(register.cls, 0, register.type, True), Const(distance), register.type)
        for user in roots:
            effects = substituted(user.effects, register, value) if isinstance(user, Rtl) else None
            if effects is None or not self.machine.is_legal(effects):
                return False
        return True

    def _join(self, group: Group, register: Register, distance: int, roots: list[User]) -> None:
        """Add a register to a group."""
        if distance:
            group.displaced[register] = distance
        else:
            group.copies.append(register)
        for user in roots:
            if isinstance(user, Rtl):
                group.accessed |= self._is_access(user, register, group.form)
                left = self._unfolded(user, register)
            else:
                left = [register]
                group.moves += self._weight(self._home(register))
            for part in left:
                self._add_chain(group.chain, part)

    def _is_access(self, rtl: Rtl, register: Register, form: Linear) -> bool:
        """Whether an RTL that each round executes accesses memory at a distance from what a register holds."""
        home = self.homes[rtl]
        if home not in self.loop.blocks or not dominates(self.state.get(DOMINATORS), home, self.latch):
            return False
        found = [self.facts.form_of(c.address, register.type) for c in (*rtl.loads, *rtl.stores) if register in c.address.uses]
        return any(f is not None and f.base[:3] == form.base[:3] and f.part is form.part is None for f in found)

    def _unfolded(self, rtl: Rtl, register: Register) -> list[Register]:
        """Return the linear registers that an RTL must read when it computes as much of one itself as it can."""
        effects, open_ = rtl.effects, [register]
        while open_:
            sources = {part: self._source(part) for part in open_}
            for way in (sources, {part: self._expanded(source) for part, source in sources.items()}):
                new: tuple[Effect, ...] = effects
                for part, source in way.items():
                    new = substituted(new, part, source) or ()
                if new and self.machine.is_legal(new):
                    break
            else:
                return open_
            effects = new
            open_ = [r for r in dict.fromkeys(r for e in effects for r in e.uses) if self._is_computed(r)]
        return []

    def _is_computed(self, register: Register) -> bool:
        """Whether the loop computes a register from a variable, be it by adding a constant."""
        form = self.facts.forms.get(register)
        return form is not None and form.variable is not None and self.facts.inside.get(register) is not None

    def _source(self, register: Register) -> Expr:
        rtl = self.facts.inside[register]
        effect = rtl.single_set if rtl is not None else None
        return self.facts.source_of(rtl, effect) if rtl is not None and effect is not None else register

    def _expanded(self, source: Expr) -> Expr:
        """Return an expression with the sources of the linear registers that it reads."""
        for register in source.uses:
            if register in self.facts.inside and self.facts.varies(register):
                new = substituted((Set(register, source),), register, self._source(register))
                if new is None or not isinstance(new[0], Set):
                    return source
                source = new[0].source
        return source

    def _add_chain(self, chain: set[Register], register: Register) -> None:
        """Add what computes a register from the variable."""
        work = [register]
        while work:
            register = work.pop()
            if register not in chain and self._is_computed(register):
                chain.add(register)
                work += self._source(register).uses

    # -------------------------------------------------------------------------------------------------- what pays

    def _weight(self, number: int) -> float:
        """Return how often what stands in a block is executed: no more often than the loop goes round, after motion."""
        frequencies = self.state.get(FREQUENCIES)
        return min(frequencies[number], frequencies[self.loop.header])

    def _chosen(self, variable: Register, groups: list[Group]) -> list[Group]:
        """Return the groups that pay, as many as there are registers for."""
        room = self._room()
        profits = self._profits(variable, groups)
        some: list[Group] = []
        freed: set[Register] = set()
        everything = True
        for profit, group in sorted(zip(profits, groups, strict=True), key=lambda pair: -pair[0]):
            left = self._released([*some, group]) - freed
            cls = self.machine.classes[group.first.cls]
            needed = Counter({cls.bank: cls.width * (1 + (group.form.by is not None and abs(group.form.scale) != 1))})
            needed.subtract(self._widths(left))
            fits = all(count <= 0 or room.has(bank, count) for bank, count in needed.items())
            everything &= fits
            if fits and profit > 0:
                room.take(needed)
                some.append(group)
                freed |= left
        if everything and len(some) < len(groups) and self._test(variable, groups) is not None:
            bonus = self._weight(self._home(self._last(variable)))
            if sum(profits) + bonus > sum(max(profit, 0) for profit in profits):
                return groups
        return some

    def _room(self) -> Room:
        """Return the registers that the loop can still keep values in: those that only live through it may be elsewhere."""
        calls = calls_in(self.blocks, self.loop)
        named = named_in(self.state.function, self.loop, self._is_moved) - self.moved
        room = Room(self.machine, self.state.get(LIVENESS), self.loop, calls, named)
        room.take(self._widths(register for register in self.moved if self._is_kept(register)))
        return room

    def _is_moved(self, user: User) -> bool:
        """Whether an RTL of the loop will leave it: it computes what does not change."""
        return isinstance(user, Rtl) and bool(user.sets) and self.moved.issuperset(user.sets)

    def _is_kept(self, register: Register) -> bool:
        """Whether the loop reads a register that will be computed in front of it."""
        if isinstance(self._source(register), CONSTANTS):
            return False
        return any(not self._is_moved(user) for user in self._inner_users(register))

    def _widths(self, registers: Iterable[Register]) -> Counter[str]:
        """Return how much of each bank registers take."""
        widths: Counter[str] = Counter()
        for register in registers:
            cls = self.machine.classes[register.cls]
            widths[cls.bank] += cls.width
        return widths

    def _released(self, groups: list[Group]) -> set[Register]:
        """Return the registers set outside the loop that it need not read any more once groups have variables."""
        gone = self._dying(groups)
        dead = [rtl for register in gone if (rtl := self.facts.inside.get(register)) is not None]
        read = {r for rtl in dead for r in rtl.uses if r.pseudo and (r not in self.facts.inside or r in self.moved)}
        read -= {group.form.by for group in groups if group.form.by is not None}
        return {r for r in read if all(self._is_gone(u, gone) or self._is_moved(u) for u in self._inner_users(r))}

    def _inner_users(self, register: Register) -> list[User]:
        """Return what uses a register inside the loop."""
        labels = {self.blocks[number].label for number in self.numbers}
        return [
            user
            for user in self.users.get(register, ())
            if (self.homes[user] in self.loop.blocks if isinstance(user, Rtl) else self._enters(user, register, labels))
        ]

    @staticmethod
    def _enters(phi: Phi, register: Register, labels: set[str]) -> bool:
        return any(source is register and label in labels for label, source in phi.sources.items())

    def _profits(self, variable: Register, groups: list[Group]) -> list[float]:
        """Return how many RTLs each group saves in the loop."""
        dying = self._dying(groups)
        wanted: dict[Register, int] = {}
        for group in groups:
            for register in group.chain:
                wanted[register] = wanted.get(register, 0) + 1
        step = self._weight(self._home(self._last(variable)))
        # fsum: the same in whatever order a set has its members
        saved = (fsum(self._cost(r) / wanted[r] for r in group.chain if r in dying) for group in groups)
        free = not self._is_stepped_by_test(variable)
        pairs = zip(saved, groups, strict=True)
        return [saving - (0 if group.stepped and free else step) - group.moves for saving, group in pairs]

    def _is_stepped_by_test(self, variable: Register) -> bool:
        """Whether one instruction steps a variable and ends the loop: without the variable, the test costs one."""
        last = self._last(variable)
        found, step = branch_comparison(self.blocks[self.latch]), self._source(last)
        if found is None or last not in found[0].args:
            return False
        header, transfer = self.blocks[self.loop.header].label, found[2].transfer
        assert type(transfer) is Branch
        relation = found[0] if transfer.label == header else reverse(found[0])
        condition = rebuild(relation, lambda node: step if node is last else None)
        assert type(condition) is Op
        return self.machine.is_legal((Set(_next(variable), step), Branch(condition, header)))

    def _cost(self, register: Register) -> float:
        """Return what it costs to compute a register of a chain: copies mostly vanish, but not that of the variable itself."""
        rtl, source = self.facts.inside[register], self._source(register)
        if rtl is None or isinstance(source, Register):
            return 0.0
        cost = (
            1
            + self.machine.must_tie(rtl.effects)
            + MULTIPLICATION * any(isinstance(part, Op) and part.op == "*" for part in subexpressions(source))
            + ROUTINE * (rtl in self.facts.routines)
        )
        return cost * self._weight(self.homes[rtl])

    def _last(self, variable: Register) -> Register:
        """Return the register that holds a variable when the loop goes round."""
        header = self.blocks[self.loop.header]
        return next(phi.sources[self.blocks[self.latch].label] for phi in header.phis if phi.target is variable)

    def _dying(self, groups: list[Group]) -> set[Register]:
        """Return the registers of the loop that need not be computed any more once groups have variables."""
        gone = {register for group in groups for register in group.copies}
        served = {register for group in groups for register in group.displaced}
        gone |= {register for register in served if len(self.uses.roots(register, self.facts)) == len(self.users[register])}
        work = [use for register in (*gone, *served) for use in self._source(register).uses] + list(served)
        while work:
            register = work.pop()
            rtl = self.facts.inside.get(register)
            if register in gone or rtl is None or register not in self.facts.forms or self._is_outside(register):
                continue
            roots = self.uses.roots(register, self.facts) if register not in served else []
            if not roots and all(self._is_gone(user, gone) for user in self.users[register] if self._is_linear_user(user)):
                gone.add(register)
                work += self._source(register).uses
        return gone

    def _is_linear_user(self, user: User) -> bool:
        return isinstance(user, Rtl) and is_linear(user, self.facts)

    def _is_gone(self, user: User, gone: set[Register]) -> bool:
        return isinstance(user, Rtl) and (gone.issuperset(user.sets) or self.facts.passed.get(user) in gone)

    def _test(self, variable: Register, groups: list[Group]) -> LoopTest | None:
        """Return the test of the loop if it is all that a variable is needed for once groups have theirs."""
        if not any(map(self._never_repeats, groups)):
            return None
        test = find_test(self.state, self.facts, self.loop, self.place, self.latch, variable)
        if test is None or test.tested is not self._last(variable):
            return None
        gone = self._dying(groups)
        work, seen = [variable], set[Register]()
        while work:
            register = work.pop()
            if register in seen:
                continue
            seen.add(register)
            if self._is_outside(register):
                return None
            for user in self.users.get(register, []):
                if isinstance(user, Phi):
                    if user.target is not variable:
                        return None
                elif user is not test.compare and not self._is_gone(user, gone):
                    if not all(r in self.facts.forms and self.facts.forms[r].is_shifted_variable for r in user.sets):
                        return None
                    if not is_linear(user, self.facts):
                        return None
                    work += user.sets
        return test

    def _never_repeats(self, group: Group) -> bool:
        """Whether the variable of a group has another value in each round of the loop: see `loop_variables.py`."""
        if group.form.by is not None:
            return False
        return group.accessed or (group.form.part is not None and group.form.scale % 2 == 1)

    # -------------------------------------------------------------------------------------------------- what is done

    def _reduce(self, variable: Register, groups: list[Group]) -> bool:
        """Give groups their variables, as one change; return whether it was made."""
        test = self._test(variable, groups)
        header, latch = self.blocks[self.loop.header], self.blocks[self.latch]
        change = NewVariables(self.state, self.facts, self.uses, Ends(self.preheader, header, latch))
        last = self._last(variable)
        able = [group for group in groups if self._never_repeats(group)] if test is not None else []
        tester = min(able, key=lambda group: fsum(map(self._cost, group.chain)), default=None)
        for group in groups:
            try:
                change.add(variable, last, group, test if group is tester else None)
            except NotExpressible:
                continue
        change.remove(self._dying(change.groups))
        return change.apply()


def _next(register: Register) -> Register:
    """Return what a register is once it was stepped, for questions about one instruction."""
    return Register(register.cls, register.index, register.type, True, register.version + 1)
