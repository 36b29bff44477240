"""The same machine described in another order: what that changes is the compiler's noise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, groupby
from random import Random

from vpo.machines.edits import Edit
from vpo.machines.groups import keys_with, set_apart
from vpo.machines.source import Map, Seq


def reorderings(description: Map) -> Iterator[Edit]:
    """Yield edits that describe the same machine in another order: what they change is the compiler's noise."""
    yield Edit("order", "instructions of each group in reverse", _reverse_groups, None)
    yield Edit("order", "registers of each range in reverse", _reverse_ranges, None)


def random_reordering(seed: int) -> Edit:
    """Return an edit that describes the same machine in another order: some groups and some ranges in reverse."""

    def change(d: Map) -> None:
        chosen = Random(seed)
        _reverse_groups(d, lambda: chosen.random() < 0.5)
        _reverse_ranges(d, lambda: chosen.random() < 0.5)

    return Edit("order", f"some groups and ranges in reverse ({seed})", change, None)


def _always() -> bool:
    return True


def _reverse_groups(d: Map, chosen: Callable[[], bool] = _always) -> None:
    """Reverse the names of each key, or of those that are chosen, with what is said of each."""
    for key in [key for key in d["instructions"] if len(key.split()) > 1 and chosen()]:
        for name in key.split()[:0:-1]:
            set_apart(d["instructions"], next(k for k in keys_with(d["instructions"], name)), name)
    entries = [(key, d["instructions"][key]) for key in d["instructions"]]
    runs = [list(run) for _, run in groupby(entries, lambda entry: id(d["instructions"].key_places[entry[0]]))]
    d["instructions"].clear()
    for key, value in chain.from_iterable(run[::-1] for run in runs):
        dict.__setitem__(d["instructions"], key, value)


def _reverse_ranges(d: Map, chosen: Callable[[], bool] = _always) -> None:
    """Turn each range of allocable registers round, or those that are chosen.

    What is welcome as much as its neighbours comes in another order.
    """
    for name, listed in d["allocable"].items():
        for number, item in enumerate(listed if isinstance(listed, Seq) else []):
            first, dots, last = item.partition("..") if isinstance(item, str) else (item, "", "")
            if dots and chosen():
                listed[number] = f"{last}..{first}"
        if isinstance(listed, str) and ".." in listed and chosen():
            first, _, last = listed.partition("..")
            d["allocable"][name] = f"{last}..{first}"
