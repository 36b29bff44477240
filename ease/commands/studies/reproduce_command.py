"""`ease reproduce`: the tables and figures of a paper beside today's, with a verdict of their shape."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ease.commands.guard import guarded
from ease.commands.messages import print_report, put_json
from ease.commands.studies.study_options import PROGRAMS

if TYPE_CHECKING:
    from ease.lab.reproduce.paper import Paper

DEFAULT_DB = "measurements.ease"
INTERRUPTED = 130
EPILOG = PROGRAMS + """\
They stand in for those that each table has.  docs/papers.md says what the verdicts mean.
"""


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, 2: wrong usage, 130: interrupted."""
    parser = _parser()
    options = parser.parse_intermixed_args(words)
    if options.jobs < 1:
        parser.error("-j needs a number of processes, at least 1")
    return guarded("ease reproduce", lambda: _reproduce(options, list(words)))


def _parser() -> argparse.ArgumentParser:
    from ease.lab.reproduce.paper import PAPERS

    parser = argparse.ArgumentParser(
        "ease reproduce", description="The tables and figures of a paper beside today's, with a verdict of their shape.",
        epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add = parser.add_argument
    add("paper", choices=PAPERS, metavar="PAPER", help=f"one of {', '.join(PAPERS)}")
    add("programs", nargs="*", metavar="PROGRAM", help="programs in place of those that each table names")
    add("--quick", action="store_true", help="on small inputs: minutes")
    add("--only", metavar="NAME[,NAME...]", help="these tables and figures, such as 'Table II,Figure 12'")
    add("-o", dest="output", metavar="DIR", help="write text, Markdown, a page and JSON there")
    add("--into", metavar="PAGE", help="put the verdicts into a page of Markdown, between its lines for the paper")
    add("--json", metavar="FILE", help="write everything as JSON; - is the standard output, alone")
    add("-db", default=DEFAULT_DB, metavar="FILE", help="the store (default: %(default)s); '' for none")
    add("-j", "-jobs", dest="jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="how many processes")
    add("-q", dest="quiet", action="store_true", help="do not tell how far it is")
    return parser


def _reproduce(options: argparse.Namespace, words: list[str]) -> int:
    from ease import Progress, Store
    from ease.base.files import write_atomically
    from ease.commands.samples_command import installed_samples
    from ease.lab.reproduce.gathering import gather
    from ease.lab.reproduce.paper import FULL, QUICK, read
    from ease.lab.reproduce.verdicts import Report, judge

    paper = _chosen(read(options.paper), options.only)
    store = Store(options.db) if options.db else None
    size = QUICK if options.quick else FULL
    try:
        today = gather(
            paper, size, installed_samples(), options.programs, options.jobs, store, Progress(options.quiet)
        )  # fmt: skip
    except KeyboardInterrupt:
        print("ease reproduce: interrupted; the same command goes on with what is missing", file=sys.stderr)
        return INTERRUPTED
    report = Report(paper, judge(paper, today), shlex.join(["ease", "reproduce", *words]))
    files = report.files() if options.output else {}
    if options.output:
        Path(options.output).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        write_atomically(os.path.join(options.output, name), text)
    if options.into:
        write_atomically(options.into, report.put_into(Path(options.into).read_text(encoding="utf-8")))
    if not put_json(options.json, report.json):
        print_report(report.text(), sys.stdout)
    return 0


def _chosen(paper: Paper, only: str | None) -> Paper:
    """Return a paper with those of its exhibits that a user names; what shows a cause comes with what it explains.

    Raises UserError.
    """
    from vpo.base.errors import UserError
    from vpo.base.suggestions import suggested

    if only is None:
        return paper
    known = {exhibit.name.lower(): exhibit for exhibit in paper.exhibits}
    wanted = [name.strip().lower() for name in only.split(",")]
    for name in wanted:
        if name not in known:
            names = ", ".join(exhibit.name for exhibit in paper.exhibits)
            raise UserError([f"the paper has no '{name}' here{suggested(name, known)} ({names})"])
    causes = {rule.shown.lower() for name in wanted for rule in known[name].rules if rule.shown}
    return replace(paper, exhibits=tuple(each for name, each in known.items() if name in {*wanted, *causes}))
