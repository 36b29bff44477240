"""Random memory systems in host code of random programs come to what the plain simulator says."""

import dataclasses

from fake_machine import CELLS, program_of
from generate import RandomProgram
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from strategies import systems

from cache_sim.config import Cache, MemorySystem, Switch
from cache_sim.native.advice import Advice
from cache_sim.reference import Simulator
from ease.host.caching import Caching
from ease.measure import counted_run
from vpo.interpret import interpret

EVERYTHING = range(1 << 20)
ADVICE = [
    Advice(),
    Advice(hard=EVERYTHING),
    Advice(cold=EVERYTHING),
    Advice(hard=range(0, 1 << 20, 2), cold=range(0, 1 << 20, 7)),
]


# A page that is missed costs no work.
PAGES = MemorySystem(Cache("I", 4, 4), None, None, None, Cache("DTLB", 64, 64), Switch(252, "work", 0, 6))

# What is prefetched throws out the line that was just brought in.
LINE = Cache("U", 8, 8, prefetch="next")

# What was prefetched has been asked for when it is used.
USED = Cache("U", 8, 8, allocate=False, prefetch="next")

# A write that hits what was prefetched does not bring it in where there is no prefetching.
BELOW = MemorySystem(
    data=Cache("D", 4, 4, allocate=False), second=Cache("L2", 4, 4, allocate=False, prefetch="next"), causes=True
)


@example(1, BELOW, ADVICE[0])
@example(0, MemorySystem(USED, USED, causes=True), ADVICE[0])
@example(0, MemorySystem(LINE, LINE), ADVICE[0])
@example(0, PAGES, ADVICE[1])
@given(st.integers(0, 1 << 30), systems(), st.sampled_from(ADVICE))
@settings(max_examples=16, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_programs_and_systems(seed, system, advice):
    compare(seed, system, advice)


def compare(seed, system, advice):
    """Compare all results of a run but which sites miss: the plain simulator knows none."""
    slots, options = seed // 2 % 2, {"big_endian": seed % 2 == 1, "misaligned": seed % 3 != 0}
    program = program_of(
        RandomProgram(seed, slots=slots, functions=5).text(), cells={**CELLS, "r": "L"}, slots=slots, **options
    )
    plain = Simulator(system)
    said = interpret(program, ["program"], capture=True, observer=plain)
    if said.fault is not None:
        return
    caching = Caching(program, system, advice)
    result, counts = counted_run(program, ["program"], capture=True, tier="fast", instruments=[caching])
    assert (result.fault, result.exit_status) == (None, said.exit_status)
    results = caching.results(counts, result)
    assert [sum(cache.sites.values()) for cache in results.caches] == [cache.misses.total for cache in results.caches]
    assert _without_sites(results) == _without_sites(plain.results())


def _without_sites(results):
    return dataclasses.replace(results, caches=tuple(dataclasses.replace(cache, sites={}) for cache in results.caches))
