"""Constants, delay slots and blocks: compared with sums over assembly text and the counts of the interpreter."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest

from ease.model.results import Count, SlotCount
from ease.model.static_kinds import Constant
from ease.reports.instructions import CONSTANTS, DELAY_SLOTS
from ease.run.interpreting import measurement_of_interpretation
from vpo.interpret.fast.interpreter import interpret

DISPLACED = re.compile(r"(?:^|[ ,])(-?\d+)\(")  # lw a0,4(sp)
LAST = re.compile(r",(-?\d+)$")  # addi a0,a0,-1


@pytest.fixture(scope="module")
def ran(small):
    """Runs small.c in the interpreter: the program, the result, what was measured."""

    def run(machine):
        program = small(machine, 1)
        result = interpret(program, ["small", "3"])
        return program, result, measurement_of_interpretation(program, result).characteristics

    return run


def instructions(program, result):
    """Yield record, block, RTL and count of each RTL that counts as an instruction."""
    for name, function in program.functions.items():
        counts = iter(result.rtls[name])
        for block in function.blocks:
            for rtl in block.rtls:
                count = next(counts)
                record = program.machine.record(rtl)
                if record.counted:
                    yield record, block, rtl, count


def bits(value):
    """The bits of a signed number, the slow way."""
    return next(n for n in range(1, 66) if -(1 << n - 1) <= value < 1 << n - 1)


def test_constants_are_those_of_the_assembly_text(ran):
    program, result, found = ran("riscv32")
    wanted = {}
    for record, _, _, count in instructions(program, result):
        for use, pattern in (("displacement", DISPLACED), ("immediate", LAST)):
            for text in pattern.findall(record.assembly):
                if use == "immediate" or int(text):
                    key = Constant(use, bits(int(text)))
                    wanted[key] = wanted.get(key, Count()) + Count(1, count)
    assert {key.use for key in wanted} == {"displacement", "immediate"}
    assert found.constants == wanted


@pytest.mark.parametrize("machine", ["sparc", "riscv32"])
def test_delay_slots_are_what_stands_behind_transfers(ran, machine):
    program, result, found = ran(machine)
    wanted = {}
    rows = [(*row, function) for function in program.functions for row in _of(program, result, function)]
    for (record, rtl, count, function), (filler, slot, executed, same) in pairwise(rows):
        if record.slots and (rtl.transfer is not None or rtl.call is not None) and function == same:
            name = "" if slot.cause == "delay" else filler.name
            annulled = count - executed if rtl.annuls else 0
            wanted[name] = wanted.get(name, SlotCount()) + SlotCount(1, executed, annulled)
    assert found.slots == wanted
    if machine == "sparc":
        assert sum(each.annulled for each in wanted.values()) > 0
        assert wanted[""].dynamic > 0
    assert (DELAY_SLOTS.table(found).note == "the program has none") == (machine != "sparc")


def _of(program, result, name):
    function = program.functions[name]
    return [(program.machine.record(rtl), rtl, n) for rtl, n in zip(function.rtls(), result.rtls[name], strict=True)]


@pytest.mark.parametrize("machine", ["sparc", "riscv32", "m68020"])
def test_blocks_by_size(ran, machine):
    program, result, found = ran(machine)
    sizes, entered, left = Counter(), {}, {}
    for _, block, _, count in instructions(program, result):
        sizes[id(block)] += 1
        entered.setdefault(id(block), count)
        if count < entered[id(block)]:
            left.setdefault(id(block), entered[id(block)] - count)
    wanted = {}
    for block, size in sizes.items():
        wanted[size] = wanted.get(size, Count()) + Count(1, entered[block])
    assert found.blocks == wanted
    assert sum(size * count.static for size, count in wanted.items()) == found.instructions.static
    if machine != "sparc":  # where nothing of a block is annulled: only those are left early in which the program ended
        assert set(left.values()) == {1}
        lacking = sum(size * count.dynamic for size, count in wanted.items()) - found.instructions.dynamic
        assert 0 < lacking < sum(sizes[block] for block in left)


def test_the_picture_rises_to_all(ran):
    (panel,) = CONSTANTS.panels(ran("riscv32")[2])
    for curve in panel.curves:
        assert list(curve.values) == sorted(curve.values)
        assert curve.values[-1] == pytest.approx(100)
