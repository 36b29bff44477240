"""`-verify` runs functions on samples of inputs before and after each phase, and names a phase that changes what one does."""

import re
from itertools import product

import pytest
from wrong_phases import (
    drops_an_rtl,
    exchanges_dependent_rtls,
    forgets_to_restore,
    forgets_what_is_far,
    is_off_by_one,
    keeps_what_calls_change,
)  # fmt: skip

from tests.covering import some
from tests.kept_machines import load
from vpo.algebra import rebuild_effect
from vpo.build.compiler import Compiler, Settings
from vpo.machines.names import machine_names
from vpo.opt import driver
from vpo.opt.driver import BASIC, LEVELS
from vpo.rtl import Const, Op

PROGRAM = """
int total, count;
int other(int);
int flags(int x, int *a)
{
    int p = 0;
    if (x) { p = 1; a[0]++; a[1]++; a[2]++; a[3]--; }
    return p ? 1 : 2;
}
int sums(int *a, int n)
{
    int s = 3;
    for (int i = 0; i < n && i < 9; i++) {
        a[i] = s;
        a[i + 1] = other(s);
        s = s * 5 + a[i];
        total = s > count ? s - 7 : s ^ count;
    }
    return s;
}
"""
# frames hold what nobody set, addresses become numbers, a loop that does not end soon, pure calls that go, a function that the
# system would call, names that could be those of what is made up: nothing is told
ODD = """
int seen;
int unset(int k) { int x; if (k > 100000) x = 3; return x; }
int where(void) { int a[4]; a[1] = 2; return (int)a + a[1]; }
int below(int n) { int a[8]; for (int i = 0; i < n; i++) a[i & 7] = i; return a[3] + a[5]; }
int endless(int n) { while (n != 12345678) n += 2; return n; }
static int square(int x) { return x * x; }
int unused(int x) { square(x); return seen + x; }
double real(double x, float y) { return x * 2 + y; }
int recursive(int n) { return n < 2 ? 1 : n * recursive(n - 1); }
void __deliver_fault(void) { seen++; }
int area[4], results[2], called;
static int fill(int n) { area[n & 3] = results[0]; return called; }
int filled(int n) { return fill(n) + fill(n + 1); }
"""


def compiled(tmp_path, machine, text, phases):
    """Compile a program with phases, running samples; raises PhaseError."""
    path = tmp_path / "p.c"
    path.write_text(text)
    compiler = Compiler(load(machine), Settings(2, phases=phases, check="samples", inline_limit=0))
    return compiler.unit(str(path))


WRONG = (drops_an_rtl, exchanges_dependent_rtls, forgets_what_is_far, is_off_by_one)
ENDING = """
void exit(int);
int total;
int ends(int x) { if (x > 2) { total = x + 5; exit(x); } return total + 3; }
"""


def test_functions_that_end_the_program_are_run(tmp_path, monkeypatch):
    monkeypatch.setitem(driver.PHASES, "wrong", driver.Phase("wrong", is_off_by_one))
    with pytest.raises(driver.PhaseError, match="it changes what the function does"):
        compiled(tmp_path, "riscv32", ENDING, ("wrong",))


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.__name__)
def test_wrong_phases_are_named(tmp_path, monkeypatch, wrong):
    monkeypatch.setitem(driver.PHASES, "wrong", driver.Phase("wrong", wrong))
    with pytest.raises(driver.PhaseError) as caught:
        compiled(tmp_path, "riscv32", PROGRAM, ("control", "wrong", *BASIC))
    pattern = r"phase 2 \(wrong\) on (flags|sums): it changes what the function does: with .*=.* it (left 0x|returned)"
    assert re.match(pattern, str(caught.value)), str(caught.value)


CALLS = """
int other(int);
int calls(int a, int b, int c) { int d = other(a), e = other(b) + d; return a + b * c - d + other(c) * e; }
"""
MISTAKES = (forgets_to_restore, r"it kept r\[\d+\], and now it does not"), (keeps_what_calls_change, "it (left|returned)")


