"""Context switches that come between an instruction and its data, where the caches of both are apart."""

import dataclasses

import pytest

from cache_sim.config import Cache, MemorySystem, Switch
from cache_sim.native.check_code import Feedback
from cache_sim.reference import Simulator
from ease.host.memory.caching import Caching
from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from tests.covering import some
from vpo.interpret.fast.interpreter import interpret

PROGRAM = r"""
static int cells[64], sum;
static void mix(int *to, const int *from, int count)
{
    while (count-- > 0)
        *to++ += *from++ ^ sum;
}
int main(void)
{
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < 64; i++)
            cells[i] = cells[(i + round) & 63] + i;
        mix(cells + round, cells + 20, 30);
        sum += cells[round * 5];
    }
    return sum & 127;
}
"""
PERIODS = range(300, 306)  # so that switches come everywhere


@pytest.mark.parametrize(("machine", "level"), some([("vax", 1), ("parisc", 0), ("stack", 0), ("riscv32", 2)], 1))
def test_switches_between_an_instruction_and_its_data(programs, machine, level):
    program = programs(PROGRAM, machine, level)
    for period in PERIODS:
        system = MemorySystem(Cache("I", 256, 16), Cache("D", 256, 16), switch=Switch(period))
        plain = Simulator(system)
        interpret(program, ["program"], capture=True, observer=plain)
        caching = Caching(program, system, Feedback())
        result, counts = counted_run(program, ["program"], RunOptions(capture=True, tier="fast"), instruments=[caching])
        found, expected = caching.results(counts, result), plain.results()
        assert found.switches == expected.switches > 15, period
        ours, theirs = ([dataclasses.replace(cache, sites={}) for cache in each.caches] for each in (found, expected))
        assert ours == theirs, period
