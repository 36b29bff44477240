"""Options that commands share which compare machines over programs.

A file of its own, since these commands import each other in no order.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vpo.opt.driver import Level

LEVELS: dict[str, Level] = {"0": 0, "1": 1, "2": 2, "s": "s"}
PROGRAMS = """\
A program is a C file with its arguments, in quotes: "samples/queens.c 8", "wc.c < text", "-DN=8 -Ilib main.c lib/a.c -- 10";
or a file such as samples/samples.json that lists some; or a suite in a folder: embench:FOLDER, "embench:FOLDER crc32 ud".
docs/experiments.md has the suites that are known.
"""
USUAL: Level = 2  # machines are compared by the code that the compiler makes when it is asked for good code


def add_level(parser: argparse.ArgumentParser) -> None:
    """Add the level of optimisation."""
    parser.add_argument("-O", dest="level", type=_level, default=USUAL, metavar="L", help="level: 0, 1, 2 or s (default: 2)")


def _level(word: str) -> Level:
    if word not in LEVELS:
        raise argparse.ArgumentTypeError(f"there is no level '{word}' (0, 1, 2, s)")
    return LEVELS[word]
