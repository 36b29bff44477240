"""What makefiles and configure scripts ask a compiler about itself: `-dumpmachine`, `-print-prog-name=ar` and the like."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

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
    from importlib.metadata import version

    from vpo.libc import HEADERS
    from vpo.machines.names import default_machine

    name, _, value = question.partition("=")
    if name == "-dumpmachine":
        machine = words[words.index("-m") + 1] if "-m" in words[:-1] else default_machine()
        return f"{Path(machine).stem}-ease-elf"
    if name in ("-dumpversion", "-dumpfullversion"):
        return version("ease")
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
