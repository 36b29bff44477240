"""The options with which all fuzzers are told what to try."""

from __future__ import annotations

import argparse
import os
from pathlib import Path


def parser_of(name: str, about: str, count: int) -> argparse.ArgumentParser:
    """Return the parser of a fuzzer's command line; it tries `count` seeds if nothing is said."""
    parser = argparse.ArgumentParser(prog=f"python -m tests.fuzz.{name}", description=about.splitlines()[0])
    parser.add_argument("--seeds", metavar="A-B", help="these seeds")
    parser.add_argument("--count", type=int, default=count, help=f"so many seeds from a random one on (default {count})")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"), help="folder for what fails")
    return parser


def seeds(given: argparse.Namespace) -> range:
    """Return the seeds that are asked for."""
    if given.seeds:
        first, _, last = given.seeds.partition("-")
        return range(int(first), int(last or first) + 1)
    start = int.from_bytes(os.urandom(3), "big")
    return range(start, start + given.count)
