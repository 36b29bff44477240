"""The plain simulator against examples small enough to follow by hand, and against what must hold for any."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cache_sim.config import Cache, MemorySystem, Switch
from cache_sim.reference import Simulator
from cache_sim.results import Causes, Kind, Kinds, Traffic
from tests.cache_sim.strategies import references, systems


def run(system, *events):
    """Simulate events such as 'r100' or 'w1f:8' (address in hexadecimal, size); the site is the event's number."""
    simulator = Simulator(system)
    for site, event in enumerate(events):
        address, _, size = event[1:].partition(":")
        refer = {"f": simulator.fetch, "r": simulator.read, "w": simulator.write}[event[0]]
        refer(int(address, 16), int(size or 4), site)
    return simulator.results()


def data(size=64, line=16, ways=1, **options):
    return MemorySystem(data=Cache("D", size, line, ways, **options))


def test_hits_and_misses_by_kind_and_site():
    results = run(data(), "r0", "r4", "w8", "r40", "w0", "r4c")
    assert results.references == Kinds(read=4, write=2)
    assert results["D"].accesses == results.references
    assert results["D"].misses == Kinds(read=3, write=1)
    assert results["D"].sites == {0: 1, 3: 1, 4: 1, 5: 1}
    assert (results["D"].hits, results["D"].hit_ratio) == (2, pytest.approx(1 / 3))


def test_a_reference_that_straddles_lines_is_one_access_of_each():
    results = run(data(), "re:4", "r8:28", "r1f:1")
    assert results.references.total == 3
    assert results["D"].accesses.total == 2 + 3 + 1
    assert results["D"].misses.total == 3
    assert results["D"].sites == {0: 2, 1: 1}


def test_sides_without_cache_are_not_simulated_but_instructions_are_counted():
    results = run(data(), "f0", "f4", "r0")
    assert (results.instructions, results.references) == (2, Kinds(read=1))
    assert results.misses_per_thousand_instructions("D") == 500


def test_a_unified_cache_is_one_cache():
    cache = Cache("U", 64, 16)
    results = run(MemorySystem(cache, cache), "f0", "r4", "f40", "r0")
    assert [found.cache for found in results.caches] == [cache]
    assert results["U"].misses == Kinds(fetch=2, read=1)


def test_split_caches_are_two():
    results = run(MemorySystem(Cache("I", 64, 16), Cache("D", 64, 16)), "f0", "r4", "f40", "r0")
    assert (results["I"].misses.total, results["D"].misses.total) == (2, 1)


def test_dirty_lines_are_written_back_when_they_go():
    results = run(data(), "w0", "r40", "r80", "w80", "w84", "rc0")
    assert results["D"].writebacks == 2
    assert results.memory == Traffic(reads=4, writes=2)
    assert results["D"].passed == 0


def test_writing_through():
    results = run(data(write="through"), "w0", "w4", "r40", "w80")
    assert (results["D"].writebacks, results["D"].passed) == (0, 3)
    assert results.memory == Traffic(reads=3, writes=3)


def test_no_allocation():
    results = run(data(allocate=False), "w0", "r0", "w4", "w40", "r0")
    assert results["D"].misses == Kinds(read=1, write=2)
    assert (results["D"].passed, results["D"].writebacks) == (2, 0)
    assert results.memory == Traffic(reads=1, writes=2)


def test_prefetching_the_next_line():
    results = run(data(prefetch="next"), "r0", "r10", "r20", "r30")
    assert results["D"].misses == Kinds(read=2)
    assert (results["D"].prefetches, results.memory.reads) == (2, 4)


def test_a_prefetch_may_drive_out_a_line_written_just_now():
    results = run(data(16, prefetch="next"), "w0")
    assert (results["D"].prefetches, results["D"].writebacks) == (1, 1)
    assert results.memory == Traffic(reads=2, writes=1)


def test_a_write_without_allocation_prefetches_nothing():
    assert run(data(prefetch="next", allocate=False), "w0")["D"].prefetches == 0


def test_the_second_level_sees_what_the_first_asks_for():
    system = MemorySystem(Cache("I", 32, 16), Cache("D", 32, 16), Cache("L2", 256, 32))
    results = run(system, "f0", "f10", "w100", "r120", "r140")
    # the write allocates: a read; line 100 goes back when 120 comes: a write, which drives out the code in line 0
    assert results["L2"].accesses == Kinds(fetch=2, read=3, write=1)
    assert results["L2"].misses == Kinds(fetch=1, read=3)
    assert results["L2"].sites == {0: 1, 2: 1, 3: 1, 4: 1}
    assert results.memory == Traffic(reads=4)


def test_the_victim_goes_to_the_second_level_before_the_new_line_is_read():
    system = MemorySystem(data=Cache("D", 16, 16), second=Cache("L2", 16, 16))
    results = run(system, "w0", "r10", "r20")
    # L2: read 0; write 0 (hit, dirty), read 10 (0 goes to memory); read 20
    assert results["L2"].misses == Kinds(read=3)
    assert (results["D"].writebacks, results["L2"].writebacks) == (1, 1)


def test_tlb_misses_cost_no_work_and_pages_are_never_dirty():
    system = MemorySystem(data=Cache("D", 64, 16), data_tlb=Cache("DTLB", 128, 64, 2), switch=Switch(1000))
    results = run(system, "w0", "w40", "w80", "r3e:4", "w0")
    assert results["DTLB"].accesses == Kinds(read=2, write=4)
    assert results["DTLB"].misses == Kinds(read=2, write=3)
    assert results["DTLB"].writebacks == results["DTLB"].passed == 0
    assert results.work == 5 + 9 * results["D"].misses.total


