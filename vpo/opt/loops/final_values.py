"""Final values, on SSA form: what is wanted of a loop is computed in front of it, and a loop that is left with nothing goes.

    L3: r[t1.1]=0;                                     PC=r[t6]<=0,L5;
    L4: r[t1.2]=PHI(L3:r[t1.1],L4:r[t1.3]);    =>      PC=L6;
        r[t1.3]=r[t1.2]+1;
        PC=r[t1.3]<r[t6],L4;
    L6: r[10]=r[t1.3];                             L6: r[10]=r[t6];

How often the loop goes round must be known when it is entered; then a variable that each round adds the same to is its first
value and so many times that.  The variable that ends a loop is its limit behind it, also where the loop stays: the
loop may then do without it.

Called so by gcc ("final value replacement"); after Gerlek, Stoltz and Wolfe, "Beyond Induction Variables" (1995).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vpo.algebra import binary
from vpo.analysis.cfg import end_of
from vpo.analysis.dominators import Loop
from vpo.analysis.frequency import branch_comparison
from vpo.analysis.induction import Induction
from vpo.analysis.liveness import does_more_than_set
from vpo.opt.loops.count_down import after_rounds, rounds_of
from vpo.opt.loops.loop_variables import Clones, NotExpressible, Users, find_test, single_latch_loops
from vpo.opt.ssa.propagate_constants import substituted
from vpo.opt.state import CFG, LIVENESS, LOOPS, FunctionState
from vpo.rtl import Branch, Const, Jump, Op, Register, Rtl
from vpo.rtl.function import Block, Phi


def find_final_values(state: FunctionState) -> None:
    """Compute in front of loops what they leave, and remove those that do nothing else."""
    if state.function.stage != "ssa":
        return
    while any(_Ending(state, *found).make() for found in _candidates(state)):
        pass  # the loop around one that is gone may be next


def _candidates(state: FunctionState) -> Iterator[tuple[Loop, int, int, int]]:
    """Yield the loops that only their test at the end leaves: with preheader, latch, and the block behind."""
    for loop, place, latch in single_latch_loops(state):
        cfg = state.get(CFG)
        exits = [(number, to) for number in loop.blocks for to in cfg.successors[number] if to not in loop.blocks]
        if len(exits) == 1 and exits[0][0] == latch and len(cfg.predecessors[exits[0][1]]) == 1:
            yield loop, place, latch, exits[0][1]


def _only_computes(rtl: Rtl) -> bool:
    """Whether all that an RTL does is to set registers, or to go to another block."""
    return all(type(effect) in (Branch, Jump) or not does_more_than_set(effect) for effect in rtl.effects)


@dataclass(eq=False)
class _Variable:
    """A register of a loop's head: what it is at first and at the end of a round, what each round adds, and what does."""

    register: Register
    start: Register
    last: Register
    step: Register | Const
    rtl: Rtl
    op: str = "+"


