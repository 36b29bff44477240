"""Functions that are the same but for the source lines they come from: text was added or removed above them.

A file of its own, since only sources that were edited need it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from vpo.rtl.function import LINE, FunctionData

Lines = dict[int, int]  # where each line of a function is now


def moved_lines(old: FunctionData, new: FunctionData) -> Lines | None:
    """Return where the lines of an old function are in a new one, in the same order; None if more than lines differs."""
    moved: Lines = {}
    if not _is_moved(old, new, moved):
        return None
    return moved if all(moved[a] < moved[b] for a, b in pairwise(sorted(moved))) else None


def is_unmoved(moved: Lines) -> bool:
    """Whether all lines are where they were."""
    return all(before == now for before, now in moved.items())


def _is_moved(old: FunctionData, new: FunctionData, moved: Lines) -> bool:
    """Whether functions differ in lines only; take down which line has become which."""
    blocks, *others = old
    new_blocks, *new_others = new
    rest, new_rest = others.pop(), new_others.pop()
    if others != new_others or len(blocks) != len(new_blocks):
        return False
    lines = [((rest[LINE],), (new_rest[LINE],))]
    if (*rest[:LINE], *rest[LINE + 1 :]) != (*new_rest[:LINE], *new_rest[LINE + 1 :]):
        return False
    for (label, rtls, phis), (new_label, new_rtls, new_phis) in zip(blocks, new_blocks, strict=True):
        if label != new_label or len(rtls) != len(new_rtls) or len(phis) != len(new_phis):
            return False
        for (effects, at, *more), (new_effects, new_at, *new_more) in zip(rtls, new_rtls, strict=True):
            if effects != new_effects or more != new_more:
                return False
            lines.append((at, new_at))
        for (target, sources, at, cause), (*same, new_at, new_cause) in zip(phis, new_phis, strict=True):
            if [target, sources] != same or cause != new_cause:
                return False
            lines.append((at, new_at))
    return all(
        len(before) == len(after) and all(moved.setdefault(a, b) == b for a, b in zip(before, after, strict=True))
        for before, after in set(lines)
    )


def with_lines(function: FunctionData, moved: Lines) -> FunctionData:
    """Return a function whose lines are where they are now.

    Raises KeyError for a line of which that is not known.
    """
    known: dict[object, tuple[Any, ...]] = {}

    def put(rtl: tuple[Any, ...]) -> tuple[Any, ...]:
        if rtl not in known:
            effects, lines, *more = rtl
            known[rtl] = (effects, tuple([moved[line] for line in lines]), *more)
        return known[rtl]

    blocks, slots, arriving, leaving, rest = function
    made = []
    for label, rtls, phis in blocks:
        joined = tuple((target, sources, tuple([moved[n] for n in lines]), cause) for target, sources, lines, cause in phis)
        made.append((label, tuple(map(put, rtls)), joined))
    return tuple(made), slots, arriving, leaving, (*rest[:LINE], moved[rest[LINE]], *rest[LINE + 1 :])
