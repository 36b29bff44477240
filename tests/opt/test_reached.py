"""Instructions that a description may have are reached from plain C, however it is written; programs do what they did.

Each machine is riscv32 with a few more instructions, each of these a test of three ways to write it.
"""

import functools

import pytest

from vpo.compiler import Compiler, Settings
from vpo.interpret.interpreter import interpret
from vpo.link import link
from vpo.machines.load import load

EXTREMES = """\
  MIN: {rtl: "r[dst]=SEL(r[a]<r[b],r[a],r[b]);", asm: "min $dst,$a,$b"}
  MAX: {rtl: "r[dst]=SEL(r[a]>=r[b],r[a],r[b]);", asm: "max $dst,$a,$b"}
  MINU: {rtl: "r[dst]=SEL(r[a]>ur[b],r[b],r[a]);", asm: "minu $dst,$a,$b"}
  ABS: {rtl: "r[dst]=SEL(r[a]<0,neg(r[a]),r[a]);", asm: "abs $dst,$a"}
"""
MOVES = """\
  CMOV: {rtl: "r[dst]=SEL(r[c]!=0,r[a],r[dst]);", asm: "cmov $dst,$c,$a"}
"""
PICK = """\
  PICK: {rtl: "r[dst]=SEL(r[c]==0,r[a],r[b]);", asm: "pick $dst,$c,$a,$b"}
"""
SIGNAL = """\
  SATU: {rtl: "r[dst]=SEL((r[a]+r[b])<ur[a],-1,r[a]+r[b]);", asm: "satu $dst,$a,$b"}
  CLIP: {rtl: "r[dst]=SEL(r[a]<0,0,SEL(r[a]>255,255,r[a]));", asm: "clip $dst,$a"}
  SAD: {rtl: "r[dst]=r[dst]+abs(r[a]-r[b]);", asm: "sad $dst,$a,$b"}
  MSUB: {rtl: "r[dst]=r[dst]-(r[a]*r[b]);", asm: "msub $dst,$a,$b"}
"""

CASES = [
    (EXTREMES, "MIN", "int f(int a, int b) { return a < b ? a : b; }"),
    (EXTREMES, "MIN", "int f(int a, int b) { if (b <= a) a = b; return a; }"),
    (EXTREMES, "MIN", "int f(int a, int b) { int m; if (a > b) m = b; else m = a; return m; }"),
    (EXTREMES, "MAX", "int f(int a, int b) { return a > b ? a : b; }"),
    (EXTREMES, "MAX", "int f(int a, int b) { if (a < b) return b; return a; }"),
    (
        EXTREMES,
        "MAX",
        "int f(int a, int b) { int i, v[2] = {a, b}; for (i = 0; i < 2; i++) if (v[i] > a) a = v[i]; return a; }",
    ),
    (EXTREMES, "MINU", "int f(unsigned a, unsigned b) { return a < b ? a : b; }"),
    (EXTREMES, "MINU", "int f(unsigned a, unsigned b) { if (a > b) a = b; return a; }"),
    (EXTREMES, "MINU", "int f(unsigned a, unsigned b) { return b >= a ? a : b; }"),
    (EXTREMES, "ABS", "int f(int a, int b) { return a < 0 ? -a : a; }"),
    (EXTREMES, "ABS", "int f(int a, int b) { if (a <= 0) a = 0 - a; return a; }"),
    (EXTREMES, "ABS", "int abs(int); int f(int a, int b) { return abs(a); }"),
    (MOVES, "CMOV", "int f(int a, int b) { return a ? b : 7; }"),
    (MOVES, "CMOV", "int f(int a, int b) { int c = 5; if (a & 1) c = b; return c; }"),
    (MOVES, "CMOV", "int f(int a, int b) { if (a) b = 0; return b; }"),
    (PICK, "PICK", "int f(int a, int b) { return a ? b : 7; }"),
    (PICK, "PICK", "int f(int a, int b) { int c = b; if (!(a & 2)) c = a; return c; }"),
    (PICK, "PICK", "int f(int a, int b) { int c; if ((a ^ b) & 4) c = a; else c = b; return c; }"),
    (SIGNAL, "SATU", "int f(unsigned a, unsigned b) { unsigned s = a + b; if (s < a) s = ~0u; return s; }"),
    (SIGNAL, "SATU", "int f(unsigned a, unsigned b) { return a > ~0u - b ? ~0u : a + b; }"),
    (SIGNAL, "SATU", "int f(unsigned a, unsigned b) { return a + b >= b ? a + b : 0xffffffff; }"),
    (SIGNAL, "CLIP", "int f(int a, int b) { return a < 0 ? 0 : a > 255 ? 255 : a; }"),
    (SIGNAL, "CLIP", "int f(int a, int b) { if (a > 255) a = 255; if (a < 0) a = 0; return a; }"),
    (SIGNAL, "CLIP", "int f(int a, int b) { if (a < 0) return 0; if (a >= 256) return 255; return a; }"),
    (SIGNAL, "SAD", "int abs(int); int f(int a, int b) { return a + abs(a - b); }"),
    (SIGNAL, "SAD", "int f(int a, int b) { int d = a - b; if (d < 0) d = -d; return d + b; }"),
    (SIGNAL, "SAD", "int f(int a, int b) { return 9 + (a - b >= 0 ? a - b : b - a); }"),
    (SIGNAL, "MSUB", "int f(int a, int b) { return 5 - a * b; }"),
    (
        SIGNAL,
        "MSUB",
        "int v[] = {3, 4, 9}; int f(int a, int b) { int i, s = a; for (i = 0; i < 3; i++) s -= b * v[i]; return s; }",
    ),
    (SIGNAL, "MSUB", "int f(int a, int b) { return -(a * b) + a; }"),
]

