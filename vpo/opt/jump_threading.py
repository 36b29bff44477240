"""Jump threading: go past a branch that is decided wherever control comes from one way.

    r[t1]=1;                     r[t1]=1;                     PC=r[t1]==0,L4;          PC=r[t1]==0,L4;
    PC=L5;                       PC=L6;                       ...                      ...
    ...                    =>    ...                      L4: PC=L5;               L4: PC=L7;
L5: PC=r[t1]!=0,L6;          L5: PC=r[t1]!=0,L6;          L5: PC=r[t1]>0,L6;   =>  L5: PC=r[t1]>0,L6;
                                                          L7: ...                  L7: ...

Truth values that are computed by branches, results of functions that were inlined, and conditions that are found out twice
are tested so.  The block of the branch may hold a few RTLs more, and so may blocks between that only lead to it, where several
ways meet; they are copied.  Heads of loops stay, so that no loop gets a second entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from vpo.algebra import rebuild
from vpo.analysis.cfg import Cfg, branch_of, transfer_of
from vpo.analysis.liveness import does_more_than_set
from vpo.analysis.relations import Fact, outcome_of
from vpo.machines.machine import Machine
from vpo.opt.state import CFG, LOOPS, FunctionState
from vpo.rtl import RELATIONS, Branch, Call, Const, Effect, Expr, Jump, Op, Register, Rtl, Set
from vpo.rtl.function import Block

MAX_COPIED = 3  # RTLs before the branch, beside those that mostly vanish
BLOCKS_BEFORE = 6  # so many in a row are looked at
MOST_IN_WAY = 3  # blocks from which ways to a test are one
ROUNDS = 4  # a way past one test may lead to another
LARGEST = 10  # value that is followed


def thread_jumps(state: FunctionState) -> None:
    """Let jumps to a branch that they decide go where it leads."""
    if state.function.stage != "pseudo":
        return
    heads = {loop.header for loop in state.get(LOOPS)}
    tests = [number for number, block in enumerate(state.function.blocks) if number not in heads and _is_test(block)]
    for _ in range(ROUNDS):
        threading = _Threading(state, heads)  # by the flow of control before all changes of a round
        for test in tests:
            threading.thread((test,), state.function.blocks[test].rtls[:-1])
        if not threading.changed:
            return


def _is_test(block: Block) -> bool:
    """Whether a block only decides where to go, and can be copied."""
    return branch_of(block) is not None and _can_be_copied(block.rtls[:-1], _decisive(block))


def _can_be_copied(rtls: Sequence[Rtl], decisive: Register | None) -> bool:
    """Whether RTLs are few and do nothing but set."""
    singles = [rtl.single_set for rtl in rtls]
    if sum(single is None or not _vanishes(single, decisive) for single in singles) > MAX_COPIED:
        return False
    return all(single is not None and not does_more_than_set(single) for single in singles)


def _vanishes(single: Set, decisive: Register | None) -> bool:
    """Whether a copy mostly goes: one that moves a register, and one that compares, since no branch asks."""
    return type(single.source) is Register or single.target is decisive


def _decisive(block: Block) -> Register | None:
    """Return the condition code, or the hard register with the truth of a comparison, by which a block's branch decides."""
    branch = branch_of(block)
    tested = branch.condition.args[0] if branch is not None else None
    return tested if type(tested) is Register and not tested.pseudo else None


class _Threading:
    """A round: each block goes through one test."""

    def __init__(self, state: FunctionState, heads: AbstractSet[int]) -> None:
        self.state, self.blocks, self.cfg, self.heads = state, state.function.blocks, state.get(CFG), heads
        self.changed: set[int] = set()

    def thread(self, way: tuple[int, ...], rtls: Sequence[Rtl]) -> None:
        """Let the blocks that only lead to the first of a way go past the test at its end if they decide it.

        `rtls` are those of the way before the branch.
        """
        blocks, predecessors = self.blocks, self.cfg.predecessors
        branch, decisive = branch_of(blocks[way[-1]]), _decisive(blocks[way[-1]])
        assert branch is not None
        for before in predecessors[way[0]]:
            if before in way or before in self.changed or self.cfg.successors[before] != [way[0]]:
                continue
            block = blocks[before]
            taken = _known_behind(blocks, self.cfg, before, self.state.machine, decisive).outcome(rtls, branch)
            if taken is not None:
                goal = branch.label if taken else blocks[way[-1] + 1].label
                if self.state.change({block: _past(block, [*rtls, blocks[way[-1]].rtls[-1]], goal)}):
                    self.changed.add(before)
            elif len(way) < MOST_IN_WAY and len(predecessors[before]) > 1 and before not in self.heads:
                longer = [*_without_transfer(block), *rtls]
                if _can_be_copied(longer, decisive):
                    self.thread((before, *way), longer)


