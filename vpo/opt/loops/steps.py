"""Steps of registers in loops, put where one instruction can use and step them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from vpo.algebra import binary, is_step, rebuild_effect
from vpo.analysis.cfg import end_of
from vpo.analysis.dominators import Loop, dominates
from vpo.analysis.frequency import branch_comparison
from vpo.analysis.induction import Induction
from vpo.analysis.liveness import Access, Liveness, access
from vpo.opt.loops.loop_variables import Clones, NotExpressible, Users, single_latch_loops
from vpo.opt.state import CFG, DOMINATORS, FREQUENCIES, LIVENESS, LOOPS, FunctionState, merged
from vpo.rtl import CODE_TYPES, Const, Effect, Expr, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Block, Phi

# ----------------------------------------------------------------------------------------------------------------------
# Defer steps, on SSA form: add a constant to a register only when its old value has been used for the last time.
#
#     r[t1.3]=r[t1.2]+4;               r[t2]=L[r[t1.2]];
#     r[t2]=L[r[t1.2]];        =>      r[t1.3]=r[t1.2]+4;
#
# That is `x=*p++;`.  Old and new value then need not be in two registers, and a machine that steps addresses by the way can
# join the two.  `vpo/opt/loops/steps.py` does it for steps that can come in the next round of a loop.


# ----------------------------------------------------------------------------------------------------------------------
# Defer steps around a loop, on SSA form: if the loop's test reads the old value last, the next round begins with the step.
#
#     L3: r[t1.1]=r[t6]+-1;
#     L4: r[t1.2]=PHI(L3:r[t1.1],L4:r[t1.3]);        L4: r[t1.4]=PHI(L3:r[t6],L4:r[t1.2]);
#         ...                                   =>       r[t1.2]=r[t1.4]+-1;
#         r[t1.3]=r[t1.2]+-1;                            ...
#         PC=r[t1.2]!=0,L4;                              PC=r[t1.2]!=0,L4;
#
# That is `while (n--)`.  Old and new value then need not be in two registers, and no round copies one to the other.


class Step(NamedTuple):
    """What adds a number to a register: an RTL, perhaps behind the copy that it changes."""

    old: Register
    number: int
    rtls: tuple[Rtl, ...]


def defer_around(state: FunctionState) -> None:
    """Let rounds of loops begin with steps whose old values are still read behind them."""
    users = Users(state)
    definitions = {register: rtl for rtl in state.function.rtls() for register in rtl.sets if register.pseudo}
    for loop, place, latch in single_latch_loops(state):
        blocks = state.function.blocks
        for phi in blocks[loop.header].phis:
            step = _step(definitions, phi.sources[blocks[latch].label])
            if step is None or step.old is not phi.target:
                continue
            test = None
            if not _is_read_late(state, users, latch, phi, step):
                test = _stepped_before(state, users, loop, latch, phi, step)
                if test is None:
                    continue
            try:
                start, before = _start(state, loop, (place, latch), users, definitions, phi, step, test)
            except NotExpressible:
                continue
            ends = blocks[place], blocks[loop.header], blocks[latch]
            if _defer(state, ends, phi, step, start, before, test.now if test is not None else {}):
                users.renew({place, loop.header, latch})
                break  # the phis are others now


def _step(definitions: dict[Register, Rtl], register: Register) -> Step | None:
    """Return what gives a register its value, if it adds a number."""
    rtl = definitions.get(register)
    effect = rtl.single_set if rtl is not None else None
    source = effect.source if effect is not None else None
    if rtl is None or type(source) is not Op or source.op != "+":
        return None
    old, number = source.args
    if type(old) is not Register or not old.pseudo or type(number) is not Const:
        return None
    copy = definitions.get(old)
    copied = copy.single_set if copy is not None and old.index == register.index else None
    if copy is not None and copied is not None and type(copied.source) is Register and copied.source.pseudo:
        return Step(copied.source, number.value, (copy, rtl))
    return Step(old, number.value, (rtl,))


def _is_read_late(state: FunctionState, users: Users, latch: int, phi: Phi, step: Step) -> bool:
    """Whether a step serves nothing but the next round of a loop, and tests, or what comes later, read the old value."""
    block = state.function.blocks[latch]
    new = phi.sources[block.label]
    if users.of.get(new) != [phi] or any(users.homes[rtl] != latch for rtl in step.rtls):
        return False
    if any(users.of.get(rtl_target) != [step.rtls[-1]] for rtl in step.rtls[:-1] for rtl_target in rtl.sets):
        return False
    liveness = state.get(LIVENESS)
    if liveness.numbering.mask((phi.target,)) & liveness.live_out[latch]:
        return True
    position = next(position for position, rtl in enumerate(block.rtls) if rtl is step.rtls[-1])
    readers = [rtl for rtl in block.rtls[position + 1 :] if phi.target in rtl.uses]
    return bool(readers) and all(map(_is_test, readers))


@dataclass(eq=False)
class _Test:
    """The end of a loop that compares what a step gives with a limit; `now` are RTLs that compare the old value."""

    compare: Rtl
    new: Register
    old: Register
    limit: Expr
    now: dict[Rtl, Rtl] = field(default_factory=dict)

    def on(self, limit: Expr) -> Rtl:
        """Return what compares the old value with another limit."""
        known: dict[Expr, Expr] = {self.new: self.old, self.limit: limit}
        effects = tuple(rebuild_effect(effect, known.get) for effect in self.compare.effects)
        return Rtl(effects, self.compare.lines, self.compare.cause)


def _stepped_before(state: FunctionState, users: Users, loop: Loop, latch: int, phi: Phi, step: Step) -> _Test | None:
    """Return the test of a loop that may begin with a step, if one instruction steps an address before it is used.

        r[t2]=L[r[t1.2]];                              r[t1.2]=r[t1.4]+4;
        r[t1.3]=r[t1.2]+4;                  =>         r[t2]=L[r[t1.2]];
        PC=r[t1.3]!=r[t9],L4;                          PC=r[t1.2]!=r[t8],L4;      where r[t8] is r[t9]-4

    It must not be one that an instruction steps behind that anyway.
    """
    blocks, machine, new = state.function.blocks, state.machine, phi.sources[state.function.blocks[latch].label]
    header = blocks[loop.header]
    found = branch_comparison(blocks[latch]) if machine.capabilities.pairs and not state.small else None
    access = next((rtl for rtl in header.rtls if phi.target in rtl.uses), None)
    if found is None or access is None or found.relation.op not in ("==", "!=") or len(step.rtls) > 1:
        return None
    left, limit = found.relation.args
    others = [user for user in users.of.get(new, ()) if user is not phi]
    varies = isinstance(limit, Register) and any(limit in rtl.sets for n in loop.blocks for rtl in blocks[n].rtls)
    joined = any(limit is one.target for n in loop.blocks for one in blocks[n].phis)
    if left is not new or others != [found.compare] or users.homes[step.rtls[-1]] != latch or varies or joined:
        return None
    if not isinstance(limit, Register | Const) or (isinstance(limit, Register) and not limit.pseudo):
        return None
    old = Register(new.cls, new.index, new.type, True, phi.target.version)
    total = Op("+", old.type, old, Const(step.number))
    moved = tuple(_at(effect, phi.target, total) for effect in access.effects)
    behind = tuple(_at(effect, phi.target, old) for effect in access.effects)
    change = Set(Register(new.cls, new.index, new.type, True, new.version), total)
    if not machine.is_legal((*moved, change)) or machine.is_legal((*behind, change)):
        return None
    return _Test(found.compare, new, phi.target, limit)


def _at(effect: Effect, address: Register, other: Expr) -> Effect:
    """Return an effect with another address of a cell in the place of a register."""
    return rebuild_effect(effect, lambda node: node.at(other) if isinstance(node, Mem) and node.address is address else None)


def _is_test(rtl: Rtl) -> bool:
    return rtl.transfer is not None or any(register.type in CODE_TYPES for register in rtl.sets)


def _start(
    state: FunctionState,
    loop: Loop,
    ways: tuple[int, int],
    users: Users,
    definitions: dict[Register, Rtl],
    phi: Phi,
    step: Step,
    test: _Test | None,
) -> tuple[Register, list[Rtl]]:
    """Return what is stepped to give a variable its first value, and RTLs that compute it, and the limit of a test, before.

    Raises NotExpressible: they would change by the way what is needed there.
    """
    place, latch = ways
    blocks, liveness, clobbers = state.function.blocks, state.get(LIVENESS), state.machine.may_clobber
    first = phi.sources[blocks[place].label]
    known = _step(definitions, first)
    if known is not None and known.number == step.number and test is None:
        return known.old, []
    labels = blocks[place].label, blocks[latch].label
    facts = Induction([blocks[n] for n in sorted(loop.blocks)], blocks[loop.header], labels, state.machine, users.constants)
    clones = Clones(state, facts, step.rtls[-1])
    start = clones.compute(phi.target, binary("+", first, Const(-step.number)))
    if test is not None:
        limit = clones.compute(phi.target, binary("-", test.limit, Const(step.number), phi.target.type))
        test.now = {test.compare: test.on(limit)}
    changed = tuple({register for rtl in clones.rtls for register in clobbers(rtl.effects)})
    if liveness.numbering.mask(changed) & liveness.live_out[place]:
        raise NotExpressible
    return start, clones.rtls


def _defer(
    state: FunctionState,
    ends: tuple[Block, Block, Block],
    phi: Phi,
    step: Step,
    start: Register,
    before: list[Rtl],
    tests: Mapping[Rtl, Rtl],
) -> bool:
    """Step a variable in the next round, the first time from `start`: where it is read first, or at the loop's head."""
    preheader, header, latch = ends
    variable, last = phi.target, step.rtls[-1]
    old = _new_version(state, variable)
    effects = (Set(variable, Op("+", variable.type, old, Const(step.number))),)
    where = _first_place(state, header, effects, step)
    if where is None or not state.machine.is_legal(effects):
        return False
    entering = Phi(old, {preheader.label: start, latch.label: variable}, phi.lines, phi.cause)
    gone, end = set(step.rtls), end_of(preheader)
    stepped = [*header.rtls[:where], Rtl(effects, last.lines, last.cause), *header.rtls[where:]]
    contents = {latch: latch.rtls, header: stepped}
    contents[latch] = [tests.get(rtl, rtl) for rtl in contents[latch] if rtl not in gone]
    if before:
        contents[preheader] = [*preheader.rtls[:end], *before, *preheader.rtls[end:]]
    return state.change(contents, phis={header: [entering if one is phi else one for one in header.phis]})


