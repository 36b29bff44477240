"""`ease experiment encoding`: which forms of instructions a budget of code points is best spent on."""

from __future__ import annotations

import argparse
import re

from ease import Machine
from ease.base.files import write_atomically
from ease.commands.messages import print_tables, put_json
from ease.lab.experiments import encoding
from ease.lab.experiments.ablation import MEASURES
from ease.lab.experiments.instruction_search import Tell
from ease.lab.experiments.suites import read_suite
from vpo.base.errors import UserError

SUMMARY = "which forms of instructions, registers and widths a budget of code points is best spent on"
_BUDGET = re.compile(r"(?:(\d{1,4})\*)?(\d{1,12}(?:\.\d{1,4})?)(bits)?")
MOST = 64  # bits


def add_encoding(parser: argparse.ArgumentParser) -> None:
    """Add the options of this experiment alone."""
    add = parser.add_argument
    add("--budget", required=True, type=_points, metavar="N", help="code points: 25bits, 3*14bits or a number")
    add("--size", type=int, default=0, metavar="BYTES", help="short forms of the first machine; else -m BASE,CANDIDATE")
    add("--measure", choices=MEASURES, help="what is to be saved (default: bytes for short forms, else instructions)")
    add("--least", type=float, default=0.1, metavar="%", help="what a form must save, of all (default: %(default)s)")
    add("--held-out", action="append", default=[], metavar="PROGRAM", help="a program, or a list, that decides nothing")
    add("-o", dest="output", default="plan.yaml", metavar="FILE", help="the description (default: %(default)s)")


def _points(word: str) -> int:
    match = _BUDGET.fullmatch(word)
    if match is None or (match[3] and float(match[2]) > MOST) or (not match[3] and "." in match[2]):
        raise argparse.ArgumentTypeError(f"'{word}' is no number of code points: 25bits, 3*14bits, 49152")
    return int(match[1] or 1) * (int(2.0 ** float(match[2])) if match[3] else int(match[2]))


def run_encoding(options: argparse.Namespace, tell: Tell) -> int:
    """Run the experiment.

    Raises ease.Error, UserError, OSError.
    """
    machines = [Machine(name, options.set) for name in options.machines]
    if not options.size and len(machines) < 2:
        raise UserError(["ease experiment encoding: name -m BASE,CANDIDATE, or say --size 2 for short forms of one machine"])
    if options.size and options.measure not in (None, "bytes"):
        raise UserError([f"short forms save bytes: --size does not go with --measure {options.measure}"])
    candidate = None if options.size else machines[1]
    asked = encoding.Asked(
        machines[0], candidate, read_suite(options.programs), options.level, options.budget, options.size,
        options.measure or ("bytes" if options.size else "instructions"), options.output, options.least / 100,
        read_suite(options.held_out), max(1, options.jobs),
    )  # fmt: skip
    found = encoding.plan(asked, tell)
    tables = list(encoding.tables(found, machines[1:]))
    write_atomically(options.output, found.best.text)
    if not put_json(options.json, lambda: {"format": 1, "encoding": encoding.json(found)}):
        print(f"At -O{options.level}\n")
        print_tables(tables)
        used = f"-m {options.machines[0]}+./{options.output}" if options.size else f"-m {options.output}"
        print(f"\n{options.output}: try it with {used}")
    return 0
