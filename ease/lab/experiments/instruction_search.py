"""Small sets of instructions that lose least, and pairs that replace each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb

from ease.lab.experiments.ablation import Ablation, Variant, change, measure_of, price_all
from vpo.machines.advice.edits import Edit

FEW = 200  # sets that are all tried
PAIRED = 10  # instructions whose pairs are tried
Tell = Callable[[str], None]


def dearest_pairs(singles: Sequence[Variant], whole: Variant) -> list[tuple[Edit, ...]]:
    """Return the pairs of those instructions that cost most to be without, and that code can be without."""
    measure = measure_of(whole)
    found = [variant for variant in singles if variant.edits[0].kind == "instruction" and not variant.reason]
    found = [variant for variant in found if change(variant, whole, measure)]
    found.sort(key=lambda variant: -change(variant, whole, measure))
    return list(combinations([variant.edits[0] for variant in found[:PAIRED]], 2))


def smallest_loss(
    ablation: Ablation, singles: Sequence[Variant], size: int, jobs: int, tell: Tell
) -> tuple[list[Variant], list[str]]:
    """Return variants with ever fewer instructions, down to `size` if code can do with so few, and the names of the rest.

    All sets are tried if they are few.  Else that instruction goes next that costs least beside those that are gone; its cost
    is taken to be no lower than when more instructions were left, so that most need not be priced again.
    """
    edits = [variant.edits[0] for variant in singles if variant.edits[0].kind == "instruction"]
    removable = [v for v in singles if v.edits[0].kind == "instruction" and not v.reason]
    surplus = max(0, len(edits) - size)
    if surplus and comb(len(removable), surplus) <= FEW:
        steps = _best(ablation, removable, surplus, jobs, tell)
    else:
        steps = _Greedy(ablation, removable, jobs, tell).steps(surplus)
    gone = {edit.name for edit in steps[-1].edits} if steps else set()
    return steps, [edit.name for edit in edits if edit.name not in gone]


def _best(ablation: Ablation, removable: Sequence[Variant], surplus: int, jobs: int, tell: Tell) -> list[Variant]:
    sets = list(combinations([variant.edits[0] for variant in removable], surplus))
    priced = [variant for variant in price_all(ablation, sets, jobs, tell) if not variant.reason]
    whole = ablation.whole
    return sorted(priced, key=lambda variant: change(variant, whole, measure_of(whole)))[:1]


class _Greedy:
    """Takes one instruction after another away."""

    def __init__(self, ablation: Ablation, removable: Sequence[Variant], jobs: int, tell: Tell) -> None:
        self.ablation, self.jobs, self.tell = ablation, jobs, tell
        self.whole = ablation.whole
        self.measure = measure_of(self.whole)
        self.bounds = {v.edits[0]: change(v, self.whole, self.measure) for v in removable}

    def steps(self, surplus: int) -> list[Variant]:
        """Return the variants on the way to `surplus` instructions less."""
        found: list[Variant] = []
        gone: tuple[Edit, ...] = ()
        while len(gone) < surplus and (variant := self._next(gone, surplus - len(gone))) is not None:
            gone = variant.edits
            found.append(variant)
        return found

    def _next(self, gone: tuple[Edit, ...], most: int) -> Variant | None:
        """Return the variant without the next instruction, or without all those that seem to cost nothing."""
        free = tuple(edit for edit, bound in self.bounds.items() if not bound)[:most]
        if not gone and len(free) > 1:
            together = self.ablation.priced(free)
            if not together.reason and change(together, self.whole, self.measure) <= 0:
                for edit in free:
                    del self.bounds[edit]
                return together
        return self._least(gone)

    def _least(self, gone: tuple[Edit, ...]) -> Variant | None:
        fresh: dict[Edit, Variant] = {}
        while self.bounds:
            order = sorted(self.bounds, key=lambda edit: (self.bounds[edit], edit.name))
            if order[0] in fresh:
                del self.bounds[order[0]]
                return fresh[order[0]]
            wanted = [edit for edit in order if edit not in fresh][: self.jobs]
            for variant in price_all(self.ablation, [(*gone, edit) for edit in wanted], self.jobs, self.tell):
                edit = variant.edits[-1]
                fresh[edit] = variant
                if variant.reason:
                    del self.bounds[edit]  # what is left needs it
                else:
                    self.bounds[edit] = change(variant, self.whole, self.measure)
        return None
