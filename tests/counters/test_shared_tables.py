"""Functions whose blocks jump by one table, as those of threaded interpreters: counts, limits, ends deep inside."""

from __future__ import annotations

import pytest
from test_cut_short import compare

from ease.counters.plan import plan_counters
from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from tests.covering import some
from vpo.analysis.transfers import shared_tables
from vpo.interpret.fast.interpreter import interpret

THREADED = r"""
#include <stdlib.h>
static int run(const unsigned char *code, int n)
{
    static void *operations[] = { &&add, &&subtract, &&multiply, &&copy, &&repeat, &&halt, &&swap, &&count };
    int stack[16], top = 0, sum = 1;
    const unsigned char *start = code;
    stack[0] = n;
#define NEXT goto *operations[*code++]
    NEXT;
add: sum += stack[top]; NEXT;
subtract: sum -= 3; if (sum < 0) sum = -sum; NEXT;
multiply: sum = sum * 5 % 1009; NEXT;
copy: top++; stack[top] = stack[top - 1]; NEXT;
swap: { int old = stack[top]; stack[top] = stack[top - 1]; stack[top - 1] = old; } NEXT;
count: stack[top]--; NEXT;
repeat: if (stack[top] > 0) code = start; NEXT;
halt: if (n == 7) exit(sum & 63); return sum;
}
int main(void)
{
    static const unsigned char loop[] = { 2, 2, 7, 1, 4, 0, 5 }, line[] = { 0, 1, 2, 3, 6, 0, 7, 5 };
    int i, total = 0;
    for (i = 0; i < 12; i++)
        total += i == 3 ? run(line, 9) : run(loop, i * (i == 7 ? 1 : 10));
    return total & 63;
}
"""


@pytest.mark.parametrize("machine", some(["riscv32", "sparc", "m68020"], 1))
def test_counts_are_those_of_the_interpreter(programs, machine):
    """The program ends in a function that jumps so, and runs are cut anywhere."""
    program = programs(THREADED, machine, 1)
    expected = interpret(program)
    result, counts = counted_run(program, options=RunOptions(tier="fast"))
    assert result.exit_status == expected.exit_status
    assert (counts.rtls, counts.taken) == (expected.rtls, expected.taken)
    for limit in (expected.instructions // 3, expected.instructions // 2, expected.instructions - 2):
        compare(program, [], limit)


def test_a_table_is_a_vertex(programs):
    """Counters and switches do not grow by the product of jumps and targets."""
    program = programs(THREADED, "riscv32", 1)
    (table,) = shared_tables(program.functions["_run"]).values()
    assert len(table.blocks) * len(set(table.labels)) > 50
    probes = plan_counters(program).probes["_run"]
    assert len(probes.edges) + len(probes.blocks) < 12
