"""Why an instruction is not used: the places, how often they were executed, and the reasons."""

from types import SimpleNamespace

import pytest

from ease.comparison.near_choices import Choices
from ease.comparison.why_not import check_instruction, explain, misses
from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from tests.kept_machines import load
from vpo.analysis.cfg import Cfg
from vpo.build.compiler import Compiler, Settings, UserError

DESCRIPTION = """extends: riscv32
instructions:
  MADD: {rtl: "r[d]=r[d]+(r[a]*r[b]);", asm: "madd $d,$a,$b"}
  DBNZ: {rtl: "r[a]=r[a]-1; PC=r[a]!=1,t;", asm: "dbnz $a,$t"}
  LWADD: {rtl: "r[d]=r[a]+L[r[b]];", asm: "lwadd $d,$a,($b)"}
"""
SOURCE = """int sum, kept;

static void second_use(int *a, int *b, int n)
{
    for (int i = 0; i < n; i++) {
        int p = a[i] * b[i];
        sum += p;
        if (p > 100) kept ^= p;
    }
}

static void narrow(int n) { for (int i = 0; i < n; i++) kept = (kept ^ 1) + 3000; }

static int stored(int *p, int *q, int a) { int old = *p; *q = 7; return a + old; }

int main(void)
{
    int x[50], y[50];

    for (int i = 0; i < 50; i++)
        x[i] = i, y[i] = 3 * i;
    second_use(x, y, 50);
    narrow(20);
    return sum + kept + stored(x, y + x[1], 2) == 0;
}
"""
SHIFTED = """static int s[64];

int main(void)
{
    int sum = 0;
    N
    for (int i = 0; i < 64; i++)
        sum += s[i] * s[63 - i] >> 4;
    return sum & 127;
}
"""


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    folder = tmp_path_factory.mktemp("why")
    (folder / "more.yaml").write_text(DESCRIPTION)
    (folder / "program.c").write_text(SOURCE)
    program = Compiler(load(str(folder / "more.yaml")), Settings(1)).program([str(folder / "program.c")])
    return program, counted_run(program, ["program"], RunOptions(capture=True))[1].rtls


def found(measured, name, function):
    return [(miss.count, miss.reason) for miss in misses(measured[0], name, measured[1]) if miss.function.name == function]


@pytest.mark.parametrize(
    ("name", "function", "count", "reason"),
    [
        ("MADD", "_second_use", 50, "its part in line 6 has a second use, in line 8"),
        (
            "DBNZ",
            "_second_use",
            50,
            "what the loop counts is wanted in line 6, too, and a counter beside it costs as much as it saves",
        ),
        (
            "DBNZ",
            "_narrow",
            20,
            "nothing tells how often the loop goes round when it is entered, or loops do not count down (they do at -O2)",
        ),
        ("ADDI", "_narrow", 20, "3000 is not in -2048..2047: 1 bit too narrow"),
        ("LWADD", "_stored", 1, "line 14 may change what its part in line 14 loads"),
    ],
)
def test_reasons(measured, name, function, count, reason):
    assert (count, reason) in found(measured, name, function)


def test_functions_that_are_seldom_executed_are_left_out(measured):
    everywhere, often = (misses(measured[0], "ADDI", measured[1], least) for least in (1, 20))
    assert often == [miss for miss in everywhere if max(measured[1][miss.function.name]) >= 20] != everywhere


SELDOM = """int a[50], b[50], kept;
int main(void)
{
    int s = 0, p = a[1] * b[2];
    s += p;
    kept = p;
    for (int i = 0; i < 50; i++)
        s ^= a[i];
    return s;
}
"""


def test_blocks_that_are_seldom_executed_are_left_out(tmp_path):
    (tmp_path / "more.yaml").write_text(DESCRIPTION)
    (tmp_path / "program.c").write_text(SELDOM)
    program = Compiler(load(str(tmp_path / "more.yaml")), Settings(1)).program([str(tmp_path / "program.c")])
    counts = counted_run(program, ["program"], RunOptions(capture=True))[1].rtls
    everywhere, often = (
        [miss for miss in misses(program, "MADD", counts, least) if miss.function.name == "_main"] for least in (1, 20)
    )
    assert {miss.count for miss in everywhere} == {1, 50}
    assert often == [miss for miss in everywhere if miss.count == 50]


