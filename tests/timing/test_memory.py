"""Waiting for memory, from counts and in the run, is what a recorded run comes to that is followed reference by reference."""

from pathlib import Path

import pytest

from cache_sim.parse import load
from ease.host.process.job import RunOptions
from ease.reports.render import as_dictionary, as_text
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measure
from tests.covering import some
from tests.timing.plain_clock import plain_estimate

ROOT = Path(__file__).parents[2]
I486, I486_MEMORY = (str(ROOT / "benchmarks" / name) for name in ("i486.yaml", "i486-memory.yaml"))
THROUGH = "through,noallocate"
STATIC = [
    ("riscv32", 1, "I:256,16,1+D:128,16,2+L2:1k,32,2+DTLB:4x256,full+switch:1000+delays:second=4,tlb=9"),
    ("m68020", 0, f"U:256,16,2,{THROUGH}+delays"),
    ("sparc", 2, "D:128,16,1,noallocate+I:256,8,2,prefetch+delays:first=7,resume=word,write=5"),
    ("i386", "s", "U:256,16,2,fifo+switch:500+delays"),
]
CLOCKED = [
    (I486, 1, I486_MEMORY),
    ("i386", "s", f"U:256,16,2,{THROUGH}+delays:buffers=2,write=15"),
    ("sparc", 2, f"U:512,16,1,{THROUGH}+switch:500i+delays:buffers=2,write=25"),
    ("riscv32", 2, "I:256,16,1,prefetch+D:128,16,2,through,prefetch+switch:100+delays:buffers=3,write=9,first=7,resume=word"),
    ("m68020", 0, "U:256,8,2,fifo,through,prefetch+switch:300+delays:buffers=1,write=6,first=4"),
    ("mips", 2, f"U:128,16,1,{THROUGH}+TLB:4x256,2+switch:40+delays:buffers=2,write=20,tlb=3"),
    ("riscv32", 1, f"I:256,16,1+D:256,16,1,{THROUGH}+delays:buffers=2,write=7"),
    ("vax", 1, f"D:128,4,1,{THROUGH}+delays:buffers=1"),
]


@pytest.fixture(scope="module")
def timed(compiled):
    """A function that measures the program with a memory system, once."""
    made = {}

    def run(machine, level, system):
        if (machine, system) not in made:
            program = compiled(machine, level)
            made[machine, system] = measure(
                program, ["program"], MeasureOptions(load(system), timing=True), RunOptions(capture=True, tier="fast")
            )
        return made[machine, system]

    return run


@pytest.mark.parametrize(("machine", "level", "system"), some([*STATIC, *CLOCKED], 3))
def test_equal_to_the_plain_estimate(compiled, timed, machine, level, system):
    expected, replay = plain_estimate(compiled(machine, level), load(system), ["program"])
    timing = timed(machine, level, system).timing
    assert timing.cycles == expected
    assert (timing.buffers_full or 0) == replay.memory.full


def test_every_cause_is_met(timed):
    found = {}
    for each in (*STATIC, *CLOCKED[1:5]):
        found |= timed(*each).timing.by_cause()
    assert found.keys() >= {"fetch miss", "read miss", "write miss", "TLB miss", "write", "write back"}


def test_reports_say_what_memory_takes(timed):
    measured = timed(*STATIC[0])
    text = as_text(measured, ["cycles", "cycles-lines"])
    assert "waiting for data that are read" in text
    assert "2 cycles for the first 4 bytes of a line" in text
    assert as_dictionary(measured)["timing"]["write_buffers_full"] is None
    without = timed("riscv32", 1, "D:128,16,1")
    assert "references to memory take no time" in as_text(without, ["cycles"])
    assert "miss" not in without.timing.by_cause()
