"""Tables, JSON and a heat map of what the parts of a machine are worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from ease.experiments.ablation import Variant
from ease.experiments.experiment import Table
from ease.experiments.price import MEASURES, Price
from ease.reports.pictures import HeatMap
from ease.reports.report import number

INSTEAD = 3  # instructions that are shown to take the place of others
SHOWN = 40  # rows of a heat map


def measure_of(whole: Variant) -> str:
    """Return the measure by which to sort: cycles if the machine's description tells them, else instructions."""
    return "cycles" if whole.total.cycles else "instructions"


def change(variant: Variant, whole: Variant, measure: str) -> float:
    """Return by which part of the whole machine's a variant's measure is higher."""
    before = whole.total.of(measure)
    return (variant.total.of(measure) - before) / before if before else 0.0


def prices(variants: Sequence[Variant], whole: Variant) -> Iterator[Table]:
    """Yield the costs of what was taken away, the highest first; what changes nothing; what cannot be compiled without it."""
    measure = measure_of(whole)
    priced = [variant for variant in variants if not variant.reason]
    dear = [variant for variant in priced if differences(variant, whole) != [0] * len(MEASURES)]
    dear.sort(key=lambda variant: (-change(variant, whole, measure), variant.name))
    head = ["without", "", *(cell for name in _measures(whole) for cell in (name, "%")), "  instead"]
    rows = [head, *([*_titles(variant), *_cells(variant, whole), "  " + instead(variant, whole)] for variant in dear)]
    yield Table(f"What parts are worth: costs of taking one away, by {measure}", rows, keys=2, note=_totals(whole))
    free = [variant for variant in priced if variant not in dear]
    yield Table("Parts that these programs do without", [["", "parts"], *_by_kind(free)], keys=2)
    failed = [[*_titles(variant), variant.reason] for variant in variants if variant.reason]
    yield Table("Parts without which there is no right code", [["part", "", "why"], *failed], keys=3)


def _titles(variant: Variant) -> list[str]:
    return [" + ".join(dict.fromkeys(edit.kind for edit in variant.edits)), variant.name]


def _measures(whole: Variant) -> list[str]:
    return [name for name in MEASURES if whole.total.of(name)]


def differences(variant: Variant, whole: Variant) -> list[int]:
    """Return by how much each of MEASURES is higher than on the whole machine."""
    before, after = whole.total, variant.total
    return [after.of(name) - before.of(name) for name in MEASURES]


def _cells(variant: Variant, whole: Variant) -> list[str]:
    wanted = _measures(whole)
    pairs = zip(MEASURES, differences(variant, whole), strict=True)
    return [
        cell for name, more in pairs if name in wanted for cell in (f"{more:+,}", f"{100 * change(variant, whole, name):+.2f}")
    ]


def _totals(whole: Variant) -> str:
    return "the whole machine: " + ", ".join(f"{number(whole.total.of(name))} {name}" for name in _measures(whole))


def _by_kind(variants: Iterable[Variant]) -> list[list[str]]:
    ordered = sorted(variants, key=lambda variant: _titles(variant)[0])
    return [[kind, ", ".join(v.name for v in group)] for kind, group in groupby(ordered, lambda v: _titles(v)[0])]


def instead(variant: Variant, whole: Variant) -> str:
    """Return which instructions are executed more often than on the whole machine, most first."""
    before, after = whole.total.executed, variant.total.executed
    more = {name: times - before.get(name, 0) for name, times in after.items()}
    chosen = sorted((name for name in more if more[name] > 0), key=lambda name: -more[name])[:INSTEAD]
    return ", ".join(f"{name} {more[name]:+,}" for name in chosen)


def noise(variants: Sequence[Variant], whole: Variant) -> Table:
    """Show how much prices change by edits that change no machine."""
    rows = [["", *(cell for name in _measures(whole) for cell in (name, "%"))]]
    rows += [[variant.name, *_cells(variant, whole)] for variant in variants if not variant.reason]
    return Table("The compiler's noise: descriptions of the same machine in another order", rows)


def pairs(variants: Sequence[Variant], singles: Sequence[Variant], whole: Variant) -> Table:
    """Show what two parts cost together beyond what each costs: where it is much, one replaces the other."""
    measure = measure_of(whole)
    alone = {variant.edits[0].name: change(variant, whole, measure) for variant in singles if not variant.reason}
    rows: list[tuple[float, list[str]]] = []
    for variant in variants:
        apart = sum(alone[edit.name] for edit in variant.edits)
        together = change(variant, whole, measure)
        shown = ["-", "no code"] if variant.reason else [f"{100 * together:+.3f}", f"{100 * (together - apart):+.3f}"]
        rows.append((-1.0 if variant.reason else apart - together, [variant.name, f"{100 * apart:+.3f}", *shown]))
    head = ["without both", "% apart", "% together", "% more"]
    return Table(f"Pairs, by {measure}: what replaces what", [head, *(cells for _, cells in sorted(rows))])


def kept(steps: Sequence[Variant], whole: Variant, names: Sequence[str]) -> Table:
    """Show in which order instructions were taken away, and at which cost; `names` are left.

    Those that change nothing when they go share a row with the one before.
    """
    measure = measure_of(whole)
    rows = [["taken away", "left", *(cell for name in _measures(whole) for cell in (name, "%"))]]
    before: set[str] = set()
    for _, same in groupby(steps, lambda variant: differences(variant, whole)):
        variant = list(same)[-1]
        gone = [edit.name for edit in variant.edits if edit.name not in before]
        left = len(names) + len(steps[-1].edits) - len(variant.edits)
        rows.append([", ".join(gone), str(left), *_cells(variant, whole)])
        before.update(gone)
    return Table(f"A small set of instructions, by {measure}", rows, note="left: " + " ".join(names))


def as_json(variants: Iterable[Variant]) -> list[dict[str, Any]]:
    """Return the JSON form of variants: what was taken away, and the price of each program or the reason why there is none."""
    return [
        {"without": [{"kind": edit.kind, "name": edit.name} for edit in variant.edits]}
        | ({"reason": variant.reason} if variant.reason else {"programs": {p: _json(x) for p, x in variant.prices.items()}})
        for variant in variants
    ]


def _json(price: Price) -> dict[str, Any]:
    return {name: price.of(name) for name in MEASURES} | {"executed": dict(price.executed)}


def heat_map(variants: Sequence[Variant], whole: Variant) -> HeatMap:
    """Return a picture of the dearest parts: how much more each program takes without them."""
    measure = measure_of(whole)
    priced = [variant for variant in variants if not variant.reason and change(variant, whole, measure)]
    priced.sort(key=lambda variant: -change(variant, whole, measure))
    columns = list(whole.prices)
    cells = [
        [variant.prices[name].of(measure) / max(whole.prices[name].of(measure), 1) - 1 for name in columns]
        for variant in priced[:SHOWN]
    ]
    return HeatMap(f"more {measure} without a part", [variant.name for variant in priced[:SHOWN]], columns, cells)
