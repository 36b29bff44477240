"""Caches, predictors and cycles belong to regions and interpreted lines as the plain interpreter and simulators tell."""

from collections import Counter

import pytest
from following import NAMES, PROGRAM, Following

from cache_sim.parse import load as load_system
from cache_sim.reference import Simulator
from ease.host.process.job import RunOptions
from ease.model.regions import find_regions
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measured_run
from tests.covering import some
from vpo.algebra.values import from_bytes
from vpo.interpret.result import run_with_streams

SYSTEM = load_system("I:128,16,1+D:64,16,1")
PREDICTORS = "btfn+bimodal:8+ras:2"
LINES = r"""
#include <ease.h>
static int program[] = { 1, 2, 3, 2, 3, 1, 2, 0 }, memory[64];
static int sum(int from) { int i, s = 0; for (i = from; i < 64; i += 3) s += memory[i]; return s; }
int main(void) {
    int pc, i, s = 0;
    for (pc = 0; program[pc]; pc++) {
        ease_line(program[pc]);
        switch (program[pc]) {
        case 1: for (i = 0; i < 64; i++) memory[i] = i ^ s; break;
        case 2: s += sum(pc); break;
        default: s ^= s & 4 ? 3 : 5;
        }
    }
    return s & 63;
}
"""


class Attributing(Following):
    """Attributes what simulators count while an instruction is executed."""

    found: Counter

    def execute(self, rtl):
        before = self._counted()
        rows = list(self.rows())
        try:
            return super().execute(rtl)
        finally:  # the last instruction does not come back
            for row in rows:
                self.found[row, "instructions"] += self.machine.record(rtl).counted
                self.found.update({(row, what): after - before[what] for what, after in self._counted().items()})

    def rows(self):
        """Yield the regions of the instruction at the program counter."""
        depth = len(self.state.activations)
        for region in self.regions:
            own = self.position in region.own.get(self.function.name, ())
            if own or any(p in region.own.get(f, ()) for f, p in (self.calls[level] for level in range(1, depth))):
                yield region.name

    def _counted(self):
        return {f"misses of {each.cache.name}": each.misses.total for each in self.observer.results().caches}


class AttributingLines(Attributing):
    def rows(self):
        read = self.state.memory.read(self.program.symbols["_ease_current_line"], 4)  # what an observer would not see
        yield str(from_bytes(read, "L", self.machine.big_endian))


def followed(kind, program, regions, system=SYSTEM):
    """Return what belongs to each row, by (row, figure)."""
    kept = []

    def run(streams):
        kept.append(kind(program, ["program"], streams, (), None, Simulator(system)))
        kept[0].follow(regions)
        kept[0].found = Counter()
        return kept[0].run()

    run_with_streams(run, None, True)
    return kept[0].found


def compared(attribution, expected, names):
    assert set(attribution.names) == set(names)
    for place, name in enumerate(attribution.names):
        assert attribution.instructions[place] == expected[name, "instructions"]
        for figure in attribution.figures:
            if figure.name.startswith("misses of"):
                assert figure.above[place] == expected[name, figure.name]


SWITCHING = load_system("U:512,16,2+switch:300")


@pytest.mark.parametrize(("machine", "system"), some([("riscv32", SWITCHING), ("sparc", SWITCHING), ("riscv32", SYSTEM)], 1))
def test_regions_have_the_misses_that_the_plain_simulator_finds(machine, system, programs):
    program = programs(PROGRAM, machine)
    regions = find_regions(NAMES, program)
    found = measured_run(
        program, ["program"], MeasureOptions(system, regions=regions), RunOptions(capture=True, tier="quick")
    )[1]
    expected = followed(Attributing, program, regions, system)
    compared(found.attribution, expected, [region.name for region in regions])
    assert (found.memory.results.switches > 10) is (system is SWITCHING)


@pytest.mark.parametrize("text", ["I:128,16,1+D:64,16,1+switch:200i", "U:256,16,2,fifo+switch:150"])
def test_context_switches_do_not_disturb_lines(programs, text):
    program, system = programs(LINES, "sparc"), load_system(text)
    found = measured_run(program, ["program"], MeasureOptions(system, lines=True), RunOptions(capture=True, tier="quick"))[1]
    whole = measured_run(program, ["program"], MeasureOptions(system), RunOptions(capture=True, tier="quick"))[1]
    assert found.memory == whole.memory
    compared(found.attribution, followed(AttributingLines, program, (), system), "0123")


@pytest.mark.parametrize("machine", some(("riscv32", "sparc", "vax"), 1))
def test_lines_add_up_to_the_run_and_have_the_misses_that_the_plain_simulator_finds(machine, programs):
    program = programs(LINES, machine)
    options = RunOptions(capture=True, tier="quick")
    found = measured_run(program, ["program"], MeasureOptions(SYSTEM, PREDICTORS, True, lines=True), options)[1]
    whole = measured_run(program, ["program"], MeasureOptions(SYSTEM, PREDICTORS, True), options)[1]
    assert (found.counts, found.prediction, found.timing, found.memory) == (
        whole.counts, whole.prediction, whole.timing, whole.memory,
    )  # fmt: skip
    compared(found.attribution, followed(AttributingLines, program, ()), "0123")
    sums = {figure.name: sum(figure.above) for figure in found.attribution.figures}
    traps = sum(number for spent, number in whole.timing.cycles.items() if spent.cause == "window")
    assert sums["cycles an instruction"] == whole.timing.total - traps
    for place, name in enumerate(whole.prediction.predictors):
        wrong = sum(site.mispredicted[place] for site in whole.prediction.sites.values())
        assert sums[f"mispredicted by {name}, an instruction"] == wrong
    assert sums["mispredicted by bimodal:8, an instruction"] > 0
