"""The simulator with a clock, by hand: reads and writes of an i486-like bus, and what a bus without buffers makes of them."""

import pytest

from cache_sim.config import Cache, ConfigurationError, Delays, MemorySystem
from cache_sim.parse import format_short, load, parse_short
from cache_sim.reference import TimedSimulator
from cache_sim.yaml_form import format_yaml, parse_yaml

I486 = "U:128,16,2,through,noallocate+delays:buffers=2"  # 2 cycles for a word, 1 for each more, 2 for a write


def test_thirty_references_by_hand():
    simulator = TimedSimulator(load(I486))
    expected = []

    def step(kind, address, size, waits, bus, passing=1):
        """Let time pass, refer; the references wait so long, then the bus is busy so long."""
        before = simulator.now + passing
        simulator.advance(passing)
        getattr(simulator, kind)(address, size, len(expected))
        expected.append(waits)
        assert (simulator.now - before, max(simulator.free - simulator.now, 0)) == (waits, bus), (len(expected), kind)

    step("fetch", 0x00, 4, 5, 0)  # a line is 2+1+1+1 cycles
    step("fetch", 0x04, 4, 0, 0)
    step("fetch", 0x08, 4, 0, 0)
    step("read", 0x100, 4, 5, 0)
    step("write", 0x104, 4, 0, 2)  # into a buffer; on the bus for 2
    step("fetch", 0x0C, 4, 0, 1)
    step("fetch", 0x10, 4, 5, 0)  # the write is over just now
    step("write", 0x108, 4, 0, 2)
    step("write", 0x10C, 4, 0, 3)  # 1 cycle of the last one is left
    step("write", 0x100, 4, 0, 4)  # the first has just left its buffer
    step("write", 0x100, 4, 1, 4)  # its buffer is free in 1 cycle
    step("read", 0x104, 4, 0, 3)  # hits do not want the bus
    step("fetch", 0x20, 4, 7, 0)  # 2 cycles of writes, then the line
    step("write", 0x200, 8, 0, 4)  # misses, which brings in nothing; two words
    step("write", 0x200, 4, 1, 4)
    step("write", 0x200, 8, 3, 4)  # both words wait: 1 and 2
    step("fetch", 0x20, 4, 0, 0, 9)
    step("read", 0x10E, 4, 5, 0)  # straddles: its second line is new
    step("read", 0x30C, 8, 10, 0)  # two lines
    assert simulator.full == 4
    assert simulator.fills.total() == 5 + 5 + 5 + 7 + 5 + 10
    assert simulator.waits.total() == 1 + 1 + 3
    assert simulator.now - sum(expected) == len(expected) + 8
    assert {site for site, cycles in (simulator.fills + simulator.waits).items()} == {i for i, n in enumerate(expected) if n}


def test_the_processor_may_go_on_with_the_first_word():
    simulator = TimedSimulator(load("D:128,16,2,through+delays:buffers=1,resume=word"))
    simulator.read(0, 4)
    assert (simulator.now, simulator.free) == (2, 5)
    simulator.write(4, 4)  # waits for nothing, but the bus takes it up at 5
    assert (simulator.now, simulator.free) == (2, 7)
    simulator.write(8, 4)
    assert (simulator.now, simulator.free, simulator.full) == (7, 9, 1)


def test_prefetches_keep_the_bus_busy():
    simulator = TimedSimulator(load("I:128,16,2,prefetch+D:128,16,2,through+delays:buffers=1"))
    simulator.fetch(0, 4)
    assert (simulator.now, simulator.free) == (5, 10)


@pytest.mark.parametrize(
    ("text", "waited"),
    [
        ("D:128,16,2+delays:first=9,next=3", 2 * 18),
        ("D:128,16,2,through+delays:write=7", 2 * 5 + 3 * 7),
        ("D:128,16,2,noallocate+delays:write=7,width=8", 2 * 7 + 2 * 3),
        ("D:128,16,2+L2:256,32,1+delays:first=9,next=1,second=4", 2 * 4 + 2 * 16),
        ("D:128,16,2+DTLB:2x256,2+delays:tlb=30", 2 * 5 + 30),
    ],
)
def test_without_buffers_delays_add_up(text, waited):
    simulator = TimedSimulator(load(text))
    for kind, address in (("write", 0), ("write", 0), ("read", 0), ("write", 4), ("read", 0x40)):
        getattr(simulator, kind)(address, 4)
    assert simulator.fills.total() + simulator.waits.total() + simulator.pages.total() == waited


def test_lines_that_go_back_are_waited_for():
    simulator = TimedSimulator(load("D:32,16,1+delays"))
    for address in (0, 0x20, 0x40):
        simulator.write(address, 4)
    assert simulator.victims == 2 * 4 * 2


@pytest.mark.parametrize("delays", [Delays(), Delays(8, 3, 2, 4, 5, 6, 7, "word")])
def test_both_forms_say_everything(delays):
    cache = Cache("U", 128, 16, write="through")
    system = MemorySystem(cache, cache, delays=delays)
    assert parse_short(format_short(system)) == system
    assert parse_yaml(format_yaml(system), "made") == system


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("D:128,16,1+delays:frist=3", "expected NAME=VALUE, each once: width, first, next,"),
        ("D:128,16,1+delays:first=x", "first 'x' is not a decimal number"),
        ("D:128,16,1+delays:width=3", "width 3 is not a power of two"),
        ("D:128,16,1,through+delays:buffers=99", "buffers 99 is not between 0 and 64"),
        ("D:128,16,1+delays:buffers=2", "write buffers stand behind a cache for data that writes through"),
        ("D:128,16,1+delays:resume=now", "resume 'now' is none of line, word"),
        ("D:128,16,1+L2:128,16,1,noallocate+delays", "delays are known only of a second level that allocates"),
    ],
)
def test_mistakes_are_pointed_at(text, message):
    with pytest.raises(ConfigurationError) as error:
        load(text)
    assert message in str(error.value)
    assert "^" in str(error.value)