def test_text_counts_places_and_shows_rtls(measured):
    text = explain(measured[0], "MADD", measured[1])
    first, _, place, product, addition = text.splitlines()[:5]
    assert first.startswith("why not MADD: ")
    assert place.split()[:2] == ["50", "program.c:7"]
    assert "*" in product
    assert "+" in addition


def test_instruction_that_is_not_there():
    with pytest.raises(UserError, match=r"has no instruction 'ADI'; perhaps ADD"):
        check_instruction(load("riscv32"), "ADI")


MEANT = """extends: riscv32
instructions:
  BFI: {rtl: "r[d]=(r[d]&-497)|((r[s]&31)<<4);", asm: "bfi $d,$s"}
  ROT5: {rtl: "r[d]=(r[a]<<5)^(r[b]>>u27);", asm: "rot5 $d,$a,$b", latency: 30}
  BMASK: {rtl: "PC=(r[a]&56)==0,t;", asm: "bmask $a,$t"}
  LWB: {rtl: "r[d]=L[r[a]+((r[b]&255)<<2)];", asm: "lwb $d,$a,$b", latency: 30}
"""
MEANING = """volatile unsigned sink;
__attribute__((noinline)) unsigned shared(unsigned x, unsigned y)
{
    unsigned p = (y & 31) << 4;
    sink = p;
    unsigned q = x & ~0x1f0u;
    sink = q;
    return q | p;
}
__attribute__((noinline)) unsigned other(unsigned x, unsigned y) { return (x & ~0x3e0u) + ((y << 5) & 0x3e0); }
__attribute__((noinline)) unsigned slow(unsigned x, unsigned y) { return (x << 5) | (y >> 27); }
__attribute__((noinline)) int masked(unsigned x)
{
    unsigned field = x >> 3 & 7;
    sink = field;
    if (field) sink = 1;
    return 0;
}
__attribute__((noinline)) int another(unsigned x) { if (x >> 4 & 3) sink = 1; return 0; }
unsigned table[256];
__attribute__((noinline)) unsigned byte(unsigned *p, unsigned x) { return p[x << 24 >> 24]; }
int main(void) { return shared(1, 2) + other(3, 4) + slow(5, 6) + masked(7) + another(8) + byte(table, 9) == 0; }
"""


@pytest.mark.parametrize(
    ("name", "function", "reason"),
    [
        ("BFI", "_shared", "its part in line 6 has a second use, in line 7"),
        ("BFI", "_other", "it would be the same with other constants: `(r[10]&-993)|((r[11]&31)<<5)`"),
        ("ROT5", "_slow", "it takes 30 cycles, and what it would replace 3"),
        ("BMASK", "_masked", "its part in line 14 has a second use, in line 15"),
        ("BMASK", "_another", "it would be the same with other constants: `(r[10]&48)==0`"),
        ("LWB", "_byte", "it takes 30 cycles, and what it would replace 5"),
    ],
)
def test_what_computes_the_same_is_told_however_it_is_written(name, function, reason, tmp_path):
    (tmp_path / "more.yaml").write_text(MEANT)
    (tmp_path / "program.c").write_text(MEANING)
    program = Compiler(load(str(tmp_path / "more.yaml")), Settings(1)).program([str(tmp_path / "program.c")])
    counts = counted_run(program, ["program"], RunOptions(capture=True))[1].rtls
    assert [(m.count, m.reason) for m in misses(program, name, counts) if m.function.name == function] == [(1, reason)]


