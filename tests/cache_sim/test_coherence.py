"""Private caches and protocols: equal to a plain model of who holds what, and never two owners."""

import random
from collections import Counter

import pytest

from cache_sim.coherence import PROTOCOLS, PrivateResults, Processors
from cache_sim.config import ConfigurationError
from cache_sim.parse import load
from cache_sim.results import Kind

NUMBERS = ("accesses", "misses", "again", "taken", "owned", "written")


class Holders:
    """Who holds each line since when, and who has written it; no states, no tables."""

    def __init__(self, exclusive, shapes):
        self.exclusive, self.shapes = exclusive, shapes
        self.time, self.used, self.dirty, self.alone, self.robbed = 0, {}, {}, {}, set()
        self.counts, self.below = Counter(), []

    def refer(self, cache, line, write):
        self.time += 1
        others = [other for other, held in self.used if held == line and other != cache]
        hit = (cache, line) in self.used
        self.counts[cache, "accesses"] += 1
        asks = not hit or (write and self.dirty.get(line) != cache and self.alone.get(line) != cache)
        self.counts[cache, "owned"] += hit and asks
        if asks:
            if others and self.dirty.get(line) is not None:
                self.write_back(self.dirty.pop(line), line)
            for other in others if write else ():
                del self.used[other, line]
                self.robbed.add((other, line))
                self.counts[other, "taken"] += 1
            self.alone.pop(line, None)
        if not hit:
            self.counts[cache, "misses"] += 1
            self.counts[cache, "again"] += (cache, line) in self.robbed
            self.robbed.discard((cache, line))
            sets, ways = self.shapes[cache[1]]
            mine = [(when, held) for (who, held), when in self.used.items() if who == cache]
            same = sorted(row for row in mine if row[1] % sets == line % sets)
            if len(same) == ways:
                victim = same[0][1]
                del self.used[cache, victim]
                if self.dirty.get(victim) == cache:
                    self.write_back(self.dirty.pop(victim), victim)
                if self.alone.get(victim) == cache:
                    del self.alone[victim]
            self.below.append((False, line))
            if self.exclusive and not others and not write:
                self.alone[line] = cache
        if write:
            self.dirty[line] = cache
            self.alone.pop(line, None)
        self.used[cache, line] = self.time

    def write_back(self, cache, line):
        self.counts[cache, "written"] += 1
        self.below.append((True, line))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("spec", ["U:128,16,2", "I:64,16,1+D:128,16,4"])
def test_processors_are_as_who_holds_what(protocol, spec):
    chance, system = random.Random(7), load(spec)
    processors, below = Processors(system, protocol, 3), []
    processors.memory.access = lambda address, kind, _: below.append((kind is Kind.WRITE, address // 16))
    model = Holders(protocol == "mesi", {cache.name: (cache.sets, cache.ways) for cache in system.caches})
    seen = []
    for _ in range(4000):
        kind = chance.choice([Kind.FETCH, Kind.READ, Kind.READ, Kind.WRITE])
        seen.append((chance.randrange(3), kind, chance.randrange(24) * 16 + chance.randrange(16), chance.choice([1, 4, 8])))
    for processor, kind, address, size in seen:
        processors.refer(processor, kind, address, size)
        owners = Counter()
        for caches in processors.caches:
            for each in caches.values():
                for lines in each.sets:
                    assert len(lines) <= each.cache.ways
                    for line, state in lines.items():
                        owners[line] += 1000 if state in "ME" else 1
        assert all(count in (1000, *range(1, 7)) for count in owners.values())
    for processor, kind, address, size in seen:
        for line in range(address // 16, (address + size - 1) // 16 + 1):
            name = ("I" if kind is Kind.FETCH else "D") if len(system.caches) > 1 else "U"
            model.refer((processor, name), line, kind is Kind.WRITE)
    for number, caches in enumerate(processors.results()):
        for results in caches:
            expected = {name: model.counts[(number, results.cache.name), name] for name in NUMBERS}
            assert {name: getattr(results, name) for name in NUMBERS} == expected
            assert expected["taken"] > 0 < expected["again"]
    assert below == model.below


def test_one_processor_is_the_plain_simulator():
    from cache_sim.reference import Simulator

    chance, system = random.Random(3), load("I:128,16,2+D:256,16,2+L2:1k,32,2")
    processors, simulator = Processors(system, "mesi", 1), Simulator(system)
    for _ in range(5000):
        kind, address = chance.choice(list(Kind)), chance.randrange(1 << 9) + (0 if chance.random() < 0.5 else 4096)
        address += (kind is Kind.FETCH) << 16  # code is not written here
        processors.refer(0, kind, address, 4)
        simulator.refer(kind, address, 4)
    known = {each.cache.name: each for each in simulator.results().caches}
    for each in processors.results()[0]:
        expected = known[each.cache.name]
        assert (each.accesses, each.misses) == (expected.accesses.total, expected.misses.total)
        assert (each.again, each.taken) == (0, 0)
    assert processors.shared() == known["L2"]
    assert processors.traffic() == simulator.results().memory


def test_what_is_not_coherent_is_refused():
    one = ("D:1k,16,1,through", "D:1k,16,1,fifo", "D:1k,16,1+TLB:4x256,4")
    for spec in (*one, "I:1k,32,1+D:1k,16,1", "L2:1k,16,1+U:1k,32,1"):
        with pytest.raises(ConfigurationError):
            Processors(load(spec), "msi", 2)
    cache = load("U:1k,16,1").caches[0]
    assert PrivateResults(cache, 1, 2, 3, 4, 5, 6) + PrivateResults(cache, 6, 5, 4, 3, 2, 1) == PrivateResults(cache, *[7] * 6)
