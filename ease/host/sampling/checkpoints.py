"""Place checkpoints: where control may pass from one version of the code to another.

They stand at the head of each function, in each cycle, behind calls, and wherever else MOST instructions or hardly more were
executed since the last one (`ease.host.memory.check_plan` finds the places).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ease.host.memory.facts import CheckedSegment, checked_segments
from ease.host.memory.switch_checks import place_switch_checks
from ease.model.results import Counts
from vpo.analysis.cfg import Cfg, build_cfg, transfer_of
from vpo.analysis.estimated_flow import estimated_flow
from vpo.machines.machine import Machine
from vpo.rtl import Branch
from vpo.rtl.function import Function

# ----------------------------------------------------------------------------------------------------------------------
# Decide where the instructions that are executed are taken from those left, so that this costs little.
#
# At a checkpoint, a call, a system call and the end of a function, all that was executed must have been taken.  In between, a
# constant may be owed at the head of each block.  It is what is owed on the way that control takes most often; other ways
# settle the difference on the edge.  So a usual way from a checkpoint to the next one has one subtraction (Knuth and
# Stevenson, "Optimal measurement points for program frequency counts", 1973, for a single sum).


Place = tuple[int, int]  # a block, and an RTL in it


@dataclass(frozen=True, slots=True)
class Takings:
    """The instructions that are taken at heads of segments, and on edges between blocks (less than 0: given back)."""

    places: Mapping[Place, int]
    edges: Mapping[tuple[int, int], int]


def plan_takings(
    function: Function, cfg: Cfg, segments: Sequence[Sequence[CheckedSegment]], checkpoints: Mapping[Place, object],
    counts: Counts | None,
) -> Takings:  # fmt: skip
    """Return where instructions are taken; `segments` have their sizes as costs, `counts` are of an earlier run."""
    often = estimated_flow(function)[1] if counts is None else _counted_edges(function, cfg, counts)
    order = cfg.reverse_postorder()
    numbers = {block: number for number, block in enumerate(order)}
    owed: dict[int, int] = {}
    behind: dict[int, int] = {}
    places: dict[Place, int] = {}
    for block in order:
        owed[block] = _owed(block, cfg, numbers, behind, checkpoints, often)
        left = owed[block]
        for number, segment in enumerate(segments[block]):
            after = segments[block][number + 1] if number + 1 < len(segments[block]) else None
            if segment.annullable:
                places[block, segment.first] = segment.cost
                continue
            left += segment.cost
            if _must_settle(block, after, checkpoints) or not cfg.successors[block]:
                places[block, segment.first] = left
                left = 0
        behind[block] = left
    edges = {(block, to): behind[block] - owed[to] for block in order for to in cfg.successors[block]}
    return Takings({p: n for p, n in places.items() if n}, {e: n for e, n in edges.items() if n})


def _must_settle(block: int, after: CheckedSegment | None, checkpoints: Mapping[Place, object]) -> bool:
    """True if all must be taken at the end of a segment, behind which another one comes in the block, or None."""
    if after is None:
        return False
    return after.after_call or after.after_system_call or (block, after.first) in checkpoints


def _owed(
    block: int, cfg: Cfg, numbers: Mapping[int, int], behind: Mapping[int, int], checkpoints: Mapping[Place, object],
    often: Mapping[tuple[int, int], float],
) -> int:  # fmt: skip
    """Return what is owed at the head of a block: nothing where a cycle may close, or else what the usual way there owes."""
    before = [other for other in cfg.predecessors[block] if other in numbers]
    if block == 0 or (block, 0) in checkpoints or any(numbers[other] >= numbers[block] for other in before):
        return 0
    return behind[max(before, key=lambda other: often.get((other, block), 0.0))]


def _counted_edges(function: Function, cfg: Cfg, counts: Counts) -> dict[tuple[int, int], float]:
    """Return about how often control took each edge in an earlier run."""
    executed, taken = counts.rtls[function.name], counts.taken[function.name]
    found: dict[tuple[int, int], float] = {}
    for block, (start, each) in enumerate(zip(function.block_starts(), function.blocks, strict=True)):
        often = executed[start] if each.rtls else 0
        transfer = transfer_of(each, function.stage == "final")
        branches = transfer is not None and isinstance(transfer.transfer, Branch)
        for to in cfg.successors[block]:
            found[block, to] = (often - taken[block] if to == block + 1 else taken[block]) if branches else often
    return found


# ----------------------------------------------------------------------------------------------------------------------


MOST = 200  # instructions from a checkpoint to the next; pieces of straight code, of as many, come on top


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """The checkpoints of a function, by place, with the most instructions from each to the next one on any path.

    `sizes` has the instructions of each segment, by the place of its first RTL; `ends` the index behind its last one.
    `takings`: where they are taken from those that are left.
    """

    distances: Mapping[Place, int]
    sizes: Mapping[Place, int]
    ends: Mapping[Place, int]
    takings: Takings


def each_instruction(machine: Machine, function: Function) -> Checkpoints:
    """Return a checkpoint before each instruction."""
    sizes = {
        (number, index): int(machine.record(rtl).counted)
        for number, block in enumerate(function.blocks)
        for index, rtl in enumerate(block.rtls)
    }
    return Checkpoints(sizes, sizes, {(block, index): index + 1 for block, index in sizes}, Takings(sizes, {}))


def place_checkpoints(machine: Machine, function: Function, counts: Counts | None = None) -> Checkpoints:
    """Return the checkpoints of a function; `counts` of an earlier run tell which ways control takes most often."""
    sizes: dict[Place, int] = {}
    ends: dict[Place, int] = {}
    segments: list[list[CheckedSegment]] = []
    for number, block in enumerate(function.blocks):
        counted = [machine.record(rtl).counted for rtl in block.rtls]

        def size(first: int, end: int, counted: Sequence[int] = counted) -> int:
            return sum(counted[first:end])

        found = list(checked_segments(machine, function, block, size, MOST))
        for segment in found:
            segment.cost = segment.worst = size(segment.first, segment.end)
            if segment.end > segment.first:
                sizes[number, segment.first] = segment.worst
                ends[number, segment.first] = segment.end
        segments.append(found)
    cfg = build_cfg(function)
    distances = {place: check.enough for place, check in place_switch_checks(cfg, segments, MOST).items()}
    return Checkpoints(distances, sizes, ends, plan_takings(function, cfg, segments, distances, counts))
