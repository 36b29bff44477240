"""Objects that may lie anywhere: of types with alignments below the usual, and elements of vectors in packed structures."""

import pytest

from tests.covering import case
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.read.source import machine_names

PROGRAM = """
typedef int anywhere __attribute__((aligned(1)));
typedef int *pointer_anywhere __attribute__((aligned(1)));
typedef struct { int first; short second[2]; } pair __attribute__((aligned(1)));
typedef int four __attribute__((vector_size(4 * sizeof(int))));
struct inner { int a; four v; four more[0]; };
struct __attribute__((packed)) outer { char c; struct inner s; };
struct holder { char c; anywhere x; };
struct __attribute__((packed)) across { unsigned a : 3; long long b : 62; unsigned c : 24; int d : 7; };
struct __attribute__((packed)) three { int b : 24; };
static struct across fields, *at = &fields;
static struct three triples[3];
static long long room[20];
static char c;
static anywhere global = 3;
static void put(anywhere *p, int x) { *p = x; p[1] = x + 1; }
static int get(const pair *p, int i) { return p->first * 100 + p->second[i]; }
static void elements(struct outer *o, int i) { o->s.v[i] = 7; o->s.v[3] = 1; o->s.more[i][i + 1] = 5; }
int main(void)
{
    char *bytes = (char *)room;
    anywhere local = 4, *p = (anywhere *)(bytes + 1);
    pair *q = (pair *)(bytes + 3);
    struct outer *o = (struct outer *)bytes;
    struct holder h = {1, 2};
    int plain = 4;
    put(p, 10);
    if (*p + p[1] != 21) return 1;
    (*q).first = 5, q->second[1] = 6;
    if (get(q, 1) != 506) return 2;
    *(pointer_anywhere *)(bytes + 5) = &plain;
    if (**(pointer_anywhere *)(bytes + 5) != 4) return 3;
    o->c = 0, o->s.v = (four){1, 2, 3, 4};
    elements(o, 0);
    if (o->s.v[0] + o->s.v[1] + o->s.v[3] != 10 || o->s.more[0][1] != 5) return 4;
    at->b = -0x123456789abcde5, at->c = 0xabcdef, at->d = -3, at->a = 5;
    if (at->b != -0x123456789abcde5 || at->c != 0xabcdef || at->d != -3 || at->a != 5 || sizeof *at != 12) return 5;
    at->b += 6, at->c++;
    if (at->b != -0x123456789abcddf || at->c != 0xabcdf0 || at->d != -3 || at->a != 5) return 6;
    bytes[9] = 77, triples[0].b = -5, triples[2].b = 7, triples[1].b = triples[0].b * 1000 + triples[2].b;
    if (triples[1].b != -4993 || triples[0].b != -5 || triples[2].b != 7 || sizeof triples != 9) return 7;
    return h.x + global + local + c;
}
"""


USUAL = {("sparc", 2), ("m68020", 0)}
CASES = [(name, level) for name in machine_names() for level in (0, 1, 2)]


@pytest.mark.parametrize(("name", "level"), [case(*each, usual=each in USUAL) for each in CASES])
def test_such_objects_are_read_and_written(name, level, tmp_path):
    source = tmp_path / "prog.c"
    source.write_text(PROGRAM)
    outcome = interpret(Compiler(load(name), Settings(level=level)).program([str(source)]))
    assert (outcome.fault, outcome.exit_status) == (None, 9)
