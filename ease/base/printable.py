"""Text from elsewhere, such as names of files, as people may see it: no character of it commands a terminal.

A file of its own, since the commands need it before anything else is imported.
"""

from __future__ import annotations

import io
import re
import sys
from typing import TextIO

_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\udc80-\udcff]")


def printable(text: str) -> str:
    r"""Return a text with control characters, but for tabs and ends of lines, and bytes that are no text written as \x1b."""
    return _COMMANDS.sub(lambda found: f"\\x{ord(found[0]) & 0xFF:02x}", text)


class PrintableStream(io.TextIOWrapper):
    """A text stream that writes what is printable; what is to command a terminal goes to the stream `beneath` it."""

    def __init__(self, beneath: TextIO) -> None:
        super().__init__(beneath.buffer, beneath.encoding, "backslashreplace", line_buffering=True, write_through=True)
        self.beneath = beneath

    def write(self, text: str, /) -> int:
        """Write a text."""
        return super().write(printable(text))


def commanding(stream: TextIO) -> TextIO:
    """Return a stream that writes what commands a terminal as it is."""
    return stream.beneath if isinstance(stream, PrintableStream) else stream


def make_messages_printable() -> None:
    """Let standard error show what is printable."""
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr = PrintableStream(sys.stderr)
