"""Counting down, on SSA form: a loop whose variable only tells when it ends counts the rounds that are left.

    L3: r[t1.1]=0;
    L4: r[t1.2]=PHI(L3:r[t1.1],L4:r[t1.3]);        L4: r[t8.1]=PHI(L3:r[t6],L4:r[t8.2]);
        r[t1.3]=r[t1.2]+1;                  =>         r[t8.2]=r[t8.1]+-1;
        PC=r[t1.3]<r[t6],L4;                           PC=r[t8.2]!=0,L4;

The limit needs no register any more, and a machine that compares with 0 by the way, or decrements and branches in one
instruction, can use that.  The test may stand before the step: `while (n-- > 0)`.  A variable that is wanted otherwise keeps
its step, and a counter stands beside it where one instruction counts and branches in less time.  How often the loop goes round
must be known when it is entered: `vpo/opt/loops/loop_variables.py` tells.  Where an instruction counts and branches in the low
half of a register only, that is where the loop counts, if ranges of values tell that it goes round no more often than that.
"""

from __future__ import annotations

from collections.abc import Iterator

from vpo.algebra import binary, rebuild, reverse, unary
from vpo.analysis.cfg import end_of
from vpo.analysis.dominators import Loop, dominates
from vpo.analysis.frequency import branch_comparison
from vpo.analysis.induction import Induction
from vpo.analysis.value_ranges import Interval
from vpo.machines.machine import Machine
from vpo.opt.loops.loop_variables import Clones, LoopTest, NotExpressible, Users, find_test, single_latch_loops
from vpo.opt.selection.fuse_branches import HALF, counting, one_less, stepping_branch
from vpo.opt.state import CFG, DOMINATORS, LIVENESS, VALUE_RANGES, FunctionState, merged
from vpo.rtl import BITS, Branch, Const, Expr, Op, Register, Rtl, Set
from vpo.rtl.function import Phi


def count_down(state: FunctionState) -> None:
    """Let loops count down to 0 whose variables are only needed to end them."""
    if state.function.stage == "ssa":
        _count(state, early=False)


def count_early(state: FunctionState) -> None:
    """Let loops count down whose variables are only needed to end them, and for what is linear in them.

    That may be stepped by itself (`vpo/opt/loops/reduce_strength.py`), and then no limit of it need be computed.
    """
    if state.machine.capabilities.fused_branches:
        _count(state, early=True)


def _count(state: FunctionState, early: bool) -> None:
    users = Users(state)
    for loop, place, latch in single_latch_loops(state):
        if _Countdown(state, loop, place, latch, users, early).make():
            users.renew({place, loop.header, latch})


