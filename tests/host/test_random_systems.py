"""Random memory systems in host code of random programs come to what the plain simulator says."""

import dataclasses

from fake_machine import CELLS, program_of
from generate import RandomProgram, VariedProgram
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from strategies import systems

from cache_sim.config import Cache, MemorySystem, Switch
from cache_sim.native.check_code import Feedback
from cache_sim.reference import Simulator
from ease.host.memory.caching import Caching
from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from vpo.interpret.fast.interpreter import interpret

EVERYTHING = range(1 << 20)
FEEDBACK = [
    Feedback(),
    Feedback(hard=EVERYTHING),
    Feedback(cold=EVERYTHING),
    Feedback(hard=range(0, 1 << 20, 2), cold=range(0, 1 << 20, 7), apart=range(0, 1 << 20, 3)),
]
PROGRAMS = [RandomProgram, VariedProgram]
LENGTHS = [(4,), (2, 4, 6), range(1, 16), (0, 4, 4)]  # of instructions, in bytes

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

# A line that a write finds, but that would not be in a fully associative cache, enters that when it is read.
ASKED = MemorySystem(data=Cache("D", 128, 64, allocate=False), causes=True)

# What is drawn at random depends on the order of misses in all sets.
DRAWN = MemorySystem(Cache("I", 64, 16, 2, "random"))

# The second level is asked in order, for data that lie side by side in two lines, and for instructions between them.
ORDER = MemorySystem(Cache("I", 16, 4), Cache("D", 32, 16, 2), Cache("L2", 64, 16, 4))

# An instruction may lie in three lines, of which the last is in the set of the first.
TWO = Cache("U", 16, 8)

# Doubles are longer than a line.
SHORT = Cache("U", 32, 4, 1, "lru", "through")


@example(RandomProgram, LENGTHS[0], 1, BELOW, FEEDBACK[0])
@example(RandomProgram, LENGTHS[0], 0, MemorySystem(USED, USED, causes=True), FEEDBACK[0])
@example(RandomProgram, LENGTHS[0], 0, MemorySystem(LINE, LINE), FEEDBACK[0])
@example(RandomProgram, LENGTHS[0], 0, PAGES, FEEDBACK[1])
@example(RandomProgram, LENGTHS[0], 31, ASKED, FEEDBACK[0])
@example(RandomProgram, LENGTHS[0], 19, DRAWN, FEEDBACK[0])
@example(VariedProgram, LENGTHS[0], 2, ORDER, FEEDBACK[0])
@example(VariedProgram, LENGTHS[2], 13, MemorySystem(TWO, TWO), FEEDBACK[0])
@example(RandomProgram, LENGTHS[1], 17843, MemorySystem(SHORT, SHORT, switch=Switch(48, "work", 4, 7)), FEEDBACK[2])
@given(st.sampled_from(PROGRAMS), st.sampled_from(LENGTHS), st.integers(0, 1 << 30), systems(), st.sampled_from(FEEDBACK))
@settings(max_examples=2, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_programs_and_systems(kind, lengths, seed, system, feedback):
    slots, misaligned = seed // 2 % 2, seed % 3 != 0
    more = {"misaligned": misaligned} if kind is VariedProgram else {}
    text = kind(seed, slots=slots, functions=5, **more).text()
    options = {"big_endian": seed % 2 == 1, "misaligned": misaligned, "slots": slots, "lengths": lengths}
    compare(program_of(text, cells={**CELLS, "r": "L"}, **options), system, feedback)


def compare(program, system, feedback):
    """Compare all results of a run but which sites miss: the plain simulator knows none."""
    plain = Simulator(system)
    said = interpret(program, ["program"], capture=True, observer=plain, limit=100_000)
    if said.fault is not None:
        return
    caching = Caching(program, system, feedback)
    result, counts = counted_run(program, ["program"], RunOptions(capture=True, tier="fast"), instruments=[caching])
    assert (result.fault, result.exit_status, result.output) == (None, said.exit_status, said.output)
    results = caching.results(counts, result)
    assert [sum(cache.sites.values()) for cache in results.caches] == [cache.misses.total for cache in results.caches]
    assert _without_sites(results) == _without_sites(plain.results())


def _without_sites(results):
    return dataclasses.replace(results, caches=tuple(dataclasses.replace(cache, sites={}) for cache in results.caches))
