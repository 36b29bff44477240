"""What a dossier rests on: what each program takes on each machine, why, and which constants it wants.

A fact is a task's result, kept in a store as soon as it is there; so a second run only reads, and an interrupted one goes on.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

from ease import Error, Machine, Progress, Run, Store, compare, told
from ease.lab.experiments.experiment import output_digest
from ease.lab.experiments.immediates import Wanted, count_constants
from ease.lab.experiments.programs import Program
from ease.lab.sweeps.axes import Configuration
from ease.lab.sweeps.points import LONGEST, Keys, Point, compiled_for, digest_of, machine_of, placed
from vpo.base import cache as entries
from vpo.base.errors import UserError
from vpo.base.parallel import workers
from vpo.machines.advice.edits import constant_uses, random_reordering, reorderings
from vpo.opt.driver import Level

LINES, MISSES = 5, 3  # source lines that are told of each program, and places where an instruction nearly is
AT_HAND = 3  # runs that are asked again soon: that of the base by each candidate
SELDOM = 10_000  # instructions of a run, of which such a place is at least one
Facts = dict[str, dict[str, Any]]  # by the name of the task


@dataclass(frozen=True)
class Asked:
    """What a dossier is about: a base machine and candidates by name or file, levels, programs and the words for these.

    `held_out` are programs that decide nothing; in `orders` other orders each machine is described again, which is the
    noise; `processors` have the words of easecc for their caches and predictors.
    """

    base: str
    candidates: tuple[str, ...]
    levels: tuple[Level, ...]
    programs: tuple[Program, ...]
    words: tuple[str, ...]
    held_out: tuple[Program, ...] = ()
    held_out_words: tuple[str, ...] = ()
    orders: int = 0
    processors: tuple[str, ...] = ()

    @cached_property
    def machines(self) -> dict[str, Machine]:
        """The base and the candidates, by the names that they give themselves.

        Raises ease.Error, UserError.
        """
        found = {(machine := Machine(word)).name: machine for word in (self.base, *self.candidates)}
        if len(found) <= len(self.candidates):
            raise UserError(["two machines have the same name: write another one behind `machine:` in one of them"])
        return found

    @property
    def base_name(self) -> str:
        """The name of the base machine."""
        return next(iter(self.machines))

    def new(self, candidate: str) -> list[str]:
        """Return the instructions that a candidate has and the base has not."""
        known = {*self.machines[self.base_name].instructions["instruction"]}
        return [name for name in dict.fromkeys(self.machines[candidate].instructions["instruction"]) if name not in known]


@dataclass(frozen=True, slots=True)
class Task:
    """Something to be found out: `kind` is of KINDS; `base` and `new` are those of questions why."""

    kind: str
    name: str
    point: Point
    base: Point | None = None
    new: tuple[str, ...] = ()
    may_fail: bool = False  # a machine without an instruction may not be able to compile a program
    predict: str = ""

    def key(self, keys: Keys) -> str:
        """Return a digest of all that decides the answer, but for the text of source files."""
        base = [keys.key(self.base)] if self.base is not None else []
        return entries.key("dossier", self.kind, keys.key(self.point), self.predict, *base, *self.new)


def name_of(kind: str, machine: str, level: Level, program: str) -> str:
    """Return the name of a task."""
    return f"{kind}/{machine}/O{level}/{program}"


def without(machine: str, instruction: str) -> str:
    """Return the name of a machine without one of its instructions."""
    return f"{machine} without {instruction}"


def ordered(machine: str, order: int) -> str:
    """Return the name of a machine that is described in another order; 0 is its own."""
    return f"{machine} in order {order}" if order else machine


def on(machine: str, processor: str) -> str:
    """Return the name of a machine with caches and predictors."""
    return f"{machine} {processor}" if processor else machine


def tasks(asked: Asked) -> Iterator[Task]:
    """Yield what has to be found out; programs come one after the other, so that rows are soon complete."""
    machines = {name: _configured(machine) for name, machine in asked.machines.items()}
    variants = dict(machines)
    for name in list(machines)[1:]:
        for instruction in asked.new(name):
            with suppress(Error):  # without this one there is no machine
                variants[without(name, instruction)] = _described(asked.machines[name].without(instruction))
    first = asked.levels[0]
    for program in map(placed, asked.programs):
        for level in asked.levels:
            for name, configuration in variants.items():
                point = Point(_at(configuration, level), program)
                yield Task("cost", name_of("cost", name, level, program.name), point, may_fail=name not in machines)
        points = {name: Point(_at(configuration, first), program) for name, configuration in machines.items()}
        base = points[asked.base_name]
        yield Task("constants", name_of("constants", asked.base_name, first, program.name), base)
        for name in list(machines)[1:]:
            yield Task("why", name_of("why", name, first, program.name), points[name], base, tuple(asked.new(name)))
    yield from _beside(asked, machines)


def _beside(asked: Asked, machines: Mapping[str, Configuration]) -> Iterator[Task]:
    """Yield what says how far the rest can be relied on: held-out programs, other orders, processors."""
    for program in map(placed, asked.held_out):
        for level in asked.levels:
            for name, configuration in machines.items():
                point = Point(_at(configuration, level), program)
                yield Task("cost", name_of("cost", name, level, program.name), point)
    first = asked.levels[0]
    orders = {ordered(name, 0): configuration for name, configuration in machines.items()}
    for name in machines:
        edits = islice(chain(reorderings(), map(random_reordering, count(1))), asked.orders)
        for order, edit in enumerate(edits, 1):
            orders[ordered(name, order)] = _described(asked.machines[name].edited(edit))
    for program in map(placed, asked.programs):
        for name, configuration in orders.items():
            for processor in ("", *asked.processors) if name not in machines else asked.processors:
                cache, predict = processor_of(processor)
                point = Point(replace(_at(configuration, first), cache=cache, timing=bool(processor)), program)
                yield Task("cost", name_of("cost", on(name, processor), first, program.name), point, predict=predict)


def processor_of(words: str) -> tuple[str, str]:
    """Return the caches and the predictor that words of easecc name: -cache ... and -predict ..., each if it is there.

    Raises UserError.
    """
    found = shlex.split(words)
    options = dict(zip(found[::2], found[1::2], strict=False))
    if len(found) % 2 or len(options) * 2 != len(found) or {*options} - {"-cache", "-predict"}:
        raise UserError([f"'{words}': a processor is said by -cache, -predict or both, as easecc takes them"])
    return options.get("-cache", ""), options.get("-predict", "")


def _configured(machine: Machine) -> Configuration:
    return Configuration(machine.origin, machine.settings)


def _described(machine: Machine) -> Configuration:
    return Configuration(machine.name, description=machine.text)


def _at(configuration: Configuration, level: Level) -> Configuration:
    return Configuration(configuration.machine, configuration.sets, level, description=configuration.description)


def gather(asked: Asked, jobs: int, store: Store | None, progress: Progress) -> Facts:
    """Return all facts: from the store, or found out in so many processes and kept there at once.

    Raises KeyboardInterrupt, ease.Error, UserError for a task that fails.
    """
    wanted, keys = list(tasks(asked)), Keys()
    by_key = {task.key(keys): task for task in wanted}
    facts: Facts = {}
    for key, value in store.values(by_key).items() if store is not None else ():
        if all(digest_of(file) == digest for file, digest in value["files"].items()):
            facts[by_key[key].name] = value
    missing = {key: task for key, task in by_key.items() if task.name not in facts}
    progress.begin(len(by_key), len(facts))
    for key, value in _found_out(missing, jobs):
        name = missing[key].name
        progress.done(name)
        if "error" in value and missing[key].may_fail:
            continue
        if "error" in value:
            raise UserError([f"{name}: {value['error']}"])
        facts[name] = value
        if store is not None:
            store.keep(key, value, name)
    progress.end()
    return {task.name: facts[task.name] for task in wanted if task.name in facts}


def _found_out(missing: Mapping[str, Task], jobs: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the keys of tasks with what came out, in the order in which they end."""
    run_at.cache_clear()  # files may have changed since somebody else asked
    groups = _by_run(missing)
    if jobs < 2 or len(groups) < 2:
        yield from ((key, find_out(missing[key])) for group in groups for key in group)
        return
    with workers(min(jobs, len(groups))) as pool:
        futures = {pool.submit(find_out_all, [missing[key] for key in group]): group for group in groups}
        for future in as_completed(futures):
            yield from zip(futures[future], future.result(), strict=True)


