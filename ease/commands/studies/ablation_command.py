"""`ease experiment ablation` and `immediates`: the experiments with the parts of one machine.

They tell what each part is worth to some programs, which constants these want, and what each width of an immediate costs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

from ease import Machine
from ease.base.files import write_atomically
from ease.commands.messages import print_tables, put_json
from ease.lab.experiments import ablation as tables
from ease.lab.experiments import immediates
from ease.lab.experiments.ablation import Ablation, Variant, price_all
from ease.lab.experiments.instruction_search import Tell, dearest_pairs, smallest_loss
from ease.lab.experiments.suites import read_suite
from ease.reports.render import picture
from ease.reports.report import TitledTable
from vpo.base.errors import UserError
from vpo.machines.advice.edits import KINDS, Edit, constant_uses, narrower_constants, reorderings


def _add_ablation(parser: argparse.ArgumentParser) -> None:
    """Add the options of this experiment alone."""
    parser.add_argument("--only", default="", metavar="W,W", help=f"kinds ({', '.join(KINDS)}), or names of parts, alone")
    parser.add_argument("--pairs", action="store_true", help="pairs of the dearest instructions, too: what replaces what")
    parser.add_argument("--keep", type=int, metavar="K", help="find a set of K instructions that loses least")
    parser.add_argument("--svg", metavar="FILE", help="write a heat map of parts and programs")
    parser.add_argument("--list", action="store_true", help="list the parts, and do nothing")


def _run_ablation(options: argparse.Namespace, tell: Tell) -> int:
    """Run the experiment on one machine.

    Raises ease.Error, UserError, OSError.
    """
    machine = Machine(one_machine(options, "ablation"), options.set)
    edits = chosen(machine.parts, options.only)
    if options.list:
        print("\n".join(f"{edit.kind:12} {edit.name}" for edit in edits))
        return 0
    ablation = Ablation(machine, read_suite(options.programs), options.level)
    found = _Found(ablation, edits, options, tell)
    if options.svg:
        write_atomically(options.svg, picture(tables.heat_map(found.singles, found.whole)))
    if not put_json(options.json, lambda: {"format": 1, "ablation": found.json()}):
        print(f"At -O{options.level}\n")
        print_tables(table for table in found.tables() if len(table.rows) > 1)
    return 0


def one_machine(options: argparse.Namespace, experiment: str) -> str:
    """Return the machine that was named.

    Raises UserError if there are several.
    """
    if len(options.machines) != 1:
        raise UserError([f"ease experiment {experiment}: name one machine with -m: the parts of one are compared"])
    name: str = options.machines[0]
    return name


def chosen(edits: list[Edit], words: str) -> list[Edit]:
    """Return the edits whose kind or name is among words with commas between them; all if there are none.

    Raises UserError for a word that is neither.
    """
    wanted = [word for word in words.split(",") if word]
    known = set(KINDS) | {edit.name for edit in edits} | {edit.name.split(":")[0] for edit in edits}
    unknown = [word for word in wanted if word not in known]
    if unknown:
        raise UserError([f"--only: '{unknown[0]}' is no kind ({', '.join(KINDS)}) and no part of this machine (--list)"])
    return [edit for edit in edits if not wanted or {edit.kind, edit.name, edit.name.split(":")[0]} & set(wanted)]


class _Found:
    """The prices that the options ask for."""

    def __init__(self, ablation: Ablation, edits: list[Edit], options: argparse.Namespace, tell: Tell) -> None:
        jobs = max(1, options.jobs)
        orders = [(edit,) for edit in reorderings()]
        priced = price_all(ablation, [*((edit,) for edit in edits), *orders], jobs, tell)
        self.whole = ablation.whole
        self.singles, self.noise = priced[: len(edits)], priced[len(edits) :]
        self.pairs: list[Variant] = []
        if options.pairs:
            self.pairs = price_all(ablation, dearest_pairs(self.singles, self.whole), jobs, tell)
        self.steps: list[Variant] = []
        self.left: list[str] = []
        if options.keep is not None:
            self.steps, self.left = smallest_loss(ablation, self.singles, options.keep, jobs, tell)

    def tables(self) -> Iterator[TitledTable]:
        """Yield the tables."""
        yield from tables.prices(self.singles, self.whole)
        yield tables.noise(self.noise, self.whole)
        if self.pairs:
            yield tables.pairs(self.pairs, self.singles, self.whole)
        if self.steps:
            yield tables.kept(self.steps, self.whole, self.left)

    def json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "whole": tables.as_json([self.whole])[0]["programs"], "single": tables.as_json(self.singles),
            "noise": tables.as_json(self.noise), "pairs": tables.as_json(self.pairs),
            "keep": {"steps": tables.as_json(self.steps), "left": self.left},
        }  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------
# The constants that programs want, and what each width of an immediate costs.


def _add_immediates(parser: argparse.ArgumentParser) -> None:
    """Add the options of this experiment alone."""
    parser.add_argument("--svg", metavar="FILE", help="write curves of instructions and bytes against bits")


def _run_immediates(options: argparse.Namespace, tell: Tell) -> int:
    """Run the experiment on one machine.

    Raises ease.Error, UserError, OSError.
    """
    machine = Machine(one_machine(options, "immediates"), options.set)
    ablation = Ablation(machine, read_suite(options.programs), options.level)
    uses = list(constant_uses(machine.description))
    edits = [(edit,) for edit in narrower_constants(machine.description)]
    variants = price_all(ablation, edits, max(1, options.jobs), tell)
    wanted, whole = immediates.wanted_constants(ablation, uses), ablation.whole
    if options.svg:
        write_atomically(options.svg, picture(immediates.panels(uses, variants, whole)))
    if not put_json(options.json, lambda: {"format": 1, "immediates": immediates.json(uses, wanted, variants, whole)}):
        print(f"At -O{options.level}\n")
        print_tables(table for table in immediates.tables(uses, wanted, variants, whole) if len(table.rows) > 1)
    return 0


# by name: summary, own options, what they do
OF_PARTS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace, Tell], int]]] = {
    "ablation": (
        "what each instruction, form, register and bit is worth: take it away, compile, run", _add_ablation, _run_ablation,
    ),
    "immediates": (
        "which constants programs want, and what each width of an immediate costs", _add_immediates, _run_immediates,
    ),
}  # fmt: skip
