"""What the front end has to say about a C program, and how a lowering gives up on one statement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

MAX_ERRORS = 50
NESTING_LIMIT = 10_000  # so many levels of any form of nesting are sure to be accepted
NESTED_TOO_DEEPLY = f"nested too deeply: more than {NESTING_LIMIT} levels"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message about a place in a source file; severity is `error` or `warning`."""

    file: str
    line: int
    column: int
    severity: str
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:" + (f"{self.line}:" if self.line else "") + (f"{self.column}:" if self.column else "")
        return f"{place} {self.severity}: {self.message}"


class CompileErrors(Exception):
    """The program is wrong; `diagnostics` holds every error that was found, in order."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = list(diagnostics)

    def __str__(self) -> str:
        return "\n".join(str(diagnostic) for diagnostic in self.diagnostics)


class Recover(Exception):
    """Abandon the current statement or declaration; its error is recorded already."""


class Reporter:
    """Collects the errors of one run and passes warnings on."""

    def __init__(self, file: str, warn: Callable[[Diagnostic], None] | None = None) -> None:
        self.errors: list[Diagnostic] = []
        self._file = file
        self._warn = warn
        self._seen: set[Diagnostic] = set()
        self.muted = 0  # greater than 0 while an expression is lowered a second time, only for its type

    def _diagnostic(self, coord: Any, severity: str, message: str) -> Diagnostic:
        if coord is None:
            return Diagnostic(self._file, 0, 0, severity, message)
        return Diagnostic(coord.file or self._file, coord.line, coord.column or 0, severity, message)

    def error(self, coord: Any, message: str) -> None:
        """Record an error and go on; give up altogether after `MAX_ERRORS`."""
        self.add(self._diagnostic(coord, "error", message))

    def add(self, diagnostic: Diagnostic) -> None:
        """Record an error that has its place already."""
        if diagnostic in self._seen:
            return
        self._seen.add(diagnostic)
        self.errors.append(diagnostic)
        if len(self.errors) >= MAX_ERRORS:
            raise CompileErrors(self.errors)

    def fail(self, coord: Any, message: str) -> NoReturn:
        """Record an error and abandon the current statement or declaration."""
        self.error(coord, message)
        raise Recover

    def warning(self, coord: Any, message: str) -> None:
        """Pass a warning on to whoever wants warnings."""
        if self._warn is None or self.muted:
            return
        diagnostic = self._diagnostic(coord, "warning", message)
        if diagnostic not in self._seen:
            self._seen.add(diagnostic)
            self._warn(diagnostic)