def _by_run(missing: Mapping[str, Task]) -> list[list[str]]:
    """Return the keys of tasks, those together that ask the same run; of each program, runs of which more is asked come first.

    So what they have in common is still at hand.
    """
    groups: dict[Program, dict[tuple[Point, str], list[str]]] = {}
    for key, task in missing.items():
        groups.setdefault(task.point.program, {}).setdefault((task.point, task.predict), []).append(key)
    return [group for by_point in groups.values() for group in sorted(by_point.values(), key=lambda group: len(group) < 2)]


# ----------------------------------------------------------------------------------------------------------------------
# One task, in whatever process.


SESSION = "dossier"


def find_out_all(tasks: Sequence[Task]) -> list[dict[str, Any]]:
    """Return what tasks find out that ask the same run."""
    return [find_out(task) for task in tasks]


def find_out(task: Task) -> dict[str, Any]:
    """Return what a task finds out, as JSON can say it, with the digests of the files that were read; or the error."""
    try:
        with told():
            run, files = run_at(task.point, task.predict)
            base = run_at(task.base, "")[0] if task.base is not None else None
            return KINDS[task.kind](task, run, base) | {"files": files}
    except Error as error:
        return {"error": str(error), "files": {}}


@lru_cache(AT_HAND)
def run_at(point: Point, predict: str) -> tuple[Run, dict[str, str]]:
    """Compile and run a program; what was compiled before comes from the cache."""
    configuration = point.configuration
    machine = machine_of(SESSION, configuration.machine, configuration.sets, configuration.description)
    settings = point.program.settings(configuration.settings)
    compiled, files = compiled_for(machine, configuration.level, settings, point.program.files)
    cache, timing = configuration.cache or None, True if configuration.timing else None
    return point.program.run(compiled, cache, predict=predict or None, timing=timing, timeout=LONGEST), files


