"""`ease exercise`: exercises for a course, and a check of their answers.

A file of its own, since commands are.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path

from ease.commands.guard import guarded

WIDTH = 100  # of a question's lines
MARKS = {True: "yes", False: "no ", None: "   "}
EPILOG = "Without a name: lists them. With a name alone: tells the exercise. Exit status 1: the answer is not enough."


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, or an answer that is not enough, 2: wrong usage."""
    parser = argparse.ArgumentParser("ease exercise", description="exercises for a course; checks answers", epilog=EPILOG)
    parser.add_argument("name", nargs="?", help="an exercise")
    parser.add_argument("answer", nargs="?", type=Path, help="a file with an answer, to be checked")
    parser.add_argument("-o", dest="folder", type=Path, metavar="FOLDER", help="write its files into a folder, to begin with")
    options = parser.parse_args(words)
    return guarded("ease exercise", lambda: _run(options))


def _run(options: argparse.Namespace) -> int:
    from ease.lab.exercises.exercises import KINDS, Exercise, aims, check, exercises
    from vpo.base.errors import UserError
    from vpo.base.suggestions import suggested

    known = exercises()
    if options.name is None:
        width = max(map(len, known))
        print("\n".join(f"{name:{width}}  {each.title}" for name, each in known.items()))
        return 0
    if options.name not in known:
        meant = suggested(options.name, known)
        raise UserError([f"there is no exercise '{options.name}'{meant} (`ease exercise` lists them)"])
    exercise: Exercise = known[options.name]
    if options.answer is not None:
        findings = check(exercise, options.answer.read_text(encoding="utf-8"), str(options.answer))
        for each in findings:
            print(f"{MARKS[each.holds]}  {each.wanted} ({each.found})")
        print("Solved." if (solved := all(each.holds is not False for each in findings)) else "Not yet.")
        return 0 if solved else 1
    file = KINDS[exercise.kind]
    if options.folder is not None:
        options.folder.mkdir(parents=True, exist_ok=True)
        (options.folder / file).write_text(exercise.begin, encoding="utf-8")
        if exercise.kind != "program":
            (options.folder / "program.c").write_text(exercise.program, encoding="utf-8")
        print(f"{options.folder / file} is yours to change; then: ease exercise {options.name} {options.folder / file}")
        return 0
    print(f"{exercise.title}\n\n{textwrap.fill(exercise.question, WIDTH)}\n\nOn {exercise.machine}, at -O2. To reach:\n")
    print("\n".join(f"  * {aim}" for aim in aims(exercise)))
    print(f"\nAn answer is a {exercise.kind} ({file}), which begins as\n\n{textwrap.indent(exercise.begin, '    ')}", end="")
    if exercise.kind != "program":
        print(f"\nThe program:\n\n{textwrap.indent(exercise.program, '    ')}", end="")
    print(f"\nTo read: docs/{exercise.read}\nTo begin: ease exercise {options.name} -o FOLDER")
    return 0
