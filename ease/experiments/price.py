"""What programs cost on a machine: the few numbers by which variants of a machine are compared."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ease.experiments.experiment import Program
from ease.host.process.job import RunOptions
from ease.model.characterise import characterise
from ease.model.results import Counts
from ease.model.static_program import describe
from ease.model.tables import add_tables
from ease.run.measuring import counted_run
from ease.timing.estimate import estimate
from vpo.build.compiler import UserError
from vpo.program import Program as LinkedProgram

MEASURES = ("instructions", "references", "bytes", "cycles")
TIME = 60.0  # seconds that a run may take: one that was compiled wrongly may not end


@dataclass(frozen=True, slots=True)
class Price:
    """What a run did: executed instructions, references to memory, cycles (0 if the machine has no timing), bytes of code.

    `executed` counts instructions by name.
    """

    instructions: int = 0
    references: int = 0
    bytes: int = 0
    cycles: int = 0
    executed: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: Price) -> Price:
        """Put the runs of two programs together."""
        sums = {name: self.of(name) + other.of(name) for name in MEASURES}
        return Price(**sums, executed=add_tables(self.executed, other.executed))

    def of(self, measure: str) -> int:
        """Return one of MEASURES."""
        number: int = getattr(self, measure)
        return number


@dataclass(frozen=True, slots=True)
class Outcome:
    """A program, what its run cost, and what it wrote."""

    price: Price
    status: int
    output: bytes
    program: LinkedProgram
    counts: Counts


def run(program: Program, linked: LinkedProgram) -> Outcome:
    """Run a program once, as fast as it is compiled for the host.

    Raises UserError if it does not end by itself.
    """
    stdin = (Path(program.folder) / program.stdin).read_bytes() if program.stdin else b""
    arguments = [program.name, *program.arguments]
    here = os.getcwd()
    os.chdir(program.folder)
    try:
        result, counts = counted_run(linked, arguments, RunOptions(stdin, capture=True, timeout=TIME, tier="quick"))
    finally:
        os.chdir(here)
    if result.fault is not None:
        raise UserError([f"{program.name} on {linked.machine.name}: {result.fault}"])
    known = describe(linked)
    found = characterise(known, counts)
    executed: Counter[str] = Counter()
    for name, function in known.functions.items():
        for number, times in zip(function.kinds, counts.rtls[name], strict=True):
            executed[known.kinds[number].instruction] += times if known.kinds[number].counted else 0
    cycles = sum(estimate(linked, counts).cycles.values()) if linked.machine.timing.stated else 0
    references = sum(count.dynamic for count in found.references.values())
    price = Price(found.instructions.dynamic, references, found.bytes().static, cycles, dict(executed))
    return Outcome(price, result.exit_status, result.output + result.errors, linked, counts)
