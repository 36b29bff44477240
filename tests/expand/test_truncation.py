"""Conversions of floating values to int cut off what is behind the point, up to the last value that fits."""

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.names import machine_names

PROGRAM = """
struct { double from; long to; } volatile edges[] = {
    {2147483647.84375, 2147483647}, {2147483647.5, 2147483647}, {-2147483647.75, -2147483647},
    {-2147483648.90625, -2147483647 - 1}, {-2147483648.0, -2147483647 - 1}, {1073741823.5, 1073741823},
    {-0.75, 0}, {0.5, 0}, {1.5, 1}, {-2.5, -2}, {0.0, 0},
};
volatile float narrow = -2147483648.0f, half = -16777215.0f / 2;
int main(void)
{
    int i;
    for (i = 0; i < sizeof edges / sizeof *edges; i++)
        if ((long)edges[i].from != edges[i].to)
            return i + 1;
    return (long)narrow != -2147483647 - 1 || (long)half != -8388607 ? 99 : 0;
}
"""
SINGLE = [name for name in machine_names() if load(name).model.sizes["double"] < 8]  # whose doubles have fewer digits
RUN = ["mips", *(name for name in machine_names() if name not in ("mips", *SINGLE))]


@pytest.mark.parametrize("machine", some(RUN, 3))
def test_values_are_truncated(machine, tmp_path):
    source = tmp_path / "prog.c"
    source.write_text(PROGRAM)
    result = interpret(Compiler(load(machine), Settings(level=2)).program([str(source)]))
    assert (result.fault, result.exit_status) == (None, 0)
