"""Predictors simulated in host code are wrong exactly where the plain ones are that watch the interpreter."""

import pytest
from fake_machine import CELLS, program_of
from generate import RandomProgram

from cache_sim.predictors import Kind, Simulator, load
from ease.host.instruments.predicting import Predicting
from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from tests.covering import case, some
from vpo.analysis.transfers import unit
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.read import load as machines

PROGRAM = r"""
#include <stdlib.h>
#include <unistd.h>
static unsigned seed = 1;
static int heap[64];
static unsigned number(void) { return (seed = seed * 1103515245u + 12345u) >> 16; }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int odd(int n) { return n & 1; }
static int large(int n) { return n > 20000; }
static int (*const tests[])(int) = { odd, large, fib };
static int mixed(int n) {
    switch (n % 9) {
    case 0: return n + 1;
    case 1: return tests[n % 2](n);
    case 2: return n > 1000 ? 7 : 8;
    case 3: return tests[2](n % 5);
    case 4: n ^= 5;
    case 5: return n * 3;
    case 6: return fib(7);
    default: return -1;
    }
}
static int find(const int *v, int n, int x) {
    int i;
    for (i = 0; i < n && v[i] != x; i++)
        if (v[i] < 0)
            return -1;
    return i;
}
static int spiral(int n) {
    int i, j, k, sum = 0;
    for (i = 0; i < n; i++) {
        for (j = 0; j < i; j++) {
            if ((heap[j] ^ heap[i]) & 4)
                continue;
            for (k = j; k < j + 3; k++) {
                if (heap[k & 63] > 1000)
                    goto out;
                sum += k & 1 ? heap[k & 63] : 1;
            }
            if (sum & 64)
                break;
        }
        do
            sum -= i;
        while (sum > 4000);
    }
out:
    return sum;
}
static void deep(int n, int sum) {
    if (n > 0)
        deep(n - 1, sum + (number() % 3 == 0));
    else {
        char c = (char)('a' + sum % 26);
        write(1, &c, 1);
        exit(sum % 100);
    }
}
int main(void) {
    int i, j, sum = 0;
    for (i = 0; i < 64; i++)
        heap[i] = (int)number() & 1023;
    for (i = 1; i < 64; i++) {
        int x = heap[i];
        for (j = i; j > 0 && heap[j - 1] > x; j--)
            heap[j] = heap[j - 1];
        heap[j] = x;
    }
    for (i = 0; i < 300; i++)
        sum += mixed((int)number()) & 15;
    for (i = 0; i < 64; i++)
        if (heap[i] % 3 == 0 || heap[i] < 100)
            sum++;
    for (i = 0; i < 40; i++)
        sum += find(heap, i, (int)number() & 1023) + spiral(i);
    sum &= 1023;
    deep(40, sum);
    return 0;
}
"""
SPEC = (
    "taken+not-taken+btfn+profile+bimodal:1024+bimodal:each+bimodal:8+gshare:256,5+gshare:16+gshare:4,0+ras:4+ras:64"
    "+btb:4+btb:8,2+btb:4,4+perceptron:64+perceptron:4,63+perceptron:1,1+tage:64+tage:4,6+tage:256,1"
)
RUNS = [("riscv32", 1), ("m68020", 0), ("sparc", 2), ("vax", 1), ("arm", 1), ("mips", 2), ("parisc", 0), ("riscv64", "s")]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("predicting") / "program.c"
    path.write_text(PROGRAM)
    return str(path)


def simulated(program, waiting=True):
    """Return what the plain simulator says that watches the interpreter, and what host code says."""
    plain = Simulator(load(SPEC, unit(program)))
    said = interpret(program, ["program"], capture=True, transfers=plain)
    predicting = Predicting(program, load(SPEC, unit(program)), waiting)
    run, counts = counted_run(program, ["program"], RunOptions(capture=True, tier="fast"), instruments=[predicting])
    assert (run.output, run.exit_status, run.fault) == (said.output, said.exit_status, None)
    return plain.results(), predicting.results(counts, run)


WAITING = [*some([(*run, True) for run in RUNS], 1), case(*RUNS[0], False, usual=False)]


@pytest.mark.parametrize(("machine", "level", "waiting"), WAITING)
def test_equal_to_the_plain_simulator(source, machine, level, waiting):
    program = Compiler(machines.load(machine), Settings(level=level)).program([source])
    expected, results = simulated(program, waiting)
    assert results == expected
    assert {site.kind for site in expected.sites.values()} >= {Kind.BRANCH, Kind.CALL, Kind.RETURN}
    assert [name for name in expected.predictors if not expected.mispredicted(name)] == ["ras:64"]


@pytest.mark.parametrize("seed", some(range(8), 3))
def test_random_programs(seed):
    slots = seed % 2
    program = program_of(RandomProgram(seed, slots=slots, functions=5).text(), slots=slots, cells={**CELLS, "r": "L"})
    expected, results = simulated(program)
    assert results == expected