PROGRAM = """
void exit(int status) { for (;;) __ease_syscall(__SYS_exit, (long)status); }
int abs(int value) { return value < 0 ? -value : value; }
int f();
int main(void)
{
    static const int values[] = {0, 1, 5, -1, -5, 255, 256, 2147483647, -2147483647 - 1};
    int a, b, sum = 0;
    for (a = 0; a < 9; a++)
        for (b = 0; b < 9; b++)
            sum = (sum * 31) ^ f(values[a], values[b]);
    return (sum ^ sum >> 8 ^ sum >> 16 ^ sum >> 24) & 255;
}
"""


@functools.cache
def _compiler(folder, instructions):
    text = f"machine: more\nextends: riscv32\ntoolchain: null\ninstructions:\n{instructions}"
    (folder / "more.yaml").write_text(text)
    return Compiler(load(str(folder / "more.yaml")), Settings(level=2, check=True))


@functools.cache
def _surroundings(folder):
    (folder / "main.c").write_text(PROGRAM)
    return Compiler(load("riscv32"), Settings(level=0)).unit(str(folder / "main.c"))


def _status(folder, unit, machine):
    around = _surroundings(folder)
    around.machine = unit.machine = machine.name
    return interpret(link([unit, around], machine), limit=100_000).exit_status


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("reached")


@pytest.mark.parametrize(
    ("instructions", "name", "text"), CASES, ids=[f"{name}-{n % 3 + 1}" for n, (_, name, _) in enumerate(CASES)]
)
def test_plain_c_reaches_an_instruction(folder, instructions, name, text):
    (folder / "f.c").write_text(text)
    compiler = _compiler(folder, instructions)
    unit = compiler.unit(str(folder / "f.c"))
    assert name in [compiler.machine.record(rtl).name for function in unit.functions for rtl in function.rtls()]
    plain = load("riscv32")
    expected = _status(folder, Compiler(plain, Settings(level=0)).unit(str(folder / "f.c")), plain)
    assert _status(folder, unit, compiler.machine) == expected is not None
