"""The names of the machines that come with the project."""

from __future__ import annotations

import os
from importlib import resources


def machine_names() -> list[str]:
    """Return the names of the machines that come with the project."""
    folder = resources.files("machine_descriptions")
    return sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".yaml"))


def default_machine() -> str:
    """Return the name of the machine that is meant where none is named: by EASE_MACHINE, else the project's."""
    chosen = os.environ.get("EASE_MACHINE")
    return chosen or resources.files("machine_descriptions").joinpath("default").read_text(encoding="utf-8").strip()
