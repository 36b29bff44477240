"""The programs that a command line names: one by one, in a file that lists them, or as a suite that somebody has in a folder.

How the programs of such suites are built and run is data (`suites.yaml`); nothing of them is part of this project.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ease.lab.experiments.programs import SOURCES, Program, program_of_line, program_of_words, words_of
from vpo.base.errors import UserError
from vpo.base.suggestions import suggested

FOLDER = Path(__file__).parent
BOARD = FOLDER / "board"  # what suites for boards include of a board


def read_suite(specifications: Sequence[str]) -> list[Program]:
    """Return the programs that the words of a command line name.

    A word is a command line (`"samples/cpp.c -P in.c"`, `"wc.c < text"`), a JSON file as samples.json is, or a public suite in
    a folder (`embench:FOLDER`, `"embench:FOLDER crc32 ud"`).
    Raises UserError, OSError.
    """
    programs: list[Program] = []
    for word in specifications:
        kind, colon, _ = word.partition(":")
        if kind in recipes() and colon:
            programs += programs_of(word)
        elif colon and kind.isalnum() and not word.endswith((*SOURCES, ".json")) and not Path(word.split()[0]).exists():
            hint = suggested(kind, recipes(), f"; these are known: {', '.join(recipes())}")
            raise UserError([f"{word}: there is no suite '{kind}'{hint}"])
        else:
            programs += listed(Path(word)) if word.endswith(".json") else [program_of_line(word)]
    names = [program.name for program in programs]
    for name in names:
        if names.count(name) > 1:
            raise UserError([f"two programs are called '{name}'"])
    return programs


def listed(path: Path) -> list[Program]:
    """Read a list: `{"name": {"args": [...], "stdin": file or null, "files": [...], "options": [...]}}`.

    `files`, name.c unless they are given, and folders of `-I` lie beside it; runs start above it.  Raises UserError, OSError.
    """
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        folder = path.resolve().parent
        return [_listed(name, entry, folder) for name, entry in entries.items()]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError([f'{path}: a suite is {{"name": {{"args": [...], "stdin": null}}}}']) from None


def _listed(name: str, entry: Mapping[str, Any], folder: Path) -> Program:
    files = tuple(str(folder / file) for file in entry.get("files", [f"{name}.c"]))
    options = tuple(_placed(word, folder) for word in entry.get("options", ()))
    return Program(name, files, tuple(entry["args"]), entry.get("stdin"), str(folder.parent), options)


@dataclass(frozen=True)
class Recipe:
    """How the programs of a suite are built; paths are patterns below its folder, `{at}` stands for the place of a program.

    `programs`: a pattern of the places, folders or C files, by whose names programs go; those of `but` are left out, which
    says why.  `files` are compiled with `options`; `{folder}` is where the place is.  `each` has what a program has of its
    own: `at`, its place, `files` in place of all others, more `options`, and `run`, arguments: then it runs in its folder.
    """

    about: str
    programs: str = ""
    files: Sequence[str] = ("{at}/*.c",)
    options: Sequence[str] = ()
    but: Mapping[str, str] = field(default_factory=dict)
    each: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@cache
def recipes() -> dict[str, Recipe]:
    """Return the suites that are known, by name."""
    read = yaml.safe_load(FOLDER.joinpath("suites.yaml").read_text(encoding="utf-8"))
    return {name: Recipe(**recipe) for name, recipe in read.items()}


def programs_of(word: str) -> list[Program]:
    """Return the programs of `SUITE:FOLDER`, or those that are named behind it.

    Raises UserError.
    """
    kind, _, rest = word.partition(":")
    folder, *wanted = words_of(rest) or [""]
    recipe, root = recipes()[kind], Path(folder).expanduser()
    found = {name: place for name, place in _places(recipe, root) if place.exists()}
    if not found:
        raise UserError([f"{word}: there is nothing of {recipe.about} in '{folder}'"])
    for name in wanted:
        if name in recipe.but:
            raise UserError([f"{kind}:{folder}: '{name}' is left out: {recipe.but[name]}"])
        if name not in found:
            hint = suggested(name, found, f": it has {', '.join(sorted(found))}")
            raise UserError([f"{kind}:{folder}: there is no program '{name}'{hint}"])
    named = {name: found[name] for name in wanted or sorted(found)}
    return [
        _program(kind if name == kind else f"{kind}-{name}", recipe, recipe.each.get(name, {}), root, place)
        for name, place in named.items()
    ]


def _places(recipe: Recipe, root: Path) -> Iterator[tuple[str, Path]]:
    for place in sorted(root.glob(recipe.programs)) if recipe.programs else ():
        name = place.stem
        if name not in recipe.but and (place.is_dir() or place.suffix == ".c"):
            yield name, place
    for name, own in recipe.each.items():
        if "at" in own:
            yield name, root / own["at"]


def _program(name: str, recipe: Recipe, own: Mapping[str, Any], root: Path, place: Path) -> Program:
    """Return a program of a suite.

    Raises UserError.
    """
    folder = place if place.is_dir() else place.parent
    known = {"at": str(place.relative_to(root)), "folder": str(folder.relative_to(root)), "board": str(BOARD)}
    patterns = [pattern.format(**known) for pattern in own.get("files", recipe.files)]
    files = [file for pattern in patterns for file in sorted(root.glob(pattern)) or [root / pattern]]
    options = [_placed(word.format(**known), root) for word in (*recipe.options, *own.get("options", ()))]
    run = shlex.split(own.get("run", ""))
    return program_of_words(name, [*options, *map(str, files)], run, str(folder.resolve()) if run else ".")


def _placed(option: str, root: Path) -> str:
    return f"-I{root / option[2:]}" if option.startswith("-I") else option
