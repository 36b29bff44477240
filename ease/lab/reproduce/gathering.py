"""Asks what exhibits want to know: from a store what it has, the rest in several processes, kept as soon as it is there."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ease import Error, Progress, Store, told
from ease.lab.experiments.paper_tables import variant as with_registers
from ease.lab.experiments.programs import Program
from ease.lab.experiments.suites import read_suite
from ease.lab.reproduce.long_questions import LONG_QUESTIONS
from ease.lab.reproduce.paper import FOLDER, Exhibit, Paper, Variant
from ease.lab.reproduce.questions import QUESTIONS, Asked
from ease.lab.reproduce.rules import Figures
from ease.lab.reproduce.shows import SHOWS
from ease.lab.reproduce.shows_of_studies import OF_STUDIES
from ease.lab.reproduce.shows_of_tools import OF_TOOLS
from ease.lab.sweeps.axes import Configuration
from ease.lab.sweeps.points import Keys, Point, compiled_for, digest_of, machine_of, placed
from vpo.base import cache as entries
from vpo.base.errors import UserError
from vpo.base.parallel import workers
from vpo.machines.machine import Machine
from vpo.machines.read.load import load

SESSION = "reproduce"
ASKS = QUESTIONS | LONG_QUESTIONS
MAKES = SHOWS | OF_STUDIES | OF_TOOLS
OF_PROJECT = "benchmarks/"  # where machines and memory systems lie that are no part of the package: beside the samples
SHOWN = ("show", "counted", "called")  # settings of what is shown, not of what is asked


@dataclass(frozen=True, slots=True)
class Task:
    """A question to a program in a configuration; `settings` as JSON."""

    question: str
    point: Point
    settings: str

    @property
    def about(self) -> str:
        """The task in words."""
        configuration = self.point.configuration
        what = (self.question, self.point.program.name, configuration.machine, *configuration.sets)
        return " ".join(word for word in what if len(word) < 60)

    def key(self, keys: Keys) -> str:
        """Return a digest of all that decides the answer, but for the text of source files."""
        return entries.key("reproduce", self.question, keys.key(self.point), self.settings)


def programs_of(exhibit: Exhibit, size: str, samples: Path, own: Sequence[str] = ()) -> list[Program]:
    """Return the programs of an exhibit: samples by their names, or those that a user gave.

    Raises UserError, OSError.
    """
    if own:
        return list(map(placed, read_suite(own)))
    found = []
    for program in read_suite([f"{word.split()[0]}.c {' '.join(word.split()[1:])}" for word in exhibit.programs[size]]):
        own_file = FOLDER / program.files[0]  # programs that stand beside the papers
        file = str(own_file if own_file.is_file() else samples / program.files[0])
        found.append(Program(program.name, (file,), program.arguments, program.stdin, str(samples.parent), program.options))
    return found


def _configuration(variant: Variant, exhibit: Exhibit, project: Path) -> Configuration:
    sets, name = variant.sets, str(_found(variant.machine, project))
    if variant.registers is not None:
        options = argparse.Namespace(set=sets)
        sets = with_registers(_loaded(name, sets), name, options, *variant.registers).sets
    return Configuration(name, sets, exhibit.level)


@lru_cache(2)
def _loaded(name: str, sets: tuple[str, ...]) -> Machine:
    """Return a machine, which several variants are made of."""
    return load(name, sets)


def _found(value: Any, project: Path) -> Any:
    """Return a setting in which files of the project are found from any folder."""
    if isinstance(value, dict):
        return {key: _found(each, project) for key, each in value.items()}
    if isinstance(value, list):
        return [_found(each, project) for each in value]
    return str(project / value) if isinstance(value, str) and value.startswith(OF_PROJECT) else value


def tasks(exhibit: Exhibit, programs: Sequence[Program], project: Path) -> Iterator[tuple[str, str, Task]]:
    """Yield what has to be asked, with the names of the variant and the program."""
    for label, variant in exhibit.variants.items():
        configuration = _configuration(variant, exhibit, project)
        known = _found({**exhibit.settings, **variant.settings}, project)
        settings = json.dumps({key: value for key, value in known.items() if key not in SHOWN})
        for program in programs:
            yield label, program.name, Task(exhibit.ask, Point(configuration, program), settings)


def gather(
    paper: Paper, size: str, samples: Path, own: Sequence[str], jobs: int, store: Store | None, progress: Progress
) -> dict[str, Figures]:
    """Return today's figures of each exhibit: from the store, or measured in so many processes and kept there at once.

    Raises KeyboardInterrupt, ease.Error, UserError for a task that fails.
    """
    wanted = {each.name: list(tasks(each, programs_of(each, size, samples, own), samples.parent)) for each in paper.exhibits}
    keys = Keys()
    key_of = {task: task.key(keys) for found in wanted.values() for _, _, task in found}
    by_key = {key: task for task, key in key_of.items()}
    answers: dict[str, dict[str, Any]] = {}
    for key, value in store.values(by_key).items() if store is not None else ():
        if all(digest_of(file) == digest for file, digest in value["files"].items()):
            answers[key] = value["answer"]
    missing = {key: task for key, task in by_key.items() if key not in answers}
    progress.begin(len(by_key), len(answers))
    for key, value in _found_out(missing, jobs):
        about = missing[key].about
        progress.done(about)
        if "error" in value:
            raise UserError([f"{about}: {value['error']}"])
        answers[key] = value["answer"]
        if store is not None:
            store.keep(key, value, about)
    progress.end()
    return {each.name: _figures(each, wanted[each.name], answers, key_of) for each in paper.exhibits}


def _figures(
    exhibit: Exhibit, wanted: Sequence[tuple[str, str, Task]], answers: Mapping[str, Any], key_of: Mapping[Task, str]
) -> Figures:
    by: dict[str, dict[str, Any]] = {}
    for variant, program, task in wanted:
        by.setdefault(variant, {})[program] = answers[key_of[task]]
    return MAKES[exhibit.show](exhibit, by)


def _found_out(missing: Mapping[str, Task], jobs: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the keys of tasks with what came out, in the order in which they end."""
    if jobs < 2 or len(missing) < 2:
        yield from ((key, find_out(task)) for key, task in missing.items())
        return
    with workers(min(jobs, len(missing))) as pool:
        futures = {pool.submit(find_out, task): key for key, task in missing.items()}
        for future in as_completed(futures):
            yield futures[future], future.result()


def find_out(task: Task) -> dict[str, Any]:
    """Return what a task finds out, as JSON can say it, with the digests of the files that were read; or the error."""
    configuration = task.point.configuration
    try:
        with told():
            machine = machine_of(SESSION, configuration.machine, configuration.sets, "")
            program = task.point.program
            settings = program.settings(configuration.settings)
            compiled, files = compiled_for(machine, configuration.level, settings, program.files)
            asked = Asked(machine, configuration.level, program, compiled, json.loads(task.settings))
            return {"answer": ASKS[task.question](asked), "files": files}
    except Error as error:
        return {"error": str(error), "files": {}}
