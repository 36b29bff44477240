"""Files of the library compiled ahead of the linker that will ask for them, several at the same time.

The linker finds out file by file what a program needs of the library.  Which files that come to depends little on the
machine, so it is kept in the cache for each set of names that programs need; where it is not known, what the files need that
are there is found before the linker gets to it.  Nothing depends on this but the time: what was not needed is not linked, and
what fails is compiled again when the linker asks for it, which then tells why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from vpo.base import cache
from vpo.base.errors import UserError
from vpo.base.parallel import work_on
from vpo.libc import defining_file
from vpo.rtl.function import Unit
from vpo.rtl.symbols import symbols_of_data, symbols_of_function


@dataclass
class _File:
    """A file, what it was compiled to, and what that puts into the cache."""

    path: Path
    unit: Unit | None = None
    held: list[cache.Held] = field(default_factory=list)


@dataclass(frozen=True)
class Ahead:
    """Compiles files of the library with `compiled` in up to `jobs` processes; `identity` is that of the settings."""

    compiled: Callable[[Path], Unit]
    kept: Callable[[Path], Unit | None]
    jobs: int
    identity: str

    def units(self, names: Iterable[str]) -> dict[Path, Unit]:
        """Return the units of files that names lead to, as far as they are known."""
        wanted = sorted({name for name in names if defining_file(name[1:]) is not None})
        key = cache.key("needed of the library", self.identity, *wanted)
        known: list[str] = cache.load(key, ()) or []
        found: dict[Path, Unit] = {}
        paths = _files([*wanted, *known])
        while paths:
            made, lacking = self._made(paths)
            found |= made
            new = _files(_needed(wanted, found.values())) if lacking or not known else []
            paths = [path for path in new if path not in found and path not in paths]
        if not known:
            cache.store(key, [name for name in map(_defined, found.values()) if name])
        return found

    def _made(self, paths: Sequence[Path]) -> tuple[dict[Path, Unit], bool]:
        """Return units of files, those that the cache lacks compiled at the same time, and whether it lacked any."""
        files = [_File(path, self.kept(path)) for path in paths]
        lacking = [file for file in files if file.unit is None]
        made = work_on(lacking, self._compile, self.jobs, lambda file: file.path.stat().st_size)
        for file in made:
            cache.store_held(file.held)
        return {file.path: file.unit for file in (*files, *made) if file.unit is not None}, bool(lacking)

    def _compile(self, file: _File) -> None:
        with suppress(UserError), cache.holding() as file.held:
            file.unit = self.compiled(file.path)


def _files(names: Iterable[str]) -> list[Path]:
    return [*dict.fromkeys(path for name in names if (path := defining_file(name[1:])) is not None)]


def _needed(names: Sequence[str], units: Iterable[Unit]) -> list[str]:
    """Return all that some names need of units, and what these lack."""
    symbols: dict[str, list[str]] = {}
    for unit in units:
        symbols.update((data.name, [*symbols_of_data(data)]) for data in unit.data)
        symbols.update((function.name, [*symbols_of_function(function)]) for function in unit.functions)
    waiting, seen = [*names], dict.fromkeys(names)
    while waiting:
        new = [symbol for symbol in symbols.get(waiting.pop(), ()) if symbol not in seen]
        seen.update(dict.fromkeys(new))
        waiting += new
    return [*seen]


def _defined(unit: Unit) -> str:
    """Return a name by which the library's index knows the file of a unit."""
    names = [f.name for f in unit.functions if not f.static] + [d.name for d in unit.data if not d.static]
    return next((name for name in names if defining_file(name[1:]) is not None), "")
