"""A note on a terminal while a large program becomes host code: what is written stands behind the cursor.

The parent writes it, and the child, before it enters the program, erases it: so nothing that the program prints is in its way.
"""

from __future__ import annotations

import os
import sys

from ease.printable import commanding

LARGE = 12_000  # RTLs: programs that are larger take seconds
NOTE, BACK, ERASE = "\x1b7", "\x1b8", "\x1b[J"  # where the cursor is; to there; what follows it


def write_note(rtls: int) -> bool:
    """Tell on a terminal that a program of so many RTLs is compiled, if it is large; return whether that was told."""
    if rtls <= LARGE or not sys.stderr.isatty():
        return False
    terminal = commanding(sys.stderr)
    terminal.write(f"{NOTE}compiling {rtls:,} instructions for this computer{BACK}")
    terminal.flush()
    return True


def erase_note() -> None:
    """Erase the note."""
    os.write(2, ERASE.encode())
