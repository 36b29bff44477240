"""Vectors that fit into a word: operators on whole words have the values of their elements one by one."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

PROGRAM = """
static unsigned state = 12345;
static int any(void) { state = state * 1103515245u + 12345u; return (int)(state >> 9); }
static int differences;
#define LOOP for (unsigned i = 0; i < sizeof a / sizeof a[0]; i++)
#define IS(result, value) do { v = (result); LOOP differences += v[i] != (e)(value); } while (0)
#define TEST(NAME, E, SIZE) \\
    static void NAME(int same) \\
    { \\
        typedef E e; typedef E vector __attribute__((vector_size(SIZE))); \\
        vector a, b, v; \\
        LOOP { a[i] = same < 2 ? any() : -(any() & 1); b[i] = same & 1 ? a[i] ^ (any() & 1) * 128 : any(); } \\
        IS(a + b, a[i] + b[i]); IS(a - b, a[i] - b[i]); IS(a & b, a[i] & b[i]); \\
        IS(a | b, a[i] | b[i]); IS(a ^ b, a[i] ^ b[i]); \\
        IS(~a, ~a[i]); IS(-a, -a[i]); IS(a * b + a, a[i] * b[i] + a[i]); IS((a >> 1) - b, (a[i] >> 1) - b[i]); \\
        IS((vector)(a == b), -(a[i] == b[i])); IS((vector)(a != b), -(a[i] != b[i])); IS((vector)(a < b), -(a[i] < b[i])); \\
        IS(a + 5, a[i] + 5); IS(7 - a, 7 - a[i]); IS((vector)(a == 1), -(a[i] == 1)); \\
        v = a; v += b; v[1] = 9; v -= (vector){1, 2}; \\
        LOOP differences += v[i] != (e)((i == 1 ? 9 : a[i] + b[i]) - (i < 2 ? i + 1 : 0)); \\
    }
TEST(bytes2, unsigned char, 2) TEST(bytes4, signed char, 4) TEST(unsigned4, unsigned char, 4) TEST(halves4, short, 4)
TEST(bytes8, signed char, 8) TEST(halves8, unsigned short, 8) TEST(words8, int, 8) TEST(bytes16, signed char, 16)
struct packed { char c; signed char v __attribute__((vector_size(4))); } __attribute__((packed));
static struct packed p[2];
int main(void)
{
    for (int k = 0; k < 4; k++) {
        bytes2(k); bytes4(k); unsigned4(k); halves4(k); bytes8(k); halves8(k); words8(k); bytes16(k);
    }
    p[1].v = p[0].v + 100;
    p[1].v += p[1].v;
    return differences + (p[1].v[3] != -56) + (p[1].c != 0);
}
"""
SIMD = """\
machine: simd
extends: riscv32
toolchain: null
functions: {"lane(x, y, n)": "((((x>>u n)+(y>>u n))&255)<<n)"}
instructions:
  PADD8: {asm: "padd8 $d,$a,$b",
    rtl: "r[d]=((((r[a]+r[b])&255)|lane(r[a],r[b],8))|lane(r[a],r[b],16))|(((r[a]>>u24)+(r[b]>>u24))<<24);"}
  PADD16 PSUB16:
    {op: ["+", "-"], rtl: "r[d]=((r[a]${op}r[b])&65535)|(((r[a]>>u16)${op}(r[b]>>u16))<<16);", asm: "$name $d,$a,$b"}
"""
SUMS = """
typedef signed char v4 __attribute__((vector_size(4)));
void sum(v4 *p, const v4 *q, const v4 *r, int n) { for (int i = 0; i < n; i++) p[i] = q[i] + r[i]; }
v4 total(const v4 *p, int n) { v4 s = {0}; for (int i = 0; i < n; i++) s += p[i]; return s; }
typedef short v2 __attribute__((vector_size(4)));
v2 halves(v2 a, v2 b, v2 c) { return a + b - c; }
"""


@pytest.mark.parametrize(("name", "level"), [("riscv32", 2), ("m68020", 1), ("riscv64", 2), ("short16", 1)])
def test_values_are_those_of_the_elements(name, level, tmp_path):
    path = tmp_path / "vectors.c"
    path.write_text(PROGRAM)
    result = interpret(Compiler(load(name), Settings(level=level)).program([str(path)]), limit=3_000_000)
    assert (result.fault, result.exit_status) == (None, 0)


def test_instructions_on_lanes_are_chosen(tmp_path):
    """Their RTLs are written lane by lane; in loops, vectors are loaded and stored as words."""
    path, machine = tmp_path / "sums.c", tmp_path / "simd.yaml"
    path.write_text(SUMS)
    machine.write_text(SIMD)
    compiler = Compiler(load(str(machine)), Settings(level=2))
    functions = compiler.unit(str(path)).functions
    names = {f.name.strip("_"): [compiler.machine.record(rtl).name for rtl in f.rtls()] for f in functions}
    assert [names[f].count("PADD8") for f in ("sum", "total")] == [1, 1]
    assert not {"LB", "SB"} & {*names["sum"], *names["total"]}
    assert names["halves"] == ["PADD16", "PSUB16", "RET"]


def test_what_is_multiplied_stays_elements(tmp_path):
    path = tmp_path / "product.c"
    path.write_text("typedef short v2 __attribute__((vector_size(4)));\nvoid f(v2 *p, v2 *q) { *p = *p * *q + *q; }\n")
    function = Compiler(load("riscv32"), Settings(level=2)).unit(str(path)).functions[0]
    assert not any(rtl.loads and any(cell.type == "L" for cell in rtl.loads) for rtl in function.rtls())
