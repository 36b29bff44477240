"""The names of the machines that come with the project.

A file of its own, since help and completion list machines without reading any.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import machine_descriptions

FOLDER = Path(machine_descriptions.__path__[0])
_EXTENSIONS = re.compile(r"([^+/]+|.*?\.ya?ml)((?:\+(?:[^+/]+|[^+]+\.ya?ml))*)")


def machine_names() -> list[str]:
    """Return the names of the machines that come with the project."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def extension_files() -> dict[str, list[Path]]:
    """Return the files of extensions by the names of their folders, which machines name."""
    result: dict[str, list[Path]] = {}
    for path in sorted(FOLDER.glob("*/*.yaml")):
        if is_extension(path):
            result.setdefault(path.parent.name, []).append(path)
    return result


def is_extension(path: Path) -> bool:
    """Whether a file is an extension, which its first line says."""
    with path.open(encoding="utf-8") as text:
        return text.readline().startswith("extension:")


def profile_names() -> list[str]:
    """Return the names of the machines that are other ones with extensions, and no more."""
    return sorted(path.stem for path in FOLDER.glob("*/*.yaml") if not is_extension(path))


def default_machine() -> str:
    """Return the name of the machine that is meant where none is named: by EASE_MACHINE, else the project's."""
    chosen = os.environ.get("EASE_MACHINE")
    return chosen or (FOLDER / "default").read_text(encoding="utf-8").strip()


def parts_of(name: str) -> list[str]:
    """Return the machine and the extensions that a name such as `plain+shifts` says; a file's name may have `+` in it."""
    match = None if Path(name).is_file() else _EXTENSIONS.fullmatch(name)
    return [match[1], *match[2].split("+")[1:]] if match else [name]