def _without_transfer(block: Block) -> list[Rtl]:
    return block.rtls[:-1] if transfer_of(block) is not None else block.rtls


def _known_behind(blocks: list[Block], cfg: Cfg, number: int, machine: Machine, decisive: Register | None) -> Known:
    """Return what the blocks right before the end of a block tell of the values of registers there."""
    way = [number]
    while len(way) < BLOCKS_BEFORE and len(cfg.predecessors[way[-1]]) == 1:
        way.append(cfg.predecessors[way[-1]][0])
    known = Known(frozenset((*machine.zero, machine.stack_pointer)), decisive)
    for place in range(len(way) - 1, -1, -1):
        block = blocks[way[place]]
        for rtl in block.rtls:  # all of them: one that is left out may set what an older block made known
            known.follow(rtl)
        if place:
            known.learn(block, blocks[way[place - 1]], blocks[way[place] + 1] if way[place] + 1 < len(blocks) else None)
    return known


@dataclass
class Known:
    """The values that registers have at a place, by what they had before, and which relations hold between such values.

    A register that is in no table has a value of which nothing is known but that it has not changed; when it does, it gets
    a name of its own: another version of the register, that stands for one value only.
    """

    steady: frozenset[Register]  # hard registers that do not change by the way
    decisive: Register | None  # the hard register by which the branch in question decides
    values: dict[Register, Expr] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    names: int = 0

    def follow(self, rtl: Rtl) -> None:
        """Note what an RTL makes of registers and memory."""
        single = rtl.single_set
        target = single.target if single is not None and not single.acts else None
        value = self._known(single.source) if single is not None and type(target) is Register else None
        if rtl.acts and (rtl.stores or any(map(_touches_memory, rtl.effects))):
            self._forget_memory()
        for register in rtl.sets:
            self.values[register] = self._unknown(register)
        if type(target) is Register and value is not None and (target.pseudo or target.type == "C" or target is self.decisive):
            self.values[target] = value

    def learn(self, block: Block, following: Block, below: Block | None) -> None:
        """Note what the branch at the end of a block tells on the way to one that follows."""
        branch = branch_of(block)
        if branch is None or (branch.label == following.label and following is below):
            return
        relation = rebuild(branch.condition, self._value_of)
        if type(relation) is Op and relation.op in RELATIONS and not self.is_strange(relation):
            self.facts.append(Fact(relation, branch.label == following.label))

    def copied(self) -> Known:
        """Return the same for another way from here."""
        return replace(self, values=dict(self.values), facts=list(self.facts))

    def value(self, expression: Expr) -> Expr:
        """Return an expression with what is known of its registers."""
        return rebuild(expression, self._value_of)

    def outcome(self, rtls: Iterable[Rtl], branch: Branch) -> bool | None:
        """Return whether a branch behind some RTLs is taken; None if that is not known."""
        behind = self.copied()
        for rtl in rtls:
            behind.follow(rtl)
        relation = rebuild(branch.condition, behind._value_of)
        if type(relation) is Const:
            return bool(relation.value)
        return outcome_of(relation, behind.facts) if type(relation) is Op and relation.op in RELATIONS else None

    def _value_of(self, node: Expr) -> Expr | None:
        return self.values.get(node) if type(node) is Register else None

    def _known(self, source: Expr) -> Expr | None:
        """Return the value of an expression, if it can be named."""
        value = rebuild(source, self._value_of)
        return None if value.size > LARGEST or self.is_strange(value) else value

    def is_strange(self, value: Expr) -> bool:
        """Whether hard registers tell a value, which may change by the way."""
        for register in value.uses:
            if not register.pseudo and register not in self.steady:
                return True
        return False

    def _unknown(self, register: Register) -> Expr:
        """Return a name for the value of a register of which nothing is known."""
        self.names += 1
        return Register(register.cls, register.index, register.type, register.pseudo, self.names)

    def _forget_memory(self) -> None:
        """Forget what was read from memory that may have changed."""
        for register, value in self.values.items():
            if value.memory:
                self.values[register] = self._unknown(register)
        self.facts = [fact for fact in self.facts if not fact.relation.memory]


def _touches_memory(effect: Effect) -> bool:
    """Whether an effect may change memory."""
    return type(effect) is Call or (type(effect) is Set and does_more_than_set(effect))


def _past(block: Block, test: Sequence[Rtl], goal: str) -> list[Rtl]:
    """Return the RTLs of a block that does what a test does, and goes on behind it."""
    last = transfer_of(block)
    why = last if last is not None else test[-1]
    return [*_without_transfer(block), *(rtl.copied() for rtl in test[:-1]), Rtl((Jump(goal),), why.lines, why.cause)]
