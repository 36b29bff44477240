"""Messages of the compiler on standard error, in colours if that is a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable

_COLOURS = {"error": "1;31", "warning": "1;35", "note": "1;36"}
_HEAD = re.compile(r"^(\S*?:) (error|warning|note): ", re.MULTILINE)
_CARET = re.compile(r"^( +\| +)(\^~*)$", re.MULTILINE)


def tell(message: str) -> None:
    """Print a message."""
    coloured = sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    print(in_colours(message) if coloured else message, file=sys.stderr)


def in_colours(message: str) -> str:
    """Return a message with the escape sequences of terminals."""
    message = _HEAD.sub(lambda m: f"\033[1m{m[1]}\033[0m \033[{_COLOURS[m[2]]}m{m[2]}:\033[0m ", message)
    return _CARET.sub("\\1\033[1;32m\\2\033[0m", message)


def meant(word: str, known: Iterable[str]) -> str:
    """Return the end of a message about a word that there is not: what somebody may have meant."""
    from vpo.machines.nearest import nearest

    near = nearest(word, known)
    return f"; did you mean '{near}'?" if near else ""
