"""Strength reduction, on SSA form: step what is a linear function of a loop's variable instead of computing it anew.

    L3:                                     L3: r[t7]=r[t9]+(4*r[t1.1]);
    L4: r[t1.2]=PHI(L3:r[t1.1],L4:r[t1.3]); L4: r[t1.2]=PHI(L3:r[t1.1],L4:r[t1.3]);
        r[t2]=r[t1.2]<<2;                       r[t8.1]=PHI(L3:r[t7],L4:r[t8.2]);
        r[t3]=r[t2]+r[t9];              =>
        r[t4]=L[r[t3]];                         r[t4]=L[r[t8.1]];
        r[t1.3]=r[t1.2]+1;                      r[t1.3]=r[t1.2]+1;
                                                r[t8.2]=r[t8.1]+4;

What the addressing modes of the machine compute for nothing is left as it is, and so is what there are no registers for.
Where a variable is then needed for the test of the loop only, this tests another one (`vpo/opt/replace_tests.py`).

After Allen, Cocke and Kennedy, "Reduction of Operator Strength" (1981), and Cooper, Simpson and Vick, "Operator Strength
Reduction" (2001).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from vpo.algebra import binary
from vpo.analysis.cfg import transfer_of
from vpo.analysis.dominators import dominates
from vpo.analysis.induction import Induction, Linear
from vpo.analysis.loops import Loop
from vpo.function import Block, Phi
from vpo.opt.clone_values import Clones, NotExpressible
from vpo.opt.motion import room_in
from vpo.opt.propagate_constants import substituted
from vpo.opt.replace_tests import LoopTest, find_test
from vpo.opt.split_edges import preheader_of
from vpo.opt.state import CFG, DOMINATORS, FREQUENCIES, LIVENESS, LOOPS, FunctionState
from vpo.rtl import BITS, Const, Effect, Expr, Op, Register, Rtl, Set, subexpressions

User = Rtl | Phi
MAX_ROUNDS = 8  # on one loop
MULTIPLICATION = 2  # what it costs more than an addition


def reduce_strength(state: FunctionState) -> None:
    """Step linear functions of loop variables instead of computing them anew."""
    if state.function.stage != "ssa":
        return
    users = _Users(state)
    for loop in state.get(LOOPS):
        cfg = state.get(CFG)
        place = preheader_of(cfg, loop)
        latches = [p for p in cfg.predecessors[loop.header] if p in loop.blocks]
        if place is not None and len(latches) == 1 and state.function.blocks[loop.header].phis:
            for _ in range(MAX_ROUNDS):
                if not _Reduction(state, loop, place, latches[0], users).run():
                    break
                users = _Users(state)


class _Users:
    """What uses each register, and the numbers that registers hold all the time."""

    def __init__(self, state: FunctionState) -> None:
        self.of: dict[Register, list[User]] = {}
        self.homes: dict[Rtl, int] = {}  # the block of each RTL
        self.constants: dict[Register, int] = {}
        for number, block in enumerate(state.function.blocks):
            for phi in block.phis:
                for source in phi.sources.values():
                    self.of.setdefault(source, []).append(phi)
            for rtl in block.rtls:
                self._note(rtl, number)

    def _note(self, rtl: Rtl, number: int) -> None:
        self.homes[rtl] = number
        for register in rtl.uses:
            self.of.setdefault(register, []).append(rtl)
        effect = rtl.single_set()
        target = effect.target if effect is not None else None
        if effect is not None and isinstance(target, Register) and target.pseudo and isinstance(effect.source, Const):
            self.constants[target] = effect.source.value


@dataclass(eq=False)
class _Group:
    """Registers that one new variable serves: they differ by constants only, which the instructions that use them add."""

    first: Register
    form: Linear
    copies: list[Register] = field(default_factory=list)  # that become copies of the variable
    displaced: dict[Register, int] = field(default_factory=dict)  # their distance from it
    chain: set[Register] = field(default_factory=set)  # what it costs rounds to compute now
    moves: float = 0.0  # copies that will stay
    accessed: bool = False  # whether each round accesses memory at its address


class _Reduction:
    """The work on one loop."""

    def __init__(self, state: FunctionState, loop: Loop, place: int, latch: int, users: _Users) -> None:
        self.state, self.machine, self.blocks = state, state.machine, state.function.blocks
        self.loop, self.place, self.latch = loop, place, latch
        self.preheader = self.blocks[place]
        self.numbers = [number for number in state.get(CFG).reverse_postorder() if number in loop.blocks]
        ways = self.preheader.label, self.blocks[latch].label
        blocks = [self.blocks[number] for number in self.numbers]
        self.facts = Induction(blocks, self.blocks[loop.header], ways, state.machine, users.constants)
        self.users, self.homes = users.of, users.homes

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

    def _groups(self) -> list[_Group]:
        """Return the groups of registers that could be stepped, in the order of the loop."""
        groups: dict[object, list[_Group]] = {}
        for register, form in self.facts.forms.items():
            roots = self._roots(register) if self.facts.varies(register) else []
            if roots:
                found = groups.setdefault((form.base, register.cls, register.type), [])
                group = next((g for g in found if self._fits(register, form.offset - g.form.offset, roots)), None)
                if group is None:
                    group = _Group(register, form)
                    found.append(group)
                self._join(group, register, form.offset - group.form.offset, roots)
        return [group for found in groups.values() for group in found]

    def _roots(self, register: Register) -> list[User]:
        """Return what uses a register otherwise than to compute what is linear, too."""
        users = self.users.get(register, [])
        return [user for user in users if isinstance(user, Phi) or not self._is_linear(user)]

    def _is_linear(self, rtl: Rtl) -> bool:
        return any(register in self.facts.forms for register in rtl.sets)

    def _fits(self, register: Register, distance: int, roots: list[User]) -> bool:
        """Whether all that uses a register can add a distance itself."""
        if not distance:
            return True
        value = binary("+", Register(register.cls, 0, register.type, True), Const(distance), register.type)
        for user in roots:
            effects = substituted(user.effects, register, value) if isinstance(user, Rtl) else None
            if effects is None or not self.machine.is_legal(effects):
                return False
        return True

    def _join(self, group: _Group, register: Register, distance: int, roots: list[User]) -> None:
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
        return any(f is not None and (f.variable, f.scale, f.by) == (form.variable, form.scale, form.by) for f in found)

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
            open_ = [r for r in dict.fromkeys(r for e in effects for r in e.uses) if self.facts.varies(r)]
        return []

    def _source(self, register: Register) -> Expr:
        rtl = self.facts.inside[register]
        effect = rtl.single_set() if rtl is not None else None
        return effect.source if effect is not None else register

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
            if register not in chain and register in self.facts.inside and self.facts.varies(register):
                chain.add(register)
                work += self._source(register).uses

    # -------------------------------------------------------------------------------------------------- what pays

    def _weight(self, number: int) -> float:
        """Return how often what stands in a block is executed: no more often than the loop goes round, after motion."""
        frequencies = self.state.get(FREQUENCIES)
        return min(frequencies[number], frequencies[self.loop.header])

    def _chosen(self, variable: Register, groups: list[_Group]) -> list[_Group]:
        """Return the groups that pay, as many as there are registers for."""
        calls = any(rtl.call is not None or rtl.system_call is not None for n in self.numbers for rtl in self.blocks[n].rtls)
        room = room_in(self.state, self.loop, calls)
        profits = self._profits(variable, groups)
        order = sorted(groups, key=lambda group: -profits[groups.index(group)])
        some: list[_Group] = []
        everything = True
        for group in order:
            cls = self.machine.classes[group.first.cls]
            fits = room.get(cls.bank, 0) >= cls.width
            everything &= fits
            if profits[groups.index(group)] > 0 and fits:
                some.append(group)
            room[cls.bank] = room.get(cls.bank, 0) - cls.width if fits else 0
        if everything and len(some) < len(groups) and self._test(variable, groups) is not None:
            bonus = self._weight(self._home(self._last(variable)))
            if sum(profits) + bonus > sum(max(profit, 0) for profit in profits):
                return groups
        return some

    def _profits(self, variable: Register, groups: list[_Group]) -> list[float]:
        """Return how many RTLs each group saves in the loop."""
        dying = self._dying(groups)
        wanted: dict[Register, int] = {}
        for group in groups:
            for register in group.chain:
                wanted[register] = wanted.get(register, 0) + 1
        step = self._weight(self._home(self._last(variable)))
        return [sum(self._cost(r) / wanted[r] for r in group.chain if r in dying) - step - group.moves for group in groups]

    def _cost(self, register: Register) -> float:
        """Return what it costs to compute a register of a chain: copies mostly vanish, but not that of the variable itself."""
        rtl, source = self.facts.inside[register], self._source(register)
        if rtl is None or isinstance(source, Register):
            return 0.0
        cost = (
            1
            + self.machine.must_tie(rtl.effects)
            + MULTIPLICATION * any(isinstance(part, Op) and part.op == "*" for part in subexpressions(source))
        )
        return cost * self._weight(self.homes[rtl])

    def _last(self, variable: Register) -> Register:
        """Return the register that holds a variable when the loop goes round."""
        header = self.blocks[self.loop.header]
        return next(phi.sources[self.blocks[self.latch].label] for phi in header.phis if phi.target is variable)

    def _dying(self, groups: list[_Group]) -> set[Register]:
        """Return the registers of the loop that need not be computed any more once groups have variables."""
        gone = {register for group in groups for register in group.copies}
        served = {register for group in groups for register in group.displaced}
        gone |= {register for register in served if len(self._roots(register)) == len(self.users[register])}
        work = [use for register in (*gone, *served) for use in self._source(register).uses] + list(served)
        while work:
            register = work.pop()
            rtl = self.facts.inside.get(register)
            if register in gone or rtl is None or register not in self.facts.forms or self._is_outside(register):
                continue
            roots = self._roots(register) if register not in served else []
            if not roots and all(self._is_gone(user, gone) for user in self.users[register] if self._is_linear_user(user)):
                gone.add(register)
                work += rtl.uses
        return gone

    def _is_linear_user(self, user: User) -> bool:
        return isinstance(user, Rtl) and self._is_linear(user)

    def _is_gone(self, user: User, gone: set[Register]) -> bool:
        return isinstance(user, Rtl) and gone.issuperset(user.sets)

    def _test(self, variable: Register, groups: list[_Group]) -> LoopTest | None:
        """Return the test of the loop if it is all that a variable is needed for once groups have theirs."""
        if not any(group.accessed and group.form.by is None for group in groups):
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
                    if not self._is_linear(user):
                        return None
                    work += user.sets
        return test

    # -------------------------------------------------------------------------------------------------- what is done

    def _reduce(self, variable: Register, groups: list[_Group]) -> bool:
        """Give groups their variables, as one change; return whether it was made."""
        test = self._test(variable, groups)
        change = _Change(self)
        last = self._last(variable)
        able = [group for group in groups if group.accessed and group.form.by is None] if test is not None else []
        tester = min(able, key=lambda group: sum(map(self._cost, group.chain)), default=None)
        for group in groups:
            try:
                change.add(variable, last, group, test if group is tester else None)
            except NotExpressible:
                continue
        change.remove(self._dying(change.groups))
        return change.apply()


class _Change:
    """A change of a loop: new variables, and what they replace."""

    def __init__(self, reduction: _Reduction) -> None:
        self.of, self.state = reduction, reduction.state
        self.groups: list[_Group] = []
        self.before: list[Rtl] = []
        self.phis: list[Phi] = []
        self.steps: dict[Rtl, list[Rtl]] = {}  # by the RTL behind which they come
        self.instead: dict[Rtl, Rtl | None] = {}

    def add(self, variable: Register, last: Register, group: _Group, test: LoopTest | None) -> None:
        """Plan the variable of a group, and let the test of the loop be on it."""
        of, like = self.of, self.of.facts.inside[group.first]
        step_of = of.facts.inside[last]
        assert like is not None
        assert step_of is not None
        header = of.blocks[of.loop.header]
        clones = Clones(self.state, of.facts, like)
        start = next(phi.sources[of.preheader.label] for phi in header.phis if phi.target is variable)
        first = clones.value(group.first, variable, start)
        index = self.state.function.pseudo(group.first.cls, group.first.type).index
        old, new = (Register(group.first.cls, index, group.first.type, True, version) for version in (1, 2))
        step = self._step(clones, group, old, new, of.facts.variables[variable])
        self._check_clobbers(step_of, Set(new, step))
        tests = self._tests(clones, group, new, variable, test) if test is not None else {}
        self._check_preheader(clones)
        self.instead |= tests
        self.before += clones.rtls
        self.phis.append(Phi(old, {of.preheader.label: first, of.blocks[of.latch].label: new}, like.lines, like.cause))
        self.steps.setdefault(step_of, []).append(Rtl((Set(new, step),), step_of.lines, step_of.cause))
        self.groups.append(group)
        self._serve(group, old)

    def _step(self, clones: Clones, group: _Group, old: Register, new: Register, step: int) -> Expr:
        """Return what the new variable becomes with each step of the other one."""
        form, bits = group.form, BITS[old.type]
        amount = binary("*", Const(form.scale), Const(step), old.type)
        assert isinstance(amount, Const)
        if form.by is None:
            source = binary("+", old, amount)
            if self.state.machine.is_legal((Set(new, source),)):
                return source
            source = binary("+", old, clones.compute(old, amount))
        else:
            by, factor = clones.value(form.by), abs(amount.value)
            if factor & (factor - 1) or factor >= 1 << (bits - 1):
                raise NotExpressible
            if factor > 1:
                by = clones.compute(by, binary("<<", by, Const(factor.bit_length() - 1)))
            source = binary("+" if amount.value > 0 else "-", old, clones.compute(old, by))
        if not self.state.machine.is_legal((Set(new, source),)):
            raise NotExpressible
        return source

    def _check_clobbers(self, after: Rtl, step: Set) -> None:
        """Raise NotExpressible if what a step changes by the way is needed behind it."""
        of, liveness = self.of, self.state.get(LIVENESS)
        number = of.homes[after]
        place = next(place for place, rtl in enumerate(of.blocks[number].rtls) if rtl is after)
        clobbers = self.state.machine.clobbers((step,))
        if liveness.numbering.mask(clobbers) & liveness.backward(number)[place]:
            raise NotExpressible

    def _check_preheader(self, clones: Clones) -> None:
        """Raise NotExpressible if what comes before the loop changes what is needed at its end."""
        liveness = self.state.get(LIVENESS)
        live = liveness.live_out[self.of.place]
        if any(liveness.numbering.mask(self.state.machine.clobbers(rtl.effects)) & live for rtl in clones.rtls):
            raise NotExpressible

    def _tests(
        self, clones: Clones, group: _Group, new: Register, variable: Register, test: LoopTest
    ) -> dict[Rtl, Rtl | None]:
        """Return RTLs that end the loop when a new variable has the value that belongs to the limit of the old one."""
        mark = len(clones.rtls)
        try:
            limit = test.limit
            if isinstance(limit, Const):
                limit = clones.compute(variable, limit)
            elif test.more:
                limit = clones.compute(variable, binary("+", limit, Const(test.more)))
            instead = test.on(new, clones.value(group.first, variable, limit))
            if all(rtl is None or self.state.machine.is_legal(rtl.effects) for rtl in instead.values()):
                return instead
        except NotExpressible:
            pass
        del clones.rtls[mark:]
        return {}

    def _serve(self, group: _Group, variable: Register) -> None:
        """Let the registers of a group be copies of its variable, and those at a distance not be needed."""
        for register in group.copies:
            rtl = self.of.facts.inside[register]
            assert rtl is not None
            self.instead[rtl] = Rtl((Set(register, variable),), rtl.lines, rtl.cause)
        for register, distance in group.displaced.items():
            value = binary("+", variable, Const(distance), register.type)
            for user in self.of._roots(register):
                assert isinstance(user, Rtl)
                now = self.instead.get(user) or user
                effects = substituted(now.effects, register, value)
                if effects is not None:
                    self.instead[user] = Rtl(effects, user.lines, user.cause)

    def remove(self, dead: set[Register]) -> None:
        """Plan to remove what computes registers that are not needed any more."""
        copies = {register for group in self.groups for register in group.copies}
        for register in dead - copies:
            rtl = self.of.facts.inside[register]
            assert rtl is not None
            self.instead[rtl] = None

    def apply(self) -> bool:
        """Change the function."""
        if not self.groups:
            return False
        of, contents = self.of, {}
        for block in self.state.function.blocks:
            if any(rtl in self.instead or rtl in self.steps for rtl in block.rtls):
                contents[block] = self._contents(block)
        end = len(of.preheader.rtls) - (transfer_of(of.preheader) is not None)
        contents[of.preheader] = [*of.preheader.rtls[:end], *self.before, *of.preheader.rtls[end:]]
        header = of.blocks[of.loop.header]
        return self.state.change(contents, phis={header: [*header.phis, *self.phis]})

    def _contents(self, block: Block) -> list[Rtl]:
        return [new for rtl in block.rtls for new in (self.instead.get(rtl, rtl), *self.steps.get(rtl, ())) if new is not None]
