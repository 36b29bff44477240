"""Why memory is referenced, machines side by side: Figure 12 of the paper."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ease.experiments.experiment import Experiment, Results, Table, Variant, total
from ease.reports.report import number, percent


def arguments(parser: argparse.ArgumentParser) -> None:
    """There are no options beside those of all experiments."""


def variants(options: argparse.Namespace) -> Sequence[Variant]:
    """Return the machines as they are."""
    return [Variant(machine, tuple(options.set)) for machine in options.machines]


def tables(options: argparse.Namespace, results: Results) -> Sequence[Table]:
    """Show each group of causes, and its share."""
    del options
    groups = next(iter(total(outcomes).references for outcomes in results.values()))
    rows = [["machine", *[cell for group in groups for cell in (group, "%")], "total"]]
    for variant, outcomes in results.items():
        outcome = total(outcomes)
        shares = [cell for n in outcome.references.values() for cell in (number(n), percent(n, outcome.memory))]
        rows.append([variant.machine, *shares, number(outcome.memory)])
    return [Table("Memory references by cause", rows)]


def json(options: argparse.Namespace, results: Results) -> Any:
    """Return the outcomes by machine and program."""
    del options
    return {v.machine: {name: outcome.json() for name, outcome in outcomes.items()} for v, outcomes in results.items()}


REFERENCES = Experiment(
    "references", "why each memory reference was made, machines side by side", arguments, variants, tables, json
)
