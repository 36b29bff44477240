"""New variables for a loop in SSA form: what a change of them needs, and the change itself.

The test at the end of a loop, made on another variable, comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from vpo.algebra import binary, rebuild, reverse
from vpo.analysis.alias import is_opaque
from vpo.analysis.cfg import end_of
from vpo.analysis.dominators import Loop
from vpo.analysis.frequency import branch_comparison
from vpo.analysis.induction import Induction, Linear
from vpo.analysis.liveness import Liveness
from vpo.analysis.routine_calls import RoutineCall
from vpo.analysis.value_ranges import FULL, extended
from vpo.machines.machine import Machine
from vpo.opt.loops.guards import Guards
from vpo.opt.ssa.propagate_constants import substituted
from vpo.opt.ssa.split_edges import preheader_of
from vpo.opt.state import CFG, LIVENESS, LOOPS, VALUE_RANGES, FunctionState
from vpo.rtl import BITS, SWAPPED, Branch, Const, Effect, Expr, Op, Register, Rtl, Set
from vpo.rtl.function import Block, Function, Phi

# ----------------------------------------------------------------------------------------------------------------------
# Linear-function test replacement: what the test at the end of a loop compares, and how it is made on another variable.
#
#     PC=r[t1.3]<r[t6],L4;     =>     PC=r[t8.2]!=r[t12],L4;      where r[t12] is what r[t8.2] is when r[t1.3] is r[t6]
#
# A test of order becomes one of equality, so that the limit must be met exactly, and in the first round already: the loop is
# entered only if its variable is on the right side of the limit, which the branch that guards the loop tells, or constants.
# The other variable is the address of an access in each round; it cannot come to the same value twice.  Or both are stepped in
# as many low bits, the tested one by 1 and the other by an odd number, so that it has as many values.


LOOSER = {"<": "<=", ">": ">=", "<u": "<=u", ">u": ">=u"}


@dataclass(frozen=True, eq=False)
class LoopTest:
    """The loop goes on until the register `tested` is `limit + more`; `compare` may be the branch itself."""

    compare: Rtl
    branch: Rtl
    tested: Register
    limit: Register | Const
    more: int
    goes_on: bool  # whether the branch is taken if the loop goes on
    is_order: bool = False  # so that the variable is on the right side of the limit when the loop is entered

    def on(self, variable: Register, limit: Register | Const) -> dict[Rtl, Rtl | None]:
        """Return RTLs that compare a variable with its limit instead."""
        (transfer,) = self.branch.effects
        assert type(transfer) is Branch
        op = "!=" if self.goes_on else "=="
        if self.compare is self.branch:
            branch = Branch(Op(op, "", variable, limit), transfer.label)
            return {self.branch: Rtl((branch,), self.branch.lines, self.branch.cause)}
        compare = self.compare.single_set
        assert compare is not None
        assert isinstance(compare.source, Op)
        if compare.source.op == "?":
            outcome = Set(compare.target, Op("?", compare.source.type, variable, limit))
        else:  # the truth of it: of equality, which every such machine has
            outcome = Set(compare.target, Op("==", compare.source.type, variable, limit))
            op = "==" if self.goes_on else "!="
        condition = Op(op, "", *transfer.condition.args)
        return {
            self.compare: Rtl((outcome,), self.compare.lines, self.compare.cause),
            self.branch: Rtl((Branch(condition, transfer.label),), self.branch.lines, self.branch.cause),
        }


def find_test(
    state: FunctionState, facts: Induction, loop: Loop, place: int, latch: int, variable: Register
) -> LoopTest | None:
    """Return the test at the end of a loop if it can be made on another variable: see above."""
    function, cfg = state.function, state.get(CFG)
    found = branch_comparison(function.blocks[latch])
    if found is None or len(cfg.successors[latch]) != 2:
        return None
    relation, compare, branch = found
    transfer = branch.transfer
    assert type(transfer) is Branch
    if compare is not branch and _is_live(state, compare, cfg.successors[latch]):
        return None
    goes_on = transfer.label == function.blocks[loop.header].label
    if not goes_on:
        relation = reverse(relation)
    left, right = relation.args
    op = relation.op
    if not _is_tested(facts, left, variable):
        left, right, op = right, left, SWAPPED[op]
    if not _is_tested(facts, left, variable) or type(left) is not Register:
        return None
    limit = _limit(facts, right)
    if limit is None or (variable in facts.narrow and not _can_be_met(state, facts, place, variable, left, limit)):
        return None
    header = function.blocks[loop.header]
    start = next(phi.sources[function.blocks[place].label] for phi in header.phis if phi.target is variable)
    first = LOOSER.get(op, op) if left is variable else op  # what must hold for the loop to end where they meet
    more = _more(Guards(state, facts, place), op, first, start, limit, facts.variables[variable])
    if more is None:
        return None
    if type(limit) is Const:
        limit, more = Const(limit.value + more), 0
    return LoopTest(compare, branch, left, limit, more, goes_on, op not in ("==", "!="))


def _can_be_met(
    state: FunctionState, facts: Induction, place: int, variable: Register, tested: Register, limit: Register | Const
) -> bool:
    """Whether a variable that is stepped by 1 in its low bits comes to a limit: that is an extension of as many bits."""
    part = facts.narrow[variable]
    assert part is not None
    low, high = extended(part[0], FULL[BITS[part[1]]], BITS[part[1]])
    least, most = state.get(VALUE_RANGES).of(limit, place, tested.type)
    alike = tested is variable or facts.forms[tested].part == part
    return alike and abs(facts.variables[variable]) == 1 and low <= least and most <= high


def _is_live(state: FunctionState, compare: Rtl, successors: list[int]) -> bool:
    """Whether the outcome of a comparison is read behind the branch, too."""
    liveness = state.get(LIVENESS)
    outcome = liveness.numbering.mask(tuple(compare.sets))
    return any(liveness.live_in[number] & outcome for number in successors)


def _is_tested(facts: Induction, node: Expr, variable: Register) -> bool:
    form = facts.forms.get(node) if type(node) is Register else None
    return form is not None and form.variable is variable and form.is_shifted_variable


def _limit(facts: Induction, node: Expr) -> Register | Const | None:
    """Return what a variable is compared with, if it does not change in the loop."""
    if type(node) is Const:
        return node
    if type(node) is not Register or not node.pseudo:
        return Const(0) if node in facts.machine.zero else None
    if node in facts.constants:
        return Const(facts.constants[node])
    return node if node not in facts.inside else None


def _more(guards: Guards, op: str, first: str, start: Register, limit: Register | Const, step: int) -> int | None:
    """Return how much behind the limit the variable is when the loop ends; None if it is not known that it is ever there."""
    if op == "!=":
        return 0
    up = op in ("<", "<=", "<u", "<=u")
    if op == "==" or up != (step > 0):
        return None
    begin = guards.value(start)
    if type(begin) is Const and type(limit) is Const:
        return _distance(op, begin.value, limit.value, step, BITS[start.type])
    if step not in (1, -1) or not guards.hold(first, begin, guards.value(limit), start.type):
        return None
    return step if "=" in op else 0


def _distance(op: str, begin: int, limit: int, step: int, bits: int) -> int | None:
    """Return by how much steps from one number miss another, if there is a step and none wraps."""
    if op.endswith("u") and (begin < 0 or limit < 0):
        return None
    span = (limit - begin) * (1 if step > 0 else -1) + ("=" in op)
    if span <= 0:
        return None
    end = begin + -(-span // abs(step)) * step
    return end - limit if -(1 << (bits - 1)) <= end < 1 << (bits - 1) else None


# ----------------------------------------------------------------------------------------------------------------------
# The change.


# ----------------------------------------------------------------------------------------------------------------------
# Compute values that a loop computes, in front of it: for other values of its variables.


class NotExpressible(Exception):
    """The machine has no instructions for what was to be computed."""


class Clones:
    """RTLs, of pseudo-registers of their own, that compute again what RTLs of a loop do."""

    def __init__(self, state: FunctionState, facts: Induction, like: Rtl) -> None:
        """Clone what a loop is known to define; what is computed otherwise has the provenance of `like`."""
        self.state, self.inside, self.constants, self.like = state, facts.inside, facts.constants, like
        self.rtls: list[Rtl] = []
        self.routines = facts.routines
        self.changed: set[Register] = set()  # by calls

    def value(self, register: Register, variable: Register | None = None, instead: Register | None = None) -> Register:
        """Return a register that holds, before the loop, what one has in it where `instead` is the value of a variable."""
        return self._value(register, variable, instead, {})

    def _value(
        self, register: Register, variable: Register | None, instead: Register | None, made: dict[Register, Register]
    ) -> Register:
        if register is variable and instead is not None:
            return instead
        rtl = self.inside.get(register)
        if register not in self.inside:
            return register
        known = made.get(register)
        if known is not None:
            return known
        effect = rtl.single_set if rtl is not None else None
        if rtl is None or effect is None:
            raise NotExpressible
        call = self.routines.get(rtl)
        computed = effect.source if call is None else call.value
        values = {use: self._value(use, variable, instead, made) for use in computed.uses if use.pseudo}
        source = rebuild(computed, lambda node: values.get(node) if type(node) is Register else None)
        try:
            result = self.compute(register, source, rtl)
        except NotExpressible:
            if call is None:
                raise
            result = self._call(call, values)
        made[register] = result
        return result

    def _call(self, call: RoutineCall, values: Mapping[Register, Register]) -> Register:
        """Append a call with other arguments; return the register that holds its result."""
        target = call.target
        new = self.state.function.pseudo(target.cls, target.type)
        rtls = call.on(values, new)
        if not all(self.state.machine.is_legal(rtl.effects) for rtl in rtls):
            raise NotExpressible
        self.rtls += rtls
        self.changed |= call.changed(self.state.machine)
        return new

    def compute(self, like: Register, source: Expr, rtl: Rtl | None = None) -> Register:
        """Append RTLs that compute an expression; return the register, of the class of `like`, that holds it."""
        if type(source) is Register and (source.cls, source.type, source.pseudo) == (like.cls, like.type, True):
            return source
        machine = self.state.machine
        folded = rebuild(source, lambda node: self._number(node) if type(node) is Register else None)
        if type(folded) is Register and folded.pseudo and type(source) is not Register:
            return self.compute(like, folded, rtl)
        new = self.state.function.pseudo(like.cls, like.type)
        if machine.is_legal((Set(new, folded),)):
            source = folded
        found: list[tuple[Effect, ...]] = [(Set(new, source),)]
        if not machine.is_legal(found[0]):
            ways = (way for way in tied(new, source) if all(map(machine.is_legal, way)))
            found = next(ways, [])
        if not found:
            raise NotExpressible
        origin = rtl or self.like
        self.rtls += [Rtl(effects, origin.lines, origin.cause) for effects in found]
        (result,) = self.rtls[-1].sets
        return result

    def _number(self, register: Register) -> Const | None:
        return Const(self.constants[register]) if register in self.constants else None


def tied(new: Register, source: Expr) -> Iterator[list[tuple[Effect, ...]]]:
    """Yield ways to compute a value in the place of one of its operands, of which there is a copy."""
    for operand in source.uses:
        if operand.cls == new.cls and operand.type == new.type:
            copy, result = (Register(new.cls, new.index, new.type, True, version) for version in (1, 2))
            second = rebuild(source, lambda node, old=operand, new=copy: new if node is old else None)  # type: ignore[misc]
            yield [(Set(copy, operand),), (Set(result, second),)]


# ----------------------------------------------------------------------------------------------------------------------


User = Rtl | Phi


class Ends(NamedTuple):
    """The blocks of a loop with one way in and one around."""

    preheader: Block
    header: Block
    latch: Block


def single_latch_loops(state: FunctionState) -> Iterator[tuple[Loop, int, int]]:
    """Yield each loop with one way in and one around, inner ones first, with its preheader and its latch.

    The function may change meanwhile, but not its loops.
    """
    for loop in state.get(LOOPS):
        cfg = state.get(CFG)
        preheader = preheader_of(cfg, loop)
        latches = [p for p in cfg.predecessors[loop.header] if p in loop.blocks]
        if preheader is not None and len(latches) == 1:
            yield loop, preheader, latches[0]


class Users:
    """What uses each register, in the order of blocks, and the numbers that registers hold all the time."""

    def __init__(self, state: FunctionState) -> None:
        self.blocks = state.function.blocks
        self.of: dict[Register, list[User]] = {}
        self.homes: dict[User, int] = {}  # the block of each
        self.constants: dict[Register, int] = {}
        self._users: list[list[User]] = []  # by block: those that are known
        for number, block in enumerate(self.blocks):
            self._users.append([*block.phis, *block.rtls])
            self._note(number)

    def renew(self, changed: Iterable[int]) -> None:
        """Take note that some blocks have changed."""
        numbers = sorted(changed)
        touched: set[Register] = set()
        for number in numbers:
            gone = self._users[number]
            self._users[number] = [*self.blocks[number].phis, *self.blocks[number].rtls]
            for user in (*gone, *self._users[number]):
                touched.update(_read(user))
        among = set(numbers)
        for register in touched:
            self.of[register] = [user for user in self.of.get(register, ()) if self.homes[user] not in among]
        for number in numbers:
            self._note(number)
        for register in touched:
            self.of[register].sort(key=self.homes.__getitem__)  # stable: those of a block stay in their order

    def _note(self, number: int) -> None:
        homes, of = self.homes, self.of
        for user in self._users[number]:
            homes[user] = number
            for register in _read(user):
                of.setdefault(register, []).append(user)
            effect = user.single_set if type(user) is Rtl else None
            source = effect.source if effect is not None else None
            if effect is not None and type(source) is Const and type(effect.target) is Register and effect.target.pseudo:
                self.constants[effect.target] = source.value

    def roots(self, register: Register, facts: Induction) -> list[User]:
        """Return what uses a register otherwise than to compute what is linear in a loop, too."""
        return [user for user in self.of.get(register, ()) if isinstance(user, Phi) or not is_linear(user, facts)]


def _read(user: User) -> Collection[Register]:
    return user.uses if isinstance(user, Rtl) else user.sources.values()


def is_linear(rtl: Rtl, facts: Induction) -> bool:
    """Whether an RTL computes what is linear in a loop."""
    return facts.passed.get(rtl) in facts.forms or any(register in facts.forms for register in rtl.sets)


@dataclass(eq=False)
class Group:
    """Registers that one new variable serves: they differ by constants only, which the instructions that use them add."""

    first: Register
    form: Linear
    copies: list[Register] = field(default_factory=list)  # that become copies of the variable
    displaced: dict[Register, int] = field(default_factory=dict)  # their distance from it
    chain: set[Register] = field(default_factory=set)  # what it costs rounds to compute now
    moves: float = 0.0  # copies that will stay
    accessed: bool = False  # whether each round accesses memory at its address
    stepped: bool = False  # whether the last access of a round steps it by the way


class NewVariables:
    """A change of one loop: variables that it gets, and what they replace."""

    def __init__(self, state: FunctionState, facts: Induction, users: Users, ends: Ends) -> None:
        self.state, self.facts, self.users, self.ends = state, facts, users, ends
        self.groups: list[Group] = []
        self.before: list[Rtl] = []
        self.phis: list[Phi] = []
        self.steps: dict[Rtl, list[Rtl]] = {}  # by the RTL behind which they come
        self.instead: dict[Rtl, Rtl | None] = {}

    def add(self, variable: Register, last: Register, group: Group, test: LoopTest | None) -> None:
        """Plan the variable of a group, and let the test of the loop be on it."""
        facts, ends = self.facts, self.ends
        like, step_of = facts.inside[group.first], facts.inside[last]
        assert like is not None
        assert step_of is not None
        clones = Clones(self.state, facts, like)
        start = next(phi.sources[ends.preheader.label] for phi in ends.header.phis if phi.target is variable)
        first = clones.value(group.first, variable, start)
        index = self.state.function.pseudo(group.first.cls, group.first.type).index
        old, new = (Register(group.first.cls, index, group.first.type, True, version) for version in (1, 2))
        step = self._step(clones, group, old, new, facts.variables[variable])
        self._check_clobbers(step_of, Set(new, step))
        tests = self._tests(clones, group, new, variable, test) if test is not None else {}
        self._check_preheader(clones)
        self.instead |= tests
        self.before += clones.rtls
        self.phis.append(Phi(old, {ends.preheader.label: first, ends.latch.label: new}, like.lines, like.cause))
        self.steps.setdefault(step_of, []).append(Rtl((Set(new, step),), step_of.lines, step_of.cause))
        self.groups.append(group)
        self._serve(group, old)

    def _step(self, clones: Clones, group: Group, old: Register, new: Register, step: int) -> Expr:
        """Return what the new variable becomes with each step of the other one."""
        form, bits = group.form, BITS[old.type]
        amount = binary("*", Const(form.scale), Const(step), old.type)
        assert type(amount) is Const
        if form.by is None:
            source = form.extend(binary("+", old, amount), old.type)
            if self.state.machine.is_legal((Set(new, source),)):
                return source
            source = form.extend(binary("+", old, clones.compute(old, amount)), old.type)
        else:
            by, factor = clones.value(form.by), abs(amount.value)
            if factor & (factor - 1) or factor >= 1 << (bits - 1):
                raise NotExpressible
            if factor > 1:
                by = clones.compute(by, binary("<<", by, Const(factor.bit_length() - 1)))
            source = form.extend(binary("+" if amount.value > 0 else "-", old, clones.compute(old, by)), old.type)
        if not self.state.machine.is_legal((Set(new, source),)):
            raise NotExpressible
        return source

    def _check_clobbers(self, after: Rtl, step: Set) -> None:
        """Raise NotExpressible if what a step changes by the way is needed behind it."""
        clobbers = self.state.machine.may_clobber((step,))
        if not clobbers:
            return
        liveness, number = self.state.get(LIVENESS), self.users.homes[after]
        place = next(place for place, rtl in enumerate(self.state.function.blocks[number].rtls) if rtl is after)
        if liveness.numbering.mask(clobbers) & liveness.backward(number)[place]:
            raise NotExpressible

    def _check_preheader(self, clones: Clones) -> None:
        """Raise NotExpressible if what comes before the loop changes what is needed at its end."""
        clobbers = tuple({r for rtl in clones.rtls for r in self.state.machine.may_clobber(rtl.effects)} | clones.changed)
        if not clobbers:
            return
        liveness = self.state.get(LIVENESS)
        live = liveness.live_out[self.state.get(CFG).labels[self.ends.preheader.label]]
        if liveness.numbering.mask(clobbers) & live:
            raise NotExpressible

    def _tests(self, clones: Clones, group: Group, new: Register, variable: Register, test: LoopTest) -> dict[Rtl, Rtl | None]:
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

    def _serve(self, group: Group, variable: Register) -> None:
        """Let the registers of a group be copies of its variable, and those at a distance not be needed."""
        for register in group.copies:
            rtl = self.facts.inside[register]
            assert rtl is not None
            self.instead[rtl] = Rtl((Set(register, variable),), rtl.lines, rtl.cause)
        for register, distance in group.displaced.items():
            value = binary("+", variable, Const(distance), register.type)
            for user in self.users.roots(register, self.facts):
                assert type(user) is Rtl
                now = self.instead.get(user) or user
                effects = substituted(now.effects, register, value)
                if effects is not None:
                    self.instead[user] = Rtl(effects, user.lines, user.cause)

    def remove(self, dead: set[Register]) -> None:
        """Plan to remove what computes registers that are not needed any more."""
        copies = {register for group in self.groups for register in group.copies}
        for register in dead - copies:
            rtl = self.facts.inside[register]
            assert rtl is not None
            self.instead[rtl] = None

    def apply(self) -> bool:
        """Change the function."""
        if not self.groups:
            return False
        preheader, header = self.ends.preheader, self.ends.header
        contents: dict[Block, list[Rtl]] = {}
        for rtl in [rtl for rtl in self.instead if rtl in self.facts.routines]:  # then it needs no call any more
            self.instead |= dict.fromkeys(self.facts.routines[rtl].rtls[:-1])
        numbers = {self.users.homes[rtl] for rtl in (*self.instead, *self.steps)}
        for number in sorted(numbers):
            block = self.state.function.blocks[number]
            contents[block] = self._contents(block)
        end = end_of(preheader)
        contents[preheader] = [*preheader.rtls[:end], *self.before, *preheader.rtls[end:]]
        changed = self.state.change(contents, phis={header: [*header.phis, *self.phis]})
        if changed:
            labels = self.state.get(CFG).labels
            self.users.renew(numbers | {labels[preheader.label], labels[header.label]})
        return changed

    def _contents(self, block: Block) -> list[Rtl]:
        return [new for rtl in block.rtls for new in (self.instead.get(rtl, rtl), *self.steps.get(rtl, ())) if new is not None]


# ----------------------------------------------------------------------------------------------------------------------
# How many more registers a loop can keep without spilling: what limits motion, strength reduction and store motion.


class Room:
    """The registers that a loop can still keep values in: of those that survive calls, if it calls.

    The block at whose entry most are live decides: the versions of one variable are not live together.  With `counted`,
    only these registers take room: those that only live through the loop may be in memory while it runs.  What is
    `left_out` takes none, and so many of each bank are `spared`.
    """

    def __init__(
        self,
        machine: Machine,
        liveness: Liveness,
        loop: Loop,
        calls: Calls,
        counted: Container[Register] | None = None,
        left_out: Container[Register] = (),
        spared: int = 0,
    ) -> None:
        self.machine, self.spared = machine, spared
        self.surviving = bool(calls) and not machine.convention.caller_saves
        self.used = most_live(machine, liveness, {liveness.live_in[index] for index in loop.blocks}, counted, left_out)
        live = across_calls(liveness, calls) if self.surviving else set()
        self.across = most_live(machine, liveness, live, counted, left_out)

    def has(self, bank: str, number: int) -> bool:
        """Whether there are so many more registers of a bank."""
        number += self.spared
        has_room = self.machine.has_room(bank, self.used[bank] + number + 2, False)
        return has_room and not (self.surviving and not self.machine.has_room(bank, self.across[bank] + number, True))

    def take(self, wanted: Mapping[str, int]) -> None:
        """Let so many registers of banks be taken."""
        self.used.update(wanted)
        self.across.update(wanted)


Calls = Mapping[int, Iterable[int]]  # the places of calls in blocks


def calls_in(blocks: list[Block], loop: Loop) -> Calls:
    """Return where a loop calls."""
    found = {n: [place for place, rtl in enumerate(blocks[n].rtls) if is_opaque(rtl)] for n in loop.blocks}
    return {number: places for number, places in found.items() if places}


def across_calls(liveness: Liveness, calls: Calls) -> set[int]:
    """Return what is live across each call."""
    found: set[int] = set()
    for number, places in calls.items():
        after, accesses = liveness.backward(number), liveness.accesses[number]
        found.update(after[place] & ~(accesses[place].sets | accesses[place].clobbers) for place in places)
    return found


def most_live(
    machine: Machine,
    liveness: Liveness,
    sets: set[int],
    counted: Container[Register] | None = None,
    left_out: Container[Register] = (),
) -> Counter[str]:
    """Return how many registers of each bank are taken at most by what is live together."""
    used: Counter[str] = Counter()
    for live in sets:
        taking = [r for r in liveness.numbering.members(live) if (counted is None or r in counted) and r not in left_out]
        for bank, number in _occupied(machine, taking).items():
            used[bank] = max(used[bank], number)
    return used


def named_in(function: Function, loop: Loop, leaves: Callable[[Rtl], bool] = lambda rtl: False) -> set[Register]:
    """Return the registers that a loop reads or sets, but for RTLs that leave it; others only live through it."""
    blocks = [function.blocks[number] for number in loop.blocks]
    named = {register for block in blocks for rtl in block.rtls if not leaves(rtl) for register in (*rtl.uses, *rtl.sets)}
    return named | {phi.target for block in blocks for phi in block.phis}


def _occupied(machine: Machine, live: Iterable[Register]) -> dict[str, int]:
    """Return how many allocable registers of each bank values take that are live together."""
    occupied: dict[str, int] = {}
    for register in live:
        cls = machine.classes[register.cls]
        if register.pseudo or machine.role(register)[0]:
            occupied[cls.bank] = occupied.get(cls.bank, 0) + cls.width
    return occupied
