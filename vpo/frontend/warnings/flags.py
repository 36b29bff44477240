"""Which warnings the options of a command line and pragmas choose."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from vpo.frontend.warnings.table import GROUPS, RECORDS

_TITLES = (  # of the groups in the list
    "On unless switched off; errors with -pedantic-errors:", "On unless switched off:", "With -Wall:", "With -Wextra:",
    "Alone:",
)  # fmt: skip
_BY_OPTION: dict[str, tuple[str, ...]] = {}
for _record in RECORDS.values():
    _BY_OPTION[_record.option] = (*_BY_OPTION.get(_record.option, ()), _record.key)
_SEVERAL = {  # options that stand for those of others
    "unused": tuple(o for o in _BY_OPTION if o.startswith("unused-") and not o.endswith(("-parameter", "-result"))),
    "format": ("format", "format-extra-args"), "uninitialized": ("uninitialized", "maybe-uninitialized"),
    "conversion": ("conversion", "float-conversion", "sign-conversion"), "dangling-else": ("parentheses",),
    "unused-variable": ("unused-variable", "unused-const-variable"),
    "implicit": ("implicit-function-declaration", "implicit-int"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class WarningOptions:
    """The keys of the warnings that are wanted, and of those that are errors; none are of files in `quiet` folders."""

    shown: frozenset[str]
    errors: frozenset[str] = frozenset()
    quiet: tuple[str, ...] = ()


def in_groups(*groups: str) -> frozenset[str]:
    """Return the keys of some groups."""
    return frozenset(record.key for record in RECORDS.values() if record.group in groups)


DEFAULT = WarningOptions(in_groups("constraint", "default"))
EVERYTHING = WarningOptions(frozenset(RECORDS))
NOTHING = WarningOptions(frozenset())

# Warnings that depend on other code than what they are about, so that with a part of it left out they would be wrong.
ABOUT_OTHER_CODE = frozenset(
    key for key in RECORDS if key.startswith(("unused", "uninitialized", "maybe", "return-type", "undefined", "implicit"))
)
_ALLOWED_ONCE = frozenset(key for key in RECORDS if key.startswith("implicit"))  # before C99: told with -Wall only
# What the library says of its functions, and other compilers do not: it takes -Werror=NAME to make that an error.
_REMARKS = frozenset(("attribute-warning",))
_STRICT_ERRORS = in_groups("constraint") | {"pointer-sign"}


def read_options(words: Sequence[str], edition: int = 2017) -> WarningOptions:
    """Return what options say that begin with -W, `-w` and `-pedantic-errors`; what a warning's own option says goes first.

    `edition` is that of C.
    """
    if "-w" in words:
        return NOTHING
    groups, own, errors, all_errors = {"default"}, dict[str, bool](), dict[str, bool](), False
    for word in words:
        name = word.removeprefix("-W")
        positive = not name.startswith("no-")
        if name.startswith(("shadow=", "shadow-")):  # only some of what `shadow` tells
            continue
        name = name.removeprefix("no-").partition("=")[0] if not name.removeprefix("no-").startswith("error") else name
        if name in ("all", "extra") or word == "-W":
            (groups.add if positive else groups.discard)(name or "extra")
        elif word == "-pedantic-errors":
            errors |= dict.fromkeys(_STRICT_ERRORS - (_ALLOWED_ONCE if edition < 1999 else frozenset()), True)
            own["pointer-sign"] = True
        elif name in ("error", "no-error"):
            all_errors = positive
        elif name.startswith(("error=", "no-error=")):
            keys = members(name.partition("=")[2])
            errors |= dict.fromkeys(keys, positive)
            own |= dict.fromkeys(keys, True) if positive else {}
        else:
            own |= dict.fromkeys(members(name), positive)
    shown = _usual(groups, edition) - {key for key, on in own.items() if not on} | {key for key, on in own.items() if on}
    return WarningOptions(shown, frozenset(key for key in shown if errors.get(key, all_errors and key not in _REMARKS)))


def _usual(groups: Collection[str], edition: int) -> frozenset[str]:
    """Return the keys that groups switch on."""
    shown = DEFAULT.shown - (_ALLOWED_ONCE if edition < 1999 and "all" not in groups else frozenset())
    if "all" in groups:
        shown |= in_groups("all")
    if "extra" in groups:
        shown |= in_groups("extra") | frozenset(members("uninitialized"))
    return shown


def members(name: str) -> tuple[str, ...]:
    """Return the keys that an option stands for; options of other compilers, and their levels, mean nothing here."""
    if name in ("all", "extra"):
        return tuple(record.key for record in RECORDS.values() if record.group == name)
    name = name.partition("=")[0]
    return tuple(key for option in _SEVERAL.get(name, (name,)) for key in _BY_OPTION.get(option, ()))


def listing() -> str:
    """Return the warnings as lines of text, for `easecc --help-warnings`."""
    width, lines = max(map(len, _BY_OPTION)) + 6, list[str]()
    for group, title in zip(GROUPS, _TITLES, strict=True):
        told = (record for record in RECORDS.values() if record.group == group)
        lines += [title, *(f"  -W{record.option}".ljust(width) + record.text.replace("{}", "...") for record in told), ""]
    return "\n".join(lines)



# ----------------------------------------------------------------------------------------------------------------------
# What `#pragma GCC diagnostic` says: warnings that are switched off, on, or made errors from a place on.


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
