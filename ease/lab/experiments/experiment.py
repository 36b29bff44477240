"""What an experiment is made of: variants of machines, what is measured on each, tables of that."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from typing import Any

from cache_sim.config import MemorySystem
from cache_sim.parse import load as load_system
from cache_sim.results import Results as Simulated
from ease import Machine, Run, TitledTable
from ease import Program as Compiled
from ease.lab.experiments.programs import Program
from vpo.base.parallel import workers
from vpo.opt.driver import Level


@dataclass(frozen=True, slots=True)
class Variant:
    """A machine with changes, as `--set` makes them, and perhaps a memory system, as `-cache` names it.

    `without` names phases that are left out.  `placed`: functions and data stand in the order of this number (0: as linked).
    """

    machine: str
    sets: tuple[str, ...] = ()
    cache: str = ""
    without: tuple[str, ...] = ()
    placed: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What runs did: numbers of executed instructions, memory references, and so on; they add up over programs.

    `references` by group of causes (Figure 12 of the paper) and `causes` by cause.  `size` in bytes of code, `saves` the
    instructions that save or restore registers, `save_points` the places passed at which they stand side by side.
    `simulated`: what the memory system of a variant did, without sites.
    `cycles` are estimated; None: nothing is said of time, or a memory system is simulated.
    `end` is the exit status and a digest of what one run wrote; sums have none.
    """

    instructions: int = 0
    references: Mapping[str, int] = field(default_factory=dict)
    causes: Mapping[str, int] = field(default_factory=dict)
    size: int = 0
    calls: int = 0
    saves: int = 0
    save_points: int = 0
    simulated: Simulated | None = None
    cycles: int | None = None
    end: str = ""

    @property
    def memory(self) -> int:
        """All memory references."""
        return sum(self.references.values())

    def __add__(self, other: Outcome) -> Outcome:
        """Put the runs of two programs together."""
        sums = {f.name: added(getattr(self, f.name), getattr(other, f.name)) for f in fields(self) if f.name != "end"}
        return Outcome(**sums | ({"cycles": None} if self.cycles is None or other.cycles is None else {}))

    def json(self) -> dict[str, Any]:
        """Return the JSON form."""
        known = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("simulated", "end")}
        values = {name: _plain(value) for name, value in known.items() if value is not None}
        return values | {"memory_references": self.memory}


def added(a: Any, b: Any) -> Any:
    """Return the sum of two numbers or of two tables of numbers; None is nothing."""
    if a is None or b is None:
        return a or b
    if not isinstance(a, Mapping):
        return a + b
    return {key: a.get(key, 0) + b.get(key, 0) for key in dict.fromkeys((*a, *b))}


def _plain(value: Any) -> Any:
    return value if isinstance(value, int) else dict(value)


Results = Mapping[Variant, Mapping[str, Outcome]]  # by variant and name of the program


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment.  `arguments` adds its own options to a parser; `variants` says what to measure."""

    name: str
    summary: str
    arguments: Callable[[argparse.ArgumentParser], None]
    variants: Callable[[argparse.Namespace], Sequence[Variant]]
    tables: Callable[[argparse.Namespace, Results], Sequence[TitledTable]]
    json: Callable[[argparse.Namespace, Results], Any]


def total(outcomes: Mapping[str, Outcome]) -> Outcome:
    """Add up the programs of a variant."""
    result = Outcome(cycles=0)
    for outcome in outcomes.values():
        result += outcome
    return result


def have_cycles(outcomes: Iterable[Outcome]) -> bool:
    """Return whether the cycles of all are known, so that a table may have them."""
    return all(outcome.cycles is not None for outcome in outcomes)


def ratio(part: float, whole: float) -> str:
    """Print a ratio."""
    return f"{part / whole:.3f}" if whole else "-"


# ----------------------------------------------------------------------------------------------------------------------
# Compiling, running and measuring every program on every variant, in several processes.


GROUPS = ("variables", "arguments", "save/restore", "linkage")  # of causes of references, in the order of Figure 12
SAVING = ("save", "callsave")
UNLIKE = "{} does not write the same, or does not end alike, everywhere"
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
            left_out = "without " + ",".join(variant.without) if variant.without else ""
            placed = f"placement {variant.placed}" if variant.placed else ""
            what = " ".join(filter(None, (variant.machine, *variant.sets, variant.cache, left_out, placed, program.name)))
            tell(f"{what}: {outcome.instructions:,} instructions")
    return results


def _measure(task: _Task) -> Outcome:
    variant, program, level, system = task
    compiled = program.compiled(Machine(variant.machine, variant.sets), level, variant.without)
    compiled = compiled.placed(variant.placed) if variant.placed else compiled
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
    end = f"{run.exit_status} {output_digest(run)}"
    return Outcome(run.instructions, groups, causes, run.size, *_linkage(program, run), cycles=run.cycles, end=end)


def output_digest(run: Run) -> str:
    """Return a digest of all that a program wrote."""
    return sha256(run.output + run.errors).hexdigest()


def unlike(results: Results) -> list[str]:
    """Return the programs that do not write the same, or do not end alike, on all variants."""
    ends: dict[str, set[str]] = {}
    for outcomes in results.values():
        for name, outcome in outcomes.items():
            ends.setdefault(name, set()).add(outcome.end)
    return [name for name, found in ends.items() if len(found) > 1]


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
