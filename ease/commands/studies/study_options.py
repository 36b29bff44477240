"""Options that commands share which compare machines over programs.

A file of its own, since these commands import each other in no order.
"""

from __future__ import annotations

import argparse

from vpo.opt.driver import Level

LEVELS: dict[str, Level] = {"0": 0, "1": 1, "2": 2, "s": "s"}
USUAL: Level = 2  # machines are compared by the code that the compiler makes when it is asked for good code


def add_level(parser: argparse.ArgumentParser) -> None:
    """Add the level of optimisation."""
    parser.add_argument("-O", dest="level", type=_level, default=USUAL, metavar="L", help="level: 0, 1, 2 or s (default: 2)")


def _level(word: str) -> Level:
    if word not in LEVELS:
        raise argparse.ArgumentTypeError(f"there is no level '{word}' (0, 1, 2, s)")
    return LEVELS[word]
