"""The space of a sweep: axes with choices, and the configurations that these make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any

from ease.experiments.experiment import Program
from vpo.build.compiler import UserError

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
    level: int | str = 1
    cache: str = ""
    timing: bool = False
    description: str = ""
    defines: tuple[tuple[str, str], ...] = ()
    includes: tuple[str, ...] = ()


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
