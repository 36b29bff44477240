"""`ease dossier`: what candidates are worth over a suite of programs, as a folder of documents."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ease.commands.guard import EXIT_USER, guarded
from ease.commands.studies.study_options import PROGRAMS

INTERRUPTED = 130
DEFAULT_DB = "measurements.ease"
PROCESSOR = "also with caches and a predictor, in the words of easecc, in quotes: '-cache I:8k,32,2+D:8k,32,2 -predict btfn'"
EPILOG = PROGRAMS + """\
docs/dossier.md says what the folder has.
"""


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, or numbers that do not come out again; 2: wrong usage; 130: interrupted."""
    parser = _parser()
    options = parser.parse_args(words)
    if options.noise < 0:
        parser.error("--noise needs a number of other orders")
    if options.jobs < 1:
        parser.error("-j needs a number of processes, at least 1")
    if not options.check and not (options.machines and options.output):
        parser.error("a dossier needs -m BASE -m CANDIDATE and -o DIR (or --check DIR)")
    return guarded("ease dossier", lambda: _check(options) if options.check else _write(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ease dossier", description="What candidates are worth over a suite of programs, as one folder.", epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add = parser.add_argument
    add("programs", nargs="*", metavar="PROGRAM", help="(default: samples/samples.json)")
    add("-m", dest="machines", action="append", default=[], metavar="M", help="the base machine, then each candidate")
    add("-O", dest="levels", default="2", metavar="L[,L...]", help="levels of optimisation: 0, 1, 2, s (default: 2)")
    add("--held-out", action="append", default=[], metavar="PROGRAM", help="a program, or a list, that decides nothing")
    add("--noise", type=int, default=0, metavar="N", help="describe machines in N other orders, and tell what that changes")
    add("--processor", dest="processors", action="append", default=[], metavar="WORDS", help=PROCESSOR)
    add("-o", dest="output", metavar="DIR", help="the folder that is written")
    add("--check", metavar="DIR", help="measure a dossier again, from nothing, and tell whether its numbers come out again")
    add("-db", default=DEFAULT_DB, metavar="FILE", help="the store (default: %(default)s); '' for none")
    add("-j", dest="jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="how many processes (default: one a core)")
    add("-q", dest="quiet", action="store_true", help="do not tell how far it is")
    return parser


def _write(options: argparse.Namespace) -> int:
    from ease import Progress, Store
    from ease.base.files import write_atomically
    from ease.lab.dossier.facts import gather
    from ease.lab.dossier.folder import asked_of, files_of

    beside = options.held_out, options.noise, options.processors
    asked = asked_of(options.machines, options.levels.split(","), options.programs or _usual_suite(), *beside)
    store = Store(options.db) if options.db else None
    try:
        facts = gather(asked, options.jobs, store, Progress(options.quiet))
    except KeyboardInterrupt:
        print("ease dossier: interrupted; the same command goes on with what is missing", file=sys.stderr)
        return INTERRUPTED
    files = files_of(asked, facts)
    Path(options.output).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        write_atomically(os.path.join(options.output, name), text)
    print(_verdicts(files["dossier.md"]))
    print(f"{options.output}: {', '.join(files)}")
    return 0


def _usual_suite() -> list[str]:
    """Return the suite that is measured if none is named.

    Raises UserError if it is not there.
    """
    from vpo.base.errors import UserError

    suite = "samples/samples.json"
    if not Path(suite).is_file():
        raise UserError([f"there is no {suite} here: name programs, or copy the samples with `ease samples`"])
    return [suite]


def _verdicts(text: str) -> str:
    """Return what the summary of a dossier says."""
    return text.split("## Summary\n", 1)[1].split("\n**", 1)[0].strip()


def _check(options: argparse.Namespace) -> int:
    from ease import Progress
    from ease.lab.dossier.folder import check

    found = check(Path(options.check), options.jobs, Progress(options.quiet))
    for line in found:
        print(f"ease dossier: {options.check}: {line}", file=sys.stderr)
    if not found:
        print(f"{options.check}: every number comes out again")
    return EXIT_USER if found else 0
