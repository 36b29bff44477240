"""Functions that take chunks get each event once and in order, the same from host code and from the plain interpreter."""

import pytest
from tool_programs import PROGRAM

from ease.host.process.job import RunOptions
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measured_run
from ease.tools.requests import ROWS
from ease.tools.tool_file import Tool
from tests.tools.plain import interpret_with
from vpo.base.errors import UserError

TOOL = """
from ease.tools import ADDRESS, Array, in_chunks
chunks = []
def instrument(program):
    for instruction in program.instructions:
        instruction.before(take, instruction.number, -1)
    for reference in program.references:
        reference.before(take, reference.number, ADDRESS)
@in_chunks
def take(numbers, addresses):
    chunks.append((numbers.tolist(), addresses.tolist()))
"""


def test_events_come_once_and_in_order(programs, tool_file):
    program, file = programs(PROGRAM, "riscv32"), str(tool_file(TOOL))
    plain, native = Tool(file), Tool(file)
    expected = interpret_with(plain, program, ["program"])
    result, _ = measured_run(program, ["program"], MeasureOptions(tools=[native]), RunOptions(capture=True, tier="quick"))
    assert result.output == expected.output
    assert native.names["chunks"] == plain.names["chunks"]
    sizes = [len(numbers) for numbers, _ in native.names["chunks"]]
    assert len(sizes) > 1
    assert {*sizes[:-1]} == {ROWS}


def test_an_exception_names_its_line(programs, tool_file, measured_with):
    file = tool_file(TOOL.replace("chunks.append((", "raise ValueError(("))
    with pytest.raises(UserError) as caught:
        measured_with(programs(PROGRAM, "riscv32"), file)
    assert caught.value.messages[0].startswith(f"{file}:11: error: ValueError")
