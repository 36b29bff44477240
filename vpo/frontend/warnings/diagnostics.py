"""What the front end has to say about a C program, and how a lowering gives up on one statement."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, Protocol

from vpo.frontend.warnings.flags import DEFAULT, NONE, WarningOptions
from vpo.frontend.warnings.table import RECORDS
from vpo.libc import HEADERS

MAX_ERRORS = 50
NESTING_LIMIT = 10_000  # so many levels of any form of nesting are sure to be accepted
_LIBRARY = f"{HEADERS}/"
_UNKNOWN = re.compile(r"'([^']*)' (?:undeclared|used but not defined)")
_INCOMPLETE = re.compile(r"incomplete type|storage size of .* isn't known")
NESTED_TOO_DEEPLY = f"nested too deeply: more than {NESTING_LIMIT} levels"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message about a place in a source file; severity is `error`, `warning` or `note`.

    `flag` is what switches a warning, `note` says more at another place.  `spelled`: the column is that of the source file,
    not of the preprocessed text.
    """

    file: str
    line: int
    column: int
    severity: str
    message: str
    flag: str = ""
    note: Diagnostic | None = None
    spelled: bool = False

    def __str__(self) -> str:
        place = f"{self.file}:" + (f"{self.line}:" if self.line else "") + (f"{self.column}:" if self.column else "")
        error = "error=" if self.severity == "error" else ""
        return f"{place} {self.severity}: {self.message}" + (f" [-W{error}{self.flag}]" if self.flag else "")


class Place(Protocol):
    """Where something stands: a `Coord` of the syntax tree, or a token of the preprocessor."""

    @property
    def file(self) -> str: ...  # noqa: D102
    @property
    def line(self) -> int: ...  # noqa: D102
    @property
    def column(self) -> int: ...  # noqa: D102


Note = tuple[Place, str] | None  # a place, and what is there


class CompileErrors(Exception):
    """The program is wrong; `diagnostics` holds every error that was found, in order.

    `text` is what the preprocessor made of the file nevertheless, where more errors may be found.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic], text: str | None = None) -> None:
        super().__init__(diagnostics)
        self.diagnostics, self.text = list(diagnostics), text

    def __str__(self) -> str:
        return "\n".join(str(diagnostic) for diagnostic in self.diagnostics)


class Recover(Exception):
    """Abandon the current statement or declaration; its error is recorded already."""


def in_order(errors: list[Diagnostic]) -> list[Diagnostic]:
    """Return errors in the order of their places, if these are in one file."""
    files = {error.file for error in errors}
    return errors if len(files) > 1 else sorted(errors, key=lambda error: (error.line, error.column))


def _follows(message: str, lost: set[str]) -> bool:
    """Whether an error may be there since names were declared in what was left out for a syntax error."""
    name = _UNKNOWN.search(message)
    return name[1] in lost if name is not None else _INCOMPLETE.search(message) is not None


def is_of_library(file: str) -> bool:
    """Whether a file is a header of the library."""
    return file.startswith(_LIBRARY) or str(Path(file).absolute()).startswith(_LIBRARY)


class Reporter:
    """Collects the errors of one run and passes warnings on: those that are wanted, to whoever wants them."""

    def __init__(self, file: str, warn: Callable[[Diagnostic], None] | None = None, options: WarningOptions = DEFAULT) -> None:
        self.errors: list[Diagnostic] = []
        self.wanted = options.shown if warn is not None else frozenset[str]()
        self.switches = NONE  # what pragmas say, where a place does not know it
        self._on = options.shown
        self._file = file
        self._warn = warn
        self._as_errors = options.errors
        self._quiet_folders = tuple(os.path.join(os.path.realpath(folder), "") for folder in options.quiet)
        self._seen: set[Diagnostic] = set()
        self.is_fatal = False  # whether so much is missing that other errors would only follow from it
        self.lost: set[str] = set()  # names in what was left out for a syntax error
        self.muted = 0  # greater than 0 while an expression is lowered a second time, only for its type

    def _diagnostic(self, coord: Place | None, severity: str, message: str, flag: str = "", note: Note = None) -> Diagnostic:
        more = None if note is None else self._diagnostic(note[0], "note", note[1])
        if coord is None:
            return Diagnostic(self._file, 0, 0, severity, message, flag, more)
        spelled = hasattr(coord, "text")  # a token of the preprocessor
        return Diagnostic(coord.file or self._file, coord.line, coord.column, severity, message, flag, more, spelled)

    def error(self, coord: Place | None, message: str, note: Note = None) -> None:
        """Record an error and go on; give up altogether after `MAX_ERRORS`.  `note` is another place, and what is there.

        What may only follow from a syntax error before is not told.
        """
        if self.lost and _follows(message, self.lost):
            return
        self.add(self._diagnostic(coord, "error", message, "", note))

    def add(self, diagnostic: Diagnostic) -> None:
        """Record an error that has its place already."""
        if diagnostic in self._seen:
            return
        self._seen.add(diagnostic)
        self.errors.append(diagnostic)
        if len(self.errors) >= MAX_ERRORS:
            raise CompileErrors(self.errors)

    def fail(self, coord: Place | None, message: str, note: Note = None) -> NoReturn:
        """Record an error and abandon the current statement or declaration."""
        self.error(coord, message, note)
        raise Recover

    def switch_on(self, keys: frozenset[str]) -> None:
        """Look also for what pragmas ask for at some places, unless all warnings are switched off."""
        if self.wanted:
            self.wanted |= keys

    def _is_quiet(self, file: str) -> bool:
        """True if no warnings about a file are wanted, since it is a header of others."""
        if is_of_library(file) and not is_of_library(self._file):
            return True
        folders = self._quiet_folders
        return bool(folders) and file != self._file and os.path.realpath(file).startswith(folders)

    def warning(self, coord: Place | None, key: str, *fields: object, note: Note = None) -> None:
        """Pass a warning of the table on if it is switched on, by options or pragmas; it may be an error."""
        if key not in self.wanted or self.muted or self._warn is None:
            return
        switch = getattr(coord, "switches", self.switches).get(key)
        if switch == "ignored" or (switch is None and key not in self._on) or self._is_quiet(getattr(coord, "file", "")):
            return
        record = RECORDS[key]
        message = record.text.format(*fields)
        if switch == "error" or (switch is None and key in self._as_errors):
            self.add(self._diagnostic(coord, "error", message, record.option, note))
            return
        diagnostic = self._diagnostic(coord, "warning", message, record.option, note)
        if diagnostic not in self._seen:
            self._seen.add(diagnostic)
            self._warn(diagnostic)
