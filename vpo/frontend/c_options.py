"""What the command line says about reading C: a record that goes as a whole from the command to the preprocessor.

It has a file of its own, because commands, settings, preprocessor and compiler all need it and it needs none of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from vpo.frontend.warnings.flags import DEFAULT, WarningOptions
from vpo.il.c_standard import DEFAULT_STANDARD, Standard


@dataclass(frozen=True)
class COptions:
    """How C files are read.

    `first_headers` are included before the first line of each file.  Headers are looked for in `quote_paths` if their names
    stand in quotes, in `include_paths`, and in `late_paths`.  Of what is found in a file, `warnings` says what is told.
    """

    include_paths: tuple[str, ...] = ()
    quote_paths: tuple[str, ...] = ()
    late_paths: tuple[str, ...] = ()
    defines: tuple[tuple[str, str], ...] = ()
    undefines: tuple[str, ...] = ()
    first_headers: tuple[str, ...] = ()
    warnings: WarningOptions = DEFAULT
    standard: Standard = DEFAULT_STANDARD

    @property
    def folders(self) -> tuple[str, ...]:
        """Where all headers are looked for, in this order."""
        return (*self.include_paths, *self.late_paths)

    @property
    def strict(self) -> bool:
        """Whether what the edition of C does not have is told."""
        return "pedantic" in self.warnings.shown


USUAL = COptions()
