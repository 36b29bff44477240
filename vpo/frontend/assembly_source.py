"""Assembly files (.S, .s) of programs that have C, too: on our machines, conditions leave nothing of them."""

from __future__ import annotations

import re
from typing import NoReturn

from vpo.frontend.diagnostics import CompileErrors, Diagnostic

ENDINGS = (".S", ".s", ".sx")
MACROS = (("__ASSEMBLER__", "1"),)  # as gcc defines when it preprocesses assembly

_MARKER = re.compile(r'#line (\d+) "(.*)"')
_MAKES_NOTHING = re.compile(r"\s*(\.(section|text|data|bss|file|ident|previous)\b.*)?")


def as_unit(path: str, text: str) -> str:
    """Return the C text of an assembly file, preprocessed, that makes neither code nor data: the empty text.

    Raises CompileErrors at the first line that would make something.
    """
    file, number = path, 0
    for line in text.splitlines():
        if marker := _MARKER.fullmatch(line):
            number, file = int(marker[1]) - 1, marker[2]
            continue
        number += 1
        if not _MAKES_NOTHING.fullmatch(line):
            _refuse(file, number)
    return ""


def _refuse(file: str, line: int) -> NoReturn:
    message = "assembly code is not compiled; build the program without it (many have an option or a macro for that)"
    raise CompileErrors([Diagnostic(file, line, 0, "error", message)])
