"""Where headers are looked for: the folder of the file that includes, then the folders of the command line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file was found: its path, and the index of the folder that `#include_next` begins with."""

    path: str
    following: int = 0


class HeaderSearch:
    """Finds headers in folders, each of which is searched once, as in gcc: `#include_next` relies on that.

    Headers whose names stand in quotes are looked for in those for `quotes` first.
    """

    def __init__(self, folders: Sequence[str], quotes: Sequence[str] = ()) -> None:
        first = _once(quotes)
        self._behind_quotes = len(first)
        self._folders = [*first, *_once(folders)]

    def find(self, name: str, quoted: bool, includer: Place, following: bool) -> Place | None:
        """Return where a header is; if `following`, behind the folder in which the file that includes it was found."""
        for index, folder in self._searched(quoted, includer, following):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                return Place(path, index + 1)
        return None

    def headers(self, quoted: bool, includer: Place) -> Iterator[str]:
        """Yield the names of the headers in the folders, as in an #include."""
        for _, folder in self._searched(quoted, includer, False):
            with suppress(OSError):
                yield from (name for name in os.listdir(folder or ".") if name.endswith(".h"))

    def _searched(self, quoted: bool, includer: Place, following: bool) -> Iterator[tuple[int, str]]:
        """Yield folders with their indices; the one of the includer, of which only names in quotes know, has -1."""
        if quoted and not following:
            yield -1, os.path.dirname(includer.path)
        start = max(includer.following if following else 0, 0 if quoted else self._behind_quotes)
        yield from enumerate(self._folders[start:], start)


def _once(folders: Sequence[str]) -> list[str]:
    return list({os.path.realpath(folder): folder for folder in reversed(folders)}.values())[::-1]


def shown_name(path: str, main: str) -> str:
    """Return a file's name as the user would write it: relative if it lies here, unless the main file's is absolute."""
    if os.path.isabs(path) and not os.path.isabs(main):
        relative = os.path.relpath(path)
        return path if relative.startswith("..") else relative
    return path
