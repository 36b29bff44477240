"""Find loops whose trip count is known before they begin.

Such a loop adds a constant to a register exactly once in each iteration, and ends when the register reaches a limit that
does not change in the loop.  Other exits only make the trip count smaller, so what is computed here is an upper bound.
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
WIDTH = 32  # bits of the registers: a product of two of them fits in 64
LONGEST = 4096  # largest step, for the same reason
Stored = Callable[[Register], tuple[tuple[str, int], ...]]  # returns the storage of a register


@dataclass(frozen=True, slots=True)
class TripCount:
    """A loop goes on while `register relation limit` holds, and each iteration adds `step` to the register.

    `before`: the iteration adds the step before it tests.
    """

    register: Register
    relation: str
    limit: Register | Const
    step: int
    before: bool


def measured_trip_counts(function: Function, counts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield, for each innermost loop, the position of its first RTL and its mean trip count in a run, rounded down.

    `counts` has how often each RTL of the function was executed.
    """
    cfg = build_cfg(function)
    loops = natural_loops(cfg, dominators(cfg))
    headers = {loop.header for loop in loops}
    positions = function.block_starts()

    def made(block: int) -> int:
        return counts[positions[block]] if function.blocks[block].rtls else 0

    for loop in loops:
        if len(headers & loop.blocks) == 1:
            entered = sum(made(block) for block in cfg.predecessors[loop.header] if block not in loop.blocks)
            yield positions[loop.header], made(loop.header) // max(entered, 1)


def trip_count_of(function: Function, cfg: Cfg, idom: dict[int, int], loop: Loop, stored: Stored) -> TripCount | None:
    """Return what determines the trip count of an innermost loop, or None if that is not known."""
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
                    return TripCount(register, op, limit, step, before)
    return None


def _tests(block: Block, cfg: Cfg, number: int, loop: Loop) -> Iterator[tuple[int, str, Expr, Expr]]:
    """Yield the exit tests of a block: the index of the comparison, the relation that stays in the loop, and both operands."""
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
    """Return the constant to which the block sets a register before an RTL uses it, or None."""
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
    """Yield the registers to which a block adds a constant: the register, the index of the RTL, and the constant."""
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


def trips_fit(emitter: Emitter, trip_count: TripCount, most: int, after: int, left: str) -> str:
    """Write a test before a loop: whether the loop ends while units are `left`.  Return its i1.

    An iteration takes `most` units, and leaving the loop takes `after`; `left` is an i64.

    The bound on iterations is `distance / step + 2`, with the distance between the register and the limit at the start.  It
    holds if the register cannot wrap around before it passes the limit.  For the relation `!=`, the distance must be a
    multiple of the step.
    """
    step, relation = abs(trip_count.step), trip_count.relation
    start, limit = (emitter.value(value, trip_count.register.type) for value in (trip_count.register, trip_count.limit))
    if relation == "!=":
        first = emitter.put(f"add i32 {start}, {trip_count.step}") if trip_count.before else start
        ends = (limit, first) if trip_count.step > 0 else (first, limit)
        near = emitter.put(f"sub i32 {ends[0]}, {ends[1]}")
        sure = f"icmp eq i32 {emitter.put(f'urem i32 {near}, {step}')}, 0"
        distance, more = emitter.put(f"zext i32 {near} to i64"), 1
    else:
        wide = "zext" if relation.endswith("u") else "sext"
        begin, end = (emitter.put(f"{wide} i32 {value} to i64") for value in (start, limit))
        lowest = 0 if wide == "zext" else -(1 << (WIDTH - 1))
        up = trip_count.step > 0
        beyond = emitter.put(f"icmp {'sgt' if up else 'slt'} i64 {begin}, {end}")
        farther = emitter.put(f"select i1 {beyond}, i64 {begin}, i64 {end}")
        last = lowest + ((1 << WIDTH) - 1 - step if up else step)
        sure = f"icmp {'sle' if up else 'sge'} i64 {farther}, {last}"
        ends = (farther, begin) if up else (begin, farther)
        distance, more = emitter.put(f"sub i64 {ends[0]}, {ends[1]}"), 2
    taken = emitter.put(f"mul i64 {distance}, {most}")
    rest = emitter.put(f"mul i64 {emitter.put(f'sub i64 {left}, {more * most + after}')}, {step}")
    return emitter.put(f"and i1 {emitter.put(sure)}, {emitter.put(f'icmp slt i64 {taken}, {rest}')}")
