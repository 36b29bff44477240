"""What `#pragma GCC diagnostic` says: warnings that are switched off, on, or made errors from a place on."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from vpo.frontend.warnings.flags import members

Switches = Mapping[str, str]  # by the keys of warnings: `ignored`, `warning` or `error`
NONE: Switches = {}
_ACTIONS = {"ignored": "ignored", "warning": "warning", "error": "error", "fatal": "error"}
_PRAGMA = "#pragma GCC diagnostic "
_LINE = re.compile(rf"^{_PRAGMA}(\w+)(?: ?\"-W([^\"]*)\")?", re.MULTILINE)  # as the preprocessor leaves it


class WarningPragmas:
    """The switches in force, and those that were pushed."""

    def __init__(self) -> None:
        self.now = NONE
        self._stack: list[Switches] = []

    def change(self, action: str, option: str) -> None:
        """Do what a pragma says; what is not known, options of other compilers included, means nothing."""
        if action == "push":
            self._stack.append(self.now)
        elif action == "pop":  # without a push: what the command line says
            self.now = self._stack.pop() if self._stack else NONE
        elif action in _ACTIONS:
            self.now = {**self.now, **dict.fromkeys(members(option), _ACTIONS[action])}


def read_pragma(words: Sequence[str]) -> tuple[str, str] | None:
    """Return action and option of the words behind `#pragma` ('' if there is no option); None if they say something else."""
    if len(words) < 3 or tuple(words[:2]) != ("GCC", "diagnostic"):
        return None
    return words[2], words[3].strip('"').removeprefix("-W") if len(words) > 3 else ""


class SwitchPlaces:
    """Which switches are in force at the characters of a preprocessed text."""

    def __init__(self, text: str) -> None:
        self._offsets: list[int] = []
        self._switches: list[Switches] = [NONE]  # before the first offset, and from each one on
        if _PRAGMA not in text:
            return
        pragmas = WarningPragmas()
        for match in _LINE.finditer(text):
            pragmas.change(match[1], match[2] or "")
            self._offsets.append(match.end())
            self._switches.append(pragmas.now)

    def any(self) -> bool:
        """Return whether there are any."""
        return bool(self._offsets)

    def at(self, offset: int) -> Switches:
        """Return the switches in force at a character."""
        return self._switches[bisect_right(self._offsets, offset)]

    def switched_on(self) -> frozenset[str]:
        """Return the keys that are on somewhere."""
        return frozenset(name for now in self._switches for name, how in now.items() if how != "ignored")
