"""Deciding in another way: a compare and its branch that a machine lacks, as a compare and a branch that it has.

cc=L[r[1]]?r[2];  PC=cc<0,L5;       =>   cc=r[2]?L[r[1]];  PC=cc>0,L5;            (operands exchanged)
cc=zxL(B[r[1]])?47;  PC=cc<0,L5;    =>   cc=B[r[1]]?47;    PC=cc<u0,L5;           (compared in fewer bits)
cc=(r[1]&8)?0;  PC=cc!=0,L5;        =>   zc=(r[1]&8)?0;    PC=zc!=0,L5;           (another condition code)
"""

from __future__ import annotations

from collections.abc import Iterator

from vpo.algebra import binary
from vpo.machines.machine import Machine
from vpo.rtl import BITS, SWAPPED, Branch, Const, Effect, Expr, Op, Register, Set

UNSIGNED = {"<": "<u", "<=": "<=u", ">": ">u", ">=": ">=u"}


def recast(machine: Machine, compare: Set, branch: Branch, beside: tuple[Effect, ...] = ()) -> tuple[Set, Branch] | None:
    """Return a compare, legal simultaneously with `beside`, and a branch that decide as an illegal pair would."""
    source = compare.source
    if type(source) is not Op or source.op != "?" or branch.condition.args[1] is not Const(0):
        return None
    codes = [Register(c.name, 0, c.type) for c in machine.classes.values() if c.type == compare.target.type]
    for left, right, relation in _variants(source.args[0], source.args[1], branch.condition.op):
        for code in codes:
            new, decision = Set(code, binary("?", left, right)), Branch(Op(relation, "", code, Const(0)), branch.label)
            if machine.is_legal((*beside, new)) and machine.is_legal((decision,)):
                return new, decision
    return None


def _variants(left: Expr, right: Expr, relation: str) -> Iterator[tuple[Expr, Expr, str]]:
    """Yield operands and relation in every equivalent way."""
    yield left, right, relation
    yield right, left, SWAPPED[relation]
    narrow = _narrowed(left, right)
    if narrow is not None:
        relation = UNSIGNED.get(relation, relation)
        yield narrow[0], narrow[1], relation
        yield narrow[1], narrow[0], SWAPPED[relation]


def _narrowed(left: Expr, right: Expr) -> tuple[Expr, Expr] | None:
    """Return the operands without their zero extension, if both are values of so few bits."""
    if type(left) is not Op or left.op != "zx":
        return None
    inner = left.args[0]
    if type(right) is Op and right.op == "zx" and right.args[0].type == inner.type:
        return inner, right.args[0]
    if type(right) is Const and 0 <= right.value < 1 << BITS[inner.type]:
        return inner, right
    return None