@pytest.mark.parametrize(("base", "rtl", "code", "reason"), [
    ("aarch64", "r[d]=zxQ(trL(r[d])&(trL(r[a])<trL(r[b])));",
     "int kept; int f(int c, int a, int b) { int t = a < b; kept = t; return c & t; }",
     "its part in line 1 has a second use, in line 1"),
    ("arm", "r[d]=(r[a]*r[b])^trL((zxQ(r[a])*zxQ(r[b]))>>u32);",
     "unsigned n; unsigned f(unsigned a, unsigned b) { unsigned long long p = 1ull * a * b; n = p; return p ^ p >> 32; }",
     "its part in line 1 has a second use, in line 1"),
    ("riscv32", "r[d]=zxL(trW((r[a]^r[b])+1));", "unsigned f(unsigned a, unsigned b) { return (a ^ b) + 1; }",
     "its low 16 bits are the same, and more are wanted"),
    ("riscv32", "r[d]=sxL(trW(((r[s]>>u8)&255)|(r[s]<<8)));",
     "int f(const unsigned char *p) { return (short)(p[0] << 8 | p[1]); }",
     "2 of its 4 operations are here; where it has `(r[s]>>u8)&255`, there is `B[r[10]+1]`"),
    ("riscv32", "r[d]=(r[s]&k)<<3;", "unsigned f(unsigned x) { return (x & 20) << 3; }",
     "20 is no `odd`: the condition of that (when:) does not hold"),
    ("riscv32", "r[d]=r[d]+trL((sxQ(r[a])*sxQ(r[b]))>>u32);",
     "int f(int s, int a, int b) { return s + (int)((long long)a * b >> 32); }",
     "it takes 20 cycles, and what it would replace 8"),
    ("aarch64", "r[d]=zxQ(trL(r[a])-(trL(r[b])<<2));", "int *f(int *p, int n) { return p - n; }",
     "2 of its 2 operations are here; `trL(r[a])-(trL(r[b])<<2)` is of 32 bits, and what is here of 64"),
    ("riscv32", "PC=(r[a]|r[b])==0,t;",  # of one register twice it is another branch
     "int g(void); int f(unsigned a) { while (a != 0) { a /= 3; g(); } return 1; }",
     "1 of its 2 operations is here; where it has `r[a]|r[b]`, there is r[10], which is given"),
    ("riscv32", "r[d]=SEL(r[a]==-2147483648,2147483647,abs(r[a]));", "int f(int a) { int m = a >> 31; return (a ^ m) - m; }",
     "it is nearly the same: where r[10] is -2147483648 it makes 2147483647, and this -2147483648"),
    ("x86_64", "r[d]=zxQ(L[r[p]]); r[p]=r[p]+4;", "int f(int *p, int n) { while (n-- > 0) *p++ |= n; return 0; }",
     "1 of its 2 operations is here; `L{int}[r[7]]=zxQ(L{int}[r[7]])|r[0];` reads its cell by the way, so that nothing would"
     " be saved"),
    ("x86_64", "r[a]=zxQ(trL(r[a])-1); PC=trL(r[a])!=1,t;",
     "int f(int n, int x) { do { x = x * 5 + 1; } while (--n); return x; }",
     "nothing tells that the loop counts in fewer than 64 bits: go on while it is above 0, write `r[a]=r[a]-1`,"
     " or call __builtin_insn_X"),
    ("aarch64", "e[d]=neg(abs(e[a]));", "float f(float a) { return a > 0 ? -a : a; }",
     "a comparison does not tell the signs of 0 and of what is no number, which the instruction changes: use fabs"),
    ("riscv32", "PC=L[r[p]]==r[a],t;",
     "int f(const int *p, int n, int v) { for (int i = 0; i < n; i++) if (p[i] == v) return i; return -1; }",
     "2 of its 2 operations are here; it is the opposite of the branch, and a jump beside it would cost as much"),
])  # fmt: skip
def test_codes_low_parts_and_what_constants_leave(base, rtl, code, reason, tmp_path):
    more = (", k: odd" if "k" in rtl else "") + (", latency: 20" if "sxQ" in rtl and base == "riscv32" else "")
    operand = 'operands: {odd: {constant: 0..65535, when: "(v & (v + 1)) == 0"}}\n'
    (tmp_path / "more.yaml").write_text(f'extends: {base}\n{operand}instructions:\n  X: {{rtl: "{rtl}", asm: x{more}}}\n')
    (tmp_path / "program.c").write_text(code)
    machine = load(str(tmp_path / "more.yaml"))
    functions = {one.name: one for one in Compiler(machine, Settings(2)).unit(str(tmp_path / "program.c")).functions}
    program = SimpleNamespace(machine=machine, functions=functions)
    assert [m.reason for m in misses(program, "X", {"_f": [1] * len(list(functions["_f"].rtls()))})][:1] == [reason]


