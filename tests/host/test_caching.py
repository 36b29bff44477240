"""Memory systems simulated in host code come to what the plain simulator says that watches the interpreter."""

import dataclasses
from functools import partial

import pytest

import ease.run.scopes
import vpo.base.cache
from cache_sim.config import Cache, MemorySystem, Switch
from cache_sim.native.check_code import Feedback
from cache_sim.reference import Simulator as Plain
from ease.host.memory.caching import Caching
from ease.host.process.job import RunOptions
from ease.model.run_identity import profile_key
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import counted_run, observed_run
from ease.run.observers import MEMORY
from tests.covering import some
from vpo.interpret.fast.interpreter import interpret

PROGRAM = r"""
#include <unistd.h>
static int numbers[300];
static char text[40];
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int twice(int (*f)(int), int n) { return f(n) + f(n - 1); }
int main(void) {
    double sum = 0;
    int round, i;
    for (round = 0; round < 3; round++)
        for (i = 0; i < 300; i++) {
            numbers[i * 7 % 300] += i;
            sum += numbers[i] * 0.5;
        }
    i = twice(fib, 7) + (int)sum;
    for (round = 0; round < 8; round++, i /= 10)
        text[7 - round] = '0' + i % 10;
    write(1, text, 8);
    return 3;
}
"""
UNIFIED, SMALL = Cache("U", 1024, 16), Cache("D", 256, 16, 2, "plru", "through", False)
SYSTEMS = {
    "I": MemorySystem(Cache("I", 1024, 16)),
    "D": MemorySystem(data=Cache("D", 1024, 16)),
    "I switch": MemorySystem(Cache("I", 512, 16), switch=Switch(1000)),
    "D switch": MemorySystem(data=Cache("D", 512, 8, 4), switch=Switch(1000)),
    "split switch": MemorySystem(Cache("I", 512, 32, 2), Cache("D", 512, 16), switch=Switch(1000)),
    "U": MemorySystem(UNIFIED, UNIFIED),
    "U switch": MemorySystem(UNIFIED, UNIFIED, switch=Switch(1000)),
    "always tight": MemorySystem(UNIFIED, UNIFIED, switch=Switch(40)),
    "everything": MemorySystem(
        Cache("I", 256, 16, 2), SMALL, Cache("L2", 2048, 32, 4), Cache("ITLB", 1024, 256, 4), Cache("DTLB", 1024, 256, 2),
        Switch(500, "instructions"), True,
    ),
    "by instructions": MemorySystem(data=Cache("D", 512, 8, 2, "fifo", prefetch="next"), switch=Switch(300, "instructions")),
    "I 2-way": MemorySystem(Cache("I", 256, 16, 2), switch=Switch(300)),
    "I by instructions": MemorySystem(Cache("I", 512, 32), switch=Switch(97, "instructions")),
    "I narrow lines": MemorySystem(Cache("I", 1024, 4), switch=Switch(2000, hit=2, miss=30)),
    "I, random D": MemorySystem(Cache("I", 2048, 16, 4, "fifo"), Cache("D", 256, 16, 2, "random")),
    "rrip": MemorySystem(
        Cache("I", 512, 16, 4, "rrip"), Cache("D", 192, 16, 3, "rrip", prefetch="next"), Cache("L2", 2048, 32, 4, "rrip"),
        switch=Switch(2000),
    ),
    "causes": MemorySystem(UNIFIED, UNIFIED, data_tlb=Cache("T", 1024, 256, 4), switch=Switch(1000), causes=True),
}  # fmt: skip


@pytest.fixture
def compiled(programs):
    return partial(programs, PROGRAM)


def without_sites(results):
    return dataclasses.replace(results, caches=tuple(dataclasses.replace(cache, sites={}) for cache in results.caches))


MACHINES = ("riscv32", "m68020", "sparc", "vax", "riscv64")


@pytest.mark.parametrize(("number", "name"), some(list(enumerate(SYSTEMS)), 4))
def test_equal_to_the_plain_simulator(compiled, number, name):
    program = compiled(MACHINES[number % len(MACHINES)])
    plain = Plain(SYSTEMS[name])
    said = interpret(program, ["program"], capture=True, observer=plain)
    seen = observed_run(program, ["program"], MeasureOptions(SYSTEMS[name]), RunOptions(capture=True, tier="fast"))[1]
    result, results = seen.run, seen.found[MEMORY]
    assert (result.output, result.exit_status) == (said.output, 3)
    assert without_sites(results) == without_sites(plain.results())
    assert [sum(cache.sites.values()) for cache in results.caches] == [cache.misses.total for cache in results.caches]


FEEDBACK = {"branchless": Feedback(range(1 << 20)), "called": Feedback(cold=range(1 << 20))}


@pytest.mark.parametrize("feedback", some(FEEDBACK, 1))
@pytest.mark.parametrize(("number", "name"), some(list(enumerate(SYSTEMS)), 6, first=2))
def test_feedback_changes_nothing(compiled, number, name, feedback):
    if feedback == "branchless" and name in ("everything", "by instructions", "causes"):
        pytest.skip("these always have branches")
    program = compiled((*MACHINES[1:], "arm")[number % len(MACHINES)])
    plain = Plain(SYSTEMS[name])
    interpret(program, ["program"], capture=True, observer=plain)
    caching = Caching(program, SYSTEMS[name], FEEDBACK[feedback])
    result, counts = counted_run(program, ["program"], RunOptions(capture=True, tier="fast"), instruments=[caching])
    assert without_sites(caching.results(counts, result)) == without_sites(plain.results())


def test_later_runs_go_by_the_first(compiled, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", str(tmp_path))
    monkeypatch.setattr(ease.run.scopes, "WORTH_A_PROFILE", 0)
    program, system = compiled("riscv32"), SYSTEMS["D"]
    caching = Caching(program, system)
    run, counts = counted_run(program, ["program"], RunOptions(capture=True, tier="fast"), instruments=[caching])
    feedback = caching.learn(counts, run)
    assert 0 < len(feedback.hard) < len(caching.sites)
    assert 0 < len(feedback.cold) < len(caching.sites)
    for _ in range(2):
        observers, seen = observed_run(program, ["program"], MeasureOptions(system), RunOptions(capture=True, tier="fast"))
        assert seen.found[MEMORY] == caching.results(counts, run)
        observers.measurement(seen)
    assert vpo.base.cache.load(profile_key(program, "feedback", repr(system)), (Feedback,)) == feedback