def _first_place(state: FunctionState, header: Block, effects: tuple[Effect, ...], step: Step) -> int | None:
    """Return where the head of a loop has a place for a step: before the first RTL that reads what it sets, or first of all.

    None if it changes by the way what is needed there.
    """
    (variable,) = effects[0].sets
    liveness, number = state.get(LIVENESS), state.get(CFG).labels[header.label]
    changed = liveness.numbering.mask(state.machine.may_clobber(effects))
    readers = (n for n, rtl in enumerate(header.rtls) if variable in rtl.uses and all(rtl is not one for one in step.rtls))
    where = next(readers, 0)
    if where and not changed & liveness.backward(number)[where - 1]:
        return where
    return None if changed & liveness.live_in[number] else 0


def _new_version(state: FunctionState, register: Register) -> Register:
    """Return a register like another one, so that an instruction that changes one of its operands can be both."""
    defined = (r for rtl in state.function.rtls() for r in rtl.sets)
    joined = (phi.target for block in state.function.blocks for phi in block.phis)
    versions = (r.version for r in (*defined, *joined) if r.pseudo and (r.cls, r.index) == (register.cls, register.index))
    return Register(register.cls, register.index, register.type, True, max(versions, default=0) + 1)


# ----------------------------------------------------------------------------------------------------------------------


