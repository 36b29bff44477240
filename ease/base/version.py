"""The version that is installed, and that of its code.

A file of its own, since commands that say no more than their version import nothing else.
"""

from __future__ import annotations

VERSION = "1.0.0"  # the one place: pyproject.toml reads it here
ASKED = ("-V", "--version")


def show_version(program: str) -> int:
    """Print the version of a command; returns the exit status."""
    print(f"{program} {VERSION}")
    return 0


def measuring_code(without: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the versions of the code that measures: what is kept of runs holds for the code that made it.

    `without`: files and folders of this package, by the beginnings of their paths, on which what is kept does not depend.
    """
    from pathlib import Path

    import cache_sim
    from vpo.base.cache import code_version

    return code_version(Path(__file__).parents[1], without), code_version(Path(cache_sim.__path__[0]))
