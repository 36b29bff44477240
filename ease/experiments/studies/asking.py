"""Asks a study's question of every program on every machine, in several processes."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from contextlib import chdir
from pathlib import Path

from cache_sim.config import MemorySystem
from cache_sim.sweeps import Grid
from ease.base import interrupts
from ease.experiments.batch import workers
from ease.experiments.experiment import Program
from ease.experiments.studies.questions import Answer, Answers, Study
from ease.model.results import Measurement
from ease.run.measuring import measure
from vpo.build.compiler import Compiler, Settings, UserError
from vpo.machines.read.load import load

_Task = tuple[Study, str, Program, argparse.Namespace]


def ask_all(study: Study, programs: Sequence[Program], options: argparse.Namespace, tell: Callable[[str], None]) -> Answers:
    """Return what every program answers on every machine of the options.

    Raises what compiling raises, and UserError for a program that does not end by itself.
    """
    tasks: list[_Task] = [(study, machine, program, options) for machine in options.machines for program in programs]
    found: dict[str, dict[str, Answer]] = {machine: {} for machine in options.machines}
    with workers(max(1, options.jobs)) as pool:
        with interrupts.held():
            answers = pool.map(_ask, tasks)
        for (_, machine, program, _), answer in zip(tasks, answers, strict=True):
            found[machine][program.name] = answer
            tell(f"{machine} {program.name}")
    return found


def _ask(task: _Task) -> Answer:
    study, name, program, options = task
    machine = load(name, options.set)
    linked = Compiler(machine, Settings(level=options.level)).program([os.path.abspath(file) for file in program.files])

    def measured(
        system: MemorySystem | Grid | None = None, *, predict: str | None = None, timing: bool = False
    ) -> Measurement:
        with chdir(program.folder):
            stdin = Path(program.stdin).read_bytes() if program.stdin else b""
            arguments = [program.name, *program.arguments]
            run = measure(linked, arguments, system, predict, timing, stdin=stdin, capture=True)
        if run.fault:
            raise UserError([f"{program.name} on {machine.name}: {run.fault}"])
        return run

    return study.ask(measured, options)
