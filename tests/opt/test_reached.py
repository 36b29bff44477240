"""Instructions that a description may have are reached from plain C, however it is written; programs do what they did.

Each machine is riscv32 with a few more instructions; a file of `reached` has three ways to write one of them in C.
"""

import functools
from pathlib import Path

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.link.link import link

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
  SADD:
    rtl: "r[dst]=SEL(((r[a]^(r[a]+r[b]))&(r[b]^(r[a]+r[b])))<0,(r[a]>>31)^2147483647,r[a]+r[b]);"
    asm: "sadd $dst,$a,$b"
"""

BYTES = """\
  BSWAP: {rtl: "r[dst]=(((r[a]>>u24)|((r[a]>>u8)&65280))|((r[a]&65280)<<8))|(r[a]<<24);", asm: "bswap $dst,$a"}
"""
PAIRS = """\
  LDP:
    - {rtl: "r[d1]=L[r[b]+c]; r[d2]=L[r[b]+d];", c: imm, d: imm, when: "d == c + 4 and d1 != d2", asm: "ldp $d1,$d2,$c($b)"}
    - {rtl: "r[d1]=L[r[b]]; r[d2]=L[r[b]+4];", when: "d1 != d2", asm: "ldp $d1,$d2,($b)"}
  STP:
    - {rtl: "L[r[b]+c]=r[s1]; L[r[b]+d]=r[s2];", c: imm, d: imm, when: "d == c + 4", asm: "stp $s1,$s2,$c($b)"}
    - {rtl: "L[r[b]]=r[s1]; L[r[b]+4]=r[s2];", asm: "stp $s1,$s2,($b)"}
"""
STEPS = """\
  LW.P: {rtl: "r[dst]=L[r[b]]; r[b]=r[b]+4;", when: "dst != b", asm: "lw.p $dst,($b)+"}
"""
COUNTS = """\
  DBNZ: {rtl: "r[c]=r[c]-1; PC=r[c]!=1,target;", asm: "dbnz $c,$target"}
"""
BLOCKS = """\
  COPY: {rtl: "L[r[d]]=L[r[s]]; ...", when: "count <= 4", asm: "copy ($d),($s)"}
"""

CASES = [
    (EXTREMES, "MIN"),
    (EXTREMES, "MAX"),
    (EXTREMES, "MINU"),
    (EXTREMES, "ABS"),
    (MOVES, "CMOV"),
    (PICK, "PICK"),
    (SIGNAL, "SATU"),
    (SIGNAL, "SADD"),
    (SIGNAL, "CLIP"),
    (SIGNAL, "SAD"),
    (SIGNAL, "MSUB"),
    (BYTES, "BSWAP"),
    (PAIRS, "LDP"),
    (STEPS, "LW.P"),
    (COUNTS, "DBNZ"),
    (BLOCKS, "COPY"),
]
SOURCES = Path(__file__).parent / "reached"

PROGRAM = """
void exit(int status) { for (;;) __ease_syscall(__SYS_exit, (long)status); }
int abs(int value) { return value < 0 ? -value : value; }
int f0(), f1(), f2();
int main(void)
{
    static const int values[] = {0, 1, 5, -1, -5, 255, 256, 2147483647, -2147483647 - 1};
    int a, b, sum = 0;
    for (a = 0; a < 9; a++)
        for (b = 0; b < 9; b++)
            sum = ((sum * 31 ^ f0(values[a], values[b])) * 31 ^ f1(values[a], values[b])) * 31 ^ f2(values[a], values[b]);
    return (sum ^ sum >> 8 ^ sum >> 16 ^ sum >> 24) & 255;
}
"""


@functools.cache
def _compiler(folder, instructions):
    text = f"machine: more\nextends: riscv32\ntoolchain: null\ninstructions:\n{instructions}"
    (folder / "more.yaml").write_text(text)
    return Compiler(load(str(folder / "more.yaml")), Settings(level=2, check="invariants"))


@functools.cache
def _surroundings(folder):
    (folder / "main.c").write_text(PROGRAM)
    return Compiler(load("riscv32"), Settings(level=0)).unit(str(folder / "main.c"))


def _status(folder, unit, machine):
    around = _surroundings(folder)
    around.machine = unit.machine = machine.name
    return interpret(link([unit, around], machine), limit=200_000).exit_status


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("reached")


@pytest.mark.parametrize(("instructions", "name"), some(CASES, 6), ids=[name for _, name in CASES])
def test_plain_c_reaches_an_instruction(folder, instructions, name):
    source = str(SOURCES / f"{name.lower()}.c")
    compiler, plain = _compiler(folder, instructions), load("riscv32")
    unit = compiler.unit(source)
    for function in unit.functions:
        if function.name in ("_f0", "_f1", "_f2"):
            assert name in [compiler.machine.record(rtl).name for rtl in function.rtls()], function.name
    expected = _status(folder, Compiler(plain, Settings(level=0)).unit(source), plain)
    assert _status(folder, unit, compiler.machine) == expected is not None
