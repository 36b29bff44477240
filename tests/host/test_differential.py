"""Host code does exactly what the interpreter does."""

from __future__ import annotations

import math
import struct

import pytest
from fake_machine import CELLS as FAKE_CELLS
from fake_machine import program_of
from generate import CELLS, RandomProgram, operator_program

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from ease.host.translation.counting import FunctionProbes
from tests.covering import some
from vpo.interpret.fast.interpreter import interpret


def everything_counted(program):
    """Probe every block and every branch; also return what the interpreter's result must be turned into."""
    probes, next_counter = {}, 0
    for name, function in program.functions.items():
        size = len(function.blocks)
        probes[name] = FunctionProbes(
            {i: next_counter + i for i in range(size)}, {i: next_counter + size + i for i in range(size)}
        )
        next_counter += 2 * size
    return probes


def counts(result, program):
    return [n for name in program.functions for n in (*result.blocks[name], *result.taken[name])]


def same(a: bytes, b: bytes, t: str, order: str) -> bool:
    if a == b:
        return True
    if t not in "FD":
        return False
    code, size = ("f", 4) if t == "F" else ("d", 8)
    return all(math.isnan(struct.unpack(order + code, x[:size])[0]) for x in (a, b))


@pytest.mark.parametrize("tier", some(["quick", "fast", "full"], 1))
@pytest.mark.parametrize("big", [False, True])
def test_every_operator_on_edge_values(big, tier):
    order = ">" if big else "<"
    text, layout = operator_program(order)
    program = program_of(text, big_endian=big, cells=CELLS)
    expected = interpret(program, capture=True)
    got = run(program, options=RunOptions(capture=True, tier=tier))
    assert (expected.fault, got.fault, got.exit_status) == (None, None, 0)
    size = 8 * len(layout)
    assert len(got.output) == len(expected.output) == size * 21 * 21
    lines = [rtl for rtl in program.functions["_start"].rtls() if rtl.stores]
    for start in range(0, len(got.output), size):
        for number, (t, offset) in enumerate(layout):
            a, b = (x[start + offset : start + offset + 8] for x in (expected.output, got.output))
            assert same(a, b, t, order), (lines[number], start // size, a.hex(), b.hex())


@pytest.mark.parametrize("seed", some([*range(16), 161263], 6))  # the last divides 0 by 0, and reads the bits of singles
def test_random_programs(seed):
    options = {"big_endian": seed % 2 == 1, "slots": seed // 2 % 2, "misaligned": seed % 3 != 0}
    options["cells"] = {**FAKE_CELLS, "r": "L"}
    program = program_of(RandomProgram(seed, slots=options["slots"], functions=5).text(), **options)
    expected = interpret(program, capture=True)
    got = run(
        program, options=RunOptions(capture=True, tier=("full", "fast", "quick")[seed % 3]), probes=everything_counted(program)
    )
    assert str(got.fault) == str(expected.fault)
    assert got.exit_status == expected.exit_status
    assert got.output == expected.output
    assert got.counters == counts(expected, program)
