"""Machines without two or three parts, chosen at random: code is right, or a message says what is missing.

`EASE_RANDOM_DELETIONS=N` tries so many instead of a few.
"""

import os
import random

import pytest

from vpo.compiler import Compiler, Settings, UserError
from vpo.interpret.interpreter import interpret
from vpo.link import LinkError
from vpo.machines.edits import deletions, edited
from vpo.machines.load import build, read_description
from vpo.machines.source import DescriptionError

MACHINES = ("riscv32", "baseline", "m68020", "arm", "mips", "vax", "i386", "sparc")
COUNT = int(os.environ.get("EASE_RANDOM_DELETIONS", "6"))
EXPECTED = 167  # by the host's compiler
LIMIT = 2_000_000  # instructions: code that is wrong may not end
SOURCE = """
struct pair { short a; unsigned char b; int c; };
static struct pair pairs[4] = {{-300, 200, 70000}, {5, 6, -7}, {1, 1, 1}, {0, 255, 123456789}};
static unsigned state = 12345;
static int (*pick)(int, int);
static unsigned next(void) { state = state * 1103515245u + 12345u; return state >> 16 & 0x7fff; }
static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }
static long long scaled(int a, unsigned b) { return (long long)a * 1000003 - (b >> 3) + ((long long)b << 20); }
static int mixed(struct pair *p, int n)
{
    int i, s = 0;
    for (i = 0; i < n; i++, p++) s = s * 31 + (p->a ^ p->b) + (p->c % 97) - (p->c / 10) + (p->c >> 5) + (p->a < -1);
    return s;
}
static int tree(int n) { return n < 2 ? n : tree(n - 1) + tree(n - 2) + (n & 1); }
static double weights[3] = {0.5, -1.25, 3e5};
static float f1 = 1.5f;
static double area(double a, float b, int n) { return n ? a * b - n / 3.0 : a + b; }
static int floating(void)
{
    double d = 1, e = 0;
    float f = f1;
    int i;
    for (i = 0; i < 3; i++) { d = d * 1.5 + weights[i]; f = f / 2 + i; e += area(d, f, i); }
    return (d < 0) + (int)f * 3 + (int)(d / 1000) + (int)(unsigned)(e / 4096) + (f == d) + (e >= d ? 7 : 3) + (-f < 1e-3f);
}
int main(void)
{
    char text[20];
    int i, s = 0;
    unsigned u = 0;
    long long w = 0;
    for (i = 0; i < 19; i++) text[i] = (char)(next() % 26 + 'a');
    text[19] = 0;
    for (i = 0; text[i]; i++) {
        pick = text[i] & 1 ? larger : smaller;
        s += pick(text[i], (int)(next() & 127)) * (i % 3 - 1);
        u = (u << 5 | u >> 27) ^ (unsigned)text[i];
        w += scaled(s, u) % 10007;
        switch (text[i] % 5) { case 0: s ^= 0x5555; break; case 1: s += 70001; break; case 2: s = ~s; break; case 4: s -= i; }
    }
    s += mixed(pairs, 4) + tree(9);
    s += floating();
    return (int)((unsigned)s ^ u ^ (unsigned)w ^ (unsigned)(w >> 32)) >> 3 & 255;
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("deletions") / "prog.c"
    path.write_text(SOURCE)
    return str(path)


def result(description, source):
    program = Compiler(build(description), Settings(level=1)).program([source])
    run = interpret(program, ["prog"], limit=LIMIT)
    return run.fault or run.exit_status


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        ("mips", {"SLTI"}),  # of which, when registers are assigned, nothing is left for branches that compare with constants
        ("arm", {"MUL"}),  # but there is an instruction for high words of products
        ("m68020", {"MOVE.W"}),  # of which an expansion makes masks
        ("sparc", {"SUBCC"}),  # so that logic must compare with 0
        ("sparc", {"-8388608..8388604: -32..31", "BGE slots"}),  # one goes around a jump by a branch with other slots
        ("sparc", {"RET slots"}),  # where the window is left
        ("parisc", {"FCMP.D.NGE"}),  # of which an expansion makes `>=`; it is made of the other relations
        ("baseline", {"CVT r[dst]=cvtL(f[src]);"}),  # integers are made in software, whose doubles are bits
        ("riscv32", {"FCVT.S.W", "FCVT.D.W"}),
        ("riscv32", {"FADD.D"}),  # sums of singles have an instruction
        ("riscv32", {"FSUB.S", "FEQ.D"}),  # done in doubles; equal is neither below nor above, and no NaN
        ("riscv32", {"FLD"}),  # registers that hold no doubles, nor singles, as they are saved as doubles
        ("riscv32", {"LW"}),  # words are put together of halfwords, registers saved as bytes
        ("mips", {"SW"}),
        ("accumulator", {"MOVE"}),  # moves over memory
        ("i386", {"JMP"}),  # a comparison that holds, and a branch
        ("m88100", {"BR"}),  # a branch if 0 is 0
        ("accumulator", {"x"}),  # a store of one index register by way of the other
        ("accumulator", {"FLD.S"}),  # singles are in software, doubles are not
        ("stack", {"FMUL f[0]=f[1]${op}f[0]; f[1]=f[2];", "XOR s[0]=s[1]${op}s[0]; s[1]=s[2];"}),  # of which others consist
        ("c3230", {"mem r[b]"}),  # only addresses with a displacement
        ("accumulator", {"STX"}),  # start-up code with few registers
        ("accumulator", {"SUB a[dst]=a[dst]${op}src; src: word"}),  # with one register, only an operand in memory subtracts
        ("mips", {"address r[b]", "LI.src: 10 bits"}),  # a displacement of 0; a form that another one makes needless
    ],
)
def test_what_others_need(name, gone, source, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    description = read_description(name)
    edits = [edit for edit in deletions(description) if edit.name in gone]
    assert {edit.name for edit in edits} == gone
    assert result(edited(description, *edits), source) == EXPECTED


def test_a_reach_that_leads_nowhere(source, monkeypatch):
    """A branch around a jump and what is in its slots is out of reach, too."""
    monkeypatch.setenv("EASE_CACHE", "")
    description = read_description("sparc")
    edit = next(edit for edit in deletions(description) if edit.name == "-8388608..8388604: -16..15")
    with pytest.raises(UserError, match=r"no way for .* to reach its target"):
        result(edited(description, edit), source)


@pytest.mark.parametrize("seed", range(COUNT))
def test_what_is_left_is_right_or_told(seed, source, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    chosen = random.Random(seed)
    name = MACHINES[seed % len(MACHINES)]
    description = read_description(name)
    edits = chosen.sample(list(deletions(description)), chosen.choice((2, 3)))
    try:
        description = edited(description, *edits)
    except (DescriptionError, KeyError):
        return  # an edit of a part that another one took away
    try:
        found = result(description, source)
    except (DescriptionError, UserError, LinkError):
        return  # what is missing is told
    assert found == EXPECTED, f"{name} without {', '.join(edit.name for edit in edits)}"
