"""Calls of the library's routines that stand for operators: what they compute is known.

    r[10]=r[t2];
    r[11]=r[t3];
    ST=___mulsi3(r[10],r[11]); r[1]=NPC;
    r[t1]=r[10];                              r[t1] is r[t2]*r[t3]

Thus value numbers, motion and strength reduction treat a machine without an instruction for an operator as one that has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from vpo.il.routine_names import operators_by_symbol
from vpo.machines.machine import Machine
from vpo.rtl import BITS, COMMUTATIVE, Const, Expr, Op, Register, Rtl, Set, Symbol
from vpo.rtl.function import Block, Function


@dataclass(frozen=True, slots=True)
class RoutineCall:
    """A call in a block: the moves of its arguments, the call, the copy of its result, and what this is of the arguments."""

    block: Block
    arguments: tuple[Rtl, ...]
    call: Rtl
    result: Rtl
    value: Op

    @property
    def rtls(self) -> tuple[Rtl, ...]:
        """All that there is to it."""
        return *self.arguments, self.call, self.result

    @property
    def target(self) -> Register:
        """The pseudo-register that gets the result."""
        (target,) = self.result.sets
        return target

    def changed(self, machine: Machine) -> set[Register]:
        """Return the hard registers that it may change."""
        return {r for rtl in (*self.arguments, self.call) for r in rtl.sets} | machine.convention.scratch

    def on(self, values: Mapping[Register, Register], target: Register) -> list[Rtl]:
        """Return RTLs that do the same with other arguments, for another register; the machine may lack the moves."""
        new = []
        for rtl in self.arguments:
            ((place, source),) = ((e.target, e.source) for e in rtl.effects if type(e) is Set)
            instead: Expr = values.get(source, source) if type(source) is Register else source
            new.append(Rtl((Set(place, instead),), rtl.lines, rtl.cause))
        call, result = self.call, self.result
        (returned,) = (effect.source for effect in result.effects if type(effect) is Set)
        return [*new, call.copy(), Rtl((Set(target, returned),), result.lines, result.cause)]


RoutineCalls = Mapping[Rtl, RoutineCall]  # by the copy of the result


def routine_calls(function: Function, machine: Machine) -> RoutineCalls:
    """Return the calls in a function in SSA form whose arguments and results travel in registers."""
    return dict(_calls_in(function.blocks, machine)) if function.stage == "ssa" else {}


def renewed_routine_calls(old: RoutineCalls, function: Function, machine: Machine, changed: Iterable[Block]) -> RoutineCalls:
    """Return the calls in a function after changes of some blocks."""
    if function.stage != "ssa":
        return {}
    outdated = {id(block) for block in changed}
    kept = {result: call for result, call in old.items() if id(call.block) not in outdated}
    return kept | dict(_calls_in(changed, machine))


def _calls_in(blocks: Iterable[Block], machine: Machine) -> Iterator[tuple[Rtl, RoutineCall]]:
    operators = operators_by_symbol(BITS[machine.classes[machine.values.integer].type] // 8)
    for block in blocks:
        for place, rtl in enumerate(block.rtls):
            if rtl.call is None:
                continue
            target = rtl.call.target
            if type(target) is Symbol and target.name in operators and not target.offset:
                found = _found(block, place, operators[target.name])
                if found is not None:
                    yield found.result, found


def _found(block: Block, place: int, op: str) -> RoutineCall | None:
    """Return the call at a place of a block if all that belongs to it is there."""
    rtl, result = block.rtls[place], block.rtls[place + 1] if place + 1 < len(block.rtls) else None
    assert rtl.call is not None
    effect = result.single_set if result is not None else None
    if result is None or effect is None or type(effect.target) is not Register or not effect.target.pseudo:
        return None
    values = _passed(block.rtls[max(place - 2, 0) : place], rtl.call.arguments)
    source = effect.source
    if not values or type(source) is not Register or source.pseudo or source.type != effect.target.type:
        return None
    if any(type(v) is Register and v.type != source.type for v in values) or _is_read(source, block.rtls[place + 2 :]):
        return None
    if op in COMMUTATIVE and isinstance(values[0], Const):
        values.reverse()
    return RoutineCall(block, tuple(block.rtls[place - 2 : place]), rtl, result, Op(op, source.type, *values))


def _passed(moves: list[Rtl], registers: tuple[Register, ...]) -> list[Expr]:
    """Return the two values that RTLs move into the registers of arguments; none if there is more to it."""
    sources = {single.target: single.source for move in moves if (single := move.single_set) is not None}
    values = [sources[register] for register in registers if register in sources]
    known = all(isinstance(value, Const) or (type(value) is Register and value.pseudo) for value in values)
    return values if known and len(values) == len(registers) == 2 else []


def _is_read(register: Register, rtls: Iterable[Rtl]) -> bool:
    """Whether a hard register is read before it is set."""
    for rtl in rtls:
        if register in rtl.uses:
            return True
        if register in rtl.sets or rtl.call is not None:
            return False
    return False
