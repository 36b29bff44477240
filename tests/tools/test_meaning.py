"""A tool in host code finds what the plain interpreter finds, which calls the same functions as Python."""

from pathlib import Path

import pytest
from fake_machine import program_of
from generate import RandomProgram
from tool_programs import PROGRAM

from ease.host.process.job import RunOptions
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measured_run
from ease.tools.tool_file import Tool
from tests.covering import some
from tests.tools.plain import interpret_with

EVERYWHERE = str(Path(__file__).with_name("everywhere.py"))
MACHINES = some(("riscv32", "sparc", "m68020", "arm"), 1)


def found(tool):
    return {name: list(tool.names[name]) for name in ("calls", "last", "small")} | {"hashed": tool.names["hashed"]}


def check(program, arguments=("program",)):
    plain, native = Tool(EVERYWHERE), Tool(EVERYWHERE)
    expected = interpret_with(plain, program, list(arguments))
    result, _ = measured_run(program, list(arguments), MeasureOptions(tools=[native]), RunOptions(capture=True, tier="quick"))
    assert (result.exit_status, result.output, result.errors) == (expected.exit_status, expected.output, expected.errors)
    assert found(native) == found(plain)
    assert all(found(native)["calls"][kind] for kind in range(6))


@pytest.mark.parametrize("machine", MACHINES)
def test_every_place_and_value(machine, programs):
    check(programs(PROGRAM, machine))


def test_random_programs():
    check(program_of(RandomProgram(7, slots=1, functions=5).text(), slots=1), ())
