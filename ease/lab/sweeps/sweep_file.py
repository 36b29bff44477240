"""Reads the YAML file of a sweep; docs/sweeps.md says what may stand there.  Errors have their places."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cache_sim.config import ConfigurationError
from cache_sim.parse import load_any
from ease.lab.experiments.paper_tables import expand
from ease.lab.experiments.suites import read_suite
from ease.lab.sweeps.axes import Axis, Choice, Configuration, Sweep, axis_of, checked, values_of
from vpo.base.errors import UserError
from vpo.machines.names import default_machine
from vpo.machines.read.source import DescriptionError, Map, Place, Seq, check_keys, expect, find, flag, parse, text

KEYS = {
    "sweep", "programs", "machines", "levels", "set", "conventions", "variants", "caches", "timing", "measures", "pareto",
}  # fmt: skip
LEVELS: dict[str, int | str] = {"0": 0, "1": 1, "2": 2, "s": "s"}
NO_CACHE = "none"


def read_sweep(file: str) -> Sweep:
    """Return the sweep that a file describes.

    Raises DescriptionError, UserError, OSError.
    """
    path = Path(file)
    try:
        d = parse(path.read_text(encoding="utf-8-sig"), file)
    except UnicodeDecodeError as error:
        raise DescriptionError(Place(file, 1, 1), f"not UTF-8 text ({error.reason} at byte {error.start})") from None
    check_keys(d, KEYS, "a sweep")
    programs = read_suite([str(word) for word, _ in _items(d, "programs")])
    axes = list(_axes(d))
    base = Configuration(default_machine(), timing=flag(d, "timing", False))
    words = {key: tuple(str(word) for word, _ in _items(d, key)) for key in ("measures", "pareto")}
    return checked(Sweep(tuple(axes), tuple(programs), base, words["measures"], words["pareto"], text(d, "sweep", path.stem)))


def _items(d: Map, key: str) -> Iterator[tuple[Any, Place]]:
    """Yield the values of a list, or one that stands alone, with their places."""
    value = d.get(key)
    if isinstance(value, Seq):
        yield from value.located()
    elif value is not None:
        yield value, d.where(key)


def _axes(d: Map) -> Iterator[Axis]:
    """Yield the axes, in the order of the file."""
    readers: dict[str, Callable[[Map], Iterator[Axis]]] = {
        "machines": _machines, "levels": _levels, "set": _settings, "conventions": _conventions, "variants": _variants,
        "caches": _caches,
    }  # fmt: skip
    for key in d:
        if key in readers:
            yield from readers[key](d)


def _machines(d: Map) -> Iterator[Axis]:
    names = []
    for word, place in _items(d, "machines"):
        names.append(str(word))
        try:
            find(names[-1])
        except FileNotFoundError as error:
            raise DescriptionError(place, str(error)) from None
    yield axis_of("machine", "machine", names)


def _levels(d: Map) -> Iterator[Axis]:
    levels = []
    for word, place in _items(d, "levels"):
        if str(word) not in LEVELS:
            raise DescriptionError(place, f"there is no level '{word}' (0, 1, 2, s)")
        levels.append(LEVELS[str(word)])
    yield axis_of("level", "level", levels)


def _settings(d: Map) -> Iterator[Axis]:
    settings = expect(d, "set", Map)
    for key, value in settings.items():
        if isinstance(value, str):
            try:
                values: list[Any] = list(values_of(value))
            except ValueError as error:
                raise DescriptionError(settings.where(key), str(error)) from None
        else:
            values = [item for item, _ in _items(settings, key)]
        yield Axis(key, tuple(Choice(shown(item), (("sets", (setting(key, item),)),)) for item in values))


def shown(value: Any) -> str:
    """Return the name of a value as a choice."""
    return value if isinstance(value, str) else json.dumps(value)


def setting(key: str, value: Any) -> str:
    """Return a value of a key as `--set` has it: texts stand for what they are in YAML."""
    return f"{key}={shown(value)}"


def _conventions(d: Map) -> Iterator[Axis]:
    yield _bundles(d, "conventions", "convention", "calls.")


def _variants(d: Map) -> Iterator[Axis]:
    yield _bundles(d, "variants", "variant", "")


def _bundles(d: Map, key: str, name: str, before: str) -> Axis:
    """Return the axis of groups of settings, which have names."""
    found = expect(d, key, Map)
    choices = []
    for title, values in found.items():
        if values is not None and not isinstance(values, Map):
            raise DescriptionError(found.where(title), f"'{title}' must be a mapping of settings, such as {{key: value}}")
        settings = tuple(f"{before}{item}={json.dumps(value)}" for item, value in (values or {}).items())
        choices.append(Choice(title, (("sets", settings),)))
    return Axis(name, tuple(choices))


def _caches(d: Map) -> Iterator[Axis]:
    specs: list[str] = []
    for word, place in _items(d, "caches"):
        try:
            specs += systems(str(word))
        except (ConfigurationError, UserError) as error:
            raise DescriptionError(place, str(error)) from None
    yield axis_of("cache", "cache", specs)


def systems(word: str) -> list[str]:
    """Return the memory systems that a word stands for, '' for none.

    Raises ConfigurationError, OSError.
    """
    if word == NO_CACHE:
        return [""]
    found = expand(word)
    for spec in found:
        load_any(spec)  # what is wrong with it is told before anything is compiled
    return found
