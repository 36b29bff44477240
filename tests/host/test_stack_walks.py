"""Programs that read the frames of other functions find there in host code what the interpreter finds."""

import pytest

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from ease.host.translation.stack_walks import walks_stack
from tests.covering import case, some
from tests.kept_machines import load
from vpo.analysis.register_summaries import RegisterSummaries
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

HEAD = """
#include <stdint.h>
#include <stdio.h>
typedef uintptr_t word;
static word *bottom, hidden; static int found; static int obj[1];
#define HIDDEN (~(word)obj)
"""
TAIL = """
int (*volatile g)(int) = f; void *volatile v;
int main(void) {
    word here; bottom = &here; hidden = HIDDEN; int *p = (int *)~hidden; int r = g(2) + *p;
    v = p; printf("%d %d\\n", found > 0, r); return 0;
}
"""
SCANS = {
    "compared": "static void scan(void) { word here, *p; for (p = &here; p < bottom; p++) found += *p == ~hidden; }",
    "subtracted": """static void scan(void) { word here; long n = (char *)bottom - (char *)&here;
        for (long i = 0; i < n / (long)sizeof here; i++) found += (&here)[i] == ~hidden; }""",
    "passed": """static void __attribute__((noinline)) walk(word *p, word *end) { while (p != end) found += *p++ == ~hidden; }
        static void __attribute__((noinline)) scan(void) { word here; walk(&here, bottom); }""",
    "stored": """static word *top;
        static void __attribute__((noinline)) walk(void) { while (top < bottom) found += *top++ == ~hidden; }
        static void __attribute__((noinline)) scan(void) { word here; top = &here; walk(); }""",
    "stored by another": """static word *top;
        static void __attribute__((noinline)) set(word *here) { top = here; }
        static void __attribute__((noinline)) walk(void) { while (top < bottom) found += *top++ == ~hidden; }
        static void __attribute__((noinline)) scan(void) { word here; set(&here); walk(); }""",
}
F = "\nstatic int f(int a) { int b = a + 1; scan(); return b; }"
ORDINARY = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct cursor { const char *at, *end; };
static int __attribute__((noinline)) next(struct cursor *c) { return c->at < c->end ? *c->at++ : -1; }
static int __attribute__((noinline)) count(const char *p, const char *end) {
    int n = 0; while (p < end) n += *p++ == 'a'; return n; }
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv) {
    char text[40], *end; int numbers[20], n = 0, sum = 0;
    fgets(text, sizeof text, stdin);
    long value = strtol(text, &end, 0);
    for (char *p = text; p < end; p++) sum += *p;
    for (char *p = strchr(text, ' '); p && p < text + sizeof text; p = strchr(p + 1, ' ')) n++;
    for (int *p = numbers; p < numbers + 20; p++) *p = (int)(p - numbers) * 7 % 20;
    qsort(numbers, 20, sizeof *numbers, order);
    memmove(text + 1, text, 20);
    struct cursor c = {text, text + strlen(text)};
    while (next(&c) >= 0) n++;
    sscanf(text, "%d", &n);
    printf("%ld %d %d %d %s\\n", value, sum, n, count(text, end), argv[argc - 1]);
}
"""


def compiled(source, machine, level, folder):
    (folder / "program.c").write_text(source)
    return Compiler(load(machine), Settings(level=level)).program([str(folder / "program.c")])


def runs():
    yield from some([(scan, "riscv32", 1) for scan in SCANS], 1)
    yield from (case("compared", machine, level, usual=False) for machine, level in (("mips", 2), ("vax", 1)))


@pytest.mark.parametrize(("scan", "machine", "level"), list(runs()))
def test_saved_registers_are_found(scan, machine, level, tmp_path):
    program = compiled(HEAD + SCANS[scan] + F + TAIL, machine, level, tmp_path)
    assert walks_stack(program, RegisterSummaries(program))
    output = run(program, ["program"], RunOptions(capture=True)).output
    assert output == interpret(program, ["program"], capture=True).output
    if machine == "riscv32":
        assert output == b"1 3\n"


@pytest.mark.parametrize(("machine", "level"), some([("riscv32", 1), ("m68020", 0), ("sparc", 2)], 1))
def test_ordinary_programs_are_trusted(machine, level, tmp_path):
    program = compiled(ORDINARY, machine, level, tmp_path)
    assert not walks_stack(program, RegisterSummaries(program))