SHAPES = """extends: riscv32
instructions:
  CPOP: {rtl: "r[d]=popcount(r[s]);", asm: "cpop $d,$s"}
  CZERO: {rtl: "r[d]=SEL(r[c]==0,0,r[a]);", asm: "czero $d,$a,$c"}
  LDP: {rtl: "r[d]=L[r[p]]; r[e]=L[r[p]+4];", when: "d + e < 11", asm: "ldp $d,($p)"}
  LHP: {rtl: "r[d]=sxL(W[r[p]]); r[p]=r[p]+2;", when: "d != p", asm: "lh $d,($p)+"}
  SELZ: {rtl: "r[d]=SEL(r[c]==0,r[a],r[b]);", asm: "selz $d,$a,$b,$c"}
  MOVS: {rtl: "L[r[q]]=L[r[p]]; r[p]=r[p]+4; r[q]=r[q]+4;", when: "p != q", asm: "movs ($p)+,($q)+"}
  MINMAX: {rtl: "r[d]=SEL(r[a]<r[b],r[a],r[b]); r[e]=SEL(r[a]<r[b],r[b],r[a]);", when: "d != e", asm: "minmax $d,$e,$a,$b"}
"""
SHAPED = """int bits(unsigned x) { int n = 0; while (x) { x &= x - 1; n += x & 5; } return n; }
int loaded(int *p) { return p ? *p : 0; }
int pair(const int *p) { return p[0] * p[1] + 5; }
int walk(const short *p) { int s = 0; while (*p) s = s * 3 + *p++; return s; }
int both(int a, int b, int n) { int lo = a, hi = b; if (lo > hi) { lo = b; hi = a; n = 7 - n; } return (hi * 3 - lo) ^ n; }
int tern(int *p, int n) { int s = 0; while (n--) { s += *p & 1 ? *p * 3 : *p >> 1; p++; } return s; }
void copied(int *q, const int *p, int n) { while (n--) *q++ = *p++; }
int (*volatile kept)();
int main(void) { kept = (int (*)()) copied; kept = tern; kept = bits; kept = loaded; kept = pair;
  kept = walk; kept = both; return 0; }
"""


@pytest.mark.parametrize(
    ("name", "function", "reason"),
    [
        ("CPOP", "_bits", "use __builtin_popcount, or call __builtin_insn_CPOP"),
        ("CZERO", "_loaded", "loads, which may fault"),
        ("LDP", "_pair", "the condition of its description (when:) does not hold, as r[15] and r[14] are used"),
        ("LHP", "_walk", "the address steps before it is used"),
        ("MINMAX", "_both", "it sets two registers"),
        ("SELZ", "_tern", "it would compute both ways"),
        ("MOVS", "_copied", "it has 3 effects, and no search puts more than two together"),
    ],
)
def test_what_no_search_for_one_value_finds_has_a_reason(tmp_path, name, function, reason):
    (tmp_path / "more.yaml").write_text(SHAPES)
    (tmp_path / "program.c").write_text(SHAPED)
    program = Compiler(load(str(tmp_path / "more.yaml")), Settings(2)).program([str(tmp_path / "program.c")])
    counts = {each.name: [1] * len(each.rtls()) for each in program.functions.values()}
    found = [miss.reason for miss in misses(program, name, counts) if miss.function.name == function]
    assert any(reason in each for each in found)


CHOICES = """extends: riscv32
instructions:
  LEAST: {rtl: "r[d]=SEL(r[a]<r[b],r[a],r[b]);", asm: "least $d,$a,$b"}
"""
CHOSEN = """#include <stdio.h>
int kept;
void hit(int x) { kept += x; }
void called(int a, int b) { if (a < b) hit(a * 5); }
void other(int a, int b, int c) { if (a < b) kept = c * 3; }
__attribute__((noinline)) void stored(int a, int b, int *p) { if (a < b) *p = a; }
int used(int a, int b) { return a < b ? a : b; }
int main(void) { int x = kept; called(x, 3); other(x, 4, 5); stored(x, 1, &x); printf("%d", x); return 0; }
"""


def test_a_choice_of_something_else_is_no_minimum(tmp_path):
    program, counts = compiled(tmp_path, CHOICES, CHOSEN)
    assert {miss.function.name for miss in misses(program, "LEAST", counts) if miss.share == 1} == {"_stored"}


