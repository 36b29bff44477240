"""Saving and restoring registers: the six methods, and three mechanisms to do it (Table III of the paper).

The mechanisms are compared as the paper does, as if the machine had them: a run with single loads and stores says how
often registers are saved or restored, and at how many points.  A special instruction does one point's at once; a mask in
the call does them with no instruction, and two memory references a call for the mask itself.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ease.experiments.experiment import Experiment, Outcome, Results, Table, Variant, have_cycles, ratio, total
from ease.reports.report import number
from vpo.machines.calling_convention import METHODS

MASK_REFERENCES = 2  # of a call: the mask is saved, and restored


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the method under which mechanisms are compared."""
    parser.add_argument("--method", choices=METHODS, default="caller", help="compare mechanisms under this one (caller)")


def variants(options: argparse.Namespace) -> Sequence[Variant]:
    """Return each machine with each method, and with single saves under one."""
    result = []
    for machine in options.machines:
        result += [_method(options, machine, method) for method in METHODS]
        result.append(_single(options, machine))
    return list(dict.fromkeys(result))


def _method(options: argparse.Namespace, machine: str, method: str) -> Variant:
    return Variant(machine, (*options.set, f"calls.save={method}"))


def _single(options: argparse.Namespace, machine: str) -> Variant:
    return Variant(machine, (*options.set, f"calls.save={options.method}", "calls.save_with=single"))


def tables(options: argparse.Namespace, results: Results) -> Sequence[Table]:
    """Show the methods and the mechanisms of each machine."""
    makers = (_methods, _mechanisms)
    return [make(options, machine, results) for machine in options.machines for make in makers]


def _methods(options: argparse.Namespace, machine: str, results: Results) -> Table:
    outcomes = {method: total(results[_method(options, machine, method)]) for method in METHODS}
    base, timed = outcomes[METHODS[0]], have_cycles(outcomes.values())
    head = ["method", "instructions", "ratio", "references", "ratio", "save/restore", "bytes"]
    rows = [head + (["cycles", "ratio"] if timed else [])]
    for method, outcome in outcomes.items():
        rows.append([
            method, number(outcome.instructions), ratio(outcome.instructions, base.instructions), number(outcome.memory),
            ratio(outcome.memory, base.memory), number(_saving(outcome)), number(outcome.size),
            *([number(outcome.cycles or 0), ratio(outcome.cycles or 0, base.cycles or 0)] if timed else []),
        ])  # fmt: skip
    note = f"ratios to {METHODS[0]}; save/restore: memory references"
    return Table(f"Methods of saving registers, {machine}", rows, note=note)


def _saving(outcome: Outcome) -> int:
    return outcome.references.get("save/restore", 0)


def mechanisms(outcome: Outcome) -> dict[str, tuple[int, int]]:
    """Return instructions and memory references of a run with single loads and stores, under each mechanism."""
    without = outcome.instructions - outcome.saves
    return {
        "mask": (without, outcome.memory + MASK_REFERENCES * outcome.calls),
        "special": (without + outcome.save_points, outcome.memory),
        "load/store": (outcome.instructions, outcome.memory),
    }


def _mechanisms(options: argparse.Namespace, machine: str, results: Results) -> Table:
    columns = mechanisms(total(results[_single(options, machine)]))
    rows = [["measurement", *columns]]
    for index, name in enumerate(("instructions", "memory references")):
        rows.append([name, *[number(values[index]) for values in columns.values()]])
    note = "as if the machine had them: special instructions for each place, or a mask in the call (two references a call)"
    return Table(f"Mechanisms of saving registers under '{options.method}', {machine}", rows, note=note)


def json(options: argparse.Namespace, results: Results) -> Any:
    """Return the outcomes by machine and method, and the mechanisms."""
    return {
        machine: {
            "methods": {method: total(results[_method(options, machine, method)]).json() for method in METHODS},
            "mechanisms": {
                name: {"instructions": values[0], "memory_references": values[1]}
                for name, values in mechanisms(total(results[_single(options, machine)])).items()
            },
        }
        for machine in options.machines
    }


SAVE_RESTORE = Experiment(
    "save-restore", "six methods of saving registers, and three mechanisms to do it", arguments, variants, tables, json
)
