"""What memory systems did up to moments of a run of host code is what the plain simulator says at the same moments."""

from functools import partial

import pytest

from cache_sim.history import Recorder
from cache_sim.parse import load as load_system
from ease.host.process.job import RunOptions
from ease.run import scopes
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import observed_run
from ease.run.observers import MEMORY
from tests.covering import some
from vpo.interpret.fast.interpreter import interpret

PROGRAM = r"""
#include <unistd.h>
static int numbers[60];
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) {
    double sum = 0;
    int i;
    for (i = 0; i < 90; i++) {
        numbers[i * 7 % 60] += i;
        sum += numbers[i % 60] * 0.5;
    }
    return (fib(6) + (int)sum) & 63;
}
"""
CASES = [
    ("riscv32", "I:256,16,1+D:256,16,2", 100, 64),
    ("vax", "U:512,16,1+causes", 37, 8),  # thinned
    ("m68020", "D:256,8,2,fifo,through,noallocate,prefetch", 250, 16),
    ("sparc", "I:256,16,2+D:256,16,1+L2:1k,32,4+DTLB:4x256,2+switch:500", 64, 64),
    ("riscv32", "U:512,16,2+switch:300", 0, 16),
    ("i386", "I:256,8,1+D:256,8,2+switch:90i", 0, 1024),
    ("mips", "D:256,16,1+switch:40i", 0, 64),  # no instruction cache, and always near a switch
]


@pytest.fixture
def compiled(programs):
    return partial(programs, PROGRAM)


def test_a_run_that_is_cut_short_is_exact(compiled):
    program, system = compiled("riscv32"), load_system("I:256,16,1+D:256,16,2")
    plain = Recorder(system, 100)
    interpret(program, ["program"], capture=True, observer=plain)
    options = RunOptions(capture=True, limit=1000, tier="fast")
    seen = observed_run(program, ["program"], MeasureOptions(system, moments=100), options)[1]
    result, results, history = seen.run, seen.found[MEMORY], seen.found["history"]
    assert result.partial
    assert 900 < results.instructions <= 1000
    assert history.moments[:-1] == plain.history().moments[: len(history.moments) - 1]
    assert 100 * (len(history.moments) - 1) < results.instructions == history.moments[-1].instructions


@pytest.mark.parametrize(("machine", "spec", "every", "most"), some(CASES, 3))
def test_equal_to_the_plain_simulator(compiled, monkeypatch, machine, spec, every, most):
    program, system = compiled(machine), load_system(spec)
    monkeypatch.setattr(scopes, "MOST", most)
    plain = Recorder(system, every, most)
    interpret(program, ["program"], capture=True, observer=plain)
    wanted = MeasureOptions(system, moments=every)
    history = observed_run(program, ["program"], wanted, RunOptions(capture=True, tier="fast"))[1].found["history"]
    expected = plain.history()
    assert len(history.moments) > 4
    assert (history.every, history.stride) == (expected.every, expected.stride)
    assert history.moments == expected.moments