def _cost(task: Task, run: Run, base: Run | None) -> dict[str, Any]:
    """Return the totals, and of each instruction: places in the code, their bytes, executions, bytes fetched for it."""
    known, counts = run.measurement.program, run.counts
    assert known is not None
    by: dict[str, list[int]] = {}
    for name, function in known.functions.items():
        for number, times in zip(function.kinds, counts.rtls[name], strict=True):
            kind = known.kinds[number]
            if kind.counted:
                sums = by.setdefault(kind.instruction, [0, 0, 0, 0])
                for place, value in enumerate((1, kind.size, times, times * kind.size)):
                    sums[place] += value
    return {"totals": run.totals, "instructions": by, "end": [run.exit_status, output_digest(run)]}


def _constants(task: Task, run: Run, base: Run | None) -> dict[str, Any]:
    """Return the constants in instructions and addressing modes, by the bits that they need: in the code, and executed."""
    configuration = task.point.configuration
    machine = machine_of(SESSION, configuration.machine, configuration.sets, configuration.description)
    uses = list(constant_uses(machine.description))
    found = {use.name: Wanted() for use in uses}
    count_constants(run, machine.built, {use.part: use for use in uses}, found)
    wanted = [(use, found[use.name]) for use in uses if found[use.name].static]
    return {
        "uses": {
            use.name: {"range": use.range.bits, "static": _plain(each.static), "dynamic": _plain(each.dynamic)}
            for use, each in wanted
        }
    }


def _plain(counts: Mapping[int, int]) -> dict[str, int]:
    return {str(bits): count for bits, count in sorted(counts.items())}


def _why(task: Task, run: Run, base: Run | None) -> dict[str, Any]:
    """Return the verdict of a program, the lines that differ most, and places where new instructions nearly are."""
    assert base is not None
    difference = compare(base, run)
    lines = [
        [f"{Path(row['file']).name}:{row['line']}", row["change"], row["reason"]] for row in difference.lines.head(LINES)
    ]
    least = run.instructions // SELDOM
    misses = {name: [list(row.values()) for row in run.why_not(name, least).head(MISSES)] for name in task.new}
    return {"verdict": difference.verdict.sentence, "lines": lines, "misses": misses}


KINDS: dict[str, Callable[[Task, Run, Run | None], dict[str, Any]]] = {"cost": _cost, "constants": _constants, "why": _why}


def unlike(asked: Asked, facts: Facts) -> list[str]:
    """Return the programs that do not write the same, or do not end alike, on all machines and levels."""
    found: list[str] = []
    for program in (*asked.programs, *asked.held_out):
        ends: Sequence[Any] = [
            fact["end"] for name, fact in facts.items() if name.startswith("cost/") and name.endswith(f"/{program.name}")
        ]
        if any(end != ends[0] for end in ends):
            found.append(program.name)
    return found
