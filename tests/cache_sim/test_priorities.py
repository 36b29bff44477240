"""One pass by a stack policy comes to what each cache does by itself: misses, and lines written back."""

import random

import pytest

from cache_sim import Cache, Kind, MemorySystem, Simulator
from cache_sim.command import main
from cache_sim.priorities import ORDERS, sweep_by
from cache_sim.sweeps import Grid
from tests.cache_sim.test_distances import stream

GRID = Grid((128, 256, 384, 512, 1024, 2048), (16, 64), (1, 2, 3, 4, 8), ("D",))
SIDES = {"I": (Kind.FETCH,), "D": (Kind.READ, Kind.WRITE), "U": tuple(Kind)}


def one_by_one(policy, cache, events):
    """Misses and lines written back of a cache, which knows all that was and will be used; it is written down anew here."""
    touched = [
        (line, kind is Kind.WRITE) for kind, address, size in events if kind in SIDES[cache.name]
        for line in range(address // cache.line, (address + size - 1) // cache.line + 1)
    ]  # fmt: skip
    held, dirty, misses, written = [set() for _ in range(cache.sets)], set(), 0, 0
    uses, coming = {}, {}
    for moment, (line, _) in enumerate(touched):
        coming.setdefault(line, []).append(moment)
    for now, (line, write) in enumerate(touched):
        lines = held[line % cache.sets]
        if line not in lines:
            misses += 1
            if len(lines) == cache.ways:
                if policy == "lfu":
                    gone = min(lines, key=lambda each: (len(uses[each]), uses[each][-1]))
                elif policy == "mru":
                    gone = max(lines, key=lambda each: uses[each][-1])
                else:
                    gone = max(lines, key=lambda each: (next((m for m in coming[each] if m > now), 1 << 60), each))
                lines.remove(gone)
                written += gone in dirty
                dirty.discard(gone)
            lines.add(line)
        uses.setdefault(line, []).append(now)
        dirty.update([line] if write else [])
    return misses, written


def simulated(_, cache, events):
    simulator = Simulator(MemorySystem(data=cache))
    for event in events:
        simulator.refer(*event)
    found = simulator.results()[cache.name]
    return found.misses.total, found.writebacks


@pytest.mark.parametrize("policy", ORDERS)
@pytest.mark.parametrize("seed", range(3))
def test_each_cache_of_one_pass(policy, seed):
    events = list(stream(seed, 700))
    missed, written = sweep_by(policy, GRID, events)
    alone = simulated if policy == "lru" else one_by_one
    caches = dict(missed.caches())
    assert len(caches) > 30
    for cache, misses in caches.items():
        assert (misses, written.misses(cache)) == alone(policy, cache, events), cache


def test_no_policy_misses_less_than_opt_and_none_more_with_more_ways():
    events = list(stream(5, 2000))
    swept = {policy: sweep_by(policy, GRID, events)[0] for policy in ORDERS}
    for cache, least in swept["opt"].caches():
        assert least == min(found.misses(cache) for found in swept.values())
    for found in swept.values():
        histogram = found.histograms["D", 16, 8]
        assert [histogram.misses(ways) for ways in range(1, 9)] == sorted(map(histogram.misses, range(1, 9)), reverse=True)


def test_fully_associative_caches():
    events = list(stream(6, 500))
    missed, written = sweep_by("opt", Grid((64, 256), (16,), (), ("D",), full=True), events)
    for size in (64, 256):
        expected = one_by_one("opt", Cache("D", size, 16, size // 16), events)
        assert (missed.full_misses("D", size, 16).misses, written.full_misses("D", size, 16).misses) == expected


@pytest.fixture
def trace(tmp_path):
    file = tmp_path / "t.din"
    choice = random.Random(1)
    file.write_text("".join(f"{choice.randrange(3)} {choice.randrange(512):x}\n" for _ in range(400)))
    return str(file)


def test_command(trace, capsys):
    told = {}
    for words in ([], ["--policy", "lru"], ["--policy", "opt"], ["--written-back"]):
        assert main(["sweep+D+size:64-256+line:16+ways:1-2", trace, *words]) == 0
        told[" ".join(words)] = capsys.readouterr().out
    assert told[""] == told["--policy lru"] != told["--policy opt"]
    assert "accesses  written back" in told["--written-back"]


@pytest.mark.parametrize(
    ("system", "words", "says"),
    [
        ("D:64,16,1", ["--policy", "opt"], "are of a sweep"),
        ("sweep+D+switch:100i", ["--policy", "lfu"], "without context switches"),
        ("sweep+D+ways:full+sample:0.5", ["--written-back"], "without a sample"),
    ],
)
def test_what_it_cannot_do(trace, capsys, system, words, says):
    assert main([system, trace, *words]) == 1
    assert says in capsys.readouterr().err


def test_what_is_no_stack_policy(trace, capsys):
    with pytest.raises(SystemExit):
        main(["sweep+D", trace, "--policy", "fifo"])
    assert "fifo" in capsys.readouterr().err
