"""A study asks questions of every program on every machine, in several processes."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from cache_sim.config import MemorySystem
from cache_sim.sweeps import Grid
from ease import Machine, Panel, Run, TitledTable
from ease.lab.experiments.programs import Program
from vpo.base.parallel import workers

# ----------------------------------------------------------------------------------------------------------------------
# What a study is made of: what it asks of each run, and the tables and pictures of the answers.


Answer = dict[str, Any]  # of one run, as JSON has it
Answers = Mapping[str, Mapping[str, Answer]]  # by machine and name of the program


class Measured(Protocol):
    """Runs the program of a study and measures it, as often as the study calls it.

    Raises UserError for a run that ends by a fault.
    """

    def __call__(
        self, system: MemorySystem | Grid | None = None, *, predict: str | None = None, timing: bool = False
    ) -> Run:
        """Run the program once."""
        ...


@dataclass(frozen=True, slots=True)
class Study:
    """One study.  `arguments` adds its own options to a parser, `check` tells what is wrong with them before anything runs.

    `ask` is called in other processes; what it returns is the JSON form of the study.
    """

    name: str
    summary: str
    arguments: Callable[[argparse.ArgumentParser], None]
    check: Callable[[argparse.Namespace], object]
    ask: Callable[[Measured, argparse.Namespace], Answer]
    tables: Callable[[argparse.Namespace, Answers], Sequence[TitledTable]]
    panels: Callable[[argparse.Namespace, Answers], Sequence[Panel]]


def nothing(_: object) -> None:
    """Add no options, or find nothing wrong with them."""


def list_of(convert: Callable[[str], int]) -> Callable[[str], list[int]]:
    """Return what reads numbers with commas between them from a command line."""

    def read(text: str) -> list[int]:
        try:
            return [convert(word) for word in text.split(",")]
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


# ----------------------------------------------------------------------------------------------------------------------
# Asks a study's question of every program on every machine, in several processes.


_Task = tuple[Study, str, Program, argparse.Namespace]


def ask_all(study: Study, programs: Sequence[Program], options: argparse.Namespace, tell: Callable[[str], None]) -> Answers:
    """Return what every program answers on every machine of the options.

    Raises ease.Error, and UserError for a program that does not end by itself.
    """
    tasks: list[_Task] = [(study, machine, program, options) for machine in options.machines for program in programs]
    found: dict[str, dict[str, Answer]] = {machine: {} for machine in options.machines}
    with workers(max(1, options.jobs)) as pool:
        answers = pool.map(_ask, tasks)
        for (_, machine, program, _), answer in zip(tasks, answers, strict=True):
            found[machine][program.name] = answer
            tell(f"{machine} {program.name}")
    return found


def _ask(task: _Task) -> Answer:
    study, name, program, options = task
    compiled = program.compiled(Machine(name, options.set), options.level)
    return study.ask(partial(program.run, compiled, timing=False), options)
