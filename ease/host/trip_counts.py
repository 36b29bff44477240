"""Loops whose rounds can be counted before they begin, so that nothing need be tested in them.

Such a loop is left when a register, stepped by the same constant once in each round, comes to a limit that does not change in
the loop; what else may leave it only makes the rounds fewer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ease.host.emitter import Emitter
from vpo.analysis.cfg import Cfg, annulled_slots, build_cfg
from vpo.analysis.dominators import dominates, dominators
from vpo.analysis.loops import Loop, natural_loops
from vpo.function import Block, Function
from vpo.rtl import BITS, REVERSED, SWAPPED, Branch, Const, Expr, Op, Register, Set

UP, DOWN = ("<", "<=", "<u", "<=u", "!="), (">", ">=", ">u", ">=u", "!=")
WIDTH = 32  # bits of the registers: products of what is in them have room in 64
LONGEST = 4096  # steps, for the same reason
Stored = Callable[[Register], tuple[tuple[str, int], ...]]  # tells what parts of the machine a register stands for


@dataclass(frozen=True, slots=True)
class Rounds:
    """A loop goes on while `register relation limit`, where the register is stepped by `step` in each round.

    `before`: whether it is stepped before the test.
    """

    register: Register
    relation: str
    limit: Register | Const
    step: int
    before: bool


def rounds_made(function: Function, counts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield, for innermost loops, the position of their first RTL and how often they went round each time, at least.

    `counts` tells how often each RTL of the function was executed.
    """
    cfg = build_cfg(function)
    loops = natural_loops(cfg, dominators(cfg))
    headers = {loop.header for loop in loops}
    positions = function.block_starts()

    def made(block: int) -> int:
        return counts[positions[block]] if positions[block] < positions[block + 1] else 0

    for loop in loops:
        if len(headers & loop.blocks) == 1:
            entered = sum(made(block) for block in cfg.predecessors[loop.header] if block not in loop.blocks)
            yield positions[loop.header], made(loop.header) // max(entered, 1)


def rounds_of(function: Function, cfg: Cfg, idom: dict[int, int], loop: Loop, stored: Stored) -> Rounds | None:
    """Return what decides on the rounds of an innermost loop, if that is known."""
    changes = Counter(
        key
        for number in loop.blocks
        for rtl in function.blocks[number].rtls
        for key in {key for register in rtl.sets for key in stored(register)}
    )
    ends = [block for block in cfg.predecessors[loop.header] if block in loop.blocks]
    always = [block for block in loop.blocks if all(dominates(idom, block, end) for end in ends)]
    steps = {register: (block, at, step) for block in always for register, at, step in _steps(function.blocks[block])}
    for number in always:
        block = function.blocks[number]
        for place, relation, *operands in _tests(block, cfg, number, loop):
            left, right = (_constant(block, place, operand, stored) or operand for operand in operands)
            for register, op, limit in ((left, relation, right), (right, SWAPPED[relation], left)):
                if not isinstance(register, Register) or register not in steps or not isinstance(limit, (Register, Const)):
                    continue
                fixed = isinstance(limit, Const) or not any(key in changes for key in stored(limit))
                alike = isinstance(limit, Const) or limit.type == register.type
                where, index, step = steps[register]
                once = all(changes[key] == 1 for key in stored(register))
                if fixed and alike and once and op in (UP if step > 0 else DOWN):
                    before = index < place if where == number else dominates(idom, where, number)
                    return Rounds(register, op, limit, step, before)
    return None


def _tests(block: Block, cfg: Cfg, number: int, loop: Loop) -> Iterator[tuple[int, str, Expr, Expr]]:
    """Yield the branch by which a block may leave a loop: where it compares, the relation that stays in it, and of what."""
    for index, rtl in enumerate(block.rtls):
        branch = rtl.transfer
        if not isinstance(branch, Branch) or rtl.annuls or loop.blocks.issuperset(cfg.successors[number]):
            continue
        condition = branch.condition
        relation = condition.op if cfg.labels[branch.label] in loop.blocks else REVERSED[condition.op]
        if relation.startswith("!") and relation != "!=":
            continue
        compared = condition.args[0]
        if compared.type != "C":
            left, right = condition.args
            yield index, relation, left, right
            continue
        for place in reversed(range(index)):
            if compared in block.rtls[place].sets:
                effect = block.rtls[place].single_set()
                if effect is not None and isinstance(effect.source, Op) and effect.source.op == "?":
                    left, right = effect.source.args
                    yield place, relation, left, right
                break


