"""Wrong paths leave no trace, bit for bit; what is executed there is what another outcome of the branch would execute."""

import hashlib

import pytest
from fake_machine import CELLS, program_of
from generate import RandomProgram

from cache_sim.config import ConfigurationError
from cache_sim.parse import load as load_system
from cache_sim.predictors.predictor import Kind
from cache_sim.predictors.spec import load as load_predictors
from ease.measuring import measured_run
from ease.wrong_path_run import wrong_path_run
from ease.wrong_paths import Watching, WrongPathInterpreter
from vpo.analysis.control_transfers import unit
from vpo.compiler import Compiler, Settings
from vpo.interpret.plain import PlainInterpreter, interpret_plainly
from vpo.machines import load as machines
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


@pytest.mark.parametrize("machine", ["riscv32", "sparc", "m68020"])
def test_nothing_is_left_of_wrong_paths(compiled, machine):
    program = compiled(machine)
    result, found = wrong_path_run(program, ["program"], 40, True, "gshare:64,4", SYSTEM, capture=True)
    assert final(result) == final(interpret_plainly(program, ["program"], capture=True))
    paths = found.wrong_paths
    assert paths.followed > 50
    assert 30 * paths.followed < paths.instructions < 42 * paths.followed
    full = measured_run(program, ["program"], SYSTEM, "gshare:64,4", capture=True, tier="quick")[1]
    branches = {place: site for place, site in full.prediction.sites.items() if site.kind == Kind.BRANCH}
    assert found.prediction.sites == branches
    assert paths.followed == sum(site.mispredicted[0] for site in full.prediction.sites.values())
    assert [each.misses for each in paths.without.caches] == [each.misses for each in full.memory.results.caches]
    assert found.memory.results == paths.with_ != paths.without


def test_nothing_is_left_in_random_programs():
    followed = 0
    for seed in range(8):
        slots, predict = seed % 2, "taken" if seed & 2 else "not-taken"
        program = program_of(RandomProgram(seed, slots=slots, functions=4).text(), slots=slots, cells={**CELLS, "r": "L"})
        result, found = wrong_path_run(program, ["program"], 25, False, predict, limit=20_000, capture=True)
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
    predictor = next(iter(load_predictors("not-taken", unit(program)).items()))
    run = WrongPathInterpreter(program, ["program"], (0, 1, 2), (), None, watching, predictor, length)
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
    for predict in ("ras:4", "bimodal:8+gshare:64,4", "profile"):
        with pytest.raises(ConfigurationError, match="one predictor of branches"):
            wrong_path_run(program, ["program"], 8, False, predict)
