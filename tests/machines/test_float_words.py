"""Floating arguments that use up words of the others but travel in registers of their own; room that only some calls need."""

import subprocess

import pytest

from tests.kept_machines import load
from tests.machines.conformance.test_conformance import OPTIONS, run, tools
from vpo import il
from vpo.build.compiler import Compiler, Settings
from vpo.expand.argument_passing import Assigner
from vpo.link.assembly import assembly
from vpo.link.link import link

MACHINE = "powerpc64le"
LONG, FLOAT, DOUBLE = il.Type("I", 8), il.Type("F", 4), il.Type("F", 8)

TYPES = """
struct f8 { float a[8]; };
struct f3 { float x, y, z; };
struct d3 { double a[3]; };
struct w3 { long a, b, c; };
int many(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j, double k,
         double l, double m, double n, int o, float p);
int singles(float a, float b, float c, float d, float e, float f, float g, float h, float i, float j, struct w3 w);
int halves(struct f8 a, struct f8 b, int c, float d);
int behind(struct f8 a, struct w3 w, struct f8 b, float c, int d);
int beyond(struct w3 a, struct w3 b, struct w3 c, struct f8 d, struct f3 e, struct f3 f, struct d3 g);
int some(int n, double x, ...);
"""
CALLEES = """
#include <stdarg.h>
#define NEXT(x) (s = s * 3 + (int)(4 * (x)))
static int eight(struct f8 *p) { int s = 0; for (int i = 0; i < 8; i++) NEXT(p->a[i]); return s & 65535; }
static int three(struct w3 *p) { int s = p->a; NEXT(p->b); NEXT(p->c); return s; }
int many(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j, double k,
         double l, double m, double n, int o, float p)
{
    int s = a;
    NEXT(b); NEXT(c); NEXT(d); NEXT(e); NEXT(f); NEXT(g); NEXT(h); NEXT(i); NEXT(j); NEXT(k); NEXT(l); NEXT(m); NEXT(n);
    NEXT(o);
    return NEXT(p);
}
int singles(float a, float b, float c, float d, float e, float f, float g, float h, float i, float j, struct w3 w)
{
    int s = a;
    NEXT(b); NEXT(c); NEXT(d); NEXT(e); NEXT(f); NEXT(g); NEXT(h); NEXT(i); NEXT(j);
    return NEXT(three(&w));
}
int halves(struct f8 a, struct f8 b, int c, float d) { int s = eight(&a); NEXT(eight(&b)); NEXT(c); return NEXT(d); }
int behind(struct f8 a, struct w3 w, struct f8 b, float c, int d)
{
    int s = eight(&a);
    NEXT(three(&w)); NEXT(eight(&b)); NEXT(c);
    return NEXT(d);
}
int beyond(struct w3 a, struct w3 b, struct w3 c, struct f8 d, struct f3 e, struct f3 f, struct d3 g)
{
    int s = three(&a);
    NEXT(three(&b)); NEXT(three(&c)); NEXT(eight(&d)); NEXT(e.x); NEXT(e.y); NEXT(e.z); NEXT(f.x); NEXT(f.y); NEXT(f.z);
    NEXT(g.a[0]); NEXT(g.a[1]);
    return NEXT(g.a[2]);
}
int some(int n, double x, ...)
{
    va_list p;
    int s = x;
    va_start(p, x);
    while (n--) { NEXT(va_arg(p, double)); NEXT(va_arg(p, int)); struct f3 f = va_arg(p, struct f3); NEXT(f.y); NEXT(f.z); }
    va_end(p);
    return s;
}
"""
CALLERS = """
static struct f8 eight_from(float x) { struct f8 r; for (int i = 0; i < 8; i++) r.a[i] = x + i * i; return r; }
int differences(int (*by_pointer)(int, double, ...))
{
    struct w3 w = {1, 2, 3}, v = {4, 5, 6}, u = {7, 8, 9};
    struct f3 f = {1.5f, 2.5f, 3.5f}, g = {4.5f, 5.5f, 6.5f};
    struct d3 d = {{0.5, 0.25, 1.25}};

    return (many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16.5f) != MANY)
        | (singles(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, w) != SINGLES) << 1
        | (halves(eight_from(1), eight_from(0.5f), 7, 9.5f) != HALVES) << 2
        | (behind(eight_from(1), w, eight_from(2), 9.5f, 9) != BEHIND) << 3
        | (beyond(w, v, u, eight_from(1), f, g, d) != BEYOND) << 4
        | (by_pointer(3, 1.5, 2.5, 3, f, 4.5, 5, g, 6.5, 7, f) != SOME) << 5;
}
"""
EXPECTED = {"MANY": 86093409, "SINGLES": 354405, "HALVES": 1408010, "BEHIND": 3530562, "BEYOND": -2085295073, "SOME": 3362579}
DRIVER = """
int many(), singles(), halves(), behind(), beyond(), some(int, double, ...), differences(int (*)(int, double, ...));
int (*volatile kept[])() = {many, singles, halves, behind, beyond};
int main(void) { return kept[0] && kept[1] && kept[2] && kept[3] && kept[4] ? differences(some) : 255; }
"""


