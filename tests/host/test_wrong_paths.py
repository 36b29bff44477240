"""Wrong paths leave no trace, bit for bit; what is executed there is what another outcome of the branch would execute."""

import hashlib
from collections import Counter

import pytest
from fake_machine import CELLS, program_of
from generate import RandomProgram

from cache_sim.config import ConfigurationError
from cache_sim.parse import load as load_system
from cache_sim.predictors.predictor import Kind
from cache_sim.predictors.predictors import load as load_predictors
from ease.host.process.job import RunOptions
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measured_run
from ease.run.wrong_paths import Watching, WrongPathInterpreter, wrong_path_run
from tests.covering import some
from vpo.analysis.transfers import unit
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.plain import PlainInterpreter, interpret_plainly
from vpo.machines.read import load as machines
from vpo.rtl import Branch

SYSTEM = load_system("I:128,16,1+D:64,16,1")
PROGRAM = r"""
#include <stdlib.h>
static int heap[40], sum;
static int place(int n) { return n < 2 ? 1 : place(n - 1) + (heap[n] & 1); }
int main(void) {
    unsigned seed = 1;
    int i, j, x;
    for (i = 0; i < 40; i++)
        heap[i] = (seed = seed * 1103515245u + 12345u) >> 20;
    for (i = 1; i < 40; i++) {
        x = heap[i];
        for (j = i; j > 0 && heap[j - 1] > x; j--)
            heap[j] = heap[j - 1];
        heap[j] = x;
        if (x % 3)
            sum += place(i % 9) / x;
        else if (sum > 1 << 20)
            exit(sum);
    }
    return sum & 127;
}
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    path = tmp_path_factory.mktemp("wrong") / "program.c"
    path.write_text(PROGRAM)
    return lambda machine: Compiler(machines.load(machine), Settings(level=2)).program([str(path)])


def final(result):
    """All that a run leaves: its end, its counts, its registers, its memory."""
    memory = hashlib.sha256(b"".join(bytes(page) for page in result.memory.pages if page is not None)).hexdigest()
    counted = result.rtls, result.blocks, result.taken, result.traps, result.instructions
    registers = repr(result.registers)  # so that numbers that are none are equal, too
    return result.exit_status, result.fault, result.output, *counted, registers, memory


@pytest.mark.parametrize("machine", some(("sparc", "riscv32", "m68020"), 1))
def test_nothing_is_left_of_wrong_paths(compiled, machine):
    program = compiled(machine)
    result, found = wrong_path_run(program, ["program"], 40, True, "gshare:64,4", SYSTEM, RunOptions(capture=True))
    assert final(result) == final(interpret_plainly(program, ["program"], capture=True))
    paths = found.wrong_paths
    assert paths.followed > 50
    assert 30 * paths.followed < paths.instructions < 42 * paths.followed
    full = measured_run(program, ["program"], MeasureOptions(SYSTEM, "gshare:64,4"), RunOptions(capture=True, tier="quick"))[1]
    assert found.prediction.sites == full.prediction.sites
    assert paths.followed == sum(site.mispredicted[0] for site in full.prediction.sites.values())
    assert [each.misses for each in paths.without.caches] == [each.misses for each in full.memory.results.caches]
    assert found.memory.results == paths.with_ != paths.without


INDIRECT = r"""
#include <setjmp.h>
static jmp_buf place;
static int add(int n) { return n + 3; }
static int halve(int n) { return n / 2; }
static int down(int n) { return n > 5 ? down(n - 2) + down(n - 3) : n; }
static int (*const choices[])(int) = { add, halve, down };
static int choose(int n) {
    switch (n % 7) {
    case 0: return choices[n % 3](n % 12);
    case 1: return n;
    case 2: n ^= 9;
    case 3: return n + 1;
    case 4: if (n > 90) longjmp(place, n); return -n;
    case 5: return choices[(n >> 2) % 3](n % 9);
    default: return down(n % 10);
    }
}
int main(void) {
    volatile int i = 0, sum = 0;
    sum += setjmp(place);
    for (; i < 60; i++)
        sum += choose((i * 37) % 101);
    return sum & 127;
}
"""


@pytest.mark.parametrize("machine", some(("vax", "riscv32", "sparc"), 1))
def test_wrong_targets_are_followed(tmp_path, machine):
    """Of indirect jumps, calls and returns: nothing is left of these paths, and they are as many as there are mistakes."""
    path = tmp_path / "program.c"
    path.write_text(INDIRECT)
    program = Compiler(machines.load(machine), Settings(level=1)).program([str(path)])
    predict = "ras:2+btb:4,2+gshare:64,4"
    result, found = wrong_path_run(program, ["program"], 30, True, predict, SYSTEM, RunOptions(capture=True))
    assert final(result) == final(interpret_plainly(program, ["program"], capture=True))
    full = measured_run(program, ["program"], MeasureOptions(SYSTEM, predict), RunOptions(capture=True, tier="quick"))[1]
    assert found.prediction.sites == full.prediction.sites
    mistakes = Counter()
    for site in full.prediction.sites.values():
        decides = {Kind.RETURN: 0, Kind.BRANCH: 2}.get(site.kind, 1)
        mistakes[site.kind] += site.mispredicted[decides]
    paths = found.wrong_paths
    unknown = paths.mispredicted - paths.followed  # a target buffer that does not know a transfer predicts nothing
    assert paths.mispredicted == sum(mistakes.values())
    assert 0 < unknown <= mistakes[Kind.JUMP] + mistakes[Kind.CALL]
    assert mistakes[Kind.RETURN] > 5
    assert mistakes[Kind.JUMP] + mistakes[Kind.CALL] > 20
    assert paths.instructions > 15 * paths.followed
    assert [each.misses for each in paths.without.caches] == [each.misses for each in full.memory.results.caches]


def test_nothing_is_left_in_random_programs():
    followed = 0
    for seed in range(8):
        slots, predict = seed % 2, "taken" if seed & 2 else "not-taken"
        program = program_of(RandomProgram(seed, slots=slots, functions=4).text(), slots=slots, cells={**CELLS, "r": "L"})
        result, found = wrong_path_run(
            program, ["program"], 25, False, predict, options=RunOptions(capture=True, limit=20_000)
        )
        assert final(result) == final(interpret_plainly(program, ["program"], limit=20_000, capture=True))
        followed += found.wrong_paths.followed
    assert followed > 50


class Otherwise(PlainInterpreter):
    """The `wanted`-th conditional branch goes the other way."""

    wanted, branches, reached = 0, 0, -1

    def execute(self, rtl):
        going = super().execute(rtl)
        if isinstance(rtl.transfer, Branch):
            self.branches += 1
            if self.branches == self.wanted:
                self.reached = self.executed
                return None if going else (rtl.transfer, 0)
        return going


class Fetches:
    """The addresses of instructions."""

    def __init__(self):
        self.found = []

    def fetch(self, address, size, site=0):
        self.found.append(address)

    def data(self, *_):
        pass


@pytest.mark.parametrize("machine", ["riscv32", "sparc"])
def test_a_wrong_path_is_what_another_outcome_executes(compiled, machine):
    """Predicted are: all branches as not taken; the first one that is taken begins the first wrong path."""
    program, length = compiled(machine), 24
    seen = Fetches()
    watching = Watching(None, seen)
    predictors = load_predictors("not-taken", unit(program))
    run = WrongPathInterpreter(program, ["program"], (0, 1, 2), (), None, watching, predictors, length)
    wrong = []

    class Watched(WrongPathInterpreter):
        def _follow(self, rtl, going):
            before = len(seen.found)
            super()._follow(rtl, going)
            wrong.append((sum(self.predictions.executed.values()), seen.found[before:]))

    run.__class__ = Watched
    run.run()
    for number, addresses in wrong[:40:4]:
        fetches = Fetches()
        other = Otherwise(program, ["program"], (0, 1, 2), (), None, fetches)
        other.wanted = number
        other.enter(program.functions[program.entry], None)
        while other.branches < number:
            before = len(fetches.found)
            other.step()
        first = before + 1  # the branch itself comes before
        while len(fetches.found) < first + len(addresses):
            other.step()
        assert fetches.found[first:][: len(addresses)] == addresses
        assert len(addresses) >= length


def test_what_cannot_be(compiled):
    program = compiled("riscv32")
    for predict in ("bimodal:8+gshare:64,4", "profile"):
        with pytest.raises(ConfigurationError, match="at most one predictor of branches"):
            wrong_path_run(program, ["program"], 8, False, predict)
