"""An instruction that a program does not use changes nothing of its code: what it is credited with is its own."""

from __future__ import annotations

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.machines.machine import Machine
from vpo.machines.read.load import build, read_description
from vpo.text import print_unit

USELESS = {
    "a value": "ODD: {rtl: 'r[d]=((r[a]^r[b])*7777)+r[c];', asm: 'odd $d,$a,$b,$c'}",
    "a value of many": "MANY: {rtl: 'r[d]=(r[a]*r[b])^(r[c]|(r[e]*77));', asm: 'many $d,$a,$b,$c,$e'}",
    "a product": "CUBE: {rtl: 'r[d]=(r[a]*r[b])*r[b];', asm: 'cube $d,$a,$b'}",
    "a branch": "BODD: {rtl: 'PC=((r[a]*r[b])&77)==0,target;', asm: 'bodd $a,$b,$target'}",
    "an address": "LODD: {rtl: 'r[d]=L[r[a]*r[b]];', asm: 'lodd $d,$a,$b'}",
    "a choice": "CODD: {rtl: 'r[d]=SEL((r[a]*r[b])<77,r[a],r[b]);', asm: 'codd $d,$a,$b'}",
}
SOURCE = """
struct flags { unsigned kind : 3, size : 9; int value; };
int clamped(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
int packed(struct flags *f, int n) { f->size = n; f->kind ^= 1; return f->size + (f->kind == 3); }
unsigned mixed(unsigned x, unsigned y) { return ((x << 3) + y - (x / 10)) ^ ((y & ~x) >> (x & 31)); }
int bits(const unsigned char *p, int n) { int s = 0; while (n--) if (*p++ & 16) s += p[n] - 3 > 0; return s; }
short narrow(short a, short b, int *t) { t[a] = a != b; return a < 0 ? -a : a + b; }
int largest(const int *a, int n) { int m = a[0]; for (int i = 1; i < n; i++) if (a[i] > m) m = a[i]; return m; }
"""


def code(machine: Machine, path: str, level) -> str:
    return print_unit(Compiler(machine, Settings(level)).unit(path), machine.cells).split("\n", 1)[1]  # without its name


@pytest.mark.parametrize("kind", some(USELESS, 2))
def test_what_is_not_used_changes_nothing(kind, tmp_path):
    source, description = tmp_path / "a.c", tmp_path / "odd.yaml"
    source.write_text(SOURCE)
    description.write_text(f"extends: riscv32\ninstructions:\n  {USELESS[kind]}\n")
    machine = build(read_description(str(description)))
    for level in (1, 2):
        assert code(machine, str(source), level) == code(load("riscv32"), str(source), level)