def named(place):
    return [repr(register) for register in place.registers] or place.offset


def test_floating_arguments_use_up_words():
    assigner = Assigner(load(MACHINE))
    assert [named(assigner.scalar(type_)) for type_ in (LONG, FLOAT, LONG, DOUBLE)] == [["r[3]"], ["e[1]"], ["r[5]"], ["f[2]"]]
    more = [assigner.scalar(DOUBLE) for _ in range(12)]
    assert [named(place) for place in more[:11]] == [[f"f[{i}]"] for i in range(3, 14)]
    assert (named(more[-1]), more[-1].on_stack) == (56, 1)
    assert named(assigner.scalar(LONG)) == 64


def test_members_for_which_no_register_is_left_travel_in_their_words():
    assigner = Assigner(load(MACHINE))
    eight = tuple((4 * i, FLOAT) for i in range(8))
    assert len(assigner.aggregate(32, 4, eight).members) == 8
    place = assigner.aggregate(32, 4, eight)
    assert [register.index for register in place.registers] == [9, 10, 11, 12, 13]
    assert (place.start, named(place.rest), place.rest.size) == (16, ["r[9]", "r[10]"], 16)
    assert assigner.scalar(LONG).offset == 0


def compiled(folder, callers):
    """The two halves with what is expected, and our part of them: the callers, or the callees."""
    defined = "".join(f"#define {name} {value}\n" for name, value in EXPECTED.items())
    for name, text in (("callers.c", TYPES + defined + CALLERS), ("callees.c", TYPES + CALLEES), ("driver.c", DRIVER)):
        (folder / name).write_text(text)
    return ("callers.c", "callees.c") if callers else ("callees.c", "callers.c")


@pytest.mark.tools
@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("callers", [True, False])
def test_another_compiler_agrees(callers, level, tmp_path):
    machine = load(MACHINE)
    commands = tools(machine)
    ours, theirs = compiled(tmp_path, callers)
    compiler = Compiler(machine, Settings(level=level))
    units = [compiler.unit(str(tmp_path / file)) for file in (ours, "driver.c")]
    elsewhere = frozenset({"_many", "_singles", "_halves", "_behind", "_beyond", "_some"} if callers else {"_differences"})
    program = link(units, machine, compiler.library, elsewhere)
    (tmp_path / "ours.s").write_text(assembly(machine, program.functions.values(), program.data))
    run([*commands["assembler"], "-o", tmp_path / "ours.o", tmp_path / "ours.s"])
    run([*commands["compiler"], *OPTIONS, "-o", tmp_path / "theirs.o", tmp_path / theirs])
    run([*commands["linker"], "-o", tmp_path / "program", tmp_path / "ours.o", tmp_path / "theirs.o"])
    assert subprocess.run([*commands["emulator"], tmp_path / "program"], check=False).returncode == 0


def test_room_for_arguments_in_registers_is_left_where_callees_may_use_it(tmp_path):
    source = tmp_path / "room.c"
    source.write_text(
        "int one(int), old(), more(int, ...), nine(int, int, int, int, int, int, int, int, int);\n"
        "void a(void) { one(1); }\n"
        "void b(void) { old(1); }\n"
        "void c(void) { more(1, 2); }\n"
        "void d(void) { nine(1, 2, 3, 4, 5, 6, 7, 8, 9); }\n"
    )

    def room(settings):
        unit = Compiler(load(MACHINE, settings), Settings(level=0)).unit(str(source))
        return [function.outgoing for function in unit.functions]

    assert room([]) == [32, 96, 96, 104]
    assert room(["calls.homes=always"]) == [96, 96, 96, 104]
