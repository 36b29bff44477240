"""Which archives `-l` and `-L` mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from vpo.build.compiler import UserError

# These are in the C library, or there is nothing in them that could be used.
BUILT_IN = frozenset([
    "libc", "libm", "libgcc", "libgcc_s", "libdl", "librt", "libutil", "libpthread", "libresolv", "libnsl", "libcrypt",
    "libatomic",
])  # fmt: skip


def _places(folder: Path, name: str) -> list[Path]:
    """Return where a library may be in a folder: `:FILE` is the name of a file."""
    return [folder / name[1:]] if name.startswith(":") else [folder / f"lib{name}.a", folder / f"lib{name}.so"]


def find_libraries(names: Iterable[str], folders: Sequence[str]) -> list[str]:
    """Return the archives that `-l` names, from the first folder that has each; none for the parts of the C library.

    Raises UserError.
    """
    found, missing = [], []
    for name in names:
        file = next((path for folder in folders for path in _places(Path(folder), name) if path.is_file()), None)
        if file is not None:
            found.append(str(file))
        elif f"lib{name}" not in BUILT_IN:
            where = f"in {', '.join(folders)}" if folders else "and -L names no folder"
            missing.append(f"error: there is no lib{name}.a {where} (-l{name})")
    if missing:
        raise UserError(missing)
    return found
