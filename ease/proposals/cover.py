"""A choice of candidates whose promises do not overlap: no executed instruction is saved twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import copysign, sqrt

from ease.proposals.candidates import Candidate, saved_by
from ease.proposals.constant_ranges import Worth
from ease.proposals.shapes import Instance
from vpo.rtl import Rtl


@dataclass(frozen=True, slots=True, eq=False)
class Promise:
    """A candidate, and how many executions of instructions it saves beside those that were chosen before it."""

    candidate: Candidate
    instructions: int
    bytes: int


def best(candidates: list[Candidate], worth: Worth, count: int, least: int) -> list[Promise]:
    """Return so many candidates that are worth most for each bit, one after another.

    Each saves at least `least` instructions beside those before it.
    """
    taken: set[Rtl] = set()

    def rate(candidate: Candidate, chosen: list[Instance]) -> float:
        return worth(saved_by(chosen)) / max(candidate.encoding.bits, 1)

    heap = [(-rate(candidate, _left(candidate, taken)), number) for number, candidate in enumerate(candidates)]
    heapify(heap)
    result: list[Promise] = []
    while heap and len(result) < count:
        _, number = heappop(heap)
        candidate = candidates[number]
        chosen = _left(candidate, taken)
        now = rate(candidate, chosen)
        if heap and now < -heap[0][0]:
            heappush(heap, (-now, number))
            continue
        saved = sum(instance.saved for instance in chosen)
        if saved < least:
            continue
        for instance in chosen:
            taken.update(instance.combination.rtls)
        places = sum(len(instance.combination.rtls) - 1 for instance in chosen)
        result.append(Promise(candidate, saved, places * candidate.encoding.size))
    return result


def _left(candidate: Candidate, taken: set[Rtl]) -> list[Instance]:
    """Return the instances that are left, none of which shares an RTL with another one."""
    own: set[Rtl] = set()
    result = []
    for instance in candidate.instances:
        rtls = instance.combination.rtls
        if taken.isdisjoint(rtls) and own.isdisjoint(rtls):
            own.update(rtls)
            result.append(instance)
    return result



# ----------------------------------------------------------------------------------------------------------------------
# What an instruction saves in a program such as those that were seen: less than the mean if it helps few of them.


def typical(parts: Iterable[float]) -> float:
    """Return the power mean, with exponent 1/2, of the parts that programs save; negative ones are losses.

    An instruction that saves the same part of each program saves that part; one that helps one of eight as much, a 64th
    instead of an eighth of it, since the next program is hardly the one that it was made for.
    """
    roots = [copysign(sqrt(abs(part)), part) for part in parts]
    mean = sum(roots) / max(len(roots), 1)
    return copysign(mean * mean, mean)


def typical_part(saved: Mapping[int, int], executed: Sequence[int]) -> float:
    """Return the typical part, from the executed instructions that are saved in programs and all that they execute."""
    return typical(saved.get(number, 0) / max(total, 1) for number, total in enumerate(executed))
