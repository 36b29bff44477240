"""What a program has printed appears, however its run ends."""

from __future__ import annotations

import pytest

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from tests.covering import some
from vpo.interpret.fast.interpreter import interpret

PROGRAM = """
#include <stdio.h>
int main(int argc, char **argv)
{
    volatile int count = 0;
    printf("printed %d\\n", argc);
    if (argc == 2)
        *(volatile int *)16 = 0;
    if (argc == 3)
        return argc / count;
    for (;;)
        count++;
}
"""


@pytest.mark.parametrize("machine", some(("riscv32", "riscv64", "short16", "sparc"), 1))
@pytest.mark.parametrize(("arguments", "kind"), [(["a"], "wild"), (["a", "b"], "division"), ([], "limit")])
def test_output_before_a_fault(programs, machine, arguments, kind):
    program, given = programs(PROGRAM, machine), ["program", *arguments]
    expected = f"printed {len(given)}\n".encode()
    said = interpret(program, given, capture=True, limit=5000)
    assert (said.fault.kind, said.output) == (kind, expected)
    result = run(program, given, RunOptions(capture=True, limit=5000))
    assert (result.fault.kind, result.output) == (kind, expected)


def test_output_before_a_timeout(programs):
    result = run(programs(PROGRAM, "riscv32"), ["program"], RunOptions(capture=True, timeout=4))
    assert (result.fault.kind, result.output) == ("timeout", b"printed 1\n")
