"""Traces: from lists, arrays and `din` text, and what is said of wrong ones."""

import io
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache_sim import Cache, Kind, MemorySystem, Simulator, TraceError, read_din, simulate, trace_of, write_din
from tests.cache_sim.strategies import references

EXPECTED = [(Kind.FETCH, 0x1000, 1, 0), (Kind.READ, 0x7FFF0010, 1, 0), (Kind.WRITE, 2**64 - 1, 8, 0)]


def test_din():
    text = "2 1000\n  0\t0x7FFF0010 a comment +4\n\n1 ffffffffffffffff +8 another\n"
    assert list(read_din(io.StringIO(text), "a.din")) == EXPECTED
    assert [size for _, _, size, _ in read_din(io.StringIO(text), "a.din", size=4)] == [4, 4, 8]


@given(st.lists(references, max_size=30))
def test_what_is_written_is_read_again(events):
    trace = trace_of(*zip(*events, strict=True)) if events else trace_of([], [])
    out = io.StringIO()
    write_din(trace, out)
    assert list(read_din(io.StringIO(out.getvalue()), "a.din")) == list(trace) == [(*event, 0) for event in events]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("5 10", "'5 10': expected 0 (read), 1 (write), 2 (fetch), 3 (other data) or 4 (empty the caches), and a hex"),
        ("0", "'0': expected 0 (read)"),
        ("0 xyz", "'0 xyz': expected 0 (read)"),
        ("0 -4", "'0 -4': expected 0 (read)"),
        ("01 4", "'01 4': expected 0 (read)"),
        ("0 10000000000000000", "'0 10000000000000000': expected 0 (read)"),
        ("4 0", "'4' empties the caches, which is no reference"),
    ],
)
def test_wrong_text(line, message):
    with pytest.raises(TraceError) as caught:
        read_din(io.StringIO(f"2 10\n{line}\n"), "a.din")
    assert str(caught.value).startswith(f"a.din:2: error: {message}")


def test_other_references_are_reads():
    """Dinero's own converters write label 3, and Dinero IV counts them where data are cached."""
    assert list(read_din(io.StringIO("3 10 x\n1 20\n"), "a.din")) == [(Kind.READ, 16, 1, 0), (Kind.WRITE, 32, 1, 0)]


def test_one_size_for_all_and_sites():
    assert list(trace_of([0, 1], [8, 16], 4, [7, 9])) == [(Kind.READ, 8, 4, 7), (Kind.WRITE, 16, 4, 9)]


def test_memory_of_the_right_form_is_not_copied():
    addresses = array("Q", [1, 2, 3])
    trace = trace_of(b"\0\1\2", addresses)
    addresses[1] = 20
    assert [address for _, address, _, _ in trace] == [1, 20, 3]


def test_arrays_of_numpy():
    numpy = pytest.importorskip("numpy")
    kinds, sizes = numpy.array([2, 0, 1], numpy.uint8), numpy.array([1, 1, 8], numpy.uint16)
    addresses = numpy.array([0x1000, 0x7FFF0010, 2**64 - 1], numpy.uint64)
    assert list(trace_of(kinds, addresses, sizes)) == EXPECTED
    assert trace_of(kinds, addresses, sizes).addresses.obj is addresses
    every_other = trace_of(kinds[::2], addresses[::2], sizes[::2])
    assert list(every_other) == EXPECTED[::2]
    assert list(trace_of(kinds.astype(int), addresses, numpy.int64(1))) == [(*event[:2], 1, 0) for event in EXPECTED]
    assert not trace_of(kinds[:0], addresses[:0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], [1]), "kinds, addresses, sizes and sites are 2, 1, 2, 2 in number"),
        (([0, 3], [1, 2]), r"a kind of reference is 0 \(read\), 1 \(write\), 2 \(fetch\)"),
        (([0], [-1]), "none of 64 bits"),
        (([0], [1.5]), "a number in a trace that is none"),
        (([0], [1], 0), "a reference to 0 bytes"),
        (([0], [1], -1), "none of 64 bits"),
    ],
)
def test_wrong_arrays(arguments, message):
    with pytest.raises(TraceError, match=message):
        trace_of(*arguments)


def test_simulating_a_trace():
    system = MemorySystem(data=Cache("D", 64, 16))
    simulator = Simulator(system)
    simulator.read(0, 4, 3)
    simulator.write(14, 4, 5)
    assert simulate(system, trace_of([0, 1], [0, 14], 4, [3, 5])) == simulator.results()
