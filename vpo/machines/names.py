"""The names of the machines that come with the project.

A file of its own, since help and completion list machines without reading any.
"""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

import machine_descriptions

FOLDER = Path(str(resources.files(machine_descriptions)))


def machine_names() -> list[str]:
    """Return the names of the machines that come with the project."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def extension_files() -> dict[str, list[Path]]:
    """Return the files of extensions by the names of their folders, which machines name."""
    result: dict[str, list[Path]] = {}
    for path in sorted(FOLDER.glob("*/*.yaml")):
        result.setdefault(path.parent.name, []).append(path)
    return result


def default_machine() -> str:
    """Return the name of the machine that is meant where none is named: by EASE_MACHINE, else the project's."""
    chosen = os.environ.get("EASE_MACHINE")
    return chosen or (FOLDER / "default").read_text(encoding="utf-8").strip()
