"""What a study is made of: what it asks of each run, and the tables and pictures of the answers."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cache_sim.config import MemorySystem
from cache_sim.sweeps import Grid
from ease.experiments.experiment import Table
from ease.model.results import Measurement
from ease.reports.pictures import Mix, Panel

Answer = dict[str, Any]  # of one run, as JSON has it
Answers = Mapping[str, Mapping[str, Answer]]  # by machine and name of the program


class Measured(Protocol):
    """Runs the program of a study and measures it, as often as the study calls it.

    Raises UserError for a run that ends by a fault.
    """

    def __call__(
        self, system: MemorySystem | Grid | None = None, *, predict: str | None = None, timing: bool = False
    ) -> Measurement:
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
    tables: Callable[[argparse.Namespace, Answers], Sequence[Table]]
    panels: Callable[[argparse.Namespace, Answers], Sequence[Panel | Mix]]


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
