"""How often blocks are executed, as the shape of their function suggests: no run is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median_low
from typing import NamedTuple

from vpo.analysis.cfg import Cfg, build_cfg, tested_truth, transfer_of
from vpo.analysis.dominators import Loop, dominates, dominators, loops_around, natural_loops
from vpo.rtl import FLOAT_TYPES, Branch, Const, Op, Register, Return, Rtl, Symbol
from vpo.rtl.function import Block, Function

# ----------------------------------------------------------------------------------------------------------------------
# What the branch at the end of a block compares.


class Comparison(NamedTuple):
    """The relation that a branch tests, and the RTLs that compare and branch, which may be one."""

    relation: Op
    compare: Rtl
    branch: Rtl


def branch_comparison(block: Block) -> Comparison | None:
    """Return what the branch at the end of a block compares; None if there is no such branch, or it is not known."""
    branch = transfer_of(block)
    transfer = branch.transfer if branch is not None else None
    if branch is None or type(transfer) is not Branch or len(branch.effects) != 1:
        return None
    condition = transfer.condition
    left, right = condition.args[0], condition.args[-1]
    if type(left) is Op and left.op == "?" and right is Const(0):
        return Comparison(Op(condition.op, "", *left.args), branch, branch)
    if (truth := tested_truth(block)) is not None:
        return Comparison(*truth, branch)
    if type(left) is not Register or left.type != "C":
        return Comparison(condition, branch, branch) if len(condition.args) == 2 else None
    for rtl in block.rtls[-2::-1]:
        if left in rtl.sets:
            effect = rtl.single_set
            if effect is not None and type(effect.source) is Op and effect.source.op == "?" and right is Const(0):
                return Comparison(Op(condition.op, "", *effect.source.args), rtl, branch)
            return None
        if left in rtl.uses or rtl.call is not None:
            return None
    return None


# ----------------------------------------------------------------------------------------------------------------------
# Which way branches go, as the shape of programs suggests: no run is needed.
#
# Each heuristic that has something to say of a branch is evidence; what they say together is worked out after Dempster and
# Shafer.  The heuristics and how often they are right: Ball and Larus, "Branch Prediction for Free" (1993); Wu and Larus,
# "Static Branch Frequency and Program Profile Analysis" (1994).  What they say of loops is in `vpo/analysis/frequency.py`.


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
        assert type(transfer) is Branch
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
    if relation.op in ("==", "!=") and type(right) is Const:
        return 1 - OPCODE if relation.op == "==" else OPCODE
    if right is Const(0):
        return {"<": 1 - OPCODE, "<=": 1 - OPCODE, ">": OPCODE, ">=": OPCODE}.get(relation.op, 0.5)
    return 0.5


def _content(block: Block, relation: Op | None) -> list[float]:
    """Return the probabilities that control goes to a block, by what is in it."""
    found = []
    acting = [rtl for rtl in block.rtls if rtl.acts]
    if [rtl for rtl in acting if rtl.call is not None]:
        found.append(1 - CALL)
    if [rtl for rtl in acting if rtl.stores]:
        found.append(1 - STORE)
    if block.rtls and type(block.rtls[-1].transfer) is Return:
        found.append(1 - RETURN)
    if relation is not None and _uses_first(block, relation):
        found.append(GUARD)
    return found


def _uses_first(block: Block, relation: Op) -> bool:
    """Whether a block uses an operand of a comparison before it sets it."""
    compared = list(relation.uses)
    for rtl in block.rtls:
        for register in compared:
            if register in rtl.uses:
                return True
        for register in rtl.sets:
            if register in compared:
                compared.remove(register)
    return False


# ----------------------------------------------------------------------------------------------------------------------


TRIP_COUNT = 10.0  # how often a loop is taken to go round each time it is entered
FEWEST_TRIPS = 2.0  # of a loop around a call of its function itself
RARELY = 1e-6  # the least frequency


def frequencies(function: Function) -> list[float]:
    """Estimate how often each block is executed for each time the function is entered."""
    cfg = build_cfg(function)
    idom = dominators(cfg)
    return frequencies_in(function, cfg, idom, natural_loops(cfg, idom))


def frequencies_in(function: Function, cfg: Cfg, idom: dict[int, int], loops: list[Loop]) -> list[float]:
    """Estimate the frequencies of blocks in a graph whose dominators and loops are known.

    A loop has `TRIP_COUNT` trips; where branches go that do not leave one is estimated by `branch_probabilities`.  A function
    calls itself less than once on the average, so loops around such calls have fewer trips.
    """
    odds, inside = branch_probabilities(function, cfg), loops_around(len(cfg.successors), loops)
    trips = [TRIP_COUNT] * len(loops)
    result = _spread(cfg, idom, loops, inside, odds, trips)
    recursive = [number for number, block in enumerate(function.blocks) if inside[number] and _calls(block, function.name)]
    again = sum(result[number] for number in recursive)
    if again > 1:
        fewer = max(FEWEST_TRIPS, TRIP_COUNT / again ** (1 / max(len(inside[number]) for number in recursive)))
        for loop in set().union(*(inside[number] for number in recursive)):
            trips[loop] = fewer
        result = _spread(cfg, idom, loops, inside, odds, trips)
    return result


def _calls(block: Block, name: str) -> bool:
    """Whether a block calls a function by its name."""
    targets = (rtl.call.target for rtl in block.rtls if rtl.call is not None)
    return any(type(target) is Symbol and target.name == name for target in targets)


def _spread(
    cfg: Cfg,
    idom: dict[int, int],
    loops: list[Loop],
    inside: list[set[int]],
    odds: Mapping[int, Mapping[int, float]],
    trips: list[float],
) -> list[float]:
    """Return how often blocks are executed if loops have some numbers of trips; `inside` has the loops around each block."""
    headers: dict[int, float] = {}
    for loop, often in zip(loops, trips, strict=True):
        headers[loop.header] = often
    result = [RARELY] * len(cfg.successors)
    arriving = [0.0] * len(cfg.successors)
    arriving[0] = 1.0
    for block in cfg.reverse_postorder():
        result[block] = max(RARELY, arriving[block] * headers.get(block, 1.0))
        around = inside[block]
        leaving = [target for target in cfg.successors[block] if around - inside[target]] if around else []
        staying = [target for target in cfg.successors[block] if target not in leaving] if leaving else cfg.successors[block]
        leaves = 1 / trips[min(around)] if leaving else 0.0
        for targets, share in (
            (leaving, leaves if staying else 1.0),
            (staying, 1 - leaves),
        ):
            for target in targets:
                if not dominates(idom, target, block):
                    part = odds[block][target] if len(targets) > 1 and block in odds else 1 / len(targets)
                    arriving[target] += result[block] * share * part
    return result


# ----------------------------------------------------------------------------------------------------------------------
# How often source lines were executed in an earlier run: what a compiler may go by instead of guesses.


@dataclass(eq=False)
class LineProfile:
    """Executions of an instruction of each line, on the average, by file and line.  `digest` tells profiles apart.

    Files of the library have their names only, behind `library`.
    """

    files: Mapping[str, Mapping[int, float]]
    digest: str
    library: str = "libc/"

    def __post_init__(self) -> None:
        # how often the instructions of some line were executed at most
        self.most = max((times for lines in self.files.values() for times in lines.values()), default=0.0)

    def times(self, file: str, line: int) -> float | None:
        """Return how often an instruction of a line was executed; None if the run had none of that line."""
        lines = self.files.get(file) or self.files.get(self.library + Path(file).name)
        return None if lines is None else lines.get(line)


# ----------------------------------------------------------------------------------------------------------------------
# How often blocks are executed, as an earlier run of the program tells by its source lines.


def profiled_frequencies(
    function: Function, cfg: Cfg, idom: dict[int, int], loops: list[Loop], estimated: list[float], profile: LineProfile
) -> list[float] | None:
    """Return how often each block is executed for each time the function is entered; None if the run did not enter it.

    A block is executed as often as its lines were.  Lines are coarse: that of a `for` begins the loop and ends each round.
    So a block that is in no more loops than what dominates it is not executed more often than that.  Where nothing is known
    of a block, it is to its dominator as was `estimated`.
    """
    counts = [_count(block, function.file, profile) for block in function.blocks]
    entered = profile.times(function.file, function.line) or counts[0]
    if not entered:
        return None
    around = loops_around(len(function.blocks), loops)
    result = [RARELY] * len(function.blocks)
    result[0] = 1.0
    for number in cfg.reverse_postorder()[1:]:
        above, count = idom[number], counts[number]
        often = result[above] * estimated[number] / estimated[above] if count is None else count / entered
        if around[number] <= around[above]:
            often = min(often, result[above])
        result[number] = max(RARELY, often)
    return result


def _count(block: Block, file: str, profile: LineProfile) -> float | None:
    """Return how often a block was executed, by the median of its lines; None if the run says nothing of them."""
    lines = dict.fromkeys(rtl.lines[0] for rtl in block.rtls)
    known = [times for line in lines if (times := profile.times(file, line)) is not None]
    return median_low(known) if known else None
