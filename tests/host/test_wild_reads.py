"""A reference that the machine makes faults if it is wild, whatever becomes of its value."""

from __future__ import annotations

from pathlib import Path

import pytest

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

SOURCE = Path(__file__).with_name("wild_reads.c")
CASES = range(15)
FEWEST = {0: 12, 1: 7, 2: 5}  # cases in which the compiler leaves the read to the machine, by level


@pytest.mark.parametrize(("machine", "level"), some([("i386", 1), ("riscv32", 0), ("sparc", 2)], 1))
def test_reads_of_unneeded_values_fault(machine, level):
    """Host code faults wherever the interpreter does, which executes each RTL as it stands."""
    program = Compiler(load(machine), Settings(level)).program([str(SOURCE)])
    faults = 0
    for case in CASES:
        arguments = ["wild_reads", str(case)]
        expected = interpret(program, arguments, limit=100_000).fault
        for tier in ("full", "quick") if machine == "riscv32" else ("full",):
            fault = run(program, arguments, RunOptions(timeout=60, tier=tier)).fault
            assert (fault and fault.kind) == (expected and expected.kind), (case, tier)
        faults += fault is not None
    assert faults >= FEWEST[level]