def test_a_context_switch_comes_after_the_reference_that_completes_the_work():
    system = MemorySystem(data=Cache("D", 64, 16), switch=Switch(every=12))
    results = run(system, "w0", "r0", "r4", "r0", "r0")  # 10 + 1 + 1 units of work, then all again
    assert (results.switches, results["D"].misses.total) == (1, 2)
    assert results["D"].writebacks == 1
    assert results.memory.writes == 0
    assert results.work == 23


def test_work_that_goes_over_the_limit_is_not_carried_on():
    results = run(data(), *["r0"] * 12)
    assert results.switches == 0
    system = MemorySystem(data=Cache("D", 64, 16), switch=Switch(every=11))
    assert run(system, "r0", "r10", "r20", "r30").switches == 2


def test_hits_and_misses_cost_what_is_said():
    system = MemorySystem(data=Cache("D", 64, 16), switch=Switch(every=100, hit=3, miss=40))
    results = run(system, "re:8", "r0", "r0", "r0", "r0", "r0")  # 3 + 37 + 37, then 3 each
    assert (results.switches, results.work) == (0, 92)
    assert run(system, "re:8", *["r0"] * 8).switches == 1


def test_a_context_switch_comes_before_an_instruction():
    system = MemorySystem(data=Cache("D", 64, 16), switch=Switch(every=2, unit="instructions"))
    results = run(system, "f0", "r0", "f4", "r0", "r4", "f8", "r0", "fc", "r0")
    assert (results.switches, results["D"].misses.total) == (1, 2)


def test_causes():
    system = MemorySystem(data=Cache("D", 32, 16), switch=Switch(every=5, unit="instructions"), causes=True)
    results = run(system, "r0", "r20", "r0", "r10", "r20", "r0", *["f0"] * 6, "r0", "r30")
    # compulsory 0, 20, 10, 30; 0 again: conflict with 20; 20 after 0, 10: capacity; 0 after 10, 20: capacity; then switch
    assert results["D"].causes == Causes(compulsory=4, capacity=2, conflict=1, switch=1)


def test_a_line_once_prefetched_was_not_asked_for():
    system = MemorySystem(data=Cache("D", 16, 16, prefetch="next"), causes=True)
    assert run(system, "r0", "r20", "r10")["D"].causes == Causes(compulsory=3)


def test_results_add():
    system = MemorySystem(data=Cache("D", 32, 16), switch=Switch(20), causes=True)
    one, two = run(system, "r0", "w20", "r0"), run(system, "f0", "r0", "r10")
    both = one + two
    assert both["D"].misses == Kinds(read=4, write=1)
    assert both["D"].sites == {0: 1, 1: 2, 2: 2}
    assert both["D"].causes == Causes(compulsory=4, conflict=0, switch=1)
    assert (both.instructions, both.switches, both.memory.reads) == (1, 2, 5)
    with pytest.raises(ValueError, match="different memory systems"):
        one + run(data(), "r0")
    with pytest.raises(KeyError):
        both["I"]


def test_a_reference_has_a_size():
    with pytest.raises(ValueError, match="a reference to 0 bytes"):
        Simulator(data()).read(0, 0)


def test_it_observes_runs_of_programs():
    simulator = Simulator(data())
    simulator.fetch(0, 4)
    simulator.data(0, 4, True)
    simulator.data(4, 4, False)
    assert simulator.results().references == Kinds(read=1, write=1)


def lru_misses(cache, addresses):
    """Misses of a cache that is read, from the definition: fewer than `ways` other lines of the set since the last use."""
    lines = [address // cache.line for address in addresses]
    misses = 0
    for now, line in enumerate(lines):
        before = next((then for then in range(now - 1, -1, -1) if lines[then] == line), None)
        since = lines[before + 1 : now] if before is not None else []
        others = {other for other in since if other % cache.sets == line % cache.sets}
        misses += before is None or len(others) >= cache.ways
    return misses


@given(st.lists(st.integers(0, 400), max_size=80), st.sampled_from([(64, 16, 1), (64, 8, 2), (128, 16, 4), (64, 16, 4)]))
def test_lru_by_its_definition(addresses, form):
    cache = Cache("D", *form)
    assert run(MemorySystem(data=cache), *(f"r{address:x}:1" for address in addresses))["D"].misses.total == lru_misses(
        cache, addresses
    )


@settings(max_examples=150)
@given(systems(), st.lists(references, max_size=120))
def test_what_must_hold_of_any_system(system, events):
    simulator = Simulator(system)
    for number, (kind, address, size) in enumerate(events):
        simulator.refer(kind, address, size, number % 5)
    results = simulator.results()
    assert results.instructions == sum(kind == Kind.FETCH and system.sees(address) for kind, address, _ in events)
    for cache in results.caches:
        assert cache.misses.total == sum(cache.sites.values()) <= cache.accesses.total
        assert cache.causes is None or cache.causes.total == cache.misses.total
        if cache.cache.write == "through":
            assert cache.writebacks == 0
    if system.second is None:
        first = {found.cache: found for found in results.caches if found.cache in (system.instruction, system.data)}
        filled = sum(f.misses.total - (0 if c.allocate else f.misses.write) + f.prefetches for c, f in first.items())
        assert results.memory.reads == filled
    again = Simulator(system)
    for number, (kind, address, size) in enumerate(events):
        again.refer(kind, address, size, number % 5)
    assert again.results() == results