def test_the_programs_own_places_come_before_the_librarys(tmp_path):
    (tmp_path / "more.yaml").write_text(CHOICES)
    (tmp_path / "program.c").write_text(CHOSEN)
    program = Compiler(load(str(tmp_path / "more.yaml")), Settings(2)).program([str(tmp_path / "program.c")])
    counts = {each.name: [9 if "libc" in each.file else 1] * len(each.rtls()) for each in program.functions.values()}
    library = ["libc" in miss.function.file for miss in misses(program, "LEAST", counts) if miss.share == 1]
    assert library == sorted(library)
    assert set(library) == {False, True}


PARTS = """extends: riscv32
instructions:
  MSUB: {rtl: "r[d]=r[d]-(r[a]*r[b]);", asm: "msub $d,$a,$b", latency: 8}
  LDPAIR: {rtl: "r[d]=L[r[p]]; r[e]=L[r[p]+4];", when: "d != e", asm: "ldpair $d,$e,($p)", latency: 2}
  CTZ: {rtl: "r[d]=ctz(r[s]);", asm: "ctz $d,$s"}
  ABSDIFF2: {rtl: "r[d]=abs((r[a]+r[b])-r[c]);", asm: "absdiff2 $d,$a,$b,$c"}
"""
PARTLY = """int stepped(int n) { int d = 0; for (int i = 1; i < n; i++) d = d - i * n; return d; }
struct n { int key; struct n *next; };
int apart(struct n *p, int k) { while (p) { if (p->key == k) return 1; p = p->next; } return 0; }
volatile int kept;
int shared(int a, int b, int c) { int s = a + b - c; kept = s; return s; }
void written(int *p) { p[1] = p[0]; }
"""


@pytest.mark.parametrize(
    ("name", "function", "reason"),
    [
        ("MSUB", "_stepped", "where it has `r[a]*r[b]`, there is r[15], which steps in each round: `r[15]=r[15]+r[10];`"),
        ("LDPAIR", "_apart", "its other effect may be in another block, in line 3"),
        ("ABSDIFF2", "_shared", "2 of its 3 operations are here; `(r[a]+r[b])-r[c]` is used by `VL{int}[r[15]"),
    ],
)
def test_where_nothing_is_the_instruction_its_parts_are_told(name, function, reason, tmp_path):
    program, counts = compiled(tmp_path, PARTS, PARTLY)
    assert any(reason in miss.reason for miss in misses(program, name, counts) if miss.function.name == function)


@pytest.mark.parametrize(("base", "rtl", "source", "reason"), [
    ("riscv32", "r[d]=clz(not(r[a]));",
     "static inline int zeros(unsigned x) { if (x == 0) return 32; int n = 0; if (x <= 0xffff) n += 16, x <<= 16;"
     " if (x <= 0xffffff) n += 8, x <<= 8; if (x <= 0xfffffff) n += 4, x <<= 4; if (x <= 0x3fffffff) n += 2, x <<= 2;"
     " if (x <= 0x7fffffff) n++; return n; } int f(unsigned x) { return zeros(~x); }",
     "the branch of line 1 chooses here what it computes without one, and no search finds that: call __builtin_insn_X"),
    ("riscv32", "PC=abs(r[a]-r[b])>=r[c],t;",
     "int g(int); int f(int a, int b, int c) { int d = a - b; if (d < 0) d = -d;\n if (d < c)\n return g(d); return 2; }",
     "what the branch of line 1 chooses has a second use, in line 3"),
    ("riscv32", "r[d]=SEL(r[c]!=0,r[a]+r[b],r[a]);",
     "int f(int *x, int *m, int n) { int s = 0; for (int i = 0; i < n; i++) if (m[i]) s += x[i]; return s; }",
     "line 1 loads, which may fault, so it is done only if chosen: load before the choice"),
    ("x86_64", "r[d]=zxQ(sxL(W[r[p]])); r[p]=r[p]+r[s];",
     "int f(const short *p, int stride, int n) { int s = 0; while (n-- > 0) { s += *p; p += stride; } return s; }",
     "2 of its 2 operations are here; where it has `r[s]`, there is `r[8]<<1`"),
    ("riscv32", "r[d]=sxL(W[r[p]]); r[p]=r[p]+r[s];",
     "unsigned f(const unsigned short *p, int by, int n)"
     " { unsigned s = 0; while (n-- > 0) { s += *p; p = (const unsigned short *) ((const char *) p + by); } return s; }",
     "2 of its 2 operations are here; where it has `sxL(W[r[p]])`, there is `zxL(W{short}[r[10]])`"),
    ("x86_64", "PC=L[r[p]]==trL(r[b]),t;", "void g(void); void f(const long *p, const long *q) { if (*p != *q) g(); g(); }",
     "1 of its 2 operations is here; `L[r[p]]==trL(r[b])` is of 32 bits, and what is here of 64"),
    ("riscv32", "r[d]=r[d]&(r[a]==r[b]);",
     "int f(const int *a, const int *b) { if (a[0] != b[0]) return 0; if (a[1] != b[1]) return 0; return 1; }",
     "the branch of line 1 decides by `r[a]==r[b]`, so that is no value"),
])  # fmt: skip
def test_what_stands_in_the_way_is_told(base, rtl, source, reason, tmp_path):
    program, counts = compiled(tmp_path, f'extends: {base}\ninstructions:\n  X: {{rtl: "{rtl}", asm: x}}\n', source)
    assert reason in misses(program, "X", counts)[0].reason


