"""What a machine's instructions can do at all, so that phases need not try what no instruction can do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeGuard, cast

from vpo.algebra.equivalents import unextended
from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.rtl import (
    BITS,
    CODE_TYPES,
    INTEGER_TYPES,
    RELATIONS,
    Branch,
    By,
    Call,
    Const,
    Delay,
    Effect,
    Expr,
    Half,
    Mem,
    Op,
    Register,
    Set,
    subexpressions,
)
from vpo.text import RegisterVariable, Variable

SUMS = 4  # operators of an instruction that may do what a choice and others do


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the instructions of a machine can do.

    `literals`: some read a literal pool; `literals_before`: none one that lies behind.  `predicated`: some have an effect only
    under a condition.  `selects`: some choose between values by comparing others, or make integers positive; `chooses`: or
    compute as much as `SUMS` operators; `chooses_by_codes`: some choose by a condition code, or by an
    operand, and put what they choose anywhere; `decides`: some compute integers with truth values.
    `rotates`: some rotate registers.
    `compares`: some set integers to truth values, by comparing integers.
    `pairs`: some set two places at once, or step a register that an address consists of; `linked`: some two cells, or from two
    cells; `copies_twice`: some copy two registers to others.  `double_results` are the operators of those that compute two
    integers at once.
    `computes_and_steps`: some compute of cells, or move one to another, and step the registers of their addresses;
    `pairs_that_step`: some move two cells and step.
    `steps_by_registers`: some step the register of an address by another register.
    `extends_and_steps`: some extend what they load and step.
    `fused_branches`: some set a register and branch.
    `block_copies`: some copy several cells to others.
    `call_reach` are the least and the greatest distance of functions that each call reaches; None if all reach everywhere.
    `named_operands` are the registers that some compute with, and no others.
    `goes_by_registers`: some transfers find the address of their target in a register.
    `delays` is what they say of their delay slots: DS=always, taken, never.  `system_calls` are the
    effects that call the system, each with room for more arguments than those before it.
    """

    literals: bool = False
    literals_before: bool = False
    predicated: bool = False
    selects: bool = False
    chooses: bool = False
    chooses_by_codes: bool = False
    decides: bool = False
    rotates: bool = False
    compares: bool = False
    pairs: bool = False
    linked: bool = False
    copies_twice: bool = False
    double_results: frozenset[tuple[str, str]] = frozenset()
    computes_and_steps: bool = False
    pairs_that_step: bool = False
    steps_by_registers: bool = False
    extends_and_steps: bool = False
    fused_branches: bool = False
    block_copies: bool = False
    call_reach: tuple[int, int] | None = None
    named_operands: tuple[Register, ...] = ()
    goes_by_registers: bool = False
    delays: frozenset[str] = frozenset()
    system_calls: tuple[Set, ...] = ()


def find_capabilities(alternatives: Iterable[Alternative], operands: Iterable[OperandForm]) -> Capabilities:
    """Return what the instructions of a machine can do, from their alternatives and the forms of their operands."""
    alternatives, operands = list(alternatives), list(operands)
    effects = [effect for alternative in alternatives for effect in alternative.effects]
    values = [*(effect.source for effect in effects if isinstance(effect, Set)), *(form.pattern for form in operands)]
    readers = [each for each in alternatives if any(_is_literal(cell.address) for e in each.effects for cell in e.memory)]
    return Capabilities(
        literals=bool(readers),
        literals_before=bool(readers) and all(each.reach is not None and each.reach[1] < 0 for each in readers),
        predicated=any(_has_operator(effect, "SEL") for effect in effects),
        selects=any(_selects(effect) for effect in effects),
        chooses=any(_selects(effect) or _computes_much(effect) for effect in effects),
        chooses_by_codes=any(map(_chooses_by_code, effects)),
        decides=any(map(_decides, effects)),
        rotates=any(map(_rotates, values)),
        compares=any(map(_compares, effects)),
        pairs=any(form.steps for form in operands) or any(_is_pair(a.effects) and not a.repeated for a in alternatives),
        linked=any(map(_is_linked, alternatives)),
        copies_twice=any(_copies_twice(a.effects) for a in alternatives if not a.repeated),
        double_results=frozenset(ops for a in alternatives if not a.repeated for ops in _computes_twice(a.effects)),
        computes_and_steps=any(_computes_and_steps(a.effects) for a in alternatives if not a.repeated),
        pairs_that_step=any(_moves_pair_and_steps(a.effects) for a in alternatives if not a.repeated),
        steps_by_registers=any(len(a.effects) > 1 and any(map(_steps_by_register, a.effects)) for a in alternatives),
        extends_and_steps=any(_extends_and_steps(a.effects) for a in alternatives),
        fused_branches=any(_kinds(a.effects) == [Branch, Set] for a in alternatives),
        block_copies=any(_copies(a.effects[-1]) for a in alternatives if a.repeated),
        call_reach=_call_reach(alternatives),
        named_operands=tuple(dict.fromkeys(operand for a in alternatives for operand in _named_operands(a))),
        goes_by_registers=any(isinstance(effect, By) for effect in effects),
        delays=frozenset(effect.when for effect in effects if isinstance(effect, Delay)),
        system_calls=_system_calls(effects),
    )