def defer_steps(state: FunctionState) -> None:
    """Move steps of registers behind the last uses of what they step from."""
    if state.function.stage != "ssa":
        return
    defer_around(state)
    defer_to_latches(state)
    liveness = state.get(LIVENESS)
    for number, block in enumerate(state.function.blocks):
        after = _deferred(state, block, liveness, number)
        if after:
            gone = {rtl for group in after.values() for rtl in group}
            state.change({block: [new for rtl in block.rtls if rtl not in gone for new in (rtl, *after.get(rtl, ()))]})
    if state.machine.capabilities.extends_and_steps:
        from vpo.opt.selection.stepping_loads import load_and_step  # few machines need it

        load_and_step(state)


# ----------------------------------------------------------------------------------------------------------------------
# Defer steps to the ends of rounds, on SSA form, if they are made earlier than they are wanted:
#
#     L4: r[t1.2]=PHI(L3:r[t5],L7:r[t1.3]);        L4: r[t1.2]=PHI(L3:r[t5],L7:r[t1.3]);
#         r[t1.3]=r[t1.2]+4;                           PC=r[t2]<=r[t3],L7;
#         PC=r[t2]<=r[t3],L7;              =>      L6: L[r[t1.2]]=r[t3];
#     L6: L[r[t1.2]]=r[t3];                        L7: r[t1.3]=r[t1.2]+4;
#     L7: PC=r[t1.3]!=r[t9],L4;                        PC=r[t1.3]!=r[t9],L4;


