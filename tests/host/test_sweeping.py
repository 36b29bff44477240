"""All caches of a grid simulated in one run of host code come to what stacks say that watch the interpreter."""

import random

import pytest
from fake_machine import CELLS, program_of
from generate import RandomProgram

from cache_sim import Kind
from cache_sim.distances import Estimate, Shards, Sweep
from cache_sim.sweeps import SIDES, Grid
from ease.host.process.job import RunOptions
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import observed_run
from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

PROGRAM = r"""
struct node { struct node *next; double weight; char name[20]; };
static struct node nodes[90];
static int numbers[300];
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int twice(int (*f)(int), int n) { return f(n) + f(n - 1); }
int main(void) {
    struct node *node;
    double sum = 0;
    int i;
    for (i = 0; i < 90; i++)
        nodes[i].next = &nodes[(i * 7 + 5) % 90], nodes[i].weight = i, nodes[i].name[i % 20] = 'a' + i % 26;
    for (node = nodes, i = 0; i < 400; i++, node = node->next)
        numbers[i * 7 % 300] += node->name[i % 20], sum += node->weight;
    return (twice(fib, 8) + (int)sum + numbers[8]) & 127;
}
"""
GRIDS = {
    "default": Grid(),
    "small caches": Grid((128, 256, 512, 1024, 2048), (8, 32), (1, 2, 4, 16)),
    "both sides": Grid((256, 512, 1024, 4096), (16, 64), (1, 2, 4, 8), ("U",)),
    "switches": Grid((256, 512, 1024), (16,), (1, 2, 4), ("U",), every=700),
    "full": Grid((256, 512, 1024, 2048), (8, 16), (1, 4), full=True),
    "full, switches": Grid((256, 512, 1024, 2048), (16,), (), ("U",), every=900, full=True),
    "data, switches": Grid((256, 1024, 4096), (8, 16, 32), sides=("D",), every=300),
}


class Watched:
    """A sweep for each side."""

    def __init__(self, grid):
        sets = {number for line in grid.lines for number in grid.levels(line)} | {1}
        kinds = {side: [kind for kind in Kind if kind.name.lower() in SIDES[side]] for side in grid.sides}
        self.sides = {side: Sweep(grid.lines, sets, kinds[side], grid.every) for side in grid.sides}

    def fetch(self, address, size, site=0):
        for sweep in self.sides.values():
            sweep.fetch(address, size)

    def data(self, address, size, write):
        for sweep in self.sides.values():
            sweep.data(address, size, write)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    source = tmp_path_factory.mktemp("sweeping") / "program.c"
    source.write_text(PROGRAM)
    return {machine: Compiler(load(machine), Settings(level=1)).program([str(source)]) for machine in ("riscv32", "m68020")}


@pytest.mark.parametrize("machine", some(("riscv32", "m68020"), 1))
@pytest.mark.parametrize("name", some(GRIDS, 2))
def test_equal_to_stacks(compiled, machine, name):
    check(compiled[machine], GRIDS[name])


@pytest.mark.parametrize("seed", some(range(4), 2))
def test_random_programs_and_grids(seed):
    choice = random.Random(seed)

    def several(least, most):
        return tuple(sorted(choice.sample([1 << exponent for exponent in range(least, most)], choice.randint(1, 3))))

    sides, every = choice.choice([("I",), ("D",), ("I", "D"), ("U",)]), choice.choice([0, 50, 400])
    grid = Grid(several(6, 12), several(3, 7), several(0, 5), sides, every, full=True)
    options = {"big_endian": seed % 2 == 1, "slots": seed // 2 % 2, "misaligned": seed % 3 != 0}
    text = RandomProgram(seed, slots=options["slots"], functions=5).text()
    check(program_of(text, cells={**CELLS, "r": "L"}, **options), grid)


def check(program, grid):
    """Compare what a sweep finds with what stacks do that watch the interpreter."""
    watched = Watched(grid)
    said = interpret(program, ["program"], capture=True, observer=watched)
    seen = observed_run(program, ["program"], MeasureOptions(grid), RunOptions(capture=True, tier="fast"))[1]
    result, swept = seen.run, seen.found["sweep"]
    assert (result.fault, result.exit_status) == (None, said.exit_status)
    caches = list(swept.caches())
    assert [misses for _, misses in caches] == [watched.sides[cache.name].misses(cache) for cache, _ in caches]
    for side, sweep in watched.sides.items():
        assert swept.switches == sweep.switches
        for line in grid.lines:
            whole = sweep.histogram(line, 1)
            assert swept.accesses(side, line) == whole.accesses
            for size in grid.full_sizes(line):
                assert swept.full_misses(side, size, line) == Estimate(whole.misses(size // line), 0)


class Sampled:
    """A sample of data's lines."""

    def __init__(self, line, rate):
        self.shards = Shards(line, rate)

    def fetch(self, address, size, site=0):
        pass

    def data(self, address, size, write):
        self.shards.refer(address, size)


def test_samples_are_those_of_shards(compiled):
    grid, program = Grid((256, 512, 1024, 4096), (16,), (1,), ("D",), full=True, rate=0.3), compiled["riscv32"]
    watched = Sampled(16, grid.rate)
    interpret(program, ["program"], capture=True, observer=watched)
    seen = observed_run(program, ["program"], MeasureOptions(grid), RunOptions(capture=True, tier="fast"))[1]
    swept = seen.found["sweep"]
    for size in grid.sizes:
        assert swept.full_misses("D", size, 16) == watched.shards.misses(size // 16)
    assert watched.shards.misses(16).error > 0
