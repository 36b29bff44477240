"""Comparisons of runs of which the machines' descriptions are known: reasons then say what of these makes the difference."""

from __future__ import annotations

from collections.abc import Sequence

from ease.comparison import Comparison, compare
from ease.description_differences import Edited, aligned, edits_between
from ease.lacking import machines_of, needs_of
from ease.reasons import Needs
from ease.store.kept_run import KeptRun


def compare_runs(before: KeptRun, after: KeptRun) -> Comparison:
    """Compare two runs.

    Raises ValueError for sums of several runs, of which only sums are known.
    """
    runs = before.measurement, after.measurement
    descriptions = aligned(before.description, after.description)
    edits = edits_between(*descriptions) if descriptions is not None else []
    if descriptions is None or not edits or any(run.program is None for run in runs):
        return compare(*runs)
    machines = machines_of(*descriptions)
    if not machines:
        return compare(*runs, edited=edited(edits))
    needs = needs_of(before, *machines), needs_of(after, *reversed(machines))
    if all(2 * len(need.lacking) > len(run.texts) for need, run in zip(needs, (before, after), strict=True)):
        needs = Needs({}, needs[0].callees), Needs({}, needs[1].callees)  # names of another machine's instructions say nothing
    return compare(*runs, needs, edited(edits))


def edited(edits: Sequence[Edited]) -> str:
    """Return the one value of a description that edits change, or what the keys of all have in common; empty if nothing.

    Such as `operands.imm.constant`, `calls`, and `instructions.*.slots` if only the slots of several instructions change.
    """
    keys = [edit.keys for edit in edits]
    first, last = _shared(keys), _shared([key[::-1] for key in keys])
    if len(edits) == 1 or not first or not last:
        return ".".join(first)
    return ".".join([*first, "*", *reversed(last)])


def _shared(keys: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the keys with which all begin."""
    equal = 0
    for level in zip(*keys, strict=False):
        if len(set(level)) > 1:
            break
        equal += 1
    return keys[0][:equal]
