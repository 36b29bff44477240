"""Loops whose trips are counted before they begin: nothing is tested in them, and switches come where they must."""

import dataclasses
from itertools import product

import pytest

import ease.host.memory.caching
from cache_sim.config import Cache, MemorySystem, Switch
from cache_sim.native.feedback import Feedback
from cache_sim.reference import Simulator
from ease.host.memory.caching import Caching
from ease.host.memory.trip_counts import measured_trip_counts
from ease.measuring import counted_run
from vpo.interpret.interpreter import interpret

PROGRAM = r"""
static int cells[100];
static unsigned sum;
static int until(int first, int last)
{
    int i, n = 0;
    for (i = first; i < last; i++)
        n += i;
    return n;
}
static void by_three(int first, int last)
{
    for (int i = first; i <= last; i += 3)
        cells[i] += i;
}
static void down(int first, int last)
{
    for (int i = first; i > last; i -= 2)
        cells[i & 63] ^= i;
}
static void pointers(int *from, int *to)
{
    while (from != to)
        sum += (unsigned)*from++;
}
static unsigned far(unsigned first, unsigned last)
{
    unsigned n = 0;
    while (first < last) {
        n = n * 3 + first;
        first += 7;
    }
    return n;
}
static int search(int wanted, int count)
{
    int i;
    for (i = 0; i < count; i++)
        if (cells[i] == wanted)
            break;
    return i;
}
static int hundred(void)
{
    int n = 0;
    for (int i = 0; i < 100; i++)
        n ^= cells[i] * i;
    return n;
}
static int wraps(unsigned char first)
{
    int n = 0;
    for (unsigned char i = first; i != 3; i++)
        n++;
    return n;
}
int main(void)
{
    for (int round = 0; round < 12; round++) {
        sum += (unsigned)until(round, round * 3) + (unsigned)until(5, round) + (unsigned)until(2147483640, 2147483647);
        by_three(round, 40 + round);
        by_three(9, round);
        down(70 - round, 3);
        down(-2147483640, -2147483646);
        pointers(cells + round, cells + 60);
        sum += far(1u, 90u) + far(4294967200u, 4294967200u + (unsigned)round * 6u) + far(9u, (unsigned)round);
        sum += (unsigned)search(round, 50) + (unsigned)hundred();
        sum += (unsigned)wraps((unsigned char)(250 + round));
    }
    return (int)(sum % 251u);
}
"""
UNIFIED = Cache("U", 512, 16)
SYSTEMS = {
    "I": MemorySystem(Cache("I", 256, 16), switch=Switch(900)),
    "D": MemorySystem(data=Cache("D", 256, 16), switch=Switch(1000)),
    "U": MemorySystem(UNIFIED, UNIFIED, switch=Switch(4000)),
    "D by instructions": MemorySystem(data=Cache("D", 512, 16, 4), switch=Switch(600, "instructions")),
}
MACHINES = ("riscv32", "m68020", "sparc", "vax", "arm")
TRIPS = dict.fromkeys(range(1 << 16), 9)
FEEDBACK = {"branching": Feedback(trip_counts=TRIPS), "branchless": Feedback(hard=range(1 << 20), trip_counts=TRIPS)}


@pytest.mark.parametrize(("machine", "name"), list(product(MACHINES, SYSTEMS)))
def test_results_stay(programs, monkeypatch, machine, name):
    written = []

    def trips_fit(emitter, trip_count, *rest):
        written.append(trip_count)
        return real(emitter, trip_count, *rest)

    real = ease.host.memory.caching.trips_fit
    monkeypatch.setattr(ease.host.memory.caching, "trips_fit", trips_fit)
    program, system = programs(PROGRAM, machine), SYSTEMS[name]
    plain = Simulator(system)
    said = interpret(program, ["program"], capture=True, observer=plain)
    feedback = FEEDBACK["branchless" if len(machine) % 2 else "branching"]
    caching = Caching(program, system, feedback)
    result, counts = counted_run(program, ["program"], capture=True, tier="fast", instruments=[caching])
    assert result.exit_status == said.exit_status
    results, expected = caching.results(counts, result), plain.results()
    ours, theirs = ([dataclasses.replace(cache, sites={}) for cache in each.caches] for each in (results, expected))
    assert ours == theirs
    assert results.switches == expected.switches > 5
    assert written


def test_trips_of_a_loop_at_the_end_of_a_function(programs):
    program = programs("int main(void) { return 0; }", "riscv32")
    exit_ = program.functions["__Exit"]  # ends with a loop without end
    assert list(measured_trip_counts(exit_, [8] * len(list(exit_.rtls())))) == [(exit_.block_starts()[-1], 1)]
