"""What build systems ask a compiler: rules that say what an object depends on, archives by their names, facts about itself."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ease.base.files import write_atomically
from ease.commands.compile.command import Command
from vpo.base.errors import UserError
from vpo.libc import HEADERS

if TYPE_CHECKING:  # configure scripts ask for facts many times, and wait
    from vpo.build.compiler import Compiler

# ----------------------------------------------------------------------------------------------------------------------
# Rules for make that say which files an object depends on: -M, -MD and their kin.


def write_rule(command: Command, compiler: Compiler, file: str) -> None:
    """Write the rule for a C file that has been preprocessed: to -MF, else to -o of -M, else beside the output."""
    headers = [
        path for path in compiler.included.get(file, ()) if not (command.own_headers and Path(path).is_relative_to(HEADERS))
    ]
    made = None if command.dependencies else command.output
    targets = command.dependency_targets or [_escaped(made or str(Path(file).with_suffix(".o").name))]
    text = " \\\n ".join([f"{' '.join(targets)}:", *map(_escaped, [file, *headers])]) + "\n"
    if command.dependency_phonies:
        text += "".join(f"\n{_escaped(header)}:\n" for header in headers)
    write_atomically(command.dependency_file or _default_file(command, made or file), text)


def _default_file(command: Command, made: str) -> str:
    if command.dependencies:
        return command.output or "-"
    path = Path(made)
    return str(path.with_suffix(".d") if path.suffix != ".c" else path.with_suffix(".d").name)


def _escaped(path: str) -> str:
    return path.replace(" ", "\\ ").replace("#", "\\#").replace("$", "$$")


# ----------------------------------------------------------------------------------------------------------------------
# Which archives `-l` and `-L` mean.


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


# ----------------------------------------------------------------------------------------------------------------------
# What makefiles and configure scripts ask a compiler about itself: `-dumpmachine`, `-print-prog-name=ar` and the like.


TOOLS = ("ar", "ranlib")  # that come with the project, called ease-NAME


def tell(words: Sequence[str]) -> int:
    """Answer the first question of a command line; returns the exit status."""
    question = next(word for word in words if word.startswith(("-print-", "-dump")))
    answer = _answer(question, words)
    if answer is None:
        print(f"easecc: unknown option '{question}'", file=sys.stderr)
        return 2
    print(answer)
    return 0


def _answer(question: str, words: Sequence[str]) -> str | None:
    from ease.base.version import VERSION
    from vpo.libc import HEADERS
    from vpo.machines.names import default_machine

    name, _, value = question.partition("=")
    if name == "-dumpmachine":
        machine = words[words.index("-m") + 1] if "-m" in words[:-1] else default_machine()
        return f"{Path(machine).stem}-ease-elf"
    if name in ("-dumpversion", "-dumpfullversion"):
        return VERSION
    if name == "-print-prog-name":
        return _tool(value)
    if name == "-print-search-dirs":
        return f"install: {HEADERS.parent}\nprograms: ={Path(sys.executable).parent}\nlibraries: ="
    if name == "-print-file-name":
        return str(HEADERS) if value == "include" else value
    return {"-print-libgcc-file-name": "libgcc.a", "-print-sysroot": "", "-print-multiarch": "",
            "-print-multi-os-directory": ".", "-print-multi-directory": ".", "-print-multi-lib": ".;"}.get(name)  # fmt: skip


def _tool(name: str) -> str:
    """Return the path of a tool beside this command, or the name itself if there is none."""
    own = Path(sys.argv[0]).parent / f"ease-{name}" if name in TOOLS else None
    return str(own) if own is not None and os.access(own, os.X_OK) else shutil.which(f"ease-{name}") or name
