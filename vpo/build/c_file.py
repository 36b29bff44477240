"""A C file on its way through the front end; what is said about it becomes text, with the lines in question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property

from vpo import il
from vpo.base.errors import UserError
from vpo.frontend import CompileErrors, Diagnostic, compile_c, preprocess
from vpo.frontend.c_options import USUAL, COptions
from vpo.frontend.cpp.directives import read
from vpo.frontend.lower import asm_statements as assembly_source
from vpo.frontend.preprocess import Job
from vpo.frontend.warnings.diagnostics import in_order
from vpo.frontend.warnings.excerpts import Excerpts
from vpo.il.data_model import DataModel


@dataclass
class CFile:
    """A file and how it is compiled; `source` stands for its contents, `tell` receives the warnings that `options` select."""

    path: str
    model: DataModel
    options: COptions = USUAL
    tell: Callable[[str], None] | None = None
    source: str | None = None
    included: list[str] = field(default_factory=list)  # files, once this one is preprocessed
    warned: bool = False  # whether there were warnings

    def preprocessed(self, macros: bool = False, alone: bool = False) -> str:
        """Return what the preprocessor makes of the file, or which `macros` there are in the end.

        Raises UserError, which unless the text is wanted `alone` tells also what the compiler finds wrong with it.
        """
        with self._messages() as found:
            try:
                return preprocess(
                    self.path, self.model, self._preprocessing,
                    source=self.source, warn=found.append, included=self.included, macros=macros,
                )  # fmt: skip
            except CompileErrors as errors:
                if errors.text is not None and not alone:
                    errors.diagnostics += self._errors_in(errors.text, found)
                raise

    def tree(self, text: str | None, strict_aliasing: bool) -> il.Unit:
        """Compile to a unit; `text` is the preprocessed one, if there is it already.

        Raises UserError.
        """
        with self._messages() as found:
            return self._tree(text, strict_aliasing, found)

    def _tree(self, text: str | None, strict_aliasing: bool, found: list[Diagnostic]) -> il.Unit:
        if text is not None and self.path.endswith(assembly_source.ENDINGS):
            text = assembly_source.as_unit(self.path, text)
        warn = found.append
        return compile_c(self.path, self.model, self.options, preprocessed=text, warn=warn, strict_aliasing=strict_aliasing)

    def _errors_in(self, text: str, found: list[Diagnostic]) -> list[Diagnostic]:
        """Return what is wrong with a preprocessed text."""
        try:
            self._tree(text, False, found)
        except CompileErrors as errors:
            return errors.diagnostics
        return []

    @property
    def _preprocessing(self) -> COptions:
        if not self.path.endswith(assembly_source.ENDINGS):
            return self.options
        return replace(self.options, defines=(*assembly_source.MACROS, *self.options.defines))

    @contextmanager
    def _messages(self) -> Iterator[list[Diagnostic]]:
        """Collect warnings and tell them in the end; errors become a UserError."""
        found: list[Diagnostic] = []
        try:
            yield found
        except CompileErrors as errors:
            raise UserError(self._together(found, errors.diagnostics)) from None
        self._tell(found)

    def _together(self, warnings: list[Diagnostic], errors: list[Diagnostic]) -> list[str]:
        """Return a text for each error, with the warnings that come before it, and the last ones behind the last error."""
        shown, waiting = list[str](), list[str]()
        for diagnostic in in_order([*(warnings if self.tell is not None else ()), *errors]):
            waiting.append(self._excerpts.shown(diagnostic))
            if diagnostic.severity == "error":
                shown.append("\n".join(waiting))
                waiting = []
        shown[-1] = "\n".join([shown[-1], *waiting])
        return shown

    def _tell(self, warnings: list[Diagnostic]) -> None:
        self.warned = self.warned or bool(warnings)
        for warning in warnings if self.tell is not None else ():
            self.tell(self._excerpts.shown(warning))  # type: ignore[misc]

    @cached_property
    def _excerpts(self) -> Excerpts:
        return Excerpts(
            lambda: Job(
                self.path, read(self.path) if self.source is None else self.source, self.model, self._preprocessing
            )
        )  # fmt: skip
