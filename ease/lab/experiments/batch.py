"""Compiling, running and measuring every program on every variant, in several processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace

from cache_sim.config import MemorySystem
from cache_sim.parse import load as load_system
from ease.host.process.job import RunOptions
from ease.lab.experiments.experiment import Outcome, Program, Results, Variant
from ease.model.characterise import characterise
from ease.model.results import CAUSE_GROUPS, OTHER_CAUSES, Counts, project
from ease.model.static_program import describe
from ease.run.measuring import counted_run, simulated_run
from ease.timing.estimate import estimate
from vpo.base.errors import UserError
from vpo.base.parallel import workers
from vpo.build.compiler import Compiler, Settings
from vpo.machines.read.load import load
from vpo.program import Program as LinkedProgram

SAVING = ("save", "callsave")
_Task = tuple[Variant, Program, int, MemorySystem | None]


def run_all(
    variants: Sequence[Variant], programs: Sequence[Program], level: int, jobs: int, tell: Callable[[str], None]
) -> Results:
    """Measure every program on every variant; the library is compiled under each variant, too.

    Raises what compiling raises, and UserError for a program that does not end by itself.
    """
    systems = {variant: load_system(variant.cache) if variant.cache else None for variant in variants}
    tasks = [(variant, program, level, systems[variant]) for variant in variants for program in programs]
    results: dict[Variant, dict[str, Outcome]] = {variant: {} for variant in variants}
    with workers(jobs) as pool:
        outcomes = pool.map(_measure, tasks)
        for (variant, program, *_), outcome in zip(tasks, outcomes, strict=True):
            results[variant][program.name] = outcome
            what = " ".join(filter(None, (variant.machine, *variant.sets, variant.cache, program.name)))
            tell(f"{what}: {outcome.instructions:,} instructions")
    return results


def _measure(task: _Task) -> Outcome:
    variant, program, level, system = task
    machine = load(variant.machine, variant.sets)
    files = [os.path.abspath(file) for file in program.files]
    linked = Compiler(machine, Settings(level=level)).program(files)
    simulated = None
    with program.at_home() as (words, stdin):
        if system is None:
            result, counts = counted_run(linked, words, RunOptions(stdin, capture=True))
        else:
            result, counts, simulated = simulated_run(linked, system, words, RunOptions(stdin, capture=True))
            simulated = simulated.without_sites()
    if result.fault is not None:
        raise UserError([f"{program.name} on {machine.name}: {result.fault}"])
    cycles = estimate(linked, counts).total if machine.timing.stated and system is None else None
    return replace(outcome_of(linked, counts), simulated=simulated, cycles=cycles)


def outcome_of(program: LinkedProgram, counts: Counts) -> Outcome:
    """Return what a run did."""
    characteristics = characterise(describe(program), counts)
    causes = {cause: count.dynamic for cause, count in project(characteristics.references, lambda r: r.cause).items()}
    groups = dict.fromkeys((OTHER_CAUSES, *CAUSE_GROUPS.values()), 0)
    for group, count in project(characteristics.references, lambda r: r.group).items():
        groups[group] = groups.get(group, 0) + count.dynamic
    calls, saves, points = _linkage(program, counts)
    return Outcome(characteristics.instructions.dynamic, groups, causes, characteristics.bytes().static, calls, saves, points)


def _linkage(program: LinkedProgram, counts: Counts) -> tuple[int, int, int]:
    """Count executed calls, saving or restoring instructions, and the runs of such that stand side by side."""
    calls = saves = points = 0
    for name, function in program.functions.items():
        before = ""
        for rtl, count in zip(function.rtls(), counts.rtls[name], strict=True):
            calls += count if rtl.call is not None else 0
            counted = rtl.record is None or rtl.record.counted
            kind = f"{rtl.cause}{bool(rtl.stores)}" if rtl.cause in SAVING and counted else ""
            if kind:
                saves += count
                points += count if kind != before else 0
            before = kind
    return calls, saves, points