def _constant(block: Block, place: int, operand: Expr, stored: Stored) -> Const | None:
    """Return the constant that the block puts into a register before an RTL uses it, if it does."""
    if not isinstance(operand, Register):
        return None
    parts = set(stored(operand))
    for rtl in reversed(block.rtls[:place]):
        if any(not parts.isdisjoint(stored(register)) for register in rtl.sets):
            effect = rtl.single_set()
            source = effect.source if effect is not None and effect.target is operand else None
            return source if isinstance(source, Const) else None
    return None


def _steps(block: Block) -> Iterator[tuple[Register, int, int]]:
    """Yield registers that a block steps by a constant, where, and by how much."""
    for index, rtl in enumerate(block.rtls[: len(block.rtls) - annulled_slots(block)]):
        for effect in rtl.effects:
            if not isinstance(effect, Set) or not isinstance(effect.target, Register) or not isinstance(effect.source, Op):
                continue
            target, source = effect.target, effect.source
            if BITS.get(target.type) != WIDTH or target.type in "FD" or source.op not in "+-" or source.args[0] is not target:
                continue
            amount = source.args[-1]
            if isinstance(amount, Const) and len(source.args) == 2:
                step = _signed(amount.value if source.op == "+" else -amount.value)
                if 0 < abs(step) <= LONGEST:
                    yield target, index, step


def _signed(value: int) -> int:
    return (value + (1 << (WIDTH - 1))) % (1 << WIDTH) - (1 << (WIDTH - 1))


def fits(emitter: Emitter, rounds: Rounds, most: int, after: int, left: str) -> str:
    """Write, before the loop, a test (an i1) of whether all rounds take less than what is `left`, an i64.

    Each takes `most`, and what comes when the loop is left takes `after`.

    The register, which starts at a distance from its limit, is away from it for `distance / step + 2` rounds at most, if it
    cannot get beyond the end of its range; if it is tested for being the limit, it has to come there.
    """
    step, relation = abs(rounds.step), rounds.relation
    start, limit = (emitter.value(value, rounds.register.type) for value in (rounds.register, rounds.limit))
    if relation == "!=":
        first = emitter.put(f"add i32 {start}, {rounds.step}") if rounds.before else start
        ends = (limit, first) if rounds.step > 0 else (first, limit)
        near = emitter.put(f"sub i32 {ends[0]}, {ends[1]}")
        sure = f"icmp eq i32 {emitter.put(f'urem i32 {near}, {step}')}, 0"
        distance, more = emitter.put(f"zext i32 {near} to i64"), 1
    else:
        wide = "zext" if relation.endswith("u") else "sext"
        begin, end = (emitter.put(f"{wide} i32 {value} to i64") for value in (start, limit))
        lowest = 0 if wide == "zext" else -(1 << (WIDTH - 1))
        up = rounds.step > 0
        beyond = emitter.put(f"icmp {'sgt' if up else 'slt'} i64 {begin}, {end}")
        farther = emitter.put(f"select i1 {beyond}, i64 {begin}, i64 {end}")
        last = lowest + ((1 << WIDTH) - 1 - step if up else step)
        sure = f"icmp {'sle' if up else 'sge'} i64 {farther}, {last}"
        ends = (farther, begin) if up else (begin, farther)
        distance, more = emitter.put(f"sub i64 {ends[0]}, {ends[1]}"), 2
    taken = emitter.put(f"mul i64 {distance}, {most}")
    rest = emitter.put(f"mul i64 {emitter.put(f'sub i64 {left}, {more * most + after}')}, {step}")
    return emitter.put(f"and i1 {emitter.put(sure)}, {emitter.put(f'icmp slt i64 {taken}, {rest}')}")
