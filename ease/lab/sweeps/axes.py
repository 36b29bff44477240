"""The space of a sweep: texts that stand for several values, axes with choices, and the configurations that these make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from ease.lab.experiments.programs import Program
from vpo.base.errors import UserError
from vpo.build.compiler import Settings
from vpo.machines.read.load import load
from vpo.machines.read.source import DescriptionError

if TYPE_CHECKING:
    from vpo.opt.driver import Level

# ----------------------------------------------------------------------------------------------------------------------
# Texts that stand for several values: `8..32`, `8..32..4` (every fourth), `1..64*2` (doubled each time), `a,b,c`.


MOST_VALUES = 10_000  # values of a range
RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(\d+)|\*(\d+))?")
LIST = re.compile(r"[^,\[\]{}\"'$()]+(?:,[^,\[\]{}\"'$()]+)+")


def values_of(text: str) -> list[str]:
    """Return the values that a text stands for; one that is neither range nor list stands for itself.

    Raises ValueError for a range with no value or too many.
    """
    found = RANGE.fullmatch(text)
    if found is None:
        return text.split(",") if LIST.fullmatch(text) else [text]
    first, last = int(found[1]), int(found[2])
    step, factor = int(found[3] or 1), int(found[4] or 0)
    if not step or (found[4] and (factor < 2 or first < 1)):
        raise ValueError(f"'{text}': steps are at least 1, factors at least 2, with a first value of at least 1")
    if first > last:
        raise ValueError(f"'{text}': {first} is larger than {last}")
    if not factor and (last - first) // step >= MOST_VALUES:
        raise ValueError(f"'{text}' has more than {MOST_VALUES:,} values")
    values = []
    while first <= last:
        values.append(str(first))
        first = first * factor if factor else first + step
    return values


def spread(machine: str, settings: list[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Divide settings of `--set` into those with one value, and keys with several.

    A range or list stands for several values if the description cannot have it as a value: ranges of constants are values.
    Raises ValueError, and what loading a machine raises.
    """
    single: list[str] = []
    several: dict[str, list[str]] = {}
    tried: list[str] = []
    for setting in settings:
        key, equals, text = setting.partition("=")
        values = values_of(text) if equals else [text]
        if len(values) > 1 and not _is_a_value(machine, [*tried, setting]):
            several[key] = values
            tried.append(f"{key}={values[0]}")
        else:
            single.append(setting)
            tried.append(setting)
    return single, several


def _is_a_value(machine: str, settings: list[str]) -> bool:
    try:
        load(machine, settings)
    except DescriptionError:
        return False
    return True


# ----------------------------------------------------------------------------------------------------------------------
# The space of a sweep: axes with choices, and the configurations that these make.


USUAL = Settings()
MOST = 100_000  # configurations times programs
OF_MACHINE = ("encodings", "encoding bits")  # measures that are not added over programs
MEASURES = ("instructions", "cycles", "static bytes")  # that are shown if a sweep does not say which


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a program is compiled for and run with.

    `description` is that of a machine which no file has; `timing`: cycles are estimated even if the description says nothing
    of time.
    """

    machine: str
    sets: tuple[str, ...] = ()
    level: Level = 2
    cache: str = ""
    timing: bool = False
    description: str = ""
    settings: Settings = USUAL  # of the compiler, but for the level


@dataclass(frozen=True, slots=True)
class Choice:
    """A place on an axis: its name, and the fields of a configuration that it sets; settings are added to those there are."""

    name: str
    fields: tuple[tuple[str, Any], ...] = ()

    def made(self, configuration: Configuration) -> Configuration:
        """Return a configuration with this choice."""
        changes = dict(self.fields)
        if "sets" in changes:
            changes["sets"] = (*configuration.sets, *changes["sets"])
        return replace(configuration, **changes)


@dataclass(frozen=True, slots=True)
class Axis:
    """A name and its choices."""

    name: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Sweep:
    """What is to be measured: programs on all combinations of choices.

    `pareto`: the measures of which none can be had better without another that is worse.
    """

    axes: tuple[Axis, ...]
    programs: tuple[Program, ...]
    base: Configuration
    measures: tuple[str, ...] = ()
    pareto: tuple[str, ...] = ()
    name: str = field(default="sweep", compare=False)

    def configurations(self) -> Iterator[tuple[tuple[str, ...], Configuration]]:
        """Yield each combination: the names of its choices, and what they make."""
        for choices in product(*(axis.choices for axis in self.axes)):
            made = self.base
            for choice in choices:
                made = choice.made(made)
            yield tuple(choice.name for choice in choices), made

    @property
    def varying(self) -> list[int]:
        """The numbers of the axes with several choices."""
        return [number for number, axis in enumerate(self.axes) if len(axis.choices) > 1]

    @property
    def points(self) -> int:
        """How many measurements it takes."""
        return prod(len(axis.choices) for axis in self.axes) * len(self.programs)


def checked(sweep: Sweep) -> Sweep:
    """Return a sweep that can be run.

    Raises UserError.
    """
    if not sweep.programs:
        raise UserError(["a sweep needs programs, such as \"prog.c 10\""])
    if sweep.points > MOST:
        raise UserError([f"the sweep has {sweep.points:,} points; {MOST:,} are the most"])
    names = [axis.name for axis in sweep.axes]
    for name in names:
        if names.count(name) > 1:
            raise UserError([f"two axes are called '{name}'"])
    for axis in sweep.axes:
        choices = [choice.name for choice in axis.choices]
        if len(set(choices)) < len(choices):
            raise UserError([f"axis '{axis.name}': a choice is there twice ({', '.join(choices)})"])
    return sweep


def axis_of_setting(key: str, values: Sequence[str]) -> Axis:
    """Return the axis of a value of descriptions."""
    return Axis(key, tuple(Choice(value, (("sets", (f"{key}={value}",)),)) for value in values))


def axis_of(name: str, which: str, values: Sequence[Any]) -> Axis:
    """Return the axis of a field of configurations."""
    return Axis(name, tuple(Choice(str(value) or "none", ((which, value),)) for value in values))
