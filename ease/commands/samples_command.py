"""`ease samples`: copy the C programs that come with the project to a folder where they can be measured and changed.

A file of its own, since a command is imported when it is asked for.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ease.commands.guard import guarded

FOLDER = "samples"
_PACKAGE = Path(__file__).parents[1]


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(
        "ease samples", description="Copy the sample programs, their inputs, and samples.json, which lists them."
    )
    parser.add_argument("folder", metavar="FOLDER", nargs="?", default=FOLDER, help="a new folder (default: samples)")
    options = parser.parse_args(words)
    return guarded("ease samples", lambda: _copy(Path(options.folder)))


def installed_samples() -> Path:
    """Return the folder of the samples: in the package if it was installed from a wheel, else beside it."""
    inside = _PACKAGE / FOLDER
    return inside if inside.is_dir() else _PACKAGE.parent / FOLDER


def _copy(folder: Path) -> int:
    import shutil

    if folder.exists():
        raise FileExistsError(0, "is there already; name another folder", str(folder))
    shutil.copytree(installed_samples(), folder)
    programs = sorted(path.name for path in folder.glob("*.c"))
    print(f"{folder}: {', '.join(programs)}\nSuch as: easecc -measure {folder / 'queens.c'} -- 8")
    return 0
