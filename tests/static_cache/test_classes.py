"""Classes of fetches hold in every run, and what a run does otherwise is found."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from cache_sim.config import ConfigurationError
from cache_sim.parse import load as load_system
from cache_sim.reference import Simulator
from ease.host.process.job import RunOptions
from ease.lab.static_cache import Analysis, Kind, Loop, classify, instruction_cache, resident_lines
from ease.lab.static_cache.confirm import confirm, outcomes_of
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import observed_run
from ease.run.observers import MEMORY
from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

ROOT = Path(__file__).parents[2]
CASES = [
    ("riscv32", "I:256,16,1"),
    ("m68020", "I:256,16,2"),
    ("vax", "I:512,32,4"),
    ("i386", "I:128,4,2"),  # instructions in three lines
    ("sparc", "I:256,16,1+switch:500"),
    ("mips", "I:512,16,full+switch:70i"),
]


def observed(program, spec, arguments=("program",), stdin=b""):
    """Return the analysis of a program in a cache, and the run that confirms it."""
    system = load_system(spec)
    analysis = Analysis(program, instruction_cache(system))
    seen = observed_run(program, arguments, MeasureOptions(system), RunOptions(stdin, capture=True, tier="fast"))[1]
    result, counts, results = seen.run, seen.counts, seen.found[MEMORY]
    assert result.fault is None
    return analysis, counts, results


@pytest.mark.parametrize(("machine", "spec"), some(CASES, 3))
def test_a_run_confirms_the_classes(compiled, machine, spec):
    analysis, counts, results = observed(compiled(machine), spec)
    found = confirm(analysis, counts, results["I"].sites, results.switches)
    assert found.broken == ()
    assert sum(seen.misses for seen in found.kinds.values()) == results["I"].misses.total
    assert sum(seen.accesses for seen in found.kinds.values()) == results["I"].accesses.total
    assert found.kinds[Kind.MISS].hits == found.kinds[Kind.NEVER].accesses == 0
    assert all(found.kinds[kind].accesses for kind in Kind if kind != Kind.NEVER)
    if not results.switches:
        assert found.kinds[Kind.HIT].misses == 0


@pytest.mark.parametrize(("machine", "spec"), some(CASES[3:5], 1))
def test_the_plain_simulator_has_the_same_misses_by_instruction(compiled, machine, spec):
    program = compiled(machine)
    numbers = {}
    for name, addresses in program.addresses.items():
        steps = enumerate(pairwise(addresses), program.first(name))
        numbers |= {start: number for number, (start, end) in steps if end > start}

    class Numbered(Simulator):
        def fetch(self, address, size, site=0):
            super().fetch(address, size, numbers[address])

    plain = Numbered(load_system(spec))
    interpret(program, ["program"], capture=True, observer=plain)
    analysis, counts, results = observed(program, spec)
    assert results["I"].sites == plain.results()["I"].sites
    assert not confirm(analysis, counts, plain.results()["I"].sites, plain.switches).broken


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("machine", "spec", "words"), [("riscv32", "I:1k,16,1", ["queens", "5"]), ("vax", "I:1k,16,2", ["queens", "5"])]
)
def test_samples_confirm_the_classes(machine, spec, words):
    program = Compiler(load(machine), Settings(level=2)).program([str(ROOT / f"samples/{words[0]}.c")])
    analysis, counts, results = observed(program, spec, words)
    assert confirm(analysis, counts, results["I"].sites).broken == ()


def test_what_is_not_as_promised_is_found(compiled):
    analysis, counts, results = observed(compiled("riscv32"), "I:256,16,1")
    right = results["I"].sites
    executed = confirm(analysis, counts, right).executed
    promised = {}  # an instruction that is executed, of each class
    for site, outcomes in outcomes_of(analysis).items():
        if len(outcomes) == 1 and executed[site]:
            promised.setdefault(outcomes[0].kind, site)
    hit, miss, first, conflict = (promised[kind] for kind in (Kind.HIT, Kind.MISS, Kind.FIRST, Kind.CONFLICT))

    def broken(site, by):
        found = confirm(analysis, counts, right | {site: right.get(site, 0) + by}).broken
        assert {one.site for one in found} <= {site}
        return bool(found)

    assert broken(hit, 1)
    assert broken(miss, -1)
    assert broken(miss, 1)
    assert broken(first, 1 << 40)
    assert broken(conflict, 1 << 40)
    assert not broken(conflict, -right.get(conflict, 0))
    assert not confirm(analysis, counts, right | {hit: 1}, switches=1).broken


@pytest.mark.parametrize(("machine", "spec"), some(CASES[:4], 2))
def test_loops_keep_what_misses_once_in_them(compiled, machine, spec):
    program, cache = compiled(machine), load_system(spec).instruction
    found = resident_lines(program, cache)
    assert any(resident.kept for resident in found.values())
    assert any(resident.others for resident in found.values())
    assert any(resident.calls for resident in found.values())
    for resident in found.values():
        assert not resident.kept & resident.others
        assert resident.certain <= resident.kept | resident.others
    by_label = {(loop.function, loop.label): resident for loop, resident in found.items()}
    for line in Analysis(program, cache).lines:
        for loop in (scope for scope in line.outcome.scopes if isinstance(scope, Loop)):
            assert line.address in by_label[loop.function, loop.label].kept
        assert all(line.address in found[loop].kept | found[loop].others for loop in line.loops)


def test_what_fits_never_conflicts(compiled):
    analysis, _, results = observed(compiled("riscv32"), "I:64k,16,2")
    kinds = Counter(line.outcome.kind for line in analysis.lines)
    assert kinds[Kind.CONFLICT] == 0
    assert {site: outcomes for site, outcomes in analysis.sites().items() if len(outcomes) > 1} == {}  # all of 4 bytes
    assert classify(compiled("riscv32"), analysis.cache) == {line.run.site: line.outcome for line in analysis.lines}
    assert results["I"].misses.total <= len({line.address for line in analysis.lines})


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("D:1k,16,1", "give one"),
        ("U:1k,16,1", "give I: instead"),
        ("I:1k,16,1,prefetch", "does not prefetch"),
        ("I:1k,16,2,fifo", "only 'lru'"),
    ],
)
def test_caches_that_cannot_be_analysed_say_why(spec, why):
    with pytest.raises(ConfigurationError, match=why):
        instruction_cache(load_system(spec))
