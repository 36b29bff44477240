"""What the command line says about reading C: a record that goes as a whole from the command to the preprocessor.

It has a file of its own, because commands, settings, preprocessor and compiler all need it and it needs none of them.

A file of its own, since the command line and the whole front end share it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace

from vpo.base.c_standard import DEFAULT_STANDARD, Standard
from vpo.frontend.warnings.flags import DEFAULT, WarningOptions


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
    def deciding(self) -> tuple[str, ...]:
        """All that decides what becomes of a file before it is compiled, in texts that are the same in each process."""
        return tuple(repr(getattr(self, each.name)) for each in fields(self) if each.name != "warnings")

    def placed(self) -> COptions:
        """Return the options as they mean the same in any folder."""
        include, quote, late = (
            tuple(map(os.path.abspath, paths)) for paths in (self.include_paths, self.quote_paths, self.late_paths)
        )
        first = tuple(os.path.abspath(name) if os.path.isfile(name) else name for name in self.first_headers)
        return replace(self, include_paths=include, quote_paths=quote, late_paths=late, first_headers=first)


USUAL = COptions()
