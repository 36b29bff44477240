"""Distances of shifts that only a mask or a difference makes smaller than the width, as real machines take them."""

import pytest

from tests.covering import some
from tests.ground_truth import confirm
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.read.source import DescriptionError

PROGRAM = """
#include <stdio.h>
#define N __attribute__((noinline)) static
typedef unsigned long long ull;
N unsigned masked(unsigned x, int n) { return x << (n & 31); }
N unsigned less(unsigned x, int n) { return n < 32 ? x : x >> (n - 32); }
N int bit(unsigned x, int n) { return x >> (n & 31) & 1; }
N void set(unsigned *bits, unsigned n) { bits[n >> 5] |= 1u << (n & 31); }
N unsigned other(unsigned x, int n) { return n < 32 ? x : x << (n ^ 32); }
N ull right(ull x, int n) { return x >> n; }
N ull left(ull x, int n) { return x << n; }
N int sticky(ull x, int n) { return n && x << (-n & 63); }
N int end(unsigned x, int n) { unsigned moved = x >> n; return moved > 0 ? 1 : moved >= 1; }
N int digits(ull value, int shift) { int n = 0; for (; value > 0xffffffff; value >>= shift) n++; return n; }
int main(void)
{
    unsigned bits[3] = {0}, hash = 0;
    int n;
    for (n = 0; n < 64; n += 3) {
        ull x = 0x123456789abcdef1ull * (unsigned)(n + 1);
        set(bits, (unsigned)n);
        hash = hash * 31 + masked((unsigned)x, n) + less((unsigned)x, n) * 3 + other((unsigned)x, n);
        hash = hash * 31 + (unsigned)bit((unsigned)x, n);
        x = right(x, n) ^ left(x, n) * 5;
        hash = hash * 31 + (unsigned)x + (unsigned)(x >> 32) + (unsigned)sticky(x, n) + (unsigned)end((unsigned)x, n & 31);
        hash = hash * 31 + (unsigned)digits(x, n % 5 + 1);
    }
    printf("%x %x %x %llx\\n", hash, bits[0], bits[1], right(0x123456789abcdef1ull, n - 40));
    return 0;
}
"""


@pytest.mark.parametrize("level", some((2, 1, "s"), 2))
@pytest.mark.parametrize("name", some(("m68020", "arm", "thumb2", "i386", "sparc", "aarch64"), 3))
def test_the_real_machine_agrees(name, level, tmp_path):
    source = tmp_path / "prog.c"
    source.write_text(PROGRAM)
    program = Compiler(load(name), Settings(level=level)).program([str(source)])
    found = interpret(program, capture=True)
    confirm(program, found)


MASKED = """
unsigned long left(unsigned long x, int n) { return x << (n & 63); }
long right(long x, int n) { return x >> (n & 63); }
unsigned narrow(unsigned x, int n) { return x << (n & 31); }
"""


@pytest.mark.parametrize(("bits", "masks"), [("6", 1), ("{L: 6, Q: 6}", 1), ("{L: 6}", 1), ("8", 3), ("{L: 6, Q: 7}", 3)])
def test_a_width_whose_distances_count_modulo_the_width_needs_no_mask(bits, masks, tmp_path):
    source = tmp_path / "masked.c"
    source.write_text(MASKED)
    machine = load("s390x", [f"distance_bits={bits}"])
    unit = Compiler(machine, Settings(level=2)).unit(str(source))
    names = [machine.record(rtl).name for function in unit.functions for rtl in function.rtls()]
    assert names.count("RISBG") == masks


def test_distances_are_of_integer_types():
    assert load("s390x", ["distance_bits={L: 6, Q: 7}"]).distances == {"L", "Q"}
    assert load("s390x", ["distance_bits=6"]).distances == {"B", "W", "L"}
    with pytest.raises(DescriptionError, match="'D' is not a key of 'distance_bits'"):
        load("s390x", ["distance_bits={D: 6}"])
