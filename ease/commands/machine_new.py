"""`ease machine new`: a description to begin with."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from ease.commands.guard import guarded
from vpo.machines.names import default_machine


def new(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, 2: wrong usage."""
    parser = argparse.ArgumentParser(
        "ease machine new", description="Write NAME.yaml, which extends a machine, with examples of changes."
    )
    parser.add_argument("name", metavar="NAME", help="name of the new machine")
    like = default_machine()
    parser.add_argument("--like", default=like, metavar="M", help="the machine that it extends (default: %(default)s)")
    options = parser.parse_args(words)
    return guarded("ease machine new", lambda: _new(options.name, options.like))


def _new(name: str, like: str) -> int:
    from ease.files import write_atomically
    from ease.machine_skeleton import NAME, skeleton
    from vpo.compiler import UserError

    file = f"{name}.yaml"
    if not NAME.fullmatch(name):
        raise UserError([f"'{name}' cannot be the name of a machine: letters, digits, '_' and '-'"])
    if os.path.lexists(file):
        raise UserError([f"{file}: there is such a file already"])
    write_atomically(file, skeleton(name, like))
    print(f"{file} is a machine like {like}; next: ease machine check {file}")
    return 0