def _kinds(effects: tuple[Effect, ...]) -> list[type]:
    return sorted((type(effect) for effect in effects), key=lambda kind: kind.__name__)


def _is_pair(effects: tuple[Effect, ...]) -> bool:
    return _kinds(effects) == [Set, Set]


def _copies_twice(effects: tuple[Effect, ...]) -> bool:
    """Whether two effects copy registers, each to another one than those that are copied."""
    copies = [(effect.target, effect.source) for effect in effects if isinstance(effect, Set) and not effect.memory]
    registers = [register for copy in copies for register in copy]
    if len(copies) != 2 or len(effects) != 2 or not all(isinstance(each, Register | RegisterVariable) for each in registers):
        return False
    return not {target for target, _ in copies} & {source for _, source in copies}


def _computes_and_steps(effects: tuple[Effect, ...]) -> bool:
    """Whether one effect moves a cell, or computes with what it reads of cells or stores, and the others step registers."""
    others = [effect for effect in effects if not _is_step(effect)]
    if len(effects) == len(others) or len(others) != 1 or not isinstance(effect := others[0], Set):
        return False
    operators = [node.op for node in subexpressions(effect.source) if isinstance(node, Op)]
    cells = [cell for cell in (*effect.memory, effect.target) if isinstance(cell, Mem)]
    return len(cells) > 1 or (bool(cells) and any(op not in ("sx", "zx", "tr") for op in operators))


def _moves_pair_and_steps(effects: tuple[Effect, ...]) -> bool:
    """Whether two effects load or store, and a third one steps a register."""
    moved = [effect for effect in effects if isinstance(effect, Set) and not _is_step(effect)]
    return len(effects) == 3 and len(moved) == 2 and all(map(_moves, moved))


def _moves(effect: Set) -> bool:
    """Whether an effect of a pattern loads or stores a register."""
    loads = isinstance(effect.target, RegisterVariable) and isinstance(unextended(effect.source), Mem)
    return loads or (isinstance(effect.target, Mem) and isinstance(effect.source, RegisterVariable))


def _is_step(effect: Effect) -> bool:
    """Whether an effect of a pattern adds a constant to the register that it sets."""
    match effect:
        case Set(target=RegisterVariable(name=name), source=Op(op="+", args=(RegisterVariable(name=other), amount))):
            return name == other and isinstance(amount, Const | Variable)
    return False


def _extends_and_steps(effects: tuple[Effect, ...]) -> bool:
    """Whether one of two effects extends what it loads, and the other one steps a register."""
    steps = [_is_step(effect) or _steps_by_register(effect) for effect in effects]
    loads = [isinstance(effect.source, Op) and isinstance(unextended(effect.source), Mem)
             for effect in effects if isinstance(effect, Set)]  # fmt: skip
    return len(effects) == len(loads) == 2 and loads != steps and sum(loads) == sum(steps) == 1


def _steps_by_register(effect: Effect) -> bool:
    """Whether an effect of a pattern adds a register to the one that it sets."""
    match effect:
        case Set(target=RegisterVariable() as to, source=Op(op="+", args=(RegisterVariable() as a, RegisterVariable() as b))):
            return to.name in (a.name, b.name)
    return False


def _is_linked(alternative: Alternative) -> bool:
    """Whether an instruction loads or stores two registers."""
    is_pair = _is_pair(alternative.effects) and not alternative.repeated
    return is_pair and all(isinstance(effect, Set) and _moves(effect) for effect in alternative.effects)


def _computes_twice(effects: tuple[Effect, ...]) -> Iterator[tuple[str, str]]:
    """Yield the operators of two effects that compute integers of registers, in both orders."""
    operators: list[str] = []
    for effect in effects:
        match effect:
            case Set(target=RegisterVariable() as target, source=Op() as source):
                if target.type in INTEGER_TYPES and not source.memory:
                    operators.append(source.op)
    if len(operators) == len(effects) == 2:
        yield from ((operators[0], operators[1]), (operators[1], operators[0]))


def _named_operands(alternative: Alternative) -> Iterator[Register]:
    """Yield the registers that an instruction computes integers with, and no others."""
    for effect in alternative.effects:
        if isinstance(effect, Set) and isinstance(effect.source, Op) and not _has_operator(effect, "SYS"):
            nodes = subexpressions(effect.source)
            yield from (node for node in nodes if isinstance(node, Register) and node.type in INTEGER_TYPES)


