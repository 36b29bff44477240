"""Floating point by the run-time library, on machines without: the same bits as this machine's, NaNs alike."""

from __future__ import annotations

import math
import random
import struct

import pytest

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

NO_FLOATS = ["values.F=null", "values.D=null", "calls.arguments.float=null", "calls.results.float=null"]

SOURCE = r"""
#include <stdio.h>

union number { double value; float single; unsigned long long bits; unsigned int low; };

static unsigned long long bits(double value) { union number n; n.value = value; return n.bits; }
static unsigned long long single(float value) { union number n; n.single = value; return n.low; }

int main(void)
{
    union number in[2];
    unsigned long long out[16];

    while (fread(in, sizeof *in, 2, stdin) == 2) {
        double a = in[0].value, b = in[1].value;
        float c = (float)a, d = (float)b;
        int inside = -2147483648.0 < a && a < 2147483648.0;

        out[0] = bits(a + b);
        out[1] = bits(a - b);
        out[2] = bits(a * b);
        out[3] = bits(a / b);
        out[4] = (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5;
        out[5] = single(c + d);
        out[6] = single(c - d);
        out[7] = single(c * d);
        out[8] = single(c / d);
        out[9] = bits(c);
        out[10] = inside ? (unsigned int)(int)a : 0;
        out[11] = bits((int)in[0].bits);
        out[12] = bits((unsigned int)in[0].bits);
        out[13] = bits((long long)in[0].bits);
        out[14] = single((unsigned long long)in[0].bits);
        out[15] = bits(-a);
        fwrite(out, sizeof *out, 16, stdout);
    }
    return 0;
}
"""

SPECIAL = [0, 1, 2, 0xFFFFFFFFFFFFF, 1 << 52, (1 << 52) + 1, 0x3690000000000000, 0x36A0000000000001, 0x380FFFFFFFFFFFFF,
           0x3FEFFFFFFFFFFFFF, 0x3FF0000000000000, 0x3FF0000000000001, 0x41DFFFFFFFC00000, 0x41E0000000000000,
           0x47EFFFFFF0000000, 0x7FDFFFFFFFFFFFFF, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0x7FF8000000000000]  # fmt: skip
SIGN = 1 << 63


def operands():
    """Pairs of all special numbers, and random ones: any, and such with exponents close to each other."""
    special = [bits | sign for bits in SPECIAL for sign in (0, SIGN)]
    chance = random.Random(1)
    for a in special:
        yield from ((a, b) for b in special)
    for _ in range(4000):
        a = chance.getrandbits(64)
        distance = chance.randint(-60, 60) << 52
        yield a, chance.choice((chance.getrandbits(64), (a + distance) % (1 << 64) ^ chance.getrandbits(52)))


def value(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def double(number):
    return struct.unpack("<Q", struct.pack("<d", number))[0]


def rounded(number):
    """A number as a single."""
    try:
        return struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)


def single(number):
    return struct.unpack("<I", struct.pack("<f", rounded(number)))[0]


def quotient(a, b):
    if b:
        return a / b
    return math.nan if not a or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)


def integer_as_single(number):
    """An integer rounded once to 24 bits."""
    surplus = max(number.bit_length() - 24, 0)
    kept, rest = number >> surplus, number & ((1 << surplus) - 1)
    up = 2 * rest > 1 << surplus or (2 * rest == 1 << surplus and surplus and kept & 1)
    return float((kept + up) << surplus)


def expected(x, y):
    a, b = value(x), value(y)
    c, d = rounded(a), rounded(b)
    relations = (a < b, a <= b, a > b, a >= b, a == b, a != b)
    low = x & 0xFFFFFFFF
    signed = [bits - (1 << size) if bits >> (size - 1) else bits for bits, size in ((low, 32), (x, 64))]
    return [
        double(a + b), double(a - b), double(a * b), double(quotient(a, b)), sum(r << n for n, r in enumerate(relations)),
        single(c + d), single(c - d), single(c * d), single(quotient(c, d)), double(c),
        int(a) & 0xFFFFFFFF if -(2.0**31) < a < 2.0**31 else 0,
        double(float(signed[0])), double(float(low)), double(float(signed[1])), single(integer_as_single(x)), x ^ SIGN,
    ]  # fmt: skip


def alike(number, bits):
    """NaNs as one."""
    infinite, mask = (0x7F800000, 0x7FFFFFFF) if number in (5, 6, 7, 8, 14) else (0x7FF << 52, SIGN - 1)
    return "NaN" if number not in (4, 10) and bits & mask > infinite else bits


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    source = tmp_path_factory.mktemp("soft") / "soft.c"
    source.write_text(SOURCE)
    return lambda machine: Compiler(load(machine, NO_FLOATS), Settings()).program([str(source)])


@pytest.mark.parametrize(("machine", "order", "step"), some([("riscv32", "<", 1), ("baseline", ">", 16)], 1))
def test_bits(compiled, machine, order, step):
    pairs = list(operands())[::step]
    stdin = b"".join(struct.pack(f"{order}QQ", *pair) for pair in pairs)
    result, _ = counted_run(compiled(machine), ["soft"], RunOptions(stdin, capture=True, tier="fast"))
    assert result.fault is None
    found = list(struct.iter_unpack(f"{order}16Q", result.output))
    assert len(found) == len(pairs)
    for pair, got in zip(pairs, found, strict=True):
        for number, (bits, wanted) in enumerate(zip(got, expected(*pair), strict=True)):
            if alike(number, bits) != alike(number, wanted):
                pytest.fail(f"result {number} of {pair[0]:#x} and {pair[1]:#x}: {bits:#x}, not {wanted:#x}")


@pytest.mark.thorough
def test_a_machine_with_singles_only(tmp_path):
    source = tmp_path / "half.c"
    source.write_text(
        "#include <stdio.h>\nfloat third(float x) { return x / 3; }\n"
        'int main(void) { double d = third(2); printf("%.9g %.17g %d\\n", d, d * d, third(7) > 2.25f); return 0; }\n'
    )
    machine = load("riscv32", ["values.D=null", *NO_FLOATS[2:]])
    result, _ = counted_run(
        Compiler(machine, Settings()).program([str(source)]), ["half"], RunOptions(capture=True, tier="fast")
    )
    assert result.output == b"0.666666687 0.44444447093539807 1\n"
