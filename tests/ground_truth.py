"""What real tools say of a program: the same output, as many instructions executed, each of the same size."""

import pytest

from ease.verify import Comparison, ToolMissing, compare_sizes, tools_of, truth


def confirm(program, output, instructions):
    """Compare with a program's run; the test is skipped if a tool is missing."""
    try:
        tools_of(program.machine)
    except ToolMissing as missing:
        pytest.skip(str(missing))
    real = truth(program, ["program"])
    comparison = Comparison()
    comparison.check("output", real.output, output)
    comparison.check("instructions executed", real.instructions, instructions)
    compare_sizes(program, real, comparison)
    assert not comparison.differences