class _Countdown:
    """The work on one loop."""

    def __init__(self, state: FunctionState, loop: Loop, place: int, latch: int, users: Users, early: bool) -> None:
        self.early = early
        self.state, self.loop, self.place, self.users = state, loop, place, users
        self.number = latch
        blocks = state.function.blocks
        self.preheader, self.header, self.latch = blocks[place], blocks[loop.header], blocks[latch]

    def make(self) -> bool:
        """Count down instead of stepping a variable, or beside it; return whether there was one."""
        steps = [phi for phi in self.header.phis if self.users.of.get(phi.target)]
        if not steps:
            return False
        blocks = [self.state.function.blocks[n] for n in self.state.get(CFG).reverse_postorder() if n in self.loop.blocks]
        ways = self.preheader.label, self.latch.label
        facts = Induction(blocks, self.header, ways, self.state.machine, self.users.constants, parts=True)
        steps = [phi for phi in steps if phi.target in facts.variables]
        turns = (True,) if self.early else (False, True) if self.state.machine.capabilities.fused_branches else (False,)
        if any(self._try(facts, phi, beside) for beside in turns for phi in steps):
            return True
        return not self.early and len(turns) > 1 and any(self._step_in_low_half(facts, phi) for phi in steps)

    def _step_in_low_half(self, facts: Induction, phi: Phi) -> bool:
        """Let a loop step its variable in the low half of a register, if one instruction does so, compares and branches."""
        machine, variable, last = self.state.machine, phi.target, phi.sources[self.latch.label]
        step, found = facts.inside[last], branch_comparison(self.latch)
        added = Set(last, binary("+", variable, Const(facts.variables[variable])))
        if step is None or found is None or variable.type not in HALF or step.effects != (added,):
            return False
        args = [_low_half(arg) for arg in found.relation.args]
        low = _low_half(last)
        if low not in args:
            return False
        relation = Op(found.relation.op, "", *(_low_half(variable) if arg is low else arg for arg in args))
        if found.branch.transfer.label != self.header.label:  # type: ignore[union-attr]
            relation = reverse(relation)
        ranges = self.state.get(VALUE_RANGES).of(last, self.number, last.type)
        bits = BITS[HALF[variable.type]]
        for extension, fits in (("zx", (0, (1 << bits) - 1)), ("sx", (-1 << bits - 1, (1 << bits - 1) - 1))):
            source = unary(extension, last.type, unary("tr", HALF[last.type], added.source))
            new, asked = (Set(last, source),), Set(variable, source)
            legal = fits[0] <= ranges[0] and ranges[1] <= fits[1] and machine.is_legal(new) and not machine.may_clobber(new)
            if legal and stepping_branch(machine, asked, relation, "L0"):
                return self.state.substitute(self.state.function.blocks[self.users.homes[step]], {step: merged(new, step)})
        return False

    def _try(self, facts: Induction, phi: Phi, beside: bool) -> bool:
        """Let a counter end the loop instead of a variable that nobody else wants, or beside one that is wanted."""
        last = phi.sources[self.latch.label]
        step = facts.inside[last]
        if step is None or (not beside and self._others(phi, last, step, None)):
            return False
        test = find_test(self.state, facts, self.loop, self.place, self.number, phi.target)
        if test is None or test.tested not in (last, phi.target):
            return False
        late = int(test.tested is not last)
        if phi.target in facts.narrow and self._rounds(facts, phi, test, late)[0] < 1:
            return False  # it may wrap on the way to its limit
        if (
            not beside
            and not self.early
            and not self._others(phi, last, step, test.compare)
            and self._on_address(facts, phi, test)
        ):
            return True
        if _is_countdown(facts, phi.target, test):
            return not self.early and phi.target not in facts.narrow and self._count_in_low_half(step, phi)
        if beside != self._others(phi, last, step, test.compare) or (beside and not self._pays(test, phi, facts)):
            return False
        clones = Clones(self.state, facts, step)
        try:
            rounds = rounds_of(facts, clones, phi.sources[self.preheader.label], phi.target, test, late)
            narrow = self._narrow(facts, phi, test, late)
            return self._count(step, rounds, clones.rtls, test, narrow)
        except NotExpressible:
            return False

    def _count_in_low_half(self, step: Rtl, phi: Phi) -> bool:
        """Let a loop that counts down do so in the low half of a register, if one instruction counts so and branches."""
        narrow, ranges = self._narrow_branch(phi.target), self.state.get(VALUE_RANGES)
        if not narrow or type(step.effects[0]) is not Set or len(step.effects) > 1:
            return False
        if not _fit(ranges.of(phi.sources[self.preheader.label], self.place, phi.target.type), phi.target):
            return False
        new = (Set(step.effects[0].target, one_less(phi.target, narrow)),)
        if not self.state.machine.is_legal(new) or self.state.machine.may_clobber(new):
            return False
        block = self.state.function.blocks[self.users.homes[step]]
        return self.state.substitute(block, {step: merged(new, step)})

    def _narrow_branch(self, variable: Register) -> str:
        """Return how an instruction extends the low half of a register in which it counts and branches.

        Nothing if there is none, or one that counts in all bits.
        """
        machine = self.state.machine
        if not machine.capabilities.fused_branches or variable.type not in HALF:
            return ""
        ways = [each for each in ("", "zx", "sx") if counting(machine, variable, "L0", narrow=each)]
        return ways[0] if ways else ""

    def _narrow(self, facts: Induction, phi: Phi, test: LoopTest, late: int) -> str:
        """Return how the low half of a counter is extended where one instruction counts in that; nothing if it cannot."""
        narrow = self._narrow_branch(phi.target)
        return narrow if narrow and _fit(self._rounds(facts, phi, test, late), phi.target) else ""

    def _rounds(self, facts: Induction, phi: Phi, test: LoopTest, late: int) -> Interval:
        """Return how often the loop may go round, by the ranges of its variable's first and last values."""
        ranges, step = self.state.get(VALUE_RANGES), facts.variables[phi.target]
        first = ranges.of(phi.sources[self.preheader.label], self.place, phi.target.type)
        last = ranges.of(test.limit, self.place, phi.target.type)
        ways = [(end + test.more - begin) // step + late for end in last for begin in first]
        return 1 if test.is_order else min(ways), max(ways)

    def _on_address(self, facts: Induction, phi: Phi, test: LoopTest) -> bool:
        """Let an address that each round accesses and steps end the loop, where one instruction compares and branches.

        It cannot come to the same value twice.
        """
        machine, ways = self.state.machine, (self.preheader.label, self.latch.label)
        start, last = (phi.sources[way] for way in ways)
        if test.compare is not test.branch or machine.capabilities.fused_branches:
            return False
        for other in self.header.phis:
            by, address = facts.variables.get(other.target), other.sources[ways[1]]
            if other is phi or by is None or not self._is_accessed(facts, other.target):
                continue
            clones = Clones(self.state, facts, test.branch)
            try:
                rounds = rounds_of(facts, clones, start, phi.target, test, int(test.tested is not last))
                if (rounds.cls, rounds.type) != (other.target.cls, other.target.type):
                    continue
                end = after_rounds(clones, other.target, other.sources[ways[0]], by, rounds)
            except NotExpressible:
                continue
            instead = test.on(address, end)
            if all(rtl is None or machine.is_legal(rtl.effects) for rtl in instead.values()):
                return self._end_on(instead, clones.rtls)
        return False

    def _is_accessed(self, facts: Induction, address: Register) -> bool:
        """Whether each round accesses memory at what a register of the loop's head is, or a number of bytes from there."""
        idom, blocks = self.state.get(DOMINATORS), self.state.function.blocks
        for number in self.loop.blocks:
            if dominates(idom, number, self.number):
                for cell in (c for rtl in blocks[number].rtls for c in (*rtl.loads, *rtl.stores)):
                    form = facts.form_of(cell.address, address.type)
                    if form is not None and form.variable is address and form.is_shifted_variable:
                        return True
        return False

    def _end_on(self, instead: dict[Rtl, Rtl | None], before: list[Rtl]) -> bool:
        """Put another test at the end of the loop, and what it needs in front of it."""
        machine, liveness = self.state.machine, self.state.get(LIVENESS)
        changed = tuple({register for rtl in before for register in machine.may_clobber(rtl.effects)})
        if liveness.numbering.mask(changed) & liveness.live_out[self.place]:
            return False
        end = end_of(self.preheader)
        ahead = [*self.preheader.rtls[:end], *before, *self.preheader.rtls[end:]]
        contents = [now for rtl in self.latch.rtls if (now := instead.get(rtl, rtl)) is not None]
        return self.state.change({self.latch: contents, self.preheader: ahead})

    def _others(self, phi: Phi, last: Register, step: Rtl, compare: Rtl | None) -> bool:
        """Whether others than its step and a comparison use a variable; without one, whether too many do."""
        users = [user for register in (phi.target, last) for user in self.users.of.get(register, ())]
        others = [user for user in users if user is not phi and user is not step and user is not compare]
        return len(others) > (compare is None)

    def _pays(self, test: LoopTest, phi: Phi, facts: Induction) -> bool:
        """Whether one instruction counts down and branches that takes less time than what is there.

        As much will do if nobody wants the variable when what is linear in it is stepped by itself.
        """
        machine, variable, step = self.state.machine, phi.target, facts.variables[phi.target]
        narrow = self._narrow(facts, phi, test, int(test.tested is variable))
        likely = _likely_counters(machine, variable)
        ways = [way for register in likely if (way := counting(machine, register, "L0", narrow=narrow))]
        latencies = [machine.latency(way) for way in ways if machine.is_legal(way)]
        spent = sum(machine.latency(each.effects) for each in {test.compare, test.branch})
        if not latencies or min(latencies) > spent or (min(latencies) == spent and not self.early):
            return False
        ends = {test.compare, test.branch, phi}
        if self.early and any(user not in ends for user in self.users.roots(variable, facts)):
            return False
        found = branch_comparison(self.latch)
        stepped = rebuild(found[0], lambda node: variable if node is test.tested else None) if found is not None else None
        change = Set(variable, binary("+", variable, Const(step)))
        fused = isinstance(stepped, Op) and test.tested is not variable and stepping_branch(machine, change, stepped, "L0")
        return not fused

    def _count(self, step: Rtl, rounds: Register, before: list[Rtl], test: LoopTest, narrow: str) -> bool:
        """Count down from the rounds, which RTLs in front of the loop compute; `narrow` tells in which bits (`counting`)."""
        machine = self.state.machine
        index = self.state.function.pseudo(rounds.cls, rounds.type).index
        old, new = (Register(rounds.cls, index, rounds.type, True, version) for version in (1, 2))
        count = Set(new, one_less(old, narrow))
        zeros: list[Register | Const] = [
            Const(0),
            *(register for register in sorted(machine.zero, key=repr) if register.type == new.type),
        ]
        tests = (test.on(new, zero) for zero in zeros)
        legal = (way for way in tests if all(rtl is None or machine.is_legal(rtl.effects) for rtl in way.values()))
        instead = next(legal, None)
        if instead is None or not machine.is_legal((count,)) or not self._may_change(count, before, test):
            return False
        contents: list[Rtl] = []
        for rtl in self.latch.rtls:
            if rtl is test.compare:
                contents.append(Rtl((count,), step.lines, step.cause))
            now = instead.get(rtl, rtl)
            contents += [now] if now is not None else []
        end = end_of(self.preheader)
        ahead = [*self.preheader.rtls[:end], *before, *self.preheader.rtls[end:]]
        counter = Phi(old, {self.preheader.label: rounds, self.latch.label: new}, step.lines, step.cause)
        changed = {self.latch: contents, self.preheader: ahead}
        return self.state.change(changed, phis={self.header: [*self.header.phis, counter]})

    def _may_change(self, count: Set, before: list[Rtl], test: LoopTest) -> bool:
        """Whether nobody needs what the new RTLs change by the way, where they are to stand."""
        machine = self.state.machine
        at_count, at_entry = machine.may_clobber((count,)), {r for rtl in before for r in machine.may_clobber(rtl.effects)}
        if not at_count and not at_entry:
            return True
        liveness = self.state.get(LIVENESS)
        mask = liveness.numbering.mask
        compare = next(number for number, rtl in enumerate(self.latch.rtls) if rtl is test.compare)
        live = liveness.backward(self.number)[compare] | liveness.accesses[self.number][compare].uses
        live &= ~mask(tuple(test.compare.sets))
        return not (mask(tuple(at_count)) & live or mask(tuple(at_entry)) & liveness.live_out[self.place])


def _low_half(node: Expr) -> Expr:
    """Return the low half of a number, or what that is already."""
    return unary("tr", HALF[node.type], node) if node.type in HALF else node


def _fit(rounds: Interval, counter: Register) -> bool:
    """Whether as many rounds can be counted in the low half of a register."""
    return 0 < rounds[0] <= rounds[1] <= 1 << BITS[HALF[counter.type]]


def _likely_counters(machine: Machine, variable: Register) -> Iterator[Register]:
    """Yield what may count as a variable does: itself, and the registers of its type."""
    yield variable
    for cls in machine.classes.values():
        yield from machine.allocable_in(cls.name) if cls.type == variable.type else ()


def _is_countdown(facts: Induction, variable: Register, test: LoopTest) -> bool:
    """Whether a loop counts down to 0 as it is."""
    transfer = test.branch.transfer
    assert isinstance(transfer, Branch)
    equality = transfer.condition.op in ("==", "!=") and test.tested is not variable
    return equality and facts.variables[variable] == -1 and test.limit is Const(0) and not test.more


def rounds_of(facts: Induction, clones: Clones, start: Register, variable: Register, test: LoopTest, late: int) -> Register:
    """Compute how often a loop goes round once it is entered, `late` rounds more than its variable steps to the limit."""
    step = facts.variables[variable]
    first = facts.constants.get(start)
    if isinstance(test.limit, Const) and first is not None:
        rounds, rest = divmod(test.limit.value + test.more - first, step)
        if rest or rounds + late <= 0:
            raise NotExpressible
        return clones.compute(variable, Const(rounds + late))
    if step not in (1, -1):
        raise NotExpressible
    if isinstance(test.limit, Const) and step == -1:
        return clones.compute(variable, binary("+", start, Const(late - test.limit.value - test.more)))
    limit = clones.value(test.limit) if isinstance(test.limit, Register) else clones.compute(variable, test.limit)
    if first is not None and step == 1:
        return clones.compute(variable, binary("+", limit, Const(test.more - first + late)))
    ends = (limit, start) if step == 1 else (start, limit)
    apart = clones.compute(variable, binary("-", *ends))
    return clones.compute(variable, binary("+", apart, Const(test.more * step + late)))


def after_rounds(clones: Clones, variable: Register, start: Register, step: int, rounds: Register) -> Register:
    """Compute what a variable is after some rounds that each add a number to it."""
    factor = abs(step)
    if factor & (factor - 1):
        added = clones.compute(variable, Op("*", rounds.type, rounds, clones.compute(variable, Const(factor))))
    else:
        added = clones.compute(variable, binary("<<", rounds, Const(factor.bit_length() - 1)))
    return clones.compute(variable, binary("+" if step > 0 else "-", start, added))