def _copies(effect: Effect) -> bool:
    return isinstance(effect, Set) and isinstance(effect.target, Mem) and isinstance(effect.source, Mem)


def _is_literal(address: object) -> bool:
    return isinstance(address, Half) and address.is_literal


def _has_operator(effect: Effect, operator: str) -> bool:
    return isinstance(effect, Set) and isinstance(effect.source, Op) and effect.source.op == operator


def _rotates(value: Expr | None) -> bool:
    return value is not None and any(isinstance(node, Op) and node.op == "rotl" for node in subexpressions(value))


def _selects(effect: Effect) -> bool:
    """Whether an effect depends on a relation of values, as if control did."""
    nodes = [node for node in subexpressions(effect.source) if isinstance(node, Op)] if isinstance(effect, Set) else []
    return any(
        (node.op == "abs" and node.type in INTEGER_TYPES)
        or (node.op == "SEL" and isinstance(node.args[0], Op) and node.args[0].args[0].type not in CODE_TYPES)
        for node in nodes
    )


def _chooses_by_code(effect: Effect) -> bool:
    """Whether an effect chooses by a condition code, or by an operand that may be one, and not in the place of an operand."""
    if not isinstance(effect, Set) or not isinstance(effect.source, Op):
        return False
    nodes, target = list(subexpressions(effect.source)), getattr(effect.target, "name", "")
    if any(isinstance(node, RegisterVariable) and node.name == target for node in nodes):
        return False
    tests = [node.args[0] for node in nodes if isinstance(node, Op) and node.op == "SEL"]
    return any(not isinstance(test, Op) or test.args[0].type in CODE_TYPES for test in tests)


def _computes_much(effect: Effect) -> bool:
    """Whether an effect computes an integer by several operators, or with a truth value or a sign: as choices may do."""
    if not _computes_integer(effect):
        return False
    inside = list(subexpressions(effect.source))
    operators = [node.op for node in inside if isinstance(node, Op) and node.op not in ("sx", "zx", "tr")]
    decides = bool(RELATIONS.intersection(operators[1:])) or any(map(_is_sign, inside[1:])) or _is_bit(effect.source)
    return decides or len(operators) >= SUMS


def _decides(effect: Effect) -> bool:
    """Whether an effect computes an integer with a truth value, not only by what it chooses."""
    if not _computes_integer(effect):
        return False
    inside = [node for node in subexpressions(effect.source) if isinstance(node, Op) and node.op not in ("sx", "zx", "tr")]
    return any(_is_truth(arg) for node in inside for arg in node.args[node.op == "SEL" :])


def _is_truth(node: Expr) -> bool:
    """Whether an expression is a truth value, perhaps extended."""
    inner = node.args[0] if isinstance(node, Op) and node.op in ("sx", "zx") else node
    return isinstance(inner, Op) and inner.op in RELATIONS


def _computes_integer(effect: Effect) -> TypeGuard[Set]:
    """Whether an effect computes an integer, of no condition code and no cell; what is computed of truths is of any type."""
    if not isinstance(effect, Set) or not isinstance(effect.source, Op) or effect.source.memory:
        return False
    if any(getattr(node, "type", "") in CODE_TYPES for node in subexpressions(effect.source)):
        return False
    return (effect.source.type or effect.target.type) in INTEGER_TYPES


def _compares(effect: Effect) -> bool:
    """Whether an effect sets an integer to the truth value of a relation of integers."""
    source = effect.source if isinstance(effect, Set) else None
    return isinstance(source, Op) and source.op in RELATIONS and source.args[0].type in INTEGER_TYPES


def _is_sign(node: object) -> bool:
    """Whether a part of an effect is -1 or 1 if a value is negative, and 0 if it is not."""
    match node:
        case Op(op=">>" | ">>u", type=type_, args=(_, Const(value=by))):
            return by == BITS.get(type_, 0) - 1
    return False


def _is_bit(source: object) -> bool:
    """Whether an expression is one bit of a value, as a truth value."""
    match source:
        case Op(op="&", args=(Op(op=">>" | ">>u"), Const(value=1))):
            return True
        case Op(op="sx" | "zx", args=(inner,)):
            return _is_bit(inner)
    return False


def _call_reach(alternatives: list[Alternative]) -> tuple[int, int] | None:
    reaches = [a.reach for a in alternatives if a.reach is not None and Call in _kinds(a.effects)]
    return (max(least for least, _ in reaches), min(most for _, most in reaches)) if reaches else None


def _system_calls(effects: Iterable[Effect]) -> tuple[Set, ...]:
    found: list[Set] = []
    for call in (effect for effect in effects if isinstance(effect, Set) and _has_operator(effect, "SYS")):
        if not found or len(cast("Op", call.source).args) > len(cast("Op", found[-1].source).args):
            found.append(call)
    return tuple(found)