@pytest.mark.parametrize(("wrong", "message"), MISTAKES, ids=lambda wrong: getattr(wrong, "__name__", ""))
def test_calls_keep_some_registers_and_no_others(tmp_path, monkeypatch, wrong, message):
    monkeypatch.setitem(driver.PHASES, "wrong", driver.Phase("wrong", wrong))
    with pytest.raises(driver.PhaseError, match=rf"\(wrong\) on calls: it changes what the function does: with .* {message}"):
        compiled(tmp_path, "riscv32", CALLS, (*LEVELS[1], "wrong"))


@pytest.mark.parametrize(("machine", "level"), some([("m68020", 1), ("riscv32", 2)], 1))
def test_right_phases_are_not(tmp_path, machine, level):
    for text in (PROGRAM, ODD):
        assert compiled(tmp_path, machine, text, LEVELS[level]).functions


@pytest.mark.parametrize(("machine", "level"), some(product(machine_names(), (2, "s")), 4, first=17))
def test_no_machine_raises_an_alarm(machine, level):
    for name in ("queens", "puzzle") if level == 2 else ("queens",):
        assert Compiler(load(machine), Settings(level, check="samples")).unit(f"samples/{name}.c").functions


def test_what_stores_behind_the_end_of_an_array_is_no_sample(tmp_path):
    """A number of more digits than there is room for may change anything in the frame."""
    digits = """
struct text { char *begin, *end; int zeros; char exponent[8]; int suffix; };
void behind_the_end(struct text *text, int letter, int exponent, int least)
{
    char digits[4];
    unsigned value = exponent < 0 ? -exponent : exponent;
    int count = 0;

    do
        digits[count++] = '0' + value % 10;
    while (value /= 10);
    while (count < least)
        digits[count++] = '0';
    text->exponent[0] = letter;
    text->exponent[1] = exponent < 0 ? '-' : '+';
    for (text->suffix = 2; count; text->suffix++)
        text->exponent[text->suffix] = digits[--count];
}
"""
    assert compiled(tmp_path, "riscv32", digits, LEVELS[2]).functions


def test_parameters_that_are_narrow_hold_narrow_values(tmp_path):
    path = tmp_path / "least.yaml"
    path.write_text('extends: riscv32\ninstructions: {MIN: {rtl: "r[d]=SEL(r[a]<r[b],r[a],r[b]);", asm: "min $d,$a,$b"}}\n')
    least = "short least(short a, short b) { return a < b ? a : b; }"
    assert compiled(tmp_path, str(path), least, LEVELS[2]).functions


def test_functions_may_be_given_addresses_in_the_frame(tmp_path):
    given = "int outside(char *, int); int given(int n) { char text[20]; return outside(text + sizeof text, n) + n; }"
    assert compiled(tmp_path, "riscv32", given, LEVELS[1]).functions


def test_routines_may_have_their_operands_in_memory(tmp_path):
    division = "unsigned f(unsigned x, unsigned y) { return x / y + x % y; }"
    assert compiled(tmp_path, "vax", division, LEVELS[1]).functions


MIXED = """
double mixed(double x, float y, int n, double *p, long q)
{
    for (int i = 0; i < n && i < 10; i++) x += p[i] * y;
    return x + q;
}
"""


@pytest.mark.parametrize("machine", ["we32100", "sh4"])
def test_return_addresses_and_halves_of_doubles_are_not_lost(tmp_path, machine):
    """Return addresses may lie where frames begin; halves of doubles may have the bits of any single."""
    assert compiled(tmp_path, machine, MIXED, LEVELS[2]).functions


ADDRESSES = """
struct stream { int flags; int (*put)(struct stream *, int); };
int listed, (*hook)(struct stream *, int);
void *place;
int put(struct stream *s, int x)
{
    if (s->flags & 1) return s->put(s, x);
    if (!listed) { listed = 1; hook = s->put; }
    s->flags |= 2;
    return x;
}
int jumps(int x)
{
    place = x > 3 ? &&more : &&less;
    if (x == 5) goto *place;
    listed = x * 7;
more:
    x++;
less:
    return x;
}
"""


@pytest.mark.parametrize("machine", ["riscv32", "thumb2"])
def test_addresses_of_code_may_change(tmp_path, machine):
    """Variables may hold addresses of functions and of labels, which are others when RTLs are gone."""
    assert compiled(tmp_path, machine, ADDRESSES, LEVELS[1]).functions


