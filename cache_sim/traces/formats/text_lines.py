"""Reading and writing text in pieces."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import IO

LINES = 1 << 16  # at once


def pieces(file: IO[bytes]) -> Iterator[tuple[int, list[str]]]:
    """Yield lines, many at once, with the number of the first of them."""
    number = 1
    while lines := [line.decode("ascii", "replace") for line in islice(file, LINES)]:
        yield number, lines
        number += len(lines)


@contextmanager
def text_to(out: IO[bytes]) -> Iterator[io.TextIOBase]:
    """A file for text before one for bytes, which stays open."""
    text = io.TextIOWrapper(out, encoding="ascii", newline="\n")
    try:
        yield text
        text.flush()
    finally:
        text.detach()
