"""Random programs on a machine whose every instruction has random latencies, with and without memory."""

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest
from fake_machine import program_of
from generate import RandomProgram

from cache_sim.parse import load
from ease.host.process.job import RunOptions
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measure
from tests.covering import some
from tests.timing.plain_clock import plain_estimate
from vpo.machines.match.record import Occupancy
from vpo.machines.target import Timing
from vpo.rtl import TRANSFERS, Call

CELLS = {"r": "L", "b": "B", "w": "W", "l": "L", "q": "Q", "s": "F", "d": "D", "cc": "C", "fc": "G", "e": "F", "f": "D"}
SYSTEMS = [
    "U:256,16,2,through,noallocate+switch:70+delays:buffers=2,write=7",
    "I:64,8,1+D:64,8,2,through,prefetch+switch:90i+delays:buffers=3,write=4,resume=word",
    "U:128,8,1+delays",
    "I:64,8,1+D:64,8,2,through,prefetch+delays:buffers=2,write=4,resume=word",
]


def random_timing(program, seed):
    """Give each instruction of a program cycles of its own."""
    chosen = random.Random(seed)
    known = program.machine.recognizer

    def record(match):
        transfers = any(isinstance(effect, (*TRANSFERS, Call)) for effect in match.effects)
        unit = chosen.choice(["", "", "one", "two"])
        occupancy = Occupancy(chosen.choice([None, None, 1, 3]), unit, chosen.randint(0, 3) if transfers else 0)
        return replace(known.record(match), latency=chosen.choice([0, 1, 1, 2, 5, 12]), occupancy=occupancy)

    timed = SimpleNamespace(match=known.match, record=record)
    program = replace(program, machine=replace(program.machine, recognizer=timed, timing=Timing(overlap=seed % 3 > 0)))
    for function in program.functions.values():
        for rtl in function.rtls():
            rtl.record = None


@pytest.mark.parametrize("seed", some([*range(9), 57], 2))
def test_equal_to_the_plain_estimate(seed):
    slots = seed % 2
    program = program_of(RandomProgram(seed, slots=slots, functions=4).text(), slots=slots, cells=CELLS)
    random_timing(program, seed)
    system = load(SYSTEMS[seed % len(SYSTEMS)])
    expected, _ = plain_estimate(program, system, ["program"])
    assert (
        measure(program, ["program"], MeasureOptions(system, timing=True), RunOptions(capture=True, tier="fast")).timing.cycles
        == expected
    )
    assert sum(expected.values()) > 0
