"""Which class of references misses: Table 9 of the IDtrace report, which tells pushing and popping from the rest."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from cache_sim.parse import load as load_system
from ease.experiments import paper_tables
from ease.experiments.experiment import Table
from ease.experiments.studies.questions import Answer, Answers, Measured, Study
from ease.model.results import MemoryMeasurement
from ease.model.tables import Reference
from ease.reports.pictures import Curve, Panel
from ease.reports.report import number, percent

CLASSES: dict[str, Callable[[Reference], str]] = {
    "group": lambda reference: reference.group,
    "cause": lambda reference: reference.cause,
    "mode": lambda reference: reference.mode,
    "type": lambda reference: reference.type,
}
DIRECTIONS = ("read", "write")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the memory systems and what tells classes apart."""
    paper_tables.cache_arguments(parser)
    about = "what tells classes apart: groups of causes, causes, addressing modes or data types (group)"
    parser.add_argument("--by", choices=CLASSES, default="group", help=about)


def ask(measured: Measured, options: argparse.Namespace) -> Answer:
    """Return references and misses of each class, by memory system; misses are those of the first level."""
    answer: Answer = {}
    for spec in paper_tables.systems(options):
        run = measured(load_system(spec))
        assert run.memory is not None
        made = Counter[str]()
        for reference, count in run.characteristics.references.items():
            made[_class(reference, options.by)] += count.dynamic
        missed = _missed(run.memory, options.by)
        answer[spec] = {name: {"references": made[name], "misses": missed[name]} for name in sorted(made | missed)}
    return answer


def _class(reference: Reference, by: str) -> str:
    return f"{reference.direction} {CLASSES[by](reference)}"


def _missed(memory: MemoryMeasurement, by: str) -> Counter[str]:
    """Count the misses of data in caches of the first level by class."""
    system = memory.results.system
    first = [place for place, each in enumerate(memory.results.caches) if each.cache in (system.instruction, system.data)]
    missed = Counter[str]()
    for site, found in memory.sites.items():
        if site.cell:
            missed[_class(site.kind, by)] += sum(found.misses[place] for place in first)
    return missed


def tables(_: argparse.Namespace, found: Answers) -> Sequence[Table]:
    """Show the references of each class, and how many of them miss in each memory system."""
    shown = []
    for machine, answers in found.items():
        sums = _together(answers)
        rows = [["class", "references", *(cell for spec in sums for cell in (spec, "per cent"))]]
        for name in _classes(sums):
            pairs = [classes.get(name, (0, 0)) for classes in sums.values()]
            cells = [cell for made, missed in pairs for cell in (number(missed), percent(missed, made))]
            rows.append([name, number(pairs[0][0]), *cells])
        shown.append(Table(f"Misses of references to data by class, {machine}", rows))
    return shown


def _classes(sums: Mapping[str, Mapping[str, tuple[int, int]]]) -> list[str]:
    """Return the names of the classes with references."""
    return sorted({name for classes in sums.values() for name, (made, _) in classes.items() if made})


def _together(answers: Mapping[str, Answer]) -> dict[str, dict[str, tuple[int, int]]]:
    """Add up references and misses of all programs, by memory system and class."""
    sums: dict[str, dict[str, tuple[int, int]]] = {}
    for answer in answers.values():
        for spec, classes in answer.items():
            for name, each in classes.items():
                made, missed = sums.setdefault(spec, {}).get(name, (0, 0))
                sums[spec][name] = made + each["references"], missed + each["misses"]
    return sums


def panels(_: argparse.Namespace, found: Answers) -> Sequence[Panel]:
    """Draw the ratio of misses of each class under each memory system, a panel for each machine."""
    result = []
    for machine, answers in found.items():
        sums = _together(answers)
        curves = []
        for name in _classes(sums):
            pairs = [classes.get(name, (0, 0)) for classes in sums.values()]
            curves.append(Curve(name, [100 * missed / max(made, 1) for made, missed in pairs]))
        result.append(Panel(f"% of the references that miss, {machine}", "memory system", list(sums), curves))
    return result


REFERENCE_CLASSES = Study(
    "reference-classes", "which class of references to data misses", arguments, paper_tables.systems, ask, tables, panels
)
