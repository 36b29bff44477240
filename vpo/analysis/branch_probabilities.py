"""Which way branches go, as the shape of programs suggests: no run is needed.

Each heuristic that has something to say of a branch is evidence; what they say together is worked out after Dempster and
Shafer.  The heuristics and how often they are right: Ball and Larus, "Branch Prediction for Free" (1993); Wu and Larus,
"Static Branch Frequency and Program Profile Analysis" (1994).  What they say of loops is in `vpo/analysis/frequency.py`.
"""

from __future__ import annotations

from vpo.analysis.branch_comparison import branch_comparison
from vpo.analysis.cfg import Cfg
from vpo.function import Block, Function
from vpo.rtl import FLOAT_TYPES, Branch, Const, Op, Register, Return

OPCODE = 0.84  # a comparison for less than 0, or equality with a constant or of floating numbers, does not hold
CALL = 0.78  # a block with a call is avoided
RETURN = 0.72  # and one that returns
GUARD = 0.62  # what was compared is used next
STORE = 0.55  # a block with a store is avoided


def branch_probabilities(function: Function, cfg: Cfg) -> dict[int, dict[int, float]]:
    """Return, for each block with two successors, how likely it is that control goes to each of them."""
    found = {}
    for number, successors in enumerate(cfg.successors):
        if len(set(successors)) == 2:
            odds = _odds(function, cfg, number)
            if odds is not None:
                found[number] = odds
    return found


def _odds(function: Function, cfg: Cfg, number: int) -> dict[int, float] | None:
    """Return the probabilities of the ways from one block; None if nothing is known of them."""
    blocks, (here, there) = function.blocks, cfg.successors[number]
    found = branch_comparison(blocks[number])
    likely = 0.5  # that control goes to `there`, where the branch leads
    if found is not None:
        transfer = found.branch.transfer
        assert isinstance(transfer, Branch)
        if transfer.label == blocks[here].label:
            here, there = there, here
        likely = _joined(likely, _opcode(found.relation))
    relation = found.relation if found is not None else None
    for way in (there, here):
        if cfg.predecessors[way] == [number]:  # it does not come after the other
            for chance in _content(blocks[way], relation):
                likely = _joined(likely, chance if way == there else 1 - chance)
    return None if likely == 0.5 else {there: likely, here: 1 - likely}


def _joined(a: float, b: float) -> float:
    """Return the probability that two pieces of evidence give together."""
    return a * b / (a * b + (1 - a) * (1 - b))


def _opcode(relation: Op) -> float:
    """Return the probability that a relation holds, by its operator."""
    left, right = relation.args
    if left.type in FLOAT_TYPES:
        return {"==": 1 - OPCODE, "!=": OPCODE}.get(relation.op, 0.5)
    if relation.op in ("==", "!=") and isinstance(right, Const):
        return 1 - OPCODE if relation.op == "==" else OPCODE
    if right is Const(0):
        return {"<": 1 - OPCODE, "<=": 1 - OPCODE, ">": OPCODE, ">=": OPCODE}.get(relation.op, 0.5)
    return 0.5


def _content(block: Block, relation: Op | None) -> list[float]:
    """Return the probabilities that control goes to a block, by what is in it."""
    found = []
    if any(rtl.call is not None for rtl in block.rtls):
        found.append(1 - CALL)
    if any(rtl.stores for rtl in block.rtls):
        found.append(1 - STORE)
    if block.rtls and isinstance(block.rtls[-1].transfer, Return):
        found.append(1 - RETURN)
    if relation is not None and _uses_first(block, relation):
        found.append(GUARD)
    return found


def _uses_first(block: Block, relation: Op) -> bool:
    """Whether a block uses an operand of a comparison before it sets it."""
    compared = {register for register in relation.uses if isinstance(register, Register)}
    for rtl in block.rtls:
        if compared.intersection(rtl.uses):
            return True
        compared.difference_update(rtl.sets)
    return False
