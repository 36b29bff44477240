"""Runs that are cut short: precise counts tell what was executed until then, in every activation."""

from __future__ import annotations

import pytest
from fake_machine import program_of
from generate import RandomProgram
from random_flow import CELLS, RandomFlow, Walk
from test_faults import CASES, called

from ease.counters.cut_short import Completion
from ease.counters.plan import plan_counters
from ease.counters.reconstruction import reconstruct
from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from tests.covering import some
from vpo.interpret.fast.interpreter import interpret

RECURSIVE = """
#include <unistd.h>
static int table[8];
static int sum(int *from, int n) { return n ? *from / (n | 1) + sum(from + 1, n - 1) : 0; }
int main(int argc, char **argv)
{
    char text[] = "sums: .\\n";
    for (int i = 0; i < 8; i++)
        table[i] = i * i;
    text[6] = 'a' + sum(table, 8);
    write(1, text, sizeof text - 1);
    return 0;
}
"""


@pytest.mark.parametrize("seed", range(60))
def test_random_walks_that_stop_anywhere(seed):
    program = RandomFlow(seed, functions=1 + seed % 4).program
    plan = plan_counters(program, precise=True)
    for steps in (1, 7, 20 + seed, 400):
        walk = Walk(program, seed, plan.probes, steps)
        completion = Completion(program, {name: function.graph for name, function in plan.functions.items()})
        if walk.stopped is not None:
            completion.stop_in(*walk.stopped)
            for name, function in plan.functions.items():
                for place, counter in function.calls.items():
                    if walk.counters[counter]:
                        completion.call_under_way(name, place, walk.counters[counter])
        counts = reconstruct(plan, walk.counters, completion=completion)
        assert (counts.rtls, counts.taken) == (walk.rtls, walk.taken)


@pytest.mark.parametrize("name", CASES)
def test_faults(name):
    program = program_of(called(CASES[name][0]))
    expected = interpret(program)
    _, counts = counted_run(program, options=RunOptions(limit=10**9, tier="fast"))
    assert (counts.rtls, counts.taken) == (expected.rtls, expected.taken)


def test_a_call_that_fails_where_others_are_under_way():
    body = "PC=r[3]!=0,L3;\nL2:\nr[4]=_x;\nL5:\nST=r[4](); r[1]=NPC;\nL3:\nr[5]=r[5]+1;\nPC=r[5]<0,L2;\nL4:\nPC=r[1],RT();"
    program = program_of(called(body))
    _, counts = counted_run(program, options=RunOptions(limit=10**9, tier="fast"))
    assert counts.rtls == interpret(program).rtls


@pytest.mark.parametrize("seed", range(6))
def test_limits(seed):
    """A run ends before the instruction after the last one that it may execute, in the midst of a block if need be."""
    program = program_of(RandomProgram(seed, slots=seed % 2, functions=5).text(), slots=seed % 2, cells=CELLS)
    most = interpret(program, capture=True).instructions
    limit = most * (seed + 1) // 8
    compare(program, [], limit)


@pytest.mark.parametrize("machine", some(("riscv32", "sparc", "i386", "parisc"), 1))
def test_limits_on_machines(programs, machine):
    """Delay slots, slots that are annulled, register windows and parts of instructions are cut at any place."""
    program = programs(RECURSIVE, machine, 2)
    most = interpret(program, capture=True).instructions
    for limit in (0, 1, *range(most // 2, most // 2 + 8), most - 1):
        compare(program, [], limit)


def compare(program, arguments, limit):
    """Compare a run with a limit to the interpreter's."""
    stopped, counts = counted_run(program, arguments, RunOptions(capture=True, limit=limit, tier="fast"))
    expected = interpret(program, arguments, limit=limit, capture=True)
    assert (str(stopped.fault), stopped.fault.rtl) == (str(expected.fault), expected.fault.rtl)
    assert expected.fault.kind == "limit"
    assert expected.instructions == limit
    assert (counts.rtls, counts.taken) == (expected.rtls, expected.taken)
    assert stopped.output == expected.output