def test_functions_that_variables_point_to_lie_still(tmp_path, monkeypatch):
    """Whoever stores their addresses is run on samples."""
    monkeypatch.setitem(driver.PHASES, "wrong", driver.Phase("wrong", is_off_by_one))
    with pytest.raises(driver.PhaseError, match="on put: it changes what the function does"):
        compiled(tmp_path, "riscv32", ADDRESSES, ("control", "wrong", *BASIC))


def test_the_system_is_not_called(tmp_path, capfd):
    path = tmp_path / "p.c"
    path.write_text("#include <unistd.h>\nint main(void) { return write(2, 0, 0); }\n")
    Compiler(load("riscv32"), Settings(1, check="samples")).program([str(path)])
    assert capfd.readouterr() == ("", "")


LIST = "struct node { struct node *next; int key; short part; };\n"
SEEDED = {
    "behind the first node": ("riscv32", LIST + """
int walk(struct node *p, int key)
{
    while (p && p->key != key) p = p->next;
    return p ? p->part : -1;
}""", lambda node: Op("+", node.type, node.args[0], Const(10)) if adds(node, 8) else None),
    "in a tree": ("riscv32", """
struct tree { int value; struct tree *left, *right; };
int sum(struct tree *t) { return t->left->right ? t->left->right->value + 5 : 0; }
""", lambda node: Op("+", node.type, node.args[0], Const(6)) if adds(node, 5) else None),
    "at a number of its own": ("x86_64", """
int bounded(int x) { return x >= 54321 ? 2 : 3; }
""", lambda node: Op({"<": "<=", ">=": ">"}[node.op], node.type, *node.args) if node.op in ("<", ">=") else None),
    "with arguments on the stack": ("i386", """
int scaled(int x, int y) { return x - y + 5; }
""", lambda node: Op("+", node.type, node.args[0], Const(6)) if adds(node, 5) else None),
    "in arguments on the stack": ("i386", """
int outside(int, int); int passed(int x) { return outside(x, x + 5); }
""", lambda node: Op("+", node.type, node.args[0], Const(6)) if adds(node, 5) else None),
    "behind a pointer to a function": ("thumb2", """
struct table { int (*first)(int), (*second)(int); };
int chosen(struct table *t, int x) { return x < 77 ? t->first(x) : t->second(x + 5); }
""", lambda node: Op("+", node.type, node.args[0], Const(6)) if adds(node, 5) else None),
    "behind a table of functions": ("riscv32", """
int (*table[4])(int); int chosen(int i, int x) { return table[i & 3](x) + 5; }
""", lambda node: Op("+", node.type, node.args[0], Const(6)) if adds(node, 5) else None),
    "behind many instructions": ("riscv32", """
int many(void) { int s = 3; for (int i = 0; i < 2000; i++) s = s * 7 + i; return s + 77; }
""", lambda node: Op("+", node.type, node.args[0], Const(76)) if adds(node, 77) else None),
    "where an address is passed": ("riscv32", """
int passed(int *); int one, two; int both(int x) { one += x; two -= x; return passed(&two) + one + 77; }
""", lambda node: Op("+", node.type, node.args[0], Const(76)) if adds(node, 77) else None),
    "of short negative numbers": ("riscv32", """
struct parts { int all; signed char least; };
int least(struct parts *p) { return p->least; }
""", lambda node: Op("zx", node.type, *node.args) if node.op == "sx" else None),
}  # fmt: skip


def adds(node, number):
    return node.op == "+" and type(node.args[1]) is Const and node.args[1].value == number


@pytest.mark.parametrize("place", SEEDED)
def test_faults_are_found(tmp_path, monkeypatch, place):
    machine, text, change = SEEDED[place]
    seeded = []

    def run(state):
        for block in state.function.blocks:
            for rtl in list(block.rtls):
                new = tuple(rebuild_effect(e, lambda n: change(n) if isinstance(n, Op) else None) for e in rtl.effects)
                if new != rtl.effects and not seeded and state.replace(block, rtl, new):
                    seeded.append(rtl)

    monkeypatch.setitem(driver.PHASES, "seeded", driver.Phase("seeded", run))
    with pytest.raises(driver.PhaseError, match="it changes what the function does"):
        compiled(tmp_path, machine, text, ("seeded", *BASIC))
    assert seeded
