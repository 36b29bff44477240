"""Calls of functions of <string.h> that are done in place, and those that are not."""

import sys
from pathlib import Path

import pytest

from tests.covering import some

sys.path.insert(0, str(Path(__file__).parent))
from units import P8, calls, constants, function

from tests.kept_machines import load
from vpo import il
from vpo.build.compiler import Compiler, Settings
from vpo.frontend import compile_c
from vpo.interpret.fast.interpreter import interpret
from vpo.interprocedural.known_calls import replace_known_calls

sys.path.insert(0, str(Path(__file__).parents[1] / "frontend"))
from il_to_c import LP64

HEAD = """
typedef unsigned long size_t; extern char *p, *q; volatile int v; extern int outside[4]; int inside[9]; char text[40];
void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t); char *strcpy(char *, const char *);
size_t strlen(const char *);
"""


def replaced(text, kept=()):
    unit = compile_c("test.c", LP64, source=HEAD + text)
    replace_known_calls(unit, P8, LP64, kept=kept)
    return unit


def copies(unit):
    """Return the size and the alignment of each copy."""
    return [(s.size, s.align) for s in function(unit, "f").body if isinstance(s, il.Copy)]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("memcpy(p, q, 4);", [(4, 1)]),
        ("memcpy(inside, outside, 32);", []),
        ("memcpy(inside + 1, inside + 5, 16);", [(16, 4)]),
        ("long a[4], b[4]; memcpy(a, b, 32); g(a);", [(32, 8)]),
        ("strcpy(text, \"six bytes\" + 3);", [(7, 1)]),
        ("strcpy(text, \"sixteen bytes, so\");", [(18, 8)]),
        ("strcpy(p + 1, q);", []),
        ("memcpy(p, q, 9);", []),
        ("memcpy(p, q, 0);", []),
        ("memcpy(p, q, v);", []),
    ],
)  # fmt: skip
def test_copies(body, found):
    unit = replaced(f"void g(long *); void f(void) {{ {body} }}")
    assert copies(unit) == found
    assert ("memcpy" in calls(unit, "f") or "strcpy" in calls(unit, "f")) is not bool(found)


def test_lengths_of_strings():
    assert constants(replaced('int f(void) { return 1 ? 5 : strlen("four"); }'), "f") == [5]
    assert calls(replaced('size_t f(void) { return strlen("four") + strlen(p); }'), "f") == ["strlen"]


def test_functions_of_the_unit_and_wrapped_ones_are_called():
    own = replaced('size_t strlen(const char *s) { return 7; } int f(void) { return strlen("a"); }')
    assert calls(own, "f") == ["strlen"]
    assert calls(replaced("void f(void) { memset(inside, 0, 4); }", ["memset"]), "f") == ["memset"]


PROGRAM = r"""
#include <string.h>
struct pair { short a; char b; long long c; } pairs[2];
char line[40], *end = line;
static unsigned bits(float f) { unsigned u; memcpy(&u, &f, sizeof u); return u; }
static unsigned loaded(const char *p) { unsigned u; memcpy(&u, p, 4); return u; }
static int same(const char *a, const char *b) { while (*a && *a == *b) a++, b++; return *a == *b; }
int main(int argc, char **argv)
{
    struct pair local;
    volatile int none = 0;
    char own[] = "abcdefghijklmnop";
    memset(&local, -1, sizeof local); memset(pairs, none, sizeof pairs); memset(own + 3, 'x', 6);
    memcpy(&pairs[1], &local, sizeof local); memcpy(own + 1, own + 9, 7);
    end = strcpy(end + 1, "to be copied") + strlen("to be copied");
    end = (char *)memcpy(end, "!", 2) + 1; memset(end++, '?', 1);
    return (bits(1.5f) == 0x3fc00000) | (pairs[1].a == -1 && pairs[1].c == -1 && !pairs[0].a) << 1
        | same(own, "ajklmnopxjklmnop") << 2 | same(line + 1, "to be copied!?") << 3 | (end - line == 15) << 4
        | (loaded(own) == loaded(memcpy(line + 3, own, 4))) << 5;
}
"""


@pytest.mark.parametrize(("machine", "level"), some([("riscv32", 2), ("m68020", 2), ("riscv32", "s")], 1))
def test_programs_do_the_same(machine, level, tmp_path):
    source = tmp_path / "a.c"
    source.write_text(PROGRAM)
    assert interpret(Compiler(load(machine), Settings(level=level)).program([str(source)])).exit_status == 0b111111
