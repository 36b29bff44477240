"""A trace tells every reference that the interpreter makes, in its order, whatever becomes of the run."""

import random

import pytest

from cache_sim.traces.regeneration import Op
from ease.traces.path_program import path_program
from tests.covering import some, usual_level
from tests.traces.conftest import observed, regenerated, trace_of
from tests.traces.programs import ENDING, FAULTING

MACHINES = ("riscv32", "i386", "arm", "short16", "m68020", "vax", "sparc", "riscv64")
NAMES = [*ENDING, *FAULTING]


@pytest.mark.parametrize("machine", some(MACHINES, 2))
@pytest.mark.parametrize("turn", range(2))
def test_a_trace_is_what_the_interpreter_refers_to(programs, traced, machine, turn):
    number = MACHINES.index(machine)
    name = NAMES[(2 * number + turn) % len(NAMES)]
    program = programs({**ENDING, **FAULTING}[name], machine, usual_level(machine))
    content, result, _ = traced(program)
    expected = observed(program)
    assert result.fault is None or name in FAULTING
    assert regenerated(trace_of(content)) == expected
    assert regenerated(trace_of(content), plainly=True) == expected


LIMITED = [("riscv32", "nested loops"), ("mips", "longjmp"), ("sparc", "indirect")]


@pytest.mark.parametrize(("machine", "name"), some(LIMITED, 1))
def test_a_trace_ends_where_a_limit_ends_the_run(programs, traced, machine, name):
    program = programs(ENDING[name], machine)
    for limit in random.Random(name).sample(range(1, 800), 3):
        content, _, _ = traced(program, limit=limit)
        assert regenerated(trace_of(content)) == observed(program, limit=limit), limit


def test_any_part_of_a_trace_can_be_had(programs, traced):
    content, _, counts = traced(programs(ENDING["nested loops"], "riscv32", 2))
    whole = regenerated(trace_of(content))
    fetches = [number for number, row in enumerate(whole) if row[0] == 2]
    assert len(fetches) == counts.instructions
    for start, count in ((0, 10), (1000, 1), (1234, 500), (counts.instructions - 5, 100)):
        first = fetches[start]
        last = fetches[start + count] if start + count < len(fetches) else len(whole)
        assert regenerated(trace_of(content), start=start, count=count) == whole[first:last]


def test_addresses_that_follow_are_not_recorded(programs):
    """Array elements that a loop steps through take one word before the loop, not one for each iteration."""
    text = "int a[100]; int sum(int *p, int n) { int s = 0, i; for (i = 0; i < n; i++) s += p[i]; return s; }"
    program = programs(text + " int main(int c, char **v) { return sum(a, 100 * c); }", "riscv32")
    function = program.functions["_sum"]
    path = path_program(program)
    accesses = [access for found in path.plans["_sum"].accesses.values() for access in found]
    assert len([rtl for rtl in function.rtls() if rtl.loads]) == len(accesses) > 0
    assert not any(access.recorded for access in accesses)
    assert sum(bool(move.recorded) for moves in path.plans["_sum"].moves.values() for move in moves) == 1


STRIDED = """
    static int a[40][40];
    static int column(int *p, int n, int stride) { int s = 0, i; for (i = 0; i < n; i++) { s += *p; p += stride; } return s; }
    static void put(int *p, int n, int stride) { int i; for (i = 0; i < n; i++) { *p = i; p[1] = i; p = p + stride + 3; } }
    int main(int c, char **v)
    {
        int s = 0, i;
        for (i = 0; i < 40; i++) { put(a[0] + i, 20, 10 * c + i); s += column(&a[0][i], 40, 40 * c); }
        return s & 1;
    }"""


@pytest.mark.parametrize("machine", some(("riscv32", "sparc", "vax"), 1))
def test_a_stride_in_a_register_is_recorded_once_a_loop(programs, traced, machine):
    """Base and stride take two words before the loop, in place of one for each reference."""
    program = programs(STRIDED, machine, 1)
    path = path_program(program)
    assert (path.code["op"] == Op.ADD).sum() >= 2
    content, _, _ = traced(program)
    assert regenerated(trace_of(content)) == regenerated(trace_of(content), plainly=True) == observed(program)
    with trace_of(content).opened() as streams:
        assert sum(len(words) for _, words, _ in streams.chunks()) < 40 * 20


def test_a_cycle_without_decisions_is_noted(programs):
    program = programs(FAULTING["endless walk"], "riscv32")
    path = path_program(program)
    assert path.notes["_main"]
    assert (path.code["op"] == Op.NOTE).sum() >= 1
