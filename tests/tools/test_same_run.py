"""With tools, programs do what they do without: the same output, exit status, and count of each instruction."""

from pathlib import Path

import pytest

from ease.host.process.job import RunOptions
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measured_run
from ease.tools.tool_file import Tool, supplied
from tests.covering import case, some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

SAMPLES = Path(__file__).parents[2] / "samples"
RUNS = {"queens": ["5"], "diff": [str(SAMPLES / "input" / name) for name in ("diff_old.txt", "diff_new.txt")]}


@pytest.mark.parametrize(("name", "machine"), some([("queens", "m68020"), ("diff", "riscv32")], 1))
def test_samples(name, machine):
    program = Compiler(load(machine), Settings(level=1)).program([str(SAMPLES / f"{name}.c")])
    tools = [Tool(each) for each in ("value_profile", "stack_depth")]
    options = RunOptions(b"", capture=True, roots=[str(SAMPLES)], tier="quick")
    result, found = measured_run(program, [name, *RUNS[name]], MeasureOptions(tools=tools), options)
    plain, expected = measured_run(program, [name, *RUNS[name]], options=options)
    assert plain.output
    assert (result.exit_status, result.output, result.errors) == (plain.exit_status, plain.output, plain.errors)
    assert found.counts == expected.counts


# A program that tells a sum of its memory: its data, its heap, and what calls have left in the stack below.
MEMORY = r"""
#include <stdio.h>
#include <stdlib.h>
static unsigned cells[64];
static unsigned fib(unsigned n) { volatile unsigned m = n; return m < 2 ? m : fib(m - 1) + fib(m - 2); }
static unsigned sum(const volatile unsigned char *at, const volatile unsigned char *end) {
    unsigned s = 1;
    for (; at != end; at++)
        s = s * 31 + *at;
    return s;
}
int main(void) {
    unsigned char *lowest = 0, *highest = 0, here, *made;
    int i;
    for (i = 0; i < 64; i++) {
        made = malloc(8 * i + 1);
        made[i] = (unsigned char)(cells[i] = fib(i % 12));
        lowest = lowest && lowest < made ? lowest : made;
        highest = highest > made + 8 * i ? highest : made + 8 * i;
        if (i % 3)
            free(made);
    }
    printf("%x", sum((unsigned char *)cells, (unsigned char *)(cells + 64)));
    printf(" %x %x\n", sum(lowest, highest), sum(&here - 6000, &here - 1000));
    return 0;
}
"""


@pytest.mark.parametrize("machine", [case(name, usual=False) for name in ("riscv32", "m68020")])
def test_memory_at_the_end_is_the_same(machine, programs):
    """All supplied tools at once leave memory as it is without: data, heap and stack."""
    program = programs(MEMORY, machine)
    options = RunOptions(capture=True, tier="quick")
    tools = [Tool(name) for name in supplied() if name not in ("interpreted_lines", "detail")]
    result = measured_run(program, ["program"], MeasureOptions(tools=tools), options)[0]
    plain, followed = measured_run(program, ["program"], options=options)[0], interpret(program, ["program"], capture=True)
    assert len(set(plain.output.split())) == 3
    assert result.output == plain.output == followed.output
