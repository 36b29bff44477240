"""Which aggregates become scalars, and where they are put together again."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from units import P8, function, optimized

sys.path.insert(0, str(Path(__file__).parents[1] / "frontend"))
from il_to_c import LP64

from vpo import il
from vpo.frontend import compile_c
from vpo.il.traversal import expressions_of, walk
from vpo.interprocedural import Inlining, optimize_unit

TYPES = """
struct pair { int a, b; }; struct mixed { char c; double d; struct pair p; }; union number { int i; float f; short s[2]; };
union wide { int i[3]; short s[6]; };
struct pair given(void); void taken(struct pair); void seen(void *);
"""


def aggregates(text, name="f"):
    """Return the names of the aggregate locals that a function of a C text keeps."""
    body = function(optimized(TYPES + text), name)
    return [local.name for local in body.locals if local.type is None]


def copies(text, name="f"):
    return sum(isinstance(statement, il.Copy) for statement in function(optimized(TYPES + text), name).body)


@pytest.mark.parametrize(
    "text",
    [
        "int f(int x) { struct pair p = {x, 1}, q = p; q.b += x; return q.a * q.b; }",
        "double f(struct mixed *m) { struct mixed n = *m, k = n; k.p.b++; *m = k; return n.d; }",
        "int f(int x) { struct mixed m = {0}; m.p.a = x; struct pair p = m.p; return p.a + p.b + m.c; }",
        "int f(int x) { int a[3] = {x, x + 1}; a[2] = a[0] * a[1]; return a[2] - a[1]; }",
        "static void set(struct pair *p, int x) { p->a = x; p->b = 1; }"
        "int f(int x) { struct pair p; set(&p, x); return p.a + p.b; }",
        "int f(int x) { struct pair p = {x, 1}; struct { struct pair *at; } s = {&p}; s.at->b = x; return p.b; }",
        "static struct pair sum(struct pair p, struct pair q) { struct pair r = {p.a + q.a, p.b + q.b}; return r; }"
        "int f(int x) { struct pair p = {x, 1}; p = sum(p, p); return sum(p, p).b; }",
        "union u { struct pair p, q; }; int f(int x) { union u u; u.p.a = x; u.q.b = x; return u.q.a + u.p.b; }",
    ],
)  # fmt: skip
def test_members_become_scalars(text):
    assert aggregates(text) == []
    assert copies(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        "int f(int x) { union number n; n.f = x; return n.i; }",
        "int f(int x) { union wide n; n.i[1] = x; return n.s[2]; }",
        "int f(int x) { union wide n, m; n.i[0] = x; m = n; return m.s[1]; }",
        "int f(int x) { struct pair p = {x, 1}; seen(&p); return p.a; }",
        "int f(int x) { int a[2] = {1, 2}; return a[x]; }",
        "int f(int x) { volatile struct pair p = {x, 1}; return p.a; }",
        "int f(int x) { struct mixed p = {x, 1}; return *(short *)((char *)&p + 7); }",
        "int f(int x) { struct pair p = {x, 1}, *q = x ? &p : 0; q->a = 3; return q ? q->b : 0; }",
    ],
)
def test_what_is_seen_otherwise_stays_whole(text):
    assert aggregates(text)


@pytest.mark.parametrize(
    "text",
    [
        "int f(int x) { union number n; n.i = x; return n.s[1]; }",
        "int f(int x) { union number n, m; n.i = x; m = n; return m.s[1]; }",
        "int f(int x) { struct pair p = {x, 1}; return *(short *)((char *)&p + 3); }",
        "int f(struct pair p) { return p.a - p.b; }",
    ],
)
@pytest.mark.parametrize("big_endian", [False, True])
def test_what_fits_into_a_word_is_held_in_one(text, big_endian):
    unit = compile_c("test.c", LP64, source=TYPES + text)
    optimize_unit(unit, P8, Inlining(15), big_endian=big_endian)
    body = function(unit, "f")
    assert not [load for s in body.body for root in expressions_of(s) for load in walk(root)
                if isinstance(load, il.Load) and load.type.size < 4]  # fmt: skip
    held = [local.name for local in body.locals if local.type == il.Type("U", 8 if "pair" in text else 4)]
    assert held


def test_bytes_that_are_only_copied_are_copied_too():
    text = "int f(struct mixed *m) { struct mixed n = *m; int old = n.p.a; n.p.a = 3; m[1] = n; return old; }"
    assert aggregates(text) == []
    stores = [s.address for s in function(optimized(TYPES + text), "f").body if isinstance(s, il.Store)]
    assert [address.right.value for address in stores if isinstance(address, il.Binary)] == [8, 16, 20]  # behind c: d, a, b


def test_aggregates_that_are_only_handed_over_stay_whole():
    assert aggregates("void f(void) { taken(given()); }") == ["t.1"]
    assert aggregates("int f(void) { return given().a; }") == ["t.1"]


def test_a_result_is_put_together_in_one_place():
    text = "struct pair f(int x) { struct pair p = {x, 1}; while (p.a < 9) { p.a += p.b; if (p.a == 7) return p; } return p; }"
    body = function(optimized(TYPES + text), "f").body
    assert aggregates(text) == ["result"]
    assert {statement.value.address.local.name for statement in body if isinstance(statement, il.Return)} == {"result"}


def test_an_address_is_computed_before_a_copy_changes_it():
    text = "struct link { struct link *next; int n; }; int f(struct link *l) { struct link a = *l; a = *a.next; return a.n; }"
    body = function(optimized(text), "f").body
    assert any(isinstance(statement, il.Store) and statement.address.local.name == "at" for statement in body)
