"""Joined tests: branches that compare one value with several numbers become one branch, or fewer ones.

    PC=r[t1]<48,L9;                      r[t2]=r[t1]+-48;
L2: PC=r[t1]>57,L9;               =>     PC=r[t2]>u9,L9;
L3: ...                              L3: ...

The branches decide between two ways only.  For each of them, the numbers that lead there are intervals.  An interval is told
by a difference and a comparison without sign; two intervals that differ in one bit, as those of small and capital letters,
are one behind a mask.  What is left is tested one after the other.
"""

from __future__ import annotations

import itertools
from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from vpo.algebra import truncate
from vpo.algebra.number_sets import Numbers, Piece, both, either, holding, pieces_of, without
from vpo.analysis.cfg import Cfg, branch_of
from vpo.analysis.frequency import branch_comparison
from vpo.analysis.liveness import Liveness, access
from vpo.base.errors import CannotExpress
from vpo.lower.legalize import Legalizer
from vpo.opt.jump_threading import Known
from vpo.opt.state import CFG, LIVENESS, LOOPS, FunctionState, merged
from vpo.rtl import BITS, INTEGER_TYPES, RELATIONS, SWAPPED, Branch, Const, Expr, Jump, Op, Register, Rtl
from vpo.rtl.function import Block

MOST_TESTS = 16  # branches that may become one
MOST_RTLS = 6  # of a block that only tests
MOST_OPEN = 4  # blocks that some tests may lead to if others behind them are to bring these together


def join_tests(state: FunctionState) -> None:
    """Let one branch decide what several do that compare a value with numbers."""
    if state.function.stage != "pseudo":
        return
    done: set[Block] = set()
    while (chain := _next(state, done)) is not None:
        done.add(chain.block)
        _Joining(state, chain).run()


class _Test(NamedTuple):
    """A branch that compares a value with a number: for which numbers it is taken, and the RTLs that take part."""

    operand: Expr  # as the block has it
    value: Expr  # by what was known at the beginning
    taken: Numbers
    rtls: tuple[Rtl, ...]


@dataclass
class _Chain:
    """Branches that compare one value, from a block on: which numbers lead to which of the blocks behind them."""

    block: Block
    test: _Test
    exits: dict[object, tuple[int, Numbers]] = field(default_factory=dict)
    ways: list[tuple[_Test, ...]] = field(default_factory=list)  # the tests on each way to an exit
    tests: list[_Test] = field(default_factory=list)


def _next(state: FunctionState, done: set[Block]) -> _Chain | None:
    """Return the next branches that may become one."""
    cfg, blocks = state.get(CFG), state.function.blocks
    finder = _Finder(state)
    for number in cfg.reverse_postorder():
        if blocks[number] not in done:
            chain = finder.chain(number)
            if chain is not None:
                return chain
            done.add(blocks[number])
    return None


