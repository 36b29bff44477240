"""`ease experiment immediates`: the constants that programs want, and what each width of an immediate costs.

A file of its own, since a command is imported when it is asked for.
"""

from __future__ import annotations

import argparse

from ease.base.files import write_atomically
from ease.commands.messages import print_tables, put_json
from ease.commands.studies.ablation_command import one_machine
from ease.lab.experiments import immediates
from ease.lab.experiments.ablation import Ablation, price_all
from ease.lab.experiments.experiment import read_suite
from ease.lab.experiments.instruction_search import Tell
from ease.reports.render import picture
from vpo.machines.advice.edits import constant_uses, deletions
from vpo.machines.read.load import read_description

NAME, SUMMARY = "immediates", "which constants programs want, and what each width of an immediate costs"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this experiment alone."""
    parser.add_argument("--svg", metavar="FILE", help="write curves of instructions and bytes against bits")


def run(options: argparse.Namespace, tell: Tell) -> int:
    """Run the experiment on one machine.

    Raises UserError, DescriptionError, LinkError, OSError.
    """
    description = read_description(one_machine(options, NAME), options.set)
    ablation = Ablation(description, read_suite(options.programs), options.level)
    uses = list(constant_uses(description))
    parts = {use.part for use in uses}
    edits = [(edit,) for edit in deletions(description) if edit.kind == "bits" and edit.part in parts]
    variants = price_all(ablation, edits, max(1, options.jobs), tell)
    wanted, whole = immediates.wanted_constants(ablation, uses), ablation.whole
    if options.svg:
        write_atomically(options.svg, picture(immediates.panels(uses, variants, whole)))
    if not put_json(options.json, lambda: {"format": 1, NAME: immediates.json(uses, wanted, variants, whole)}):
        print_tables(table for table in immediates.tables(uses, wanted, variants, whole) if len(table.rows) > 1)
    return 0