ROUNDING = 1.001  # of sums of frequencies


def defer_to_latches(state: FunctionState) -> None:
    """Step variables of loops in the blocks at their ends, if only these want the new values and others the old ones."""
    loops = [found for found in single_latch_loops(state) if found[2] != found[0].header]
    if not loops:
        return
    users, blocks = Users(state), state.function.blocks
    for loop, _, latch in loops:
        for phi in blocks[loop.header].phis:
            new = phi.sources[blocks[latch].label]
            step = next((user for user in users.of.get(phi.target, ()) if isinstance(user, Rtl) and new in user.sets), None)
            if step is not None and _is_wanted_late(state, users, latch, phi, step):
                _move_to(state, step, users.homes[step], latch)


def _is_wanted_late(state: FunctionState, users: Users, latch: int, phi: Phi, step: Rtl) -> bool:
    """Whether the new value of a variable is wanted at the end of the round only, and other blocks want the old one."""
    home = users.homes[step]
    effect = step.single_set
    if home == latch or effect is None or stepped(effect.source) is not phi.target or not state.machine.is_legal(step.effects):
        return False
    if any(
        user is not phi and (isinstance(user, Phi) or users.homes[user] != latch) for user in users.of.get(step.sets[0], ())
    ):
        return False
    liveness, old = state.get(LIVENESS), state.get(LIVENESS).numbering.mask((phi.target,))
    if not old & liveness.live_out[home] or old & liveness.live_out[latch]:
        return False
    if liveness.numbering.mask(state.machine.may_clobber(step.effects)) & liveness.live_in[latch]:
        return False
    frequencies = state.get(FREQUENCIES)
    return dominates(state.get(DOMINATORS), home, latch) and frequencies[latch] <= ROUNDING * frequencies[home]


def _move_to(state: FunctionState, rtl: Rtl, home: int, number: int) -> None:
    """Move an RTL to the beginning of another block."""
    blocks = state.function.blocks
    rest = [other for other in blocks[home].rtls if other is not rtl]
    state.change({blocks[home]: rest, blocks[number]: [rtl, *blocks[number].rtls]})


