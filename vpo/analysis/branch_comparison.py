"""What the branch at the end of a block compares."""

from __future__ import annotations

from typing import NamedTuple

from vpo.analysis.cfg import transfer_of
from vpo.function import Block
from vpo.rtl import Branch, Const, Op, Register, Rtl


class Comparison(NamedTuple):
    """The relation that a branch tests, and the RTLs that compare and branch, which may be one."""

    relation: Op
    compare: Rtl
    branch: Rtl


def branch_comparison(block: Block) -> Comparison | None:
    """Return what the branch at the end of a block compares; None if there is no such branch, or it is not known."""
    branch = transfer_of(block)
    transfer = branch.transfer if branch is not None else None
    if branch is None or not isinstance(transfer, Branch) or len(branch.effects) != 1:
        return None
    condition = transfer.condition
    left, right = condition.args[0], condition.args[-1]
    if isinstance(left, Op) and left.op == "?" and right is Const(0):
        return Comparison(Op(condition.op, "", *left.args), branch, branch)
    if not isinstance(left, Register) or left.type != "C":
        return Comparison(condition, branch, branch) if len(condition.args) == 2 else None
    for rtl in block.rtls[-2::-1]:
        if left in rtl.sets:
            effect = rtl.single_set()
            if effect is not None and isinstance(effect.source, Op) and effect.source.op == "?" and right is Const(0):
                return Comparison(Op(condition.op, "", *effect.source.args), rtl, branch)
            return None
        if left in rtl.uses or rtl.call is not None:
            return None
    return None
