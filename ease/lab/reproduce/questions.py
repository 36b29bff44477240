"""What exhibits ask of a program on a machine: each question runs it and returns numbers, as JSON has them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from cache_sim.config import MemorySystem
from cache_sim.parse import load as load_system
from cache_sim.sweeps import Grid
from ease import Machine, Run
from ease import Program as Compiled
from ease.lab.experiments.experiment import outcome_of
from ease.lab.experiments.programs import Program
from ease.lab.experiments.studies import STUDIES
from vpo.opt.driver import Level

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A program that is asked something: compiled for a machine, with the settings of the question."""

    machine: Machine
    level: Level
    program: Program
    compiled: Compiled
    settings: Mapping[str, Any]

    def run(
        self, system: str | MemorySystem | Grid | None = None, *, predict: str | None = None, timing: bool | None = False
    ) -> Run:
        """Run the program once, measured."""
        return self.program.run(self.compiled, system, predict=predict, timing=timing)


def _counts(asked: Asked) -> Answer:
    """Return what was executed: totals, references by group and cause, types, addressing modes and operands."""
    run = asked.run(timing=None)
    blocks = run.table("blocks")
    operands = {
        f"{row['instruction']} {row['field']} {row['mode']} {row['type']}": row["dynamic"] for row in run.table("operands")
    }
    return {
        "outcome": outcome_of(asked.compiled, run).json(),
        "types": _column(run, "types", "instruction"),
        "modes": _column(run, "addressing modes", "mode"),
        "operands": operands,
        "blocks": sum(row["dynamic"] // row["static"] for row in blocks if row["static"]),
    }


def _column(run: Run, table: str, key: str) -> dict[str, int]:
    return {row[key]: row["dynamic"] for row in run.table(table) if row["dynamic"]}


def _caches(asked: Asked) -> Answer:
    """Return accesses and misses of the first cache of each of the memory systems, by their names."""
    found = {}
    for name, spec in asked.settings["systems"].items():
        memory = asked.run(load_system(spec)).measurement.memory
        assert memory is not None
        cache = memory.results.caches[0]
        found[name] = [cache.accesses.total, cache.misses.total]
    return found


def _studied(name: str, asked: Asked) -> Answer:
    """Return what a study answers."""
    parser = argparse.ArgumentParser()
    STUDIES[name].arguments(parser)
    options = parser.parse_args(asked.settings.get("options", []))
    return STUDIES[name].ask(partial(Asked.run, asked), options)


def _counters(asked: Asked) -> Answer:
    """Return blocks, branches and counters of the functions of the program's own file."""
    own = {row["function"] for row in asked.compiled.functions if row["file"] in asked.program.files}
    return {
        row["function"]: {name: row[name] for name in ("blocks", "branches", "counters")}
        for row in asked.compiled.counters
        if row["function"] in own
    }


TURNS = 3  # of which the shortest time counts


def _overhead(asked: Asked) -> Answer:
    """Return the times of runs: plain, with counters, with each of the memory systems, and with each of the tools."""
    ways: dict[str, Callable[[], Run]] = {}
    for name, spec in asked.settings["systems"].items():
        ways[name] = partial(asked.run, load_system(spec) if spec else None)
    for name, tool in asked.settings["tools"].items():
        ways[name] = partial(asked.program.run, asked.compiled, timing=False, tools=[tool])
    times: dict[str, list[float]] = {}
    for _ in range(TURNS):
        times.setdefault("plain", []).append(asked.program.plain_seconds(asked.compiled))
        for name, run in ways.items():
            times.setdefault(name, []).append(run().seconds or 0.0)
    return {name: min(found) for name, found in times.items()}


QUESTIONS: dict[str, Callable[[Asked], Answer]] = {
    "counts": _counts, "caches": _caches, "overhead": _overhead, "counters": _counters,
    **{name: partial(_studied, name) for name in STUDIES},
}  # fmt: skip
