"""Loops without checks of fetches while all their lines are in the instruction cache: what is counted stays the same."""

import dataclasses

import pytest

from cache_sim.config import Cache, MemorySystem, Switch
from cache_sim.native.check_code import Feedback
from cache_sim.native.fetch_code import FetchCode
from cache_sim.reference import Simulator
from ease.host.memory.caching import Caching
from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from tests.covering import some
from vpo.interpret.fast.interpreter import interpret

PROGRAM = r"""
#include <stdio.h>
static int cells[40], sum;
static int far(int n) { int i; for (i = 0; i < n; i++) sum ^= cells[i % 40] << (i & 3); return sum; }
static int place(int n, int bits)
{
    int i, found = 0;
    if (n == 0)
        return 1;
    for (i = 0; i < 5; i++) {
        if (bits >> i & 1)
            continue;
        if ((bits ^ i) & 4)
            sum += i;
        found += place(n - 1, bits | 1 << i);
    }
    return found;
}
static int kind(int n)
{
    switch (n % 7) {
    case 0: return far(3); case 1: return n * 3; case 2: return n - 1; case 3: return sum; case 4: return n / 3;
    default: return 7;
    }
}
int main(void)
{
    int i, j, total = 0;
    for (i = 0; i < 60; i++) {
        if (i % 9 == 8)
            total += far(i);
        for (j = 0; j < i % 6; j++) {
            if (cells[j] & 1)
                cells[j + i % 30] += j;
            else
                cells[j] ^= i;
        }
        if (i % 3)
            switch (cells[i % 40] % 5) {
            case 0: total++; break; case 1: total += 3; break; case 2: total ^= 9; break; case 3: total -= 2; break;
            default: total += kind(i);
            }
        if (i % 20 == 19)
            putchar('a' + i / 20);
    }
    return (total + place(5, 0)) & 127;
}
"""
CACHES = {"wide": Cache("I", 1024, 16), "narrow": Cache("I", 128, 16), "ways": Cache("I", 512, 16, 2, "fifo")}


@pytest.fixture
def tested(monkeypatch):
    """How many lines the headers of loops test."""
    found = []
    write = FetchCode.unless_resident

    def noted(self, out, lines, otherwise):
        found.append(len(lines))
        write(self, out, lines, otherwise)

    monkeypatch.setattr(FetchCode, "unless_resident", noted)
    return found


@pytest.mark.parametrize("machine", some(["riscv32", "sparc", "m68020", "thumb2", "mips"], 2))
@pytest.mark.parametrize("name", CACHES)
def test_equal_to_the_plain_simulator(programs, tested, machine, name):
    program = programs(PROGRAM, machine, 2)
    for period in (0, 150, 401):
        system = MemorySystem(CACHES[name], Cache("D", 256, 16), switch=Switch(period) if period else None)
        plain = Simulator(system)
        interpret(program, ["program"], capture=True, observer=plain)
        expected = plain.results()
        feedback = None
        for _ in range(2):
            tested.clear()
            caching = Caching(program, system, feedback)
            result, counts = counted_run(program, ["program"], RunOptions(capture=True, tier="fast"), instruments=[caching])
            assert tested
            found, feedback = caching.results(counts, result), caching.learn(counts, result)
            assert result.output == b"abc"
            assert found.switches == expected.switches
            ours, theirs = ([dataclasses.replace(cache, sites={}) for cache in each.caches] for each in (found, expected))
            assert ours == theirs, (period, feedback is None)


def test_seldom_lines_and_long_turns(programs, tested):
    program = programs(PROGRAM, "riscv32", 2)
    system = MemorySystem(CACHES["wide"])
    first = Caching(program, system, Feedback())
    result, counts = counted_run(program, ["program"], RunOptions(capture=True, tier="fast"), instruments=[first])
    unlearned = list(tested)
    tested.clear()
    counted_run(
        program, ["program"], RunOptions(capture=True, tier="fast"),
        instruments=[Caching(program, system, first.learn(counts, result))],
    )  # fmt: skip
    assert sum(tested) < sum(unlearned)
