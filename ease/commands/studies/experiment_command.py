"""`ease experiment`: compile and run programs on several machines, or variants of one, and compare."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from ease.base.files import write_atomically
from ease.commands.guard import EXIT_USER, guarded
from ease.commands.messages import print_tables, put_json, telling
from ease.commands.studies.ablation_command import OF_PARTS
from ease.commands.studies.encoding_command import SUMMARY, add_encoding, run_encoding
from ease.commands.studies.study_options import PROGRAMS, add_level
from ease.lab.experiments import EXPERIMENTS
from ease.lab.experiments.experiment import UNLIKE, run_all, unlike
from ease.lab.experiments.instruction_search import Tell
from ease.lab.experiments.studies import STUDIES
from ease.lab.experiments.studies.questions import ask_all
from ease.lab.experiments.suites import read_suite
from ease.reports.render import picture
from ease.reports.report import TitledTable
from vpo.machines.read.load import load

PLANS = {**OF_PARTS, "encoding": (SUMMARY, add_encoding, run_encoding)}  # that try more machines than those that are named
EPILOG = PROGRAMS + """\
Every variant has a library of its own, compiled for it.
"""


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, 2: wrong usage."""
    options = _parser().parse_args(words)
    return guarded("ease experiment", lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("ease experiment", epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="experiment", required=True, metavar="EXPERIMENT")
    named = {e.name: (e.summary, e.arguments) for e in EXPERIMENTS.values()}
    named.update({study.name: (study.summary, study.arguments) for study in STUDIES.values()})
    named.update({name: (summary, add_arguments) for name, (summary, add_arguments, _) in PLANS.items()})
    for name, (summary, add_arguments) in named.items():
        command = commands.add_parser(name, help=summary, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
        command.add_argument(
            "-m", dest="machines", type=_words, action="extend", required=True, metavar="M[,M...]", help="the machines",
        )  # fmt: skip
        add_level(command)
        command.add_argument("--set", action="append", default=[], metavar="K=V", help="change every description")
        command.add_argument("--json", metavar="FILE", help="write the numbers, too; - is the standard output, alone")
        command.add_argument("-j", dest="jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
        command.add_argument("-q", dest="quiet", action="store_true", help="do not tell what is done")
        command.add_argument("programs", nargs="+", metavar="PROGRAM")
        if name in STUDIES:
            command.add_argument("--svg", metavar="FILE", help="write a picture of it")
        add_arguments(command)
    return parser


def _words(text: str) -> list[str]:
    return text.split(",")


def _run(options: argparse.Namespace) -> int:
    for machine in options.machines:
        load(machine, options.set)  # what is wrong with it is told before anything is compiled
    tell = telling(options.quiet)
    if options.experiment in PLANS:
        return PLANS[options.experiment][2](options, tell)
    if options.experiment in STUDIES:
        return _run_study(options, tell)
    experiment = EXPERIMENTS[options.experiment]
    programs = read_suite(options.programs)
    results = run_all(experiment.variants(options), programs, options.level, max(1, options.jobs), tell)
    odd = unlike(results)
    for name in odd:
        print(f"ease experiment: {UNLIKE.format(name)}", file=sys.stderr)
    _print(options, lambda: experiment.tables(options, results), lambda: experiment.json(options, results))
    return EXIT_USER if odd else 0


def _run_study(options: argparse.Namespace, tell: Tell) -> int:
    study = STUDIES[options.experiment]
    study.check(options)
    answers = ask_all(study, read_suite(options.programs), options, tell)
    if options.svg:
        write_atomically(options.svg, picture(study.panels(options, answers)))
    return _print(options, lambda: study.tables(options, answers), lambda: answers)


def _print(options: argparse.Namespace, tables: Callable[[], Sequence[TitledTable]], values: Callable[[], object]) -> int:
    """Print tables and write JSON, as far as the options want them."""
    if not put_json(options.json, lambda: {"format": 2, options.experiment: values()}):
        print(f"At -O{options.level}\n")
        print_tables(tables())
    return 0
