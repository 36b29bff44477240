"""Comparisons of runs of which the machines' descriptions are known: reasons then say what of these makes the difference."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ease.comparison import Comparison, compare
from ease.description_differences import Edited, aligned, edits_between, inner_edits
from ease.lacking import machines_of, needs_of
from ease.reasons import Needs
from ease.store.kept_run import KeptRun

PLACE, MOST_PLACES = 2, 3  # keys that name a place of a description, and places that are named
# Which parts of a description, by the first or last key, bring something about directly.
ACTS_ON = {
    "spilling": {"registers", "allocable"}, "saving registers": {"registers", "allocable", "calls"}, "calls": {"calls"},
    "delay slots": {"slots", "load_slots", "hold_slots"}, "building constants": {"operands"},
}  # fmt: skip


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
        return compare(*runs, edited=partial(edited, edits))
    needs = needs_of(before, *machines), needs_of(after, *reversed(machines))
    if all(2 * len(need.lacking) > len(run.texts) for need, run in zip(needs, (before, after), strict=True)):
        needs = Needs({}, needs[0].callees), Needs({}, needs[1].callees)  # names of another machine's instructions say nothing
    return compare(*runs, needs, partial(edited, edits))


def edited(edits: Sequence[Edited], mechanism: str = "") -> str:
    """Return the edits that bring a mechanism about, or all if none does directly; empty if they are too many to name.

    That is the one value that they change, a few places, or what the keys of all have in common: `operands.imm.constant`,
    `registers.r, allocable.r`, `instructions`, `instructions.*.slots` if only the slots of several instructions change.
    """
    seen = [inner.keys for edit in edits for inner in inner_edits(edit) if not _names_registers(edit)]
    keys = [key for key in seen if {key[0], key[-1]} & ACTS_ON.get(mechanism, set())] or seen
    first, last = _shared(keys), _shared([key[::-1] for key in keys])
    if first and last and len(keys) > 1:
        return ".".join([*first, "*", *reversed(last)])
    places = dict.fromkeys(".".join(key[:PLACE]) for key in keys)
    if len(first) < PLACE and 1 < len(places) <= MOST_PLACES:
        return ", ".join(places)
    return ".".join(first)


def _names_registers(edit: Edited) -> bool:
    """Whether only assembly shows an edit."""
    return edit.keys[0] == "registers" and edit.keys[-1] == "names"


def _shared(keys: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the keys with which all begin."""
    equal = 0
    for level in zip(*keys, strict=False):
        if len(set(level)) > 1:
            break
        equal += 1
    return keys[0][:equal] if keys else ()