class _Finder:
    """Finds branches that compare one value."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.blocks, self.machine = state, state.function.blocks, state.machine
        self.cfg: Cfg = state.get(CFG)
        self.heads = {loop.header for loop in state.get(LOOPS)}
        self.steady = frozenset((*self.machine.zero, self.machine.stack_pointer))

    def chain(self, root: int) -> _Chain | None:
        """Return what a block and those behind it decide, if these are two ways and several branches."""
        if not self._may_test(root) or not any(map(self._may_test_behind, self.cfg.successors[root])):
            return None
        known = Known(self.steady, None)
        test = self._test(root, known)
        if test is None or known.value(test.operand) is not test.value:
            return None
        found = None
        for most in range(2, MOST_TESTS + 1):
            chain = self._explored(root, test, known, most)
            if len(chain.exits) == 2 and len(chain.tests) > 1:
                found = chain
            if len(chain.tests) < most or len(chain.exits) > MOST_OPEN:
                break
        return found

    def _may_test(self, number: int) -> bool:
        branch = branch_of(self.blocks[number])
        return branch is not None and len(set(self.cfg.successors[number])) == 2

    def _may_test_behind(self, number: int) -> bool:
        """Whether a block, or one that it only leads to, may test."""
        for _ in range(3):
            if self._may_test(number):
                return self._only_tests(number)
            if len(self.cfg.successors[number]) != 1:
                return False
            (number,) = self.cfg.successors[number]
        return False

    def _test(self, number: int, known: Known) -> _Test | None:
        """Return what the branch of a block tests; what is known follows the block."""
        block = self.blocks[number]
        found = branch_comparison(block)
        if found is None or not isinstance(found.branch.transfer, Branch) or len(found.relation.args) != 2:
            return None
        left, right, relation = *found.relation.args, found.relation.op
        constants = [rtl for rtl in block.rtls if rtl.single_set is not None and type(rtl.single_set.source) is Const]
        if not constants and self._number(left) is None and self._number(right) is None:
            return None
        values: list[Expr] = []
        for rtl in block.rtls:
            if rtl is found.compare:
                values = [known.value(arg) for arg in found.relation.args]
            if rtl is not found.branch:
                known.follow(rtl)
        numbers = [self._number(value) for value in values]
        if numbers[0] is not None:
            left, values, numbers, relation = right, values[::-1], numbers[::-1], SWAPPED.get(relation, "")
        number_ = numbers[1]
        if number_ is None or numbers[0] is not None or left.type not in INTEGER_TYPES or known.is_strange(values[0]):
            return None
        if relation not in RELATIONS or relation.startswith("!<") or relation.startswith("!>"):
            return None
        taken = holding(relation, number_, BITS[left.type])
        return _Test(left, values[0], taken, tuple(dict.fromkeys((*constants, found.compare, found.branch))))

    def _number(self, value: Expr) -> int | None:
        if type(value) is Const:
            return value.value
        return 0 if value in self.machine.zero else None

    def _explored(self, root: int, test: _Test, known: Known, most: int) -> _Chain:
        """Return where a branch leads, with at most so many others that compare the same value."""
        chain = _Chain(self.blocks[root], test)
        work: deque[tuple[int, Numbers, Known, tuple[_Test, ...]]] = deque()
        full = (1 << BITS[test.operand.type]) - 1

        def decide(number: int, tested: _Test, values: Numbers, behind: Known, before: tuple[_Test, ...]) -> None:
            chain.tests.append(tested)
            way = (*before, tested)
            branch = branch_of(self.blocks[number])
            assert branch is not None
            taken = self.cfg.labels[branch.label]
            (other,) = set(self.cfg.successors[number]) - {taken}
            work.append((taken, both(values, tested.taken), behind, way))
            work.append((other, both(values, without(full, tested.taken)), behind, way))

        decide(root, test, ((0, full),), known, ())
        while work:
            number, values, before, way = work.popleft()
            if not values:
                continue
            number = self._led_to(number)
            if len(chain.tests) < most and number != root and self._only_tests(number):
                behind = before.copied()
                following = self._test(number, behind)
                if following is not None and self._is_alike(following, test):
                    decide(number, following, values, behind, way)
                    continue
            key = self._key(number)
            place, others = chain.exits.get(key, (number, ()))
            chain.exits[key] = place, either(values, others)
            chain.ways.append(way)
        return chain

    def _led_to(self, number: int) -> int:
        """Return the block that one leads to that does nothing else."""
        for _ in range(4):
            successors = self.cfg.successors[number]
            if len(successors) != 1 or number in self.heads or not self._vanishes(number):
                break
            (number,) = successors
        return number

    def _only_tests(self, number: int) -> bool:
        """Whether a block does nothing but to decide."""
        return self._may_test(number) and number not in self.heads and self._vanishes(number)

    def _is_alike(self, one: _Test, other: _Test) -> bool:
        return one.value is other.value and one.operand.type == other.operand.type

    def _vanishes(self, number: int) -> bool:
        """Whether a block does nothing, but for its transfer, that is wanted behind it."""
        rtls = self.blocks[number].rtls
        if len(rtls) > MOST_RTLS:
            return False
        if any(rtl.acts if rtl.transfer is None else len(rtl.effects) > 1 or rtl.call is not None for rtl in rtls):
            return False
        return all(register not in self.live and self._is_unstable(register) for rtl in rtls for register in rtl.sets)

    def _is_unstable(self, register: Register) -> bool:
        """Whether a register is nothing but what this function makes of it."""
        if register.pseudo:
            return True
        return self.machine.role(register)[1] and not self.machine.has_allocable(register.cls)

    @cached_property
    def live(self) -> set[Register]:
        """The registers that some block reads before it sets them: others live within blocks only."""
        found: set[Register] = set()
        for block in self.blocks:
            there: set[Register] = set()
            for rtl in block.rtls:
                found.update(register for register in rtl.uses if register not in there)
                there.update(rtl.sets)
        return found

    def _key(self, number: int) -> object:
        """Return what is the same for blocks that do the same and lead to the same one."""
        rtls, successors = self.blocks[number].rtls, self.cfg.successors[number]
        if len(successors) != 1 or len(rtls) > MOST_RTLS or number in self.heads:
            return number
        return tuple(rtl.effects for rtl in rtls if rtl.transfer is None), *successors, len(rtls) > 0 or number


# ----------------------------------------------------------------------------------------------------------------------
# Tests of numbers, and the change.


class _Joining:
    """Puts other branches in the place of a chain of them."""

    def __init__(self, state: FunctionState, chain: _Chain) -> None:
        self.state, self.chain, self.machine = state, chain, state.machine
        self.type = chain.test.operand.type
        self.bits = BITS[self.type]

    def run(self) -> None:
        """Change the function if there are branches that are shorter, and permitted."""
        operand = self.chain.test.operand
        part = operand.args[0] if type(operand) is Op and operand.op == "tr" else operand
        if type(part) is not Register:
            return
        self.register = part
        function, blocks = self.state.function, self.state.function.blocks
        (_, (one, some)), (_, (other, rest)) = self.chain.exits.items()
        ways = [(blocks[one].label, blocks[other].label, some), (blocks[other].label, blocks[one].label, rest)]
        slots = dict(function.slots)
        found = [made for way in ways if (made := self._way(*way)) is not None]
        if function.slots != slots:
            function.slots.clear()
            function.slots.update(slots)
            return
        if not found:
            return
        cost, _, code, goal = min(found, key=lambda each: each[:2])
        longest = max(sum(self._size(rtl) for test in way for rtl in test.rtls) for way in self.chain.ways)
        if cost <= longest and not self._harms(code, (one, other)):
            self._install(code, goal)

    def _way(self, label: str, other: str, values: Numbers) -> tuple[int, int, list[list[Rtl]], str] | None:
        """Return branches that go to a label for some numbers, each at the end of its code, and the label of the others.

        Before these, there are their cost and how many intervals go around 0; None if there are no fewer branches.
        """
        pieces = pieces_of(values, self.bits)
        code = [self._code(piece, label) for piece in pieces] if len(pieces) < len(self.chain.tests) else [None]
        made = [each for each in code if each is not None]
        if len(made) < len(code):
            return None
        cost = sum(map(self._size, itertools.chain.from_iterable(made)))
        return cost, sum(piece.low > piece.high for piece in pieces), made, other

    def _code(self, piece: Piece, label: str) -> list[Rtl] | None:
        """Return what branches for the numbers of a piece, and does nothing else; None where that cannot be."""
        code = Legalizer(self.machine, self.state.function)
        try:
            self._test(code, piece, label)
        except CannotExpress:
            return None
        if not code.out or type(code.out[-1].transfer) is not Branch or any(rtl.acts for rtl in code.out[:-1]):
            return None
        return [merged(rtl.effects, *(old for test in self.chain.tests for old in test.rtls)) for rtl in code.out]

    def _size(self, rtl: Rtl) -> int:
        return self.machine.record(rtl).size

    def _test(self, code: Legalizer, piece: Piece, label: str) -> None:
        """Branch to a label for the numbers of a piece."""
        value: Expr = self.register
        distance, relation, limit = piece.question(self.bits)
        if piece.bit:
            value = code.operate("&", value, Const(~piece.bit), self.register.cls)
        if distance:
            value = code.operate("+", value, self._number(distance), self.register.cls)
        code.branch(relation, truncate(self.type, value), self._number(limit), label)

    def _number(self, value: int) -> Const:
        """Return a number with sign that has the low bits of another."""
        low = value & (1 << self.bits) - 1
        return Const(low - (low >> self.bits - 1 << self.bits))

    def _harms(self, code: list[list[Rtl]], exits: tuple[int, int]) -> bool:
        """Whether code changes what is wanted behind it."""
        liveness: Liveness = self.state.get(LIVENESS)
        wanted = liveness.live_in[exits[0]] | liveness.live_in[exits[1]]
        entries = [access(rtl, liveness.numbering) for rtls in code for rtl in rtls]
        return any((entry.sets | entry.clobbers) & wanted for entry in entries)

    def _install(self, code: list[list[Rtl]], goal: str) -> None:
        function, block = self.state.function, self.chain.block
        blocks = function.blocks
        place = blocks.index(block) + 1
        last = block.rtls[-1]
        jump = Rtl((Jump(goal),), last.lines, last.cause)
        new = [Block(function.label(), rtls) for rtls in (*code[1:], [jump])]
        self.state.change({block: [*block.rtls[:-1], *code[0]]}, [*blocks[:place], *new, *blocks[place:]])
