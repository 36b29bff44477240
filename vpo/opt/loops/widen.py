"""Unsigned variables of loops that do not wrap, made as wide as registers, on SSA form.

    L4: r[t1.2]=PHI(L3:r[t1.1],L4:r[t1.3]);        L4: r[t8.1]=PHI(L3:r[t9],L4:r[t8.2]);    with r[t9] the number r[t1.1]
        r[t2]=r[t1.2]<<32;                             r[t1.2]=sxQ(trL(r[t8.1]));           if somebody wants it
        r[t3]=r[t2]>>u32;                =>            r[t3]=r[t8.1];
        r[t1.3]=sxQ(trL(r[t1.2]+1));                   r[t8.2]=r[t8.1]+1;
        PC=r[t1.3]<ur[t6],L4;                          PC=r[t8.2]!=r[t10],L4;               with r[t10] the number r[t6]

An index that is extended each round is no linear function of a variable; the wide variable is one.  It does not wrap since it
is below the limit whenever a round begins.
"""

from __future__ import annotations

from vpo.algebra import binary, reverse, unary
from vpo.analysis.cfg import end_of
from vpo.analysis.dominators import Loop
from vpo.analysis.frequency import branch_comparison
from vpo.analysis.induction import Induction
from vpo.analysis.liveness import has_side_effect
from vpo.opt.loops.guards import Guards
from vpo.opt.loops.loop_variables import Clones, LoopTest, NotExpressible, User, Users, single_latch_loops
from vpo.opt.state import CFG, LIVENESS, FunctionState
from vpo.rtl import BITS, SWAPPED, Branch, Const, Expr, Op, Register, Rtl, Set
from vpo.rtl.function import Phi


def widen_variables(state: FunctionState) -> None:
    """Make unsigned variables of loops as wide as registers where they are extended in each round."""
    narrow = "L"
    if BITS[state.machine.address_type] <= BITS[narrow]:
        return
    users = Users(state)
    for loop, place, latch in single_latch_loops(state):
        for phi in list(state.function.blocks[loop.header].phis):
            widening = _Widening(state, loop, place, latch, users, phi)
            if widening.finds_step() and widening.make():
                users.renew({*loop.blocks, place})


