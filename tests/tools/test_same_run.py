"""With tools, programs do what they do without: the same output, exit status, and count of each instruction."""

from pathlib import Path

import pytest

from ease.measuring import measured_run
from ease.tools.tool_file import Tool
from vpo.compiler import Compiler, Settings
from vpo.machines.load import load

SAMPLES = Path(__file__).parents[2] / "samples"
RUNS = {"queens": ["5"], "diff": [str(SAMPLES / "input" / name) for name in ("diff_old.txt", "diff_new.txt")]}


@pytest.mark.parametrize(("name", "machine"), [("queens", "m68020"), ("diff", "riscv32")])
def test_samples(name, machine):
    program = Compiler(load(machine), Settings(level=1)).program([str(SAMPLES / f"{name}.c")])
    tools = [Tool(each) for each in ("value_profile", "stack_depth")]
    options = {"capture": True, "tier": "quick", "stdin": b"", "roots": [str(SAMPLES)]}
    result, found = measured_run(program, [name, *RUNS[name]], tools=tools, **options)
    plain, expected = measured_run(program, [name, *RUNS[name]], **options)
    assert plain.output
    assert (result.exit_status, result.output, result.errors) == (plain.exit_status, plain.output, plain.errors)
    assert found.counts == expected.counts