def _deferred(state: FunctionState, block: Block, liveness: Liveness, number: int) -> dict[Rtl, list[Rtl]]:
    """Return the RTLs to move, by the RTL behind which they belong."""
    first: dict[Register, int] = {}
    last: dict[Register, int] = {}
    for position, rtl in enumerate(block.rtls):
        for register in rtl.uses:
            first.setdefault(register, position)
            last[register] = position
    live_out = liveness.live_out[number]
    live: list[int] = []  # behind each RTL, where it matters
    copied: dict[Register, tuple[int, Register]] = {}
    moved: set[int] = set()
    after: dict[Rtl, list[Rtl]] = {}
    for position, rtl in enumerate(block.rtls):
        effect = rtl.single_set
        if effect is None or not isinstance(effect.target, Register) or not effect.target.pseudo:
            continue
        if isinstance(effect.source, Register) and effect.source.pseudo:
            copied[effect.target] = position, effect.source
            continue
        group, old = [position], stepped(effect.source)
        if old in copied and first[old] == last[old] == position and not live_out & liveness.numbering.mask((old,)):
            start, old = copied[old]  # the copy that an instruction with two addresses changes
            group = [start, position]
        if old is None or not old.pseudo or live_out & liveness.numbering.mask((old,)):
            continue
        end = last.get(old, -1)
        if end <= position or first.get(effect.target, end + 1) <= end or end in moved or block.rtls[end].transfer is not None:
            continue
        if _copies_value(block.rtls[end]):
            continue  # the old value lives on there
        clobbers = state.machine.may_clobber(rtl.effects)
        if clobbers:
            live = live or liveness.backward(number)
            if liveness.numbering.mask(clobbers) & live[end]:
                continue
        after.setdefault(block.rtls[end], []).extend(block.rtls[index] for index in group)
        moved.update(group)
    return after


def _copies_value(rtl: Rtl) -> bool:
    """Whether an RTL does nothing but copy a pseudo-register to another, as before an instruction with two addresses."""
    effect = rtl.single_set
    registers = (effect.target, effect.source) if effect is not None else ()
    return bool(registers) and all(isinstance(register, Register) and register.pseudo for register in registers)


def stepped(source: object) -> Register | None:
    """Return the register to which an expression adds a constant."""
    if isinstance(source, Op) and source.op == "+" and isinstance(source.args[1], Const):
        old = source.args[0]
        return old if isinstance(old, Register) else None
    return None


# ----------------------------------------------------------------------------------------------------------------------
# Advance steps, on SSA form: step an address where it is used last, if one instruction does both.
#
#     L4: r[t2]=L[r[t1.2]];                    L4: r[t2]=L[r[t1.2]];
#         PC=r[t2]==0,L7;                          r[t1.3]=r[t1.2]+4;
#         ...                          =>          PC=r[t2]==0,L7;
#     L7: r[t1.3]=r[t1.2]+4;                       ...
#         PC=r[t1.3]!=r[t9],L4;                L7: PC=r[t1.3]!=r[t9],L4;
#
# `vpo/opt/selection/simultaneous.py` joins the two later. Within a block that is the work of `vpo/opt/loops/steps.py`.


def advance_steps(state: FunctionState) -> None:
    """Move steps of addresses to the blocks of a loop in which these are used last, where one instruction does both."""
    if state.function.stage != "ssa" or not state.machine.capabilities.pairs:
        return
    loops = state.get(LOOPS)
    if not loops:
        return
    if state.machine.capabilities.steps_by_registers:
        from vpo.opt.loops.strides import hoist_strides  # few machines need it

        hoist_strides(state)
    users = Users(state)
    inner: dict[int, Loop] = {}  # the innermost loop of each block
    for loop in sorted(loops, key=lambda loop: -len(loop.blocks)):
        inner.update(dict.fromkeys(loop.blocks, loop))
    for loop in loops:
        for phi in state.function.blocks[loop.header].phis:
            found = _last_step(users, phi.target)
            if found is None:
                continue
            step, number = found
            there = users.homes[step]
            together = inner.get(number) is inner.get(there) is loop and dominates(state.get(DOMINATORS), number, there)
            if number != there and together and _advance(state, step, there, number, phi.target):
                users.homes[step] = number


def _last_step(users: Users, variable: Register) -> tuple[Rtl, int] | None:
    """Return what steps a variable, and the one block in which else it is used."""
    readers = users.of.get(variable, [])
    rtls = [user for user in readers if isinstance(user, Rtl)]
    step = next((rtl for rtl in rtls if _steps_register(rtl, variable)), None)
    places = {users.homes[rtl] for rtl in rtls if rtl is not step}
    if step is None or len(places) != 1 or len(rtls) != len(readers):
        return None
    return step, places.pop()


