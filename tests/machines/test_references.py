"""Every fetch, and every reference to data, is one that the emulator makes: address, size and kind."""

import io

import numpy as np
import pytest

from cache_sim.traces.regeneration import FETCHED, READ, WRITE
from ease.run.emulated_references import ReferenceComparison, References, told_by_emulator
from tests.covering import some, usual_level
from tests.ground_truth import confirm_references
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.link.link import link
from vpo.machines.names import machine_names
from vpo.text import parse_unit

EMULATED = [name for name in machine_names() if load(name).toolchain.emulator]

# Structures by value, 64-bit numbers, floating numbers, recursion beyond register windows, longjmp, variable arguments.
PROGRAM = r"""
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
struct large { int a[5]; double d; char c; };
static struct large make(int n) { struct large b; memset(&b, n, sizeof b); b.d = n * 1.5; b.a[2] = n; return b; }
static jmp_buf where;
static long long deep(int n, long long x) { if (n == 0) longjmp(where, 7); return deep(n - 1, x * 3 + n) + 1; }
static unsigned long long mix(unsigned long long a, int s) { return (a << s) / 7 + (a >> (s & 31)) * 13; }
static int total(int n, ...) {
    va_list l; int t = 0;
    va_start(l, n);
    while (n--) t += va_arg(l, int);
    t += (int)va_arg(l, double);
    va_end(l);
    return t;
}
static short halves[50]; static unsigned char bytes[70]; static float singles[20];
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(int argc, char **argv) {
    char text[100], copy[300];
    struct large b = make(argc), c = b;
    double sum = 0;
    unsigned checked = 0;
    int i;
    for (i = 0; i < 50; i++) halves[i] = i * 7919 % 101;
    for (i = 0; i < 70; i++) bytes[i] += halves[i % 50] ^ 0x5a;
    for (i = 0; i < 20; i++) singles[i] = bytes[i] / 3.0f;
    memmove(copy, bytes, 70); memcpy(copy + 70, halves, 100); strcpy(text, argv[1]); strcat(text, "!\n");
    for (i = 0; i < 170; i += 3)
        switch (i % 11) {
        case 0: copy[i] = 1; break;
        case 1: copy[i] += 2; break;
        case 2: copy[i] ^= 7; break;
        case 5: copy[i] = -copy[i]; break;
        case 9: copy[i]--; break;
        default: copy[i] = i;
        }
    for (i = 0; i < 20; i++) sum += singles[i] * c.d;
    for (i = 0; i < 170; i++) checked = checked * 31 + copy[i];
    if (!setjmp(where)) deep(12, 5);
    checked ^= mix(0x123456789abcdefULL, argc + 2) + total(3, 1, 2, 3, 4.5) + fib(9) + (int)sum;
    write(1, text, strlen(text));
    return checked % 100;
}
"""


@pytest.mark.parametrize("name", some(EMULATED, 2))
def test_references_are_those_of_the_emulator(name, tmp_path):
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    program = Compiler(load(name), Settings(level=usual_level(name))).program([str(path)])
    counts = confirm_references(program, ("program", "some words", "others"))
    assert counts["fetch"] > 5000
    assert min(counts["read"], counts["write"]) > 500


# An annulled slot reads by a register that is the base of a loop behind it.
SORTING = """
#include <stdlib.h>
static short halves[50];
static int compare(const void *a, const void *b) { return *(const short *)a - *(const short *)b; }
int main(void) {
    for (int i = 0; i < 50; i++) halves[i] = i * 7919 % 101;
    qsort(halves, 50, sizeof *halves, compare);
    return halves[7];
}
"""


def test_references_behind_annulled_slots(tmp_path):
    path = tmp_path / "sorting.c"
    path.write_text(SORTING)
    confirm_references(Compiler(load("sparc_flat"), Settings(level=2)).program([str(path)]))


TEXT = """machine "riscv32" cells r=L e=F f=D
function _main file "m.c" line 1 stage final {
L1:
    r[10]=L[r[2]+8]; # program 1
    PC=r[1],RT(r[10]); # program 1
}
function _exit file "m.c" line 2 stage final {
L1:
    PC=r[1],RT(); # program 2
}
"""
STACK, COLUMNS = 0x7FFFE000, (np.uint8, np.uint64, np.uint64)


@pytest.fixture(scope="module")
def linked():
    return link([parse_unit(TEXT)[0]], load("riscv32"))


@pytest.fixture
def compared(linked):
    return comparing(linked)


def comparing(linked):
    """Return a function that takes what an emulator told in place of some of our references, and tells the difference."""
    at = linked.symbols["_main"]
    ours = [(FETCHED, at, 4), (READ, STACK + 8, 4), (FETCHED, at + 4, 4), (WRITE, 0x20000, 4), (FETCHED, at + 8, 4)]

    def compare(first, end, *others):
        theirs = [*ours[:first], *others, *ours[end:]]
        told = b"".join(n.to_bytes(8, "little") for kind, address, size in theirs for n in (address, kind | size << 8))
        columns = [np.array(column, type_) for column, type_ in zip(zip(*ours, strict=True), COLUMNS, strict=True)]
        comparison = ReferenceComparison(linked, ["program"])
        comparison.compare(iter([References(*columns)]), told_by_emulator(io.BytesIO(told)))
        difference = comparison.difference
        for name, address in (("main", at), ("main+4", at + 4), ("exit", at + 8)):
            difference = difference.replace(f"{address:#x}", name)
        return difference

    return compare


def test_the_stack_may_be_elsewhere_and_an_access_in_pieces(compared):
    assert compared(0, 0) == ""
    assert compared(1, 2, (READ, 0x4000, 4)) == ""
    assert compared(1, 2, (READ, 0x4002, 2), (READ, 0x4000, 2)) == ""


def test_differences_are_told(compared, linked):
    start = "instruction 2 of the run, `ret` in main: the real machine has fetch of 4 at main+4"
    write = "write of 4 at 0x20000"
    assert compared(3, 4) == f"{start}, ease has fetch of 4 at main+4, {write}"
    assert compared(3, 4, (READ, 0x20000, 4)) == f"{start}, read of 4 at 0x20000, ease has fetch of 4 at main+4, {write}"
    assert compared(3, 4, (WRITE, 0x20001, 4)).startswith(f"{start}, write of 4 at 0x20001, ease has")
    start = "instruction 3 of the run, `ret` in exit: the real machine has"
    assert compared(4, 5) == f"{start} none, ease has fetch of 4 at exit"
    assert compared(4, 5, (FETCHED, linked.symbols["_exit"], 2)) == f"{start} fetch of 2 at exit, ease has fetch of 4 at exit"


def test_an_emulator_may_look_ahead_at_the_end_of_a_page(linked):
    """It does so where the next instruction may lie on two pages; what that is fetches no less."""
    at = linked.symbols["_main"]
    machine = load("riscv32", [f"toolchain.lookahead_page={at + 6}"])
    compared = comparing(link([parse_unit(TEXT)[0]], machine))
    assert compared(0, 1, (FETCHED, at, 6)) == ""
    for size in (2, 5, 8):
        assert f"the real machine has fetch of {size} at main, " in compared(0, 1, (FETCHED, at, size))
    assert "the real machine has fetch of 6 at main, " in comparing(linked)(0, 1, (FETCHED, at, 6))
