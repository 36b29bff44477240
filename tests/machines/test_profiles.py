"""Machines with extensions against real tools: a program's output, the instructions that it executes, and all sizes."""

import pytest

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from ease.run.verify import Comparison, compare_sizes, emulated, truth
from tests.covering import some
from tests.kept_machines import load
from tests.machines.test_extension_operands import has_tools
from vpo.build.compiler import Compiler, Settings

PROGRAM = """
#include <unistd.h>
static void put(unsigned v) {
    char b[9];
    for (int i = 0; i < 8; i++) b[i] = "0123456789abcdef"[v >> (28 - 4 * i) & 15];
    b[8] = '\\n';
    write(1, b, 9);
}
static unsigned bits(float x) { union { float f; unsigned u; } b = {x}; return b.u; }
static float a[8] = {1.5f, -2.25f, 3e10f, 1e-20f, 7, 0.1f, 100, -0.0f};
struct node { struct node *next; int key; long long sum; short half; } nodes[12];
static float poly(float x, float y) { return x * y + x / (y + 1.0f) - (x < 0 ? -x : x); }
static int kind(int n) {
    switch (n & 7) { case 0: return 3; case 2: return n; case 3: return -n; case 6: return 77; }
    return n << 2;
}
static unsigned mix(unsigned h, const char *s) {
    while (*s) h = (h ^ *s++) * 16777619u;
    return h >> 3 | h << 29;
}
int main(int argc, char **argv) {
    unsigned h = mix(17, "a text");
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            h = h * 31 + bits(poly(a[i], a[j])) + (a[i] >= a[j]) + bits((float)(unsigned)(i * 1234567 << j));
            h ^= (int)(a[i] > 1000 ? 9 : a[i] * 4);
        }
    for (int i = 0; i < 12; i++) {
        nodes[i] = (struct node){i ? &nodes[i - 1] : 0, kind(i * 5), i * 1000000007ll, i - 6};
        if (i > 3) nodes[i].sum /= nodes[i - 1].key | 1;
    }
    for (struct node *p = &nodes[11]; p; p = p->next) put(h += p->key * 3 + (unsigned)(p->sum >> 5) - p->half);
    return h & 63;
}
"""


RUN = [("rv32imc", "s"), ("rv32emc", 2), ("rv64gc", "s"), ("riscv32+zfinx+zba", 1)]


@pytest.mark.parametrize(("name", "level"), some(RUN, 1, first=2))
def test_as_emulated(name, level, tmp_path):
    (tmp_path / "program.c").write_text(PROGRAM)
    program = Compiler(load(name), Settings(level=level)).program([str(tmp_path / "program.c")])
    host, counts = counted_run(program, ["program"], RunOptions(b"", capture=True, tier="fast"))
    assert host.fault is None
    if has_tools(name):
        real, comparison = truth(program, ["program"], b""), Comparison()
        comparison.check("output", real.output, host.output)
        comparison.check("exit status", real.exit_status, host.exit_status)
        comparison.check("instructions executed", real.instructions, emulated(program, counts))
        compare_sizes(program, real, comparison)
        assert not comparison.differences