def test_a_store_is_no_part_of_a_load(tmp_path):
    program, counts = compiled(tmp_path, PARTS, PARTLY)
    assert {miss.function.name for miss in misses(program, "LDPAIR", counts)} == {"_apart"}


def test_the_rare_operation_is_told_before_the_common_one(tmp_path):
    source = SHIFTED.replace("N", "".join(f"s[{i}] += {3 * i + 5};" for i in range(9)))
    (tmp_path / "shifted.c").write_text(source)
    (tmp_path / "more.yaml").write_text(DESCRIPTION)
    program = Compiler(load(str(tmp_path / "more.yaml")), Settings(2)).program([str(tmp_path / "shifted.c")])
    first = misses(program, "MADD", counted_run(program, ["shifted"], RunOptions(capture=True))[1].rtls)[0]
    assert first.count == 64
    assert "`r[a]*r[b]` is used by" in first.reason


def test_what_is_nowhere_is_told(tmp_path):
    program, counts = compiled(tmp_path, PARTS, PARTLY)
    text = explain(program, "CTZ", counts)
    assert text.startswith("why not CTZ: 0 places")
    assert "nothing that is executed is `ctz(x)`: use __builtin_ctz, or call __builtin_insn_CTZ" in text
    assert explain(program, "ABSDIFF2", counts).startswith("why not ABSDIFF2: 1 place with a part of it")


@pytest.mark.parametrize(("base", "cure"), [
    ("x86_64", "describe `abs(x)`, too, so that fabs is one"), ("aarch64", "use fabs"),
])  # fmt: skip
def test_functions_of_floating_numbers_are_others_where_no_instruction_does_them_alone(base, cure, tmp_path):
    machine = f'extends: {base}\ninstructions:\n  FNABS: {{rtl: "e[d]=neg(abs(e[a]));", asm: fnabs}}\n'
    program, counts = compiled(tmp_path, machine, "int main(void) { return 0; }\n")
    assert cure in explain(program, "FNABS", counts)


def compiled(folder, machine, source, level=2):
    """Return a program of functions that is not linked, and counts as if each RTL was executed once."""
    (folder / "more.yaml").write_text(machine)
    (folder / "program.c").write_text(source)
    extended = load(str(folder / "more.yaml"))
    functions = {each.name: each for each in Compiler(extended, Settings(level)).unit(str(folder / "program.c")).functions}
    counts = {name: [1] * sum(1 for _ in function.rtls()) for name, function in functions.items()}
    return SimpleNamespace(machine=extended, functions=functions), counts


def test_another_instruction_that_does_the_same_is_named(tmp_path):
    machine = (
        "extends: riscv32\noperands: {few: {constant: 0..15}}\n"
        'instructions: {SLEI: {rtl: "r[d]=r[a]<=k;", k: few, asm: "slei $d,$a,$k"}}\n'
    )
    program, counts = compiled(tmp_path, machine, "int f(int a) { return a < 10; }\n")
    assert [miss.reason for miss in misses(program, "SLEI", counts)] == ["SLTI does the same by itself"]


def test_blocks_that_control_never_comes_to_choose_nothing():
    cfg = Cfg({}, successors=[[1], [], [1]], predecessors=[[], [0, 2], []])
    blocks = [SimpleNamespace(rtls=[]) for _ in range(3)]
    assert list(Choices(blocks, cfg, lambda number: None, lambda register, number: None, lambda *_: None).joins()) == []