def _steps_register(rtl: Rtl, register: Register) -> bool:
    effect = rtl.single_set
    return effect is not None and isinstance(effect.target, Register) and stepped(effect.source) is register


def _advance(state: FunctionState, step: Rtl, there: int, number: int, old: Register) -> bool:
    """Move a step from one block behind the last use of its old value in another one, if one instruction does both."""
    blocks = state.function.blocks
    here = blocks[number].rtls
    last = max(position for position, rtl in enumerate(here) if old in rtl.uses)
    if here[last].transfer is not None or not state.machine.is_legal((*here[last].effects, *step.effects)):
        return False
    liveness = state.get(LIVENESS)
    if liveness.numbering.mask(state.machine.may_clobber(step.effects)) & liveness.backward(number)[last]:
        return False
    without = [rtl for rtl in blocks[there].rtls if rtl is not step]
    return state.change({blocks[there]: without, blocks[number]: [*here[: last + 1], step, *here[last + 1 :]]})


# ----------------------------------------------------------------------------------------------------------------------
# Late steps: a register that steps after its old value was copied steps when the copy has been used instead.
#
#     r[t2]=r[t1];
#     r[t1]=r[t1]+4;               r[t3]=L[r[t1]];
#     r[t3]=L[r[t2]];      =>      r[t1]=r[t1]+4;
#
# That is `x=*p++;`.  The copy goes, and a machine that steps addresses by the way can join the two that are left.


def sink_increments(state: FunctionState) -> None:
    """Move an increment below the last use of a copy of the old value, and remove the copy."""
    liveness = state.get(LIVENESS).copy()
    for index, block in enumerate(state.function.blocks):
        if not any(map(_steps, block.rtls)):
            continue
        place = 0
        while place < len(block.rtls):
            if _delay(block, place, liveness, index, state):
                liveness.accesses[index] = _accesses(block, liveness)
            else:
                place += 1


def _steps(rtl: Rtl) -> bool:
    effect = rtl.single_set
    return effect is not None and is_step(effect)


def _accesses(block: Block, liveness: Liveness) -> list[Access]:
    return [access(rtl, liveness.numbering) for rtl in block.rtls]


def _delay(block: Block, place: int, liveness: Liveness, index: int, state: FunctionState) -> bool:
    """Remove the copy at `place` if what it copies steps and the copy has been used before the end of the block."""
    copy = block.rtls[place].single_set
    if copy is None or type(copy.target) is not Register or type(copy.source) is not Register:
        return False
    old, register = copy.target, copy.source
    if not (old.pseudo and register.pseudo) or old.cls != register.cls:
        return False
    mask = liveness.numbering.mask
    copied, stepping = mask((old,)), mask((register,))
    accesses = liveness.accesses[index]
    step = last = None
    for k in range(place + 1, len(block.rtls)):
        entry = accesses[k]
        if entry.sets & copied:
            return False
        if step is None and entry.sets & stepping:
            effect = block.rtls[k].single_set
            if effect is None or effect.target is not register or not is_step(effect):
                return False
            step = k
        elif step is not None and (entry.sets | entry.uses) & stepping:
            break  # the new value is wanted here
        if entry.uses & copied:
            last = k
    else:
        k = len(block.rtls)
    if step is None or last is None or last <= step or block.rtls[last].transfer is not None:
        return False
    after = liveness.backward(index)
    if after[k - 1] & copied or accesses[step].clobbers & after[last]:
        return False
    return _move(block, place, step, last, old, register, state)


def _move(block: Block, place: int, step: int, last: int, old: Register, register: Register, state: FunctionState) -> bool:
    """Remove the copy, let what reads it up to `last` read the register instead, and put the step behind that."""
    rtls = block.rtls
    new = list(rtls)
    for k in range(place + 1, last + 1):
        if k != step and old in rtls[k].uses:
            effects = tuple(rebuild_effect(e, lambda node: register if node is old else None) for e in rtls[k].effects)
            if any(old in effect.uses for effect in effects):
                return False
            new[k] = merged(effects, rtls[k], rtls[place])
    new.insert(last + 1, rtls[step])
    del new[step], new[place]
    return state.change({block: new})
