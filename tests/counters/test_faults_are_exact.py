"""Runs that faults, time limits or interrupts end: counts are those of the interpreter, to the instruction that goes wrong."""

from __future__ import annotations

import os
import signal
import threading
from dataclasses import replace
from functools import partial

import pytest
from fake_machine import program_of
from test_faults import CASES, called

from cache_sim.parse import load_any
from ease.host.process.job import RunOptions
from ease.model.results import Counts
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import exact_run, executed, measured_run
from ease.run.verify import ToolMissing, tools_of, truth
from tests.covering import some
from vpo.interpret.fast.interpreter import interpret

FAULTING = """
#include <unistd.h>
static volatile int zero, sink;
static int table[64], *volatile nothing;
struct node { struct node *next; int value; };
static struct node nodes[20];
static int walk(void) { for (struct node *node = nodes;; node = node->next) sink += node->value; }
static int divided(int a, int b) { sink++; return a / b; }
static int inner(int *from, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += from[i]; return sum; }
static int outer(void)
{
    int sum = 0;
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 5; j++)
            sum += inner(i == 7 && j == 3 ? nothing : table, j + 2);
    return sum;
}
static int deep(int n, int *from)
{
    if (n == 0)
        return *from;
    return sink = deep(n - 1, n == 4 ? nothing : from) + n;
}
static int endless(int n) { volatile int own[100]; own[n & 63] = n; return endless(n + 1) + own[n & 31]; }
static int smash(int n) { volatile long own[4]; for (int i = 0; i < 4 + n * 8; i++) own[i] = 0x123456; return own[0]; }
static int ask(void)
{
    char c;
    int sum = 0;
    while (read(0, &c, 1) == 1) {
        sum = sum * 10 + c;
        if (c == 'x')
            sum /= zero;
    }
    return sum;
}
static int twice(int n) { return 2 * n; }
static int called(void)
{
    int (*volatile function)(int) = twice, sum = 0;
    for (int i = 0; i < 20; i++) {
        sum += function(i);
        if (i == 11)
            function = (int (*)(int))(unsigned long)table;
    }
    return sum;
}
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < 19; i++)
        nodes[i].next = nodes + i + 1;
    switch (argv[1][0]) {
    case 'w': return walk();
    case 'd': for (int i = 9; i > -3; i--) sum += divided(i + 3, i); break;
    case 'o': return outer();
    case 'r': for (int i = 0; i < 8; i++) sum += deep(i, table); break;
    case 's': return endless(1);
    case 'b': for (int i = 0; i < 6; i++) sum += smash(i == 4); break;
    case 'i': return ask();
    case 'c': return called();
    }
    return sum;
}
"""
ENDLESS = """
#include <unistd.h>
static volatile int sink;
int main(void)
{
    for (int i = 0;; i++) {
        for (int j = 0; j < 100; j++) sink = sink * 5 ^ j;
        if (i % 1000 == 0) write(1, ".", 1);
    }
}
"""


@pytest.mark.parametrize("machine", some(("sparc", "riscv32", "m68020", "vax", "arm", "aarch64", "x86_64"), 1))
def test_counts_are_those_of_the_interpreter(programs, machine):
    program = programs(FAULTING, machine, 2)
    for case in "wdorsbic":
        arguments = ["p", case]
        result, counts = exact_run(program, arguments, RunOptions(stdin=b"123x45", capture=True))
        expected = interpret(program, arguments, stdin=b"123x45", capture=True)
        found = Counts(expected.rtls, expected.taken, expected.traps)
        fault = result.fault and replace(result.fault, accessed=None)
        assert (case, fault, counts) == (case, expected.fault, found)


@pytest.mark.parametrize("machine", ["m68020", "riscv32"])
def test_a_read_that_fails_behind_others(programs, machine):
    """Where bytes are in another order than the host's, it reads and swaps them in one instruction."""
    text = "static volatile int sink; int main(int c) { int *from = (int *)(c - 1); sink += 3; sink += *from; return 0; }"
    program = programs(text, machine, 2)
    result, counts = exact_run(program, ["p"])
    expected = interpret(program, ["p"])
    assert (result.fault.rtl, counts.rtls) == (expected.fault.rtl, expected.rtls)


@pytest.mark.parametrize("name", some(CASES, 3))
def test_faults_of_one_instruction(name):
    program = program_of(called(CASES[name][0]))
    result, counts = exact_run(program)
    expected = interpret(program)
    assert (result.fault.rtl, counts.rtls, counts.taken) == (expected.fault.rtl, expected.rtls, expected.taken)


EMULATED = ("riscv32", "m68020", "x86_64", "aarch64", "powerpc", "sparc", "sh4", "alpha", "mips", "thumb2")


@pytest.mark.parametrize("machine", some(EMULATED, 2, first=3))
def test_the_emulator_counts_the_instruction_that_fails_besides(programs, machine):
    """The rest is what it executed, too."""
    program = programs(FAULTING, machine, 2)
    try:
        tools_of(program.machine)
    except ToolMissing as missing:
        pytest.skip(str(missing))
    for case in "wor":
        real = truth(program, ["p", case])
        counts = exact_run(program, ["p", case])[1]
        assert (case, real.exit_status, real.instructions) == (case, 139, executed(program, counts) + 1)


def test_simulators_end_before_the_instruction_that_fails(programs):
    """A cache sees no reference that was not made: a run with as many instructions as its limit tells the same."""
    program = programs(FAULTING, "riscv32", 2)
    wanted = MeasureOptions(load_any("I:256,16,1+D:256,16,2"), predict="bimodal:64")
    measured = measured_run(program, ["p", "o"], wanted)[1]
    limit = executed(program, measured.counts)
    limited = measured_run(program, ["p", "o"], wanted, RunOptions(limit=limit))[1]
    assert (measured.partial, measured.exact) == (True, True)
    assert "wild pointer" in measured.fault
    assert "stopped after" in limited.fault
    for each in ("counts", "memory", "prediction"):
        assert getattr(measured, each) == getattr(limited, each)


@pytest.mark.parametrize("how", ["timeout", "interrupted"])
def test_runs_that_are_stopped(programs, how, request):
    """A run that somebody else ends is exact up to some instruction behind its last output."""
    request.addfinalizer(partial(signal.signal, signal.SIGINT, signal.getsignal(signal.SIGINT)))
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it for what runs in the background
    program = programs(ENDLESS, "riscv32", 2)
    if how == "interrupted":
        exact_run(program, ["p"], RunOptions(capture=True, timeout=0.1))  # so that host code is there when the signal comes
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    result, counts = exact_run(program, ["p"], RunOptions(capture=True, timeout=0.5 if how == "timeout" else 20.0))
    instructions = executed(program, counts)
    assert (result.fault.kind, counts.exact) == (how, True)
    limited, same = exact_run(program, ["p"], RunOptions(capture=True, limit=instructions))
    assert (same.rtls, same.taken) == (counts.rtls, counts.taken)
    assert len(limited.output) - len(result.output) in (0, 1)  # the last system call may not have been answered
