"""The supplied tools find out what the built-in measurements do, on several machines."""

import pytest
from tool_programs import PROGRAM

from cache_sim.config import Cache, MemorySystem
from ease.measuring import measured_run
from vpo.interpret.interpreter import interpret

MACHINES = ["riscv32", "sparc"]


def rows(measurement, name):
    (table,) = measurement.tools[name]
    return table.rows


@pytest.fixture(params=MACHINES)
def program(request, programs):
    return programs(PROGRAM, request.param)


def test_blocks_are_counted_exactly(program, measured_with):
    _, found = measured_with(program, "blocks")
    expected = sorted(
        (name.removeprefix("_"), block.label, count)
        for name, counts in interpret(program, ["program"], capture=True).blocks.items()
        for block, count in zip(program.functions[name].blocks, counts, strict=True)
        if count
    )
    assert sorted(rows(found, "blocks")) == expected


def test_the_cache_misses_as_the_built_in_one(program, measured_with):
    _, found = measured_with(program, "cache")
    system = MemorySystem(data=Cache("D", 8192, 32))
    built_in = measured_run(program, ["program"], system, capture=True)[1].memory.results.caches[0]
    ((references, misses, _),) = rows(found, "cache")
    assert (references, misses) == (built_in.accesses.total, built_in.misses.total)
