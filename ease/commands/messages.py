"""Messages of the compiler on standard error, in colours if that is a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TextIO

from ease.base.printable import commanding, printable

if TYPE_CHECKING:
    from ease.reports.report import TitledTable

_COLOURS = {"error": "1;31", "warning": "1;35", "note": "1;36"}
_HEAD = re.compile(r"^(\S*?:) (error|warning|note): ", re.MULTILINE)
_CARET = re.compile(r"^( +\| +)(\^~*)$", re.MULTILINE)
_TITLE = re.compile(r"(^\n?|\n\n)([A-Z][^\n]*)\n\n(?=[^\n])")  # a line by itself
_MORE = re.compile(r"(?<![\w.])\+[0-9][0-9,.]*")
_LESS = re.compile(r"(?<![\w.])-[0-9][0-9,.]*(?![\w.])")


def tell(message: str) -> None:
    """Print a message."""
    message = printable(message)
    print(in_colours(message) if has_colours(sys.stderr) else message, file=commanding(sys.stderr))


def in_colours(message: str) -> str:
    """Return a message with the escape sequences of terminals."""
    message = _HEAD.sub(lambda m: f"\033[1m{m[1]}\033[0m \033[{_COLOURS[m[2]]}m{m[2]}:\033[0m ", message)
    return _CARET.sub("\\1\033[1;32m\\2\033[0m", message)


def has_colours(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that shows colours, and nobody has asked for none (NO_COLOR)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_report(text: str, stream: TextIO) -> None:
    """Write tables to a stream, in colours if it is a terminal."""
    text = printable(text)
    commanding(stream).write(tables_in_colours(text) if has_colours(stream) else text)


def put_report(target: str | None, report: str | bytes) -> None:
    """Write a report to a file, or else text to standard error.

    Raises OSError.
    """
    from ease.base.files import write_atomically

    if target is None and isinstance(report, str):
        print_report(report, sys.stderr)
    else:
        write_atomically(target or "-", report)


def put_json(target: str | None, values: Callable[[], object]) -> bool:
    """Write JSON to a file if one is wanted; returns whether it went to standard output, where nothing else has a place then.

    Raises OSError.
    """
    if target:
        import json

        from ease.base.files import write_atomically

        write_atomically(target, json.dumps(values(), indent=2) + "\n")
    return target == "-"


def print_tables(tables: Iterable[TitledTable]) -> None:
    """Print tables that have titles, with a line between them."""
    print("\n\n".join("\n".join(table.lines()) for table in tables))


def telling(quiet: bool) -> Callable[[str], None]:
    """Return what tells on standard error how far something is; nothing, if that is not wanted."""
    return lambda line: None if quiet else print(line, file=sys.stderr, flush=True)


def tables_in_colours(text: str) -> str:
    """Return tables with bold titles, and with what is more in red and what is less in green."""
    text = _TITLE.sub("\\1\033[1m\\2\033[0m\n\n", text)
    text = _MORE.sub("\033[31m\\g<0>\033[0m", text)
    return _LESS.sub("\033[32m\\g<0>\033[0m", text)