class _Widening:
    """The work on one variable of a loop."""

    def __init__(self, state: FunctionState, loop: Loop, place: int, latch: int, users: Users, phi: Phi) -> None:
        self.state, self.loop, self.place, self.users, self.phi = state, loop, place, users, phi
        blocks = state.function.blocks
        self.preheader, self.header, self.latch = blocks[place], blocks[loop.header], blocks[latch]
        self.variable, self.last = phi.target, phi.sources[blocks[latch].label]
        self.start = phi.sources[blocks[place].label]
        self.number = latch
        self.instead: dict[Rtl, list[Rtl]] = {}

    def finds_step(self) -> bool:
        """Whether each round adds 1 to the low bits of the variable."""
        steps = (user for user in self.users.of.get(self.variable, ()) if isinstance(user, Rtl) and self.last in user.sets)
        step = next(steps, None)
        single = step.single_set if step is not None else None
        if step is None or single is None or self.users.homes[step] not in self.loop.blocks:
            return False
        self.step = step
        match single.source:
            case Op(op="sx", args=(Op(op="tr", args=(Op(op="+", args=(old, Const(value=1))),)) as part,)):
                self.part = part.type
                return old is self.variable
        return False

    def make(self) -> bool:
        """Change the loop if the variable does not wrap; return whether that was done."""
        blocks = [self.state.function.blocks[n] for n in self.state.get(CFG).reverse_postorder() if n in self.loop.blocks]
        ways = self.preheader.label, self.latch.label
        self.facts = Induction(blocks, self.header, ways, self.state.machine, self.users.constants)
        test = self._test()
        if test is None:
            return False
        numbers = self._numbers()
        try:
            return bool(numbers) and self._widen(test, numbers)
        except NotExpressible:
            return False

    def _test(self) -> LoopTest | None:
        """Return the test of the loop if it tells that the variable is below a limit whenever a round begins."""
        found = branch_comparison(self.latch)
        if found is None or len(self.state.get(CFG).successors[self.number]) != 2:
            return None
        relation, compare, branch = found
        transfer = branch.transfer
        assert isinstance(transfer, Branch)
        goes_on = transfer.label == self.header.label
        relation = relation if goes_on else reverse(relation)
        (left, right), op = relation.args, relation.op
        if left is not self.last:
            left, right, op = right, left, SWAPPED[op]
        if left is not self.last or op not in ("<u", "!=") or compare is not branch:
            return None
        limit = self._limit(right)
        guards = Guards(self.state, self.facts, self.place)
        if limit is None or not guards.hold("<u", guards.value(self.start), guards.value(limit), self.variable.type):
            return None
        return LoopTest(compare, branch, left, limit, 0, goes_on)

    def _limit(self, node: Expr) -> Register | Const | None:
        if isinstance(node, Const):
            return node
        return node if isinstance(node, Register) and node.pseudo and node not in self.facts.inside else None

    def _numbers(self) -> dict[Register, Rtl]:
        """Return the registers of the loop that hold the variable as a number, with what sets them."""
        found: dict[Register, Rtl] = {}
        for user in self.users.of.get(self.variable, ()):
            single = user.single_set if isinstance(user, Rtl) and self.users.homes[user] in self.loop.blocks else None
            if single is None or not isinstance(user, Rtl) or not isinstance(single.target, Register):
                continue
            if single.source is unary("zx", self.variable.type, unary("tr", self.part, self.variable)):
                found[single.target] = user
            gap = BITS[self.variable.type] - BITS[self.part]
            if single.source is binary("<<", self.variable, Const(gap), self.variable.type):
                for second in self.users.of.get(single.target, ()):
                    again = second.single_set if isinstance(second, Rtl) else None
                    if again is None or not isinstance(second, Rtl) or not isinstance(again.target, Register):
                        continue
                    if again.source is binary(">>u", single.target, Const(gap), self.variable.type):
                        found[again.target] = second
        return {target: rtl for target, rtl in found.items() if target.type == self.variable.type and target.pseudo}

    def _dead(self, numbers: dict[Register, Rtl], test: LoopTest) -> set[Rtl]:
        """Return what nobody wants any more once the numbers are known: the step, and shifts."""
        gone: set[User] = {self.phi, test.branch, *numbers.values()}
        some = [user for user in self.users.of[self.variable] if isinstance(user, Rtl) and user not in gone]
        plain = [rtl for rtl in some if _sets_pseudo(rtl)]
        return {rtl for rtl in plain if all(user in gone for register in rtl.sets for user in self.users.of.get(register, ()))}

    def _widen(self, test: LoopTest, numbers: dict[Register, Rtl]) -> bool:
        """Let a wide variable take the place of the narrow one.

        Raises NotExpressible.
        """
        state, machine = self.state, self.state.machine
        clones = Clones(state, self.facts, self.step)
        one = next(iter(numbers))
        limit = clones.compute(self.variable, test.limit) if isinstance(test.limit, Const) else test.limit
        end = clones.value(one, self.variable, limit)
        first = clones.value(one, self.variable, self.start)
        if state.get(LIVENESS).numbering.mask(tuple({r for rtl in clones.rtls for r in machine.may_clobber(rtl.effects)})):
            raise NotExpressible
        index = state.function.pseudo(one.cls, one.type).index
        old, new = (Register(one.cls, index, one.type, True, version) for version in (1, 2))
        step = self.step
        narrow = unary("sx", self.variable.type, unary("tr", self.part, old))
        made = [
            Rtl((Set(self.variable, narrow),), step.lines, step.cause),
            Rtl((Set(new, binary("+", old, Const(1), old.type)),), step.lines, step.cause),
        ]
        instead: dict[Rtl, list[Rtl]] = {rtl: [Rtl((Set(t, old),), rtl.lines, rtl.cause)] for t, rtl in numbers.items()}
        dead = self._dead(numbers, test)
        instead |= {rtl: [] for rtl in dead}
        instead[step] = made[1:] if step in dead else [made[1], step]
        instead[test.branch] = [rtl for rtl in test.on(new, end).values() if rtl is not None]
        if not all(machine.is_legal(rtl.effects) for rtl in (*made, *(r for rtls in instead.values() for r in rtls))):
            raise NotExpressible
        places = {self.users.homes[rtl] for rtl in instead} | {self.loop.header}
        blocks = state.function.blocks
        contents = {blocks[n]: [new for rtl in blocks[n].rtls for new in instead.get(rtl, [rtl])] for n in places}
        if not all(user in dead or user in numbers.values() for user in self.users.of[self.variable]):
            contents[self.header] = [made[0], *contents[self.header]]
        before = end_of(self.preheader)
        contents[self.preheader] = [*self.preheader.rtls[:before], *clones.rtls, *self.preheader.rtls[before:]]
        phi = Phi(old, {self.preheader.label: first, self.latch.label: new}, self.phi.lines, self.phi.cause)
        return state.change(contents, phis={self.header: [phi if p is self.phi else p for p in self.header.phis]})


def _sets_pseudo(rtl: Rtl) -> bool:
    single = rtl.single_set
    return single is not None and type(single.target) is Register and single.target.pseudo and not has_side_effect(rtl)