class _Ending:
    """The work on one loop, behind which control comes to block `behind`."""

    def __init__(self, state: FunctionState, loop: Loop, place: int, latch: int, behind: int) -> None:
        self.state, self.loop, self.numbers = state, loop, (place, latch)
        blocks = state.function.blocks
        self.preheader, self.header, self.latch, self.behind = (blocks[n] for n in (place, loop.header, latch, behind))
        self.inside = [blocks[n] for n in state.get(CFG).reverse_postorder() if n in loop.blocks]

    def make(self) -> bool:
        """Remove the loop, or let nobody behind it want the variable that ends it; return whether the loop is gone."""
        goes = self._goes()
        wanted = self._wanted()
        if wanted is None or not (goes or self._wants_tested(wanted)):
            return False
        self.users = Users(self.state)
        ways = self.preheader.label, self.latch.label
        self.facts = Induction(self.inside, self.header, ways, self.state.machine, self.users.constants)
        if not self._find_test():
            return False
        try:
            return self._remove(wanted) if goes else self._leave(wanted)
        except NotExpressible:
            return False

    def _goes(self) -> bool:
        """Whether the loop does nothing but to compute, and has no other one in it."""
        inner = (loop for loop in self.state.get(LOOPS) if loop.header in self.loop.blocks and loop.header != self.loop.header)
        return all(_only_computes(rtl) for block in self.inside for rtl in block.rtls) and not any(inner)

    def _wanted(self) -> list[Register] | None:
        """Return the registers of the loop that are wanted behind it; None if one is a hard register."""
        liveness, machine = self.state.get(LIVENESS), self.state.machine
        live = liveness.live_in[self.state.get(CFG).labels[self.behind.label]]
        rtls = [rtl for block in self.inside for rtl in block.rtls]
        inside = {phi.target for block in self.inside for phi in block.phis} | {r for rtl in rtls for r in rtl.sets}
        changed = tuple(inside.union(*(machine.may_clobber(rtl.effects) for rtl in rtls)))
        wanted = liveness.numbering.members(live & liveness.numbering.mask(changed))
        joined = [source for phi in self.behind.phis for source in phi.sources.values() if source in inside]
        return list(dict.fromkeys((*wanted, *joined))) if all(register.pseudo for register in wanted) else None

    def _wants_tested(self, wanted: list[Register]) -> bool:
        """Whether what the loop's test may be on is wanted behind it."""
        found = branch_comparison(self.latch)
        tested = set(found.relation.uses) if found is not None else set()
        tested.update(phi.target for phi in self.header.phis if phi.sources[self.latch.label] in tested)
        return not tested.isdisjoint(wanted)

    def _find_test(self) -> bool:
        """Find the variable that ends the loop, and its test; return whether there is one."""
        for phi in self.header.phis:
            if phi.target in self.facts.variables:
                test = find_test(self.state, self.facts, self.loop, *self.numbers, phi.target)
                variable = self._variable(phi.target)
                if test is not None and variable is not None and test.tested in (phi.target, variable.last):
                    self.tested, self.test = variable, test
                    return True
        return False

    def _variable(self, register: Register) -> _Variable | None:
        """Return what is known of a register of the loop's head, if each round adds the same to it."""
        phi = next(phi for phi in self.header.phis if phi.target is register)
        last = phi.sources[self.latch.label]
        rtl = self.facts.inside.get(last)
        effect = rtl.single_set if rtl is not None else None
        if rtl is None or effect is None:
            return None
        start, known = phi.sources[self.preheader.label], self.facts.variables.get(register)
        if known is not None:
            return _Variable(register, start, last, Const(known), rtl)
        match effect.source:
            case Op(op="+" | "-" as op, args=(left, right)) if left is not right:
                left, right = (right, left) if op == "+" and right is register else (left, right)
                if left is register and isinstance(right, Register) and self._is_the_same(right):
                    return _Variable(register, start, last, right, rtl, op)
        return None

    def _is_the_same(self, register: Register) -> bool:
        """Whether a register has the same value in each round, and it is known how that is computed."""
        form = self.facts.forms.get(register)
        return register.pseudo and (register not in self.facts.inside or (form is not None and form.variable is None))

    # ------------------------------------------------------------------------------------------------- final values

    def _values(self, clones: Clones, wanted: list[Register]) -> dict[Register, Register]:
        """Compute outside of the loop what registers are behind it.

        Raises NotExpressible.
        """
        self.rounds: Register | None = None
        return {register: self._value(clones, register) for register in wanted}

    def _value(self, clones: Clones, register: Register) -> Register:
        """Compute what a register is behind the loop.

        Raises NotExpressible.
        """
        form = self.facts.forms.get(register)
        if form is not None and form.variable is None:
            return clones.value(register)
        origin = form.variable if form is not None else self._origin(register)
        variable = self._variable(origin) if origin is not None else None
        if variable is None:
            raise NotExpressible
        if variable.register is self.tested.register:
            exact = self.test.tested
            if register is exact:
                return self._limit(clones, 0)
            end = self._limit(clones, 0 if exact is variable.register else -self.facts.variables[variable.register])
        else:
            if register is variable.last:
                return self._after(clones, variable, self._rounds(clones, variable, 0))
            end = self._after(clones, variable, self._rounds(clones, variable, -1))
        return clones.value(register, variable.register, end)

    def _origin(self, register: Register) -> Register | None:
        """Return the register of the loop's head that a register is, at the head or at the end of a round."""
        return next((p.target for p in self.header.phis if register in (p.target, p.sources[self.latch.label])), None)

    def _limit(self, clones: Clones, more: int) -> Register:
        """Compute the limit of the loop's test, and a number more."""
        limit, more = self.test.limit, self.test.more + more
        return clones.compute(self.tested.register, binary("+", limit, Const(more), self.tested.register.type))

    def _rounds(self, clones: Clones, variable: _Variable, more: int) -> Register:
        """Compute how often the loop goes round, and a number more."""
        tested = self.tested.register
        if (variable.register.cls, variable.register.type) != (tested.cls, tested.type):
            raise NotExpressible
        if self.rounds is None:
            late = int(self.test.tested is tested)
            self.rounds = rounds_of(self.facts, clones, self.tested.start, tested, self.test, late)
        return clones.compute(tested, binary("+", self.rounds, Const(more)))

    def _after(self, clones: Clones, variable: _Variable, steps: Register) -> Register:
        """Compute what a variable is after some steps."""
        if isinstance(variable.step, Const):
            return after_rounds(clones, variable.register, variable.start, variable.step.value, steps)
        added = clones.compute(variable.register, binary("*", steps, clones.value(variable.step)))
        return clones.compute(variable.register, binary(variable.op, variable.start, added))

    # ------------------------------------------------------------------------------------------------------ changes

    def _remove(self, wanted: list[Register]) -> bool:
        """Let control go by the loop, and compute in its place what it leaves.

        Raises NotExpressible.
        """
        clones = Clones(self.state, self.facts, self.tested.rtl)
        contents, phis = self._instead(self._values(clones, wanted))
        branch = self.test.branch
        jump = Rtl((Jump(self.behind.label),), branch.lines, branch.cause)
        contents[self.preheader] = [*self.preheader.rtls[: end_of(self.preheader)], *clones.rtls, jump]
        phis[self.behind] = [
            Phi(phi.target, {self.preheader.label: source}, phi.lines, phi.cause)
            for phi in phis.get(self.behind, self.behind.phis)
            for source in phi.sources.values()
        ]
        layout = [block for block in self.state.function.blocks if block not in self.inside]
        liveness = self.state.get(LIVENESS)
        return self._is_harmless(clones, liveness.live_out[self.numbers[0]]) and self.state.change(contents, layout, phis)

    def _leave(self, wanted: list[Register]) -> bool:
        """Let the limit, and a number more, stand behind the loop for the variable that ends it.

        Raises NotExpressible.
        """
        mine = [register for register in wanted if self._ends(register)]
        clones = Clones(self.state, self.facts, self.tested.rtl)
        contents, phis = self._instead(self._values(clones, mine))
        if len(mine) != 1 or len(clones.rtls) > 1 or self.behind.phis:
            return False
        contents[self.behind] = [*clones.rtls, *contents.get(self.behind, self.behind.rtls)]
        live = self.state.get(LIVENESS).live_in[self.state.get(CFG).labels[self.behind.label]]
        if self._is_harmless(clones, live):
            self.state.change(contents, phis=phis)
        return False

    def _ends(self, register: Register) -> bool:
        """Whether a register follows from the variable that ends the loop."""
        form = self.facts.forms.get(register)
        return form is not None and form.variable is self.tested.register

    def _is_harmless(self, clones: Clones, live: int) -> bool:
        """Whether nobody needs what new RTLs change by the way."""
        changed = {register for rtl in clones.rtls for register in self.state.machine.may_clobber(rtl.effects)}
        return not self.state.get(LIVENESS).numbering.mask(tuple(changed)) & live

    def _instead(self, values: dict[Register, Register]) -> tuple[dict[Block, list[Rtl]], dict[Block, list[Phi]]]:
        """Return blocks and phis behind the loop that read other registers.

        Raises NotExpressible.
        """
        blocks = self.state.function.blocks
        places = {self.users.homes[user] for register in values for user in self.users.of.get(register, ())}
        contents: dict[Block, list[Rtl]] = {}
        phis: dict[Block, list[Phi]] = {}
        for block in (blocks[number] for number in sorted(places - self.loop.blocks)):
            contents[block] = [_reading(rtl, values) for rtl in block.rtls]
            phis[block] = [
                Phi(p.target, {way: values.get(source, source) for way, source in p.sources.items()}, p.lines, p.cause)
                for p in block.phis
            ]
        return contents, phis


def _reading(rtl: Rtl, values: dict[Register, Register]) -> Rtl:
    """Return an RTL that reads other registers; itself if it reads none of those.

    Raises NotExpressible.
    """
    effects = rtl.effects
    for register in values.keys() & {*rtl.uses}:
        changed = substituted(effects, register, values[register])
        if changed is None:
            raise NotExpressible
        effects = changed
    return rtl if effects is rtl.effects else Rtl(effects, rtl.lines, rtl.cause)
