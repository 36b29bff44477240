"""Random memory systems and references, small enough that lines fight for places."""

from hypothesis import strategies as st

from cache_sim.config import PREFETCHES, UNITS, WRITES, Cache, MemorySystem, Switch
from cache_sim.policies import names
from cache_sim.results import Kind


def powers(least, most):
    return st.integers(least.bit_length() - 1, most.bit_length() - 1).map(lambda exponent: 1 << exponent)


@st.composite
def sets(draw, most_lines):
    """Return how many lines there are, in how many ways, and the policy; sets are powers of two, ways need not be."""
    policy = draw(st.sampled_from(names()))
    ways = draw(powers(1, most_lines) if policy == "plru" else st.integers(1, most_lines))
    return draw(powers(1, most_lines // ways)) * ways, ways, policy


@st.composite
def caches(draw, name, least_line=4, most_lines=16):
    line = draw(powers(least_line, max(least_line, 64)))
    lines, ways, policy = draw(sets(most_lines))
    write, prefetch = draw(st.sampled_from(WRITES)), draw(st.sampled_from(PREFETCHES))
    return Cache(name, lines * line, line, ways, policy, write, draw(st.booleans()), prefetch)


@st.composite
def tlbs(draw, name):
    page = draw(powers(64, 256))
    pages, ways, policy = draw(sets(8))
    return Cache(name, pages * page, page, ways, policy)


@st.composite
def switches(draw):
    hit = draw(st.integers(0, 5))
    return Switch(draw(st.integers(1, 300)), draw(st.sampled_from(UNITS)), hit, draw(st.integers(hit, 40)))


@st.composite
def systems(draw):
    form = draw(st.sampled_from(["unified", "split", "instruction", "data", "none"]))
    instruction = data = second = None
    if form == "unified":
        instruction = data = draw(caches("U"))
    if form in ("split", "instruction"):
        instruction = draw(caches("I"))
    if form in ("split", "data"):
        data = draw(caches("D"))
    if (instruction or data) and draw(st.booleans()):
        second = draw(caches("L2", max(cache.line for cache in (instruction, data) if cache), 64))
    itlb, dtlb = draw(st.none() | tlbs("ITLB")), draw(st.none() | tlbs("DTLB"))
    uncached = draw(st.lists(st.tuples(st.integers(0, 500), st.integers(1, 99)), max_size=2)) if draw(st.booleans()) else ()
    switch, causes = draw(st.none() | switches()), draw(st.booleans())
    return MemorySystem(instruction, data, second, itlb, dtlb, switch, causes, uncached=tuple(uncached))


references = st.tuples(st.sampled_from(Kind), st.integers(0, 600), st.sampled_from([1, 2, 4, 8, 40]))
