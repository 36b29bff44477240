"""Choices made otherwise: of an operand or a number that changes nothing, of whether a number is in a range, of two truths.

    r[t3]=SEL(r[t1]==0,r[t2],r[t2]+r[t4]);    =>    r[t5]=SEL(r[t1]==0,0,r[t4]); r[t3]=r[t2]+r[t5];
    r[t3]=SEL(r[t1]<48,0,r[t1]<58);           =>    r[t5]=r[t1]+-48; r[t3]=r[t5]<u10;
    r[t3]=SEL(r[t1]!=r[t2],0,r[t4]);          =>    r[t3]=r[t4]&(r[t1]==r[t2]);          if r[t4] is a truth value
    r[t3]=SEL(r[t1]<r[t2],r[t4]+1,r[t4]);     =>    r[t5]=r[t1]<r[t2]; r[t3]=r[t4]+r[t5];
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vpo.algebra import binary, rebuild, reverse, select
from vpo.rtl import BITS, COMMUTATIVE, INTEGER_TYPES, RELATIONS, SWAPPED, Const, Effect, Expr, Op, Register, Rtl, selector

NEUTRAL = {"+": 0, "-": 0, "|": 0, "^": 0, "<<": 0, ">>": 0, ">>u": 0, "&": -1}  # as the operand on the right
Effects = tuple[Effect, ...]
BY_BITS = ("+", "-", "|", "^", "&")  # whose low bits follow from the low bits of the operands
Legal = Callable[[Register, Expr], Effects | None]  # the first notation in which a register can be set to a value
# RTLs that set a register to a value, or to one with the same low part; none if there are no such
Ways = Callable[[Register, Expr, str], list[Effects]]
Fresh = Callable[[str, str], Register]


@dataclass(frozen=True, slots=True)
class Choice:
    """RTLs that compute the value of a phi, the last of them into `register`; `cost` is that of all that must be computed.

    If there is an RTL `user` of the phi, the last one does its work, too.
    """

    rtls: tuple[Rtl, ...]
    needed: tuple[Rtl, ...]  # what the region computes for them
    register: Register
    cost: float
    user: Rtl | None = None
    between: tuple[Rtl, ...] = ()  # those by which the phi comes to the user


def operated(
    result: Register, choice: Op, ways: Ways, fresh: Fresh, part: str
) -> Iterator[tuple[list[Effects], list[Effects]]]:
    """Yield RTLs that choose between an operand and a number that leaves the other operand as it is, and RTLs that operate.

    Of the result, and so of the operand, perhaps only the low part of a type is wanted.
    """
    condition, *sides = choice.args
    for kept, changed in (sides, sides[::-1]):
        if not isinstance(changed, Op) or len(changed.args) != 2 or changed.op not in NEUTRAL or kept not in changed.args:
            continue
        left, right = changed.args
        if kept is not left and (changed.op not in COMMUTATIVE or left is right):
            continue
        operand, neutral = right if kept is left else left, Const(NEUTRAL[changed.op])
        if isinstance(operand, Const) or (isinstance(operand, Op) and operand.type != result.type):
            continue
        if part and changed.op not in BY_BITS:
            continue
        chosen = fresh(operand.cls, operand.type) if isinstance(operand, Register) else fresh(result.cls, result.type)
        first = ways(chosen, select(condition, *((neutral, operand) if kept is sides[0] else (operand, neutral))), part)
        second = ways(result, binary(changed.op, kept, chosen), part) if first else []
        if second:
            yield first, second
            return


def counted(choice: Op) -> tuple[Op, str, Register] | None:
    """Return a relation, `+` or `-` and a register, if a choice is what that makes of the register and the truth value."""
    condition, sides = selector(choice), choice.args[1:]
    for (kept, changed), relation in ((sides, reverse(condition)), (sides[::-1], condition)):
        if isinstance(kept, Register) and isinstance(changed, Op) and changed.op == "+" and changed.args[0] is kept:
            operator = {1: "+", -1: "-"}.get(changed.args[1].value) if isinstance(changed.args[1], Const) else None
            if operator is not None:
                return relation, operator, kept
    return None


def in_part(value: Expr, part: str) -> Expr:
    """Return what an expression extends, perhaps a register, if that has the same low part, which alone is wanted."""
    match value:
        case Op(op="sx" | "zx", args=(Op(op="tr", type=kept, args=(whole,)),)) if part and BITS[kept] >= BITS[part]:
            return in_part(whole, part)
    return value


def with_definition(choice: Op, place: int, part: str, known: Callable[[Expr], Expr | None]) -> Op:
    """Return a choice with what a register is computed of in the place of one of its sides, if only a part is wanted."""
    side = choice.args[place]
    while (source := known(side)) is not None:
        side = in_part(source, part)
    if isinstance(side, Op):
        side = rebuild(side, lambda node: copied if isinstance(copied := known(node), Register) else None)
    return Op("SEL", choice.type, *(side if n == place else arg for n, arg in enumerate(choice.args)))


def with_definitions(choice: Op, part: str, known: Callable[[Expr], Expr | None]) -> Iterator[Op]:
    """Yield a choice with what registers are computed of in the places of its sides, if only a part is wanted."""
    first = with_definition(choice, 1, part, known)
    yield from (first, with_definition(choice, 2, part, known), with_definition(first, 2, part, known))


def both_true(choice: Expr, is_truth: Callable[[Register], bool]) -> Expr | None:
    """Return what a choice between a truth value and a number is: whether it and the condition are true, or one of them."""
    if not isinstance(choice, Op) or choice.op != "SEL":
        return None
    condition, sides = selector(choice), choice.args[1:]
    for (value, number), relation in ((sides, condition), (sides[::-1], reverse(condition))):
        if isinstance(value, Register) and is_truth(value):
            if number is Const(0):
                return Op("&", value.type, value, relation)
            if number is Const(1):
                return Op("|", value.type, value, reverse(relation))
    return None


def in_range(result: Register, choice: Expr, legal: Legal, fresh: Fresh) -> Iterator[list[Effects]]:
    """Yield RTLs that tell whether a register is between two numbers: a difference, and a comparison without sign."""
    found = _range(choice) if isinstance(choice, Op) and choice.op == "SEL" else None
    if found is None or result.type not in INTEGER_TYPES:
        return
    register, low, high = found
    distance = fresh(register.cls, register.type)
    first = legal(distance, binary("+", register, Const(-low)))
    for relation in (Op("<u", "", distance, Const(high - low + 1)), Op("<=u", "", distance, Const(high - low))):
        second = legal(result, relation)
        if first is not None and second is not None:
            yield [first, second]
            return


def _range(choice: Op) -> tuple[Register, int, int] | None:
    """Return the register and the limits between which it must be, with sign, so that a choice is 1 and not 0."""
    condition, then, otherwise = choice.args
    if not isinstance(condition, Op) or condition.op not in RELATIONS:
        return None
    if then is Const(0):
        condition, then, otherwise = reverse(condition), otherwise, then
    if otherwise is not Const(0):
        return None
    one, other = _limits(condition), _limits(then)
    if one is None or other is None or one[0] is not other[0] or one[0].type not in INTEGER_TYPES:
        return None
    least, most = -(1 << BITS[one[0].type] - 1), (1 << BITS[one[0].type] - 1) - 1
    low = max((limit for limit in (one[1], other[1]) if limit is not None), default=least)
    high = min((limit for limit in (one[2], other[2]) if limit is not None), default=most)
    return (one[0], low, high) if least < low <= high < most else None


def _limits(relation: Expr) -> tuple[Register, int | None, int | None] | None:
    """Return the least and the greatest number that a register may hold if a relation with a number is true."""
    if not isinstance(relation, Op) or len(relation.args) != 2:
        return None
    op, (left, right) = relation.op, relation.args
    if isinstance(left, Const):
        op, left, right = SWAPPED.get(op, ""), right, left
    if not isinstance(left, Register) or not isinstance(right, Const):
        return None
    number = right.value
    match op:
        case "<" | "<=":
            return left, None, number - (op == "<")
        case ">" | ">=":
            return left, number + (op == ">"), None
    return None


def is_new(condition: Op) -> bool:
    """Whether a condition is not yet that of a truth value."""
    return not (condition.op in ("==", "!=") and type(condition.args[0]) is Register and condition.args[1] is Const(0))
