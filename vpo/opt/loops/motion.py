"""Loop-invariant code motion, on SSA form: compute before a loop what does not change in it.

    L4: ...                            L4: r[t1]=HI[_x];
    L5: r[t1]=HI[_x];                  L5: r[t2]=L[r[t1]+LO[_x]];
        r[t2]=L[r[t1]+LO[_x]];   =>        ... PC=...,L5;
        ... PC=...,L5;

A value that nothing in the loop takes part in is computed in the preheader, inner loops first, as long as there are
registers for all that lives through the loop.  What can fault moves only if the loop executes it in any case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from vpo.algebra import CONSTANTS
from vpo.analysis.alias import Aliases, is_opaque
from vpo.analysis.cfg import end_of
from vpo.analysis.dominators import Loop, dominates
from vpo.analysis.liveness import Liveness, has_side_effect
from vpo.analysis.ssa import defining_blocks
from vpo.opt.loops.loop_variables import Room, calls_in, named_in
from vpo.opt.ssa.split_edges import preheader_of
from vpo.opt.state import ALIASES, CFG, DOMINATORS, FREQUENCIES, LIVENESS, LOOPS, ROUTINE_CALLS, FunctionState
from vpo.rtl import QUOTIENTS, Const, Expr, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Block

RESERVE = 2  # registers that survive calls, and that values do not take: constants can be computed anew


def move_invariant_code(state: FunctionState) -> None:
    """Move what does not change in loops in front of them."""
    if state.function.stage != "ssa":
        return
    facts = _Facts(defining_blocks(state.function), state.get(ALIASES), state.get(LIVENESS))
    order = {number: position for position, number in enumerate(state.get(CFG).reverse_postorder())}
    for loop in state.get(LOOPS):
        place = preheader_of(state.get(CFG), loop)
        if place is not None:
            facts.renew(state, {*loop.blocks, place})
            _Motion(state, loop, place, sorted(loop.blocks, key=order.__getitem__), facts).run()


@dataclass
class _Facts:
    """What is known of registers, which stay what they are while code moves; `homes` are kept up to date.

    Moving code out of a loop changes which registers are live in the loop and its preheader only: these are `outdated`.
    """

    homes: dict[Register, int]
    aliases: Aliases
    liveness: Liveness
    outdated: set[int] = field(default_factory=set)

    def renew(self, state: FunctionState, blocks: set[int]) -> None:
        """Compute liveness anew if it has changed in some blocks."""
        if not self.outdated.isdisjoint(blocks):
            self.liveness = state.get(LIVENESS)
            self.outdated.clear()


@dataclass(eq=False)
class _Candidate:
    """An RTL that could move: its block, the register it sets, and the candidates that compute its operands."""

    rtl: Rtl
    number: int
    target: Register
    free: bool  # whether it takes no room: it is computed anew where there is none
    constant: bool  # whether it, and all that it is computed from, is known before the function runs
    operands: tuple[_Candidate, ...]
    moves: bool = False


def _closure(candidate: _Candidate) -> list[_Candidate]:
    """Return a candidate and all that computes its operands."""
    found: dict[_Candidate, None] = {candidate: None}
    work = [candidate]
    while work:
        for operand in work.pop().operands:
            if operand not in found:
                found[operand] = None
                work.append(operand)
    return list(found)


class _Motion:
    """The motion out of one loop into the block `place`; `numbers` are the loop's blocks in reverse postorder."""

    def __init__(self, state: FunctionState, loop: Loop, place: int, numbers: list[int], facts: _Facts) -> None:
        self.state, self.loop, self.place, self.numbers = state, loop, place, numbers
        self.machine, self.blocks = state.machine, state.function.blocks
        self.homes, self.aliases, self.outdated = facts.homes, facts.aliases, facts.outdated
        self.routines = state.get(ROUTINE_CALLS)
        rtls = [rtl for number in self.numbers for rtl in self.blocks[number].rtls]
        self.changing = [rtl for rtl in rtls if has_side_effect(rtl)]
        self.opaque = any(map(is_opaque, self.changing))
        self.read = {register for rtl in rtls for register in rtl.uses}
        self.liveness = liveness = facts.liveness
        self.live, self.numbering = liveness.live_out[place], liveness.numbering

    def run(self) -> None:
        """Move what can be moved and has room, block by block, in an order in which operands come first."""
        candidates = self._candidates()
        if not candidates:
            return
        self._choose(candidates)
        chosen = {candidate.rtl: candidate for candidate in candidates if candidate.moves}
        permitted = True
        for number in self.numbers:
            block = self.blocks[number]
            moved = [part for rtl in block.rtls if rtl in chosen for part in self._parts(rtl)] if chosen else []
            if moved and permitted:
                self.outdated.update(self.loop.blocks, (self.place,))
                permitted = self._move(block, moved)
            if moved and not permitted:
                for rtl in moved:
                    self.homes.update(dict.fromkeys(rtl.sets, number))

    def _parts(self, rtl: Rtl) -> tuple[Rtl, ...]:
        """Return what moves together: with the result of a routine its call."""
        return self.routines[rtl].rtls if rtl in self.routines else (rtl,)

    def _move(self, block: Block, moved: list[Rtl]) -> bool:
        gone = set(moved)
        target = self.blocks[self.place]
        end = end_of(target)
        contents = [*target.rtls[:end], *moved, *target.rtls[end:]]
        return self.state.change({block: [rtl for rtl in block.rtls if rtl not in gone], target: contents})

    def _candidates(self) -> list[_Candidate]:
        """Return all that could move if there were room, operands first; it counts as defined before the loop."""
        found: dict[Register, _Candidate] = {}
        for number in self.numbers:
            for rtl in self.blocks[number].rtls:
                call = self.routines.get(rtl)
                effect = rtl.single_set if call is None else Set(call.target, call.value)
                if effect is None or not isinstance(effect.target, Register) or not effect.target.pseudo:
                    continue
                if self._is_movable(rtl, effect, number):
                    operands = tuple(dict.fromkeys(found[register] for register in effect.uses if register in found))
                    constant = call is None and len(operands) == len(effect.uses) and all(each.constant for each in operands)
                    free = isinstance(effect.source, CONSTANTS) and not self.opaque  # else it would be saved around calls
                    found[effect.target] = _Candidate(rtl, number, effect.target, free, constant, operands)
                    self.homes[effect.target] = self.place
        return list(found.values())

    # ---------------------------------------------------------------------------------------------------- the choice

    def _choose(self, candidates: list[_Candidate]) -> None:
        """Let those candidates move for which there is room, what spares most first, with what computes their operands."""
        users = self._users(candidates)
        rooms = self._rooms(users)
        weights = self.state.get(FREQUENCIES)

        before = weights[self.place] if not self.state.small else 0.0
        gains = {candidate: sum(weights[each.number] - before for each in _closure(candidate)) for candidate in candidates}
        profitable = [candidate for candidate in candidates if gains[candidate] > 0]
        for candidate in sorted(profitable, key=gains.__getitem__, reverse=True):
            closure = _closure(candidate)
            inside = {part for each in closure for part in self._parts(each.rtl)}
            wanted: Counter[str] = Counter()
            for each in closure:
                if not (each.moves or each.free or users[each.target] <= inside):
                    cls = self.machine.classes[each.target.cls]
                    wanted[cls.bank] += cls.width
            if all(rooms[candidate.constant].has(bank, width) for bank, width in wanted.items()):
                for each in closure:
                    each.moves = True
                for room in rooms:
                    room.take(wanted)
        for candidate in candidates:
            if not candidate.moves:
                self.homes[candidate.target] = candidate.number

    def _rooms(self, left_out: Container[Register]) -> tuple[Room, Room]:
        """Return the registers that there are for values, and for constants, which may have the last ones."""
        calls, named = calls_in(self.blocks, self.loop), named_in(self.state.function, self.loop)
        values = Room(self.machine, self.liveness, self.loop, calls, None, left_out, RESERVE if calls else 0)
        return values, Room(self.machine, self.liveness, self.loop, calls, named, left_out)

    def _users(self, candidates: list[_Candidate]) -> dict[Register, set[Rtl | None]]:
        """Return what uses each register that could move; None stands for phis, and for what comes behind the loop."""
        users: dict[Register, set[Rtl | None]] = {candidate.target: set() for candidate in candidates}
        cfg = self.state.get(CFG)
        behind = {successor for number in self.numbers for successor in cfg.successors[number]} - self.loop.blocks
        for block in (self.blocks[number] for number in (*self.numbers, *behind)):
            for phi in block.phis:
                for source in users.keys() & set(phi.sources.values()):
                    users[source].add(None)
        for number in behind:
            live = self.liveness.live_in[number]
            for register in users:
                if self.numbering.mask((register,)) & live:
                    users[register].add(None)
        for number in self.numbers:
            for rtl in self.blocks[number].rtls:
                for register in rtl.uses:
                    if register in users:
                        users[register].add(rtl)
        return users

    def _is_movable(self, rtl: Rtl, effect: Set, number: int) -> bool:
        """Whether an RTL computes the same in front of the loop, and does no harm there."""
        if has_side_effect(rtl) or isinstance(effect.source, Register) or effect.target not in self.read:
            return False
        if not all(self._is_invariant(register) for register in effect.uses):
            return False
        call = self.routines.get(rtl)
        clobbers = self.machine.may_clobber(rtl.effects) if call is None else tuple(call.changed(self.machine))
        if clobbers and self.numbering.mask(clobbers) & self.live:
            return False
        if any(self.aliases.may_change(other, cell) for cell in effect.source.memory for other in self.changing):
            return False
        if may_fault(effect.source, self.aliases):
            return not self.opaque and self._is_executed(number)
        return call is None or self._is_executed(number)

    def _is_invariant(self, register: Register) -> bool:
        if not register.pseudo:
            return register in self.machine.zero or register is self.machine.stack_pointer
        return self.homes.get(register) not in self.loop.blocks

    def _is_executed(self, number: int) -> bool:
        """Whether a block is executed whenever the loop is entered: all ways out of it and around it go through."""
        cfg, idom = self.state.get(CFG), self.state.get(DOMINATORS)
        ends = [n for n in self.numbers if any(s not in self.loop.blocks or s == self.loop.header for s in cfg.successors[n])]
        return all(dominates(idom, number, end) for end in ends)


def may_fault(node: Expr, aliases: Aliases) -> bool:
    """Whether evaluating could fault: a division, or memory that is no variable."""
    return any(_is_risky(part, aliases) for part in _parts(node))


def _parts(node: Expr) -> Iterator[Expr]:
    yield node
    for part in node.args if isinstance(node, Op) else ():
        yield from _parts(part)


def _is_risky(node: Expr, aliases: Aliases) -> bool:
    if isinstance(node, Op):
        by = node.args[-1]
        return node.op in QUOTIENTS and (not isinstance(by, Const) or by.value in (0, -1))
    return isinstance(node, Mem) and not aliases.is_variable(node)
