"""Compiling, running and measuring every program on every variant, in several processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from cache_sim.config import MemorySystem
from cache_sim.parse import load as load_system
from ease import Machine, Run
from ease import Program as Compiled
from ease.lab.experiments.experiment import Outcome, Program, Results, Variant
from vpo.base.parallel import workers
from vpo.opt.driver import Level

GROUPS = ("variables", "arguments", "save/restore", "linkage")  # of causes of references, in the order of Figure 12
SAVING = ("save", "callsave")
_Task = tuple[Variant, Program, Level, MemorySystem | None]


def run_all(
    variants: Sequence[Variant], programs: Sequence[Program], level: Level, jobs: int, tell: Callable[[str], None]
) -> Results:
    """Measure every program on every variant; the library is compiled under each variant, too.

    Raises ease.Error, and UserError for a program that does not end by itself.
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
    compiled = program.compiled(Machine(variant.machine, variant.sets), level)
    run = program.run(compiled, system, timing=None if system is None else False)
    memory = run.measurement.memory
    return replace(outcome_of(compiled, run), simulated=None if memory is None else memory.results)


def outcome_of(program: Compiled, run: Run) -> Outcome:
    """Return what a run of a program did."""
    causes: Counter[str] = Counter()
    groups = Counter(dict.fromkeys(GROUPS, 0))
    for reference, count in run.measurement.characteristics.references.items():
        causes[reference.cause] += count.dynamic
        groups[reference.group] += count.dynamic
    return Outcome(run.instructions, groups, causes, run.size, *_linkage(program, run), cycles=run.cycles)


def _linkage(program: Compiled, run: Run) -> tuple[int, int, int]:
    """Count executed calls, saving or restoring instructions, and the runs of such that stand side by side."""
    calls = saves = points = 0
    for name, function in program.linked.functions.items():
        before = ""
        for rtl, count in zip(function.rtls(), run.counts.rtls[name], strict=True):
            calls += count if rtl.call is not None else 0
            counted = rtl.record is None or rtl.record.counted
            kind = f"{rtl.cause}{bool(rtl.stores)}" if rtl.cause in SAVING and counted else ""
            if kind:
                saves += count
                points += count if kind != before else 0
            before = kind
    return calls, saves, points
