"""Path length, memory references and size of programs on several machines, relative to the first of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from math import exp, log

from ease.experiments.experiment import Experiment, Outcome, Results, Table, have_cycles, ratio, total
from ease.experiments.references import arguments, json, variants
from ease.reports.report import number, percent

MEASURES: dict[str, Callable[[Outcome], int]] = {
    "instructions": lambda outcome: outcome.instructions,
    "references": lambda outcome: outcome.memory,
    "bytes": lambda outcome: outcome.size,
}


def tables(options: argparse.Namespace, results: Results) -> Sequence[Table]:
    """Show totals with mean ratios, and the path length of each program."""
    del options
    first, base = next(iter(results.items()))
    every = [outcome for outcomes in results.values() for outcome in outcomes.values()]
    measures = MEASURES | ({"cycles": lambda outcome: outcome.cycles or 0} if have_cycles(every) else {})
    rows = [["machine", *[cell for name in measures for cell in (name, "ratio")], "calls %"]]
    for variant, outcomes in results.items():
        whole = total(outcomes)
        cells = [cell for get in measures.values() for cell in (number(get(whole)), f"{_mean(outcomes, base, get):.3f}")]
        rows.append([variant.machine, *cells, percent(whole.calls, whole.instructions)])
    note = f"ratios to {first.machine}: geometric means over {len(base)} programs; bytes of code, library included"
    each = [["program", *[variant.machine for variant in results]]]
    for name, outcome in base.items():
        each.append([name, *[ratio(o[name].instructions, outcome.instructions) for o in results.values()]])
    return [Table("Machines", rows, note=note), Table(f"Instructions executed, relative to {first.machine}", each)]


def _mean(outcomes: Mapping[str, Outcome], base: Mapping[str, Outcome], get: Callable[[Outcome], int]) -> float:
    ratios = [get(outcome) / max(get(base[name]), 1) for name, outcome in outcomes.items()]
    return exp(sum(log(max(r, 1e-9)) for r in ratios) / len(ratios))


MACHINES = Experiment(
    "machines", "path length, references and size on several machines, relative to the first", arguments, variants, tables,
    json,
)  # fmt: skip
