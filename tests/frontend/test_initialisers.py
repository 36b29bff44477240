"""Initialisers of static objects, as data."""

import sys
import tracemalloc
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64

from vpo import il
from vpo.frontend import compile_c


def data_of(text, name="v"):
    unit = compile_c("data.c", LP64, source=text)
    return next(data for data in unit.data if data.name == name)


def ints(*pairs, size=4):
    return [il.IntItem(offset, size, value) for offset, value in pairs]


RUN = ", ".join(map(str, range(17))) + ",\n-1, 0x101, 0"
CASES = [
    ("int v = 1 + 2 * 3;", ints((0, 7))),
    ("int v[] = { 1, [3] = 4, 5, [1] = 2 };", ints((0, 1), (4, 2), (12, 4), (16, 5))),
    ("int v[2][2] = { 1, 2, 3 };", ints((0, 1), (4, 2), (8, 3))),
    ("int v[2][2] = { { 1 }, { 2 } };", ints((0, 1), (8, 2))),
    ("struct { int a[2]; struct { int x, y; } p; } v = { .p.y = 9, .a = { 1, 2 } };", ints((0, 1), (4, 2), (12, 9))),
    ("struct { int a, b, c; } v[2] = { [1] = { .b = 2, 3 } };", ints((16, 2), (20, 3))),
    ("struct { struct { int x, y; } p[2]; int z; } v = { .p[1].x = 5, 6, 7 };", ints((8, 5), (12, 6), (16, 7))),
    ("struct { int a; union { int b; long c; }; } v = { 1, .c = 2 };", [*ints((0, 1)), il.IntItem(8, 8, 2)]),
    ("int v[3] = { 1, 2, 3, [0] = 9 };", ints((0, 9), (4, 2), (8, 3))),
    ("union { int a; double d; } v = { .d = 1.5 };", [il.FloatItem(0, 8, 1.5)]),
    ('char v[] = "ab";', [il.BytesItem(0, b"ab\0")]),
    (
        "char v[] = { 'a', 'b', '0' + sizeof(int), 'd', 0, 'e', 'f' };",
        [il.BytesItem(0, b"ab4d"), *ints((5, 101), (6, 102), size=1)],
    ),
    ('char v[] = { "ab" };', [il.BytesItem(0, b"ab\0")]),
    ('char v[2] = "ab";', [il.BytesItem(0, b"ab")]),
    ('char v[4] = "a\\0" "\\x41";', [il.BytesItem(0, b"a\0A\0")]),
    ("char v[2][3] = { \"ab\", { 'x' } };", [il.BytesItem(0, b"ab\0"), il.IntItem(3, 1, 120)]),
    ("int a[4]; int *v = a + 2;", [il.AddressItem(0, "a", 8)]),
    ("int a[4]; int *v = &a[3] - 1;", [il.AddressItem(0, "a", 8)]),
    ("struct { int x; int y[3]; } s; int *v = &s.y[1];", [il.AddressItem(0, "s", 8)]),
    ("int f(void); int (*v)(void) = f;", [il.AddressItem(0, "f", 0)]),
    ("int a; long v = (long)&a + 4;", [il.AddressItem(0, "a", 4)]),
    ("int *v = (int *)16;", [il.IntItem(0, 8, 16)]),
    ("int *v = 0;", []),
    ("double v = 1;", [il.FloatItem(0, 8, 1.0)]),
    ("float v = 0.1;", [il.FloatItem(0, 4, 0.10000000149011612)]),
    ("unsigned char v = 300;", [il.IntItem(0, 1, 44)]),
    ("_Bool v = 0.5;", [il.IntItem(0, 1, 1)]),
    ("enum { A = 3, B } v = B;", ints((0, 4))),
    ("int v = sizeof(int[3]) == 12 ? 1 : 1 / 0;", ints((0, 1))),
    ("int v = (1 || 1 / 0) + (char)300 + (5 > 3u) + !0 + ~0 + (-7 >> 1);", ints((0, 1 + 44 + 1 + 1 - 1 - 4))),
    ("struct P { int x, y; }; struct P v = (struct P){ 1, 2 };", ints((0, 1), (4, 2))),
    ("struct S { char a; int m[4]; }; int v = (int)(unsigned long)&((struct S *)0)->m[2];", ints((0, 12))),
    ("int v[] = { [2] = 1 };", ints((8, 1))),
    ("int v[1][2] = { { 1, 2 }, [0] = { 3 } };", ints((0, 3))),
    (
        "struct { unsigned a : 4, b : 12, c : 16; } v[2] = { { 1, 2, 3 }, [0].b = 5, [1].c = 1, [1].a = 7 };",
        [il.BytesItem(0, b"\x51\x00\x03\x00\x07"), il.BytesItem(6, b"\x01\x00")],
    ),
    (
        "int v[6] = { 1, 2, 3, 4, [1] = 9, [5] = 8, [4] = 7, [0] = 6 };",
        ints((0, 6), (4, 9), (8, 3), (12, 4), (16, 7), (20, 8)),
    ),
    (f"unsigned char v[20] = {{ {RUN} }};", [il.BytesItem(1, bytes([*range(1, 17), 255, 1]))]),
    (
        f"int v[] = {{ {RUN}, [2] = 99, [20] = 1 }};",
        ints((4, 1), (8, 99), *((4 * i, i) for i in range(3, 17)), (68, -1), (72, 257), (80, 1)),
    ),
]


@pytest.mark.parametrize(("text", "items"), CASES, ids=[text for text, _ in CASES])
def test_items(text, items):
    assert data_of(text).items == items


def test_strings_are_shared_and_constant():
    unit = compile_c("data.c", LP64, source='char *a = "same", *b = "same", *c = "other";')
    names = [item.symbol for data in unit.data for item in data.items if isinstance(item, il.AddressItem)]
    assert names[0] == names[1] != names[2]
    assert all(data.constant and data.static for data in unit.data if data.name.startswith("str."))


def test_kinds_of_definition():
    text = "int t; static int s; const int c = 3; extern int e; int t; int x[]; static int s;"
    found = {data.name: data for data in compile_c("data.c", LP64, source=text).data}
    assert sorted(found) == ["c", "s", "t", "x"]
    assert (found["t"].tentative, found["s"].tentative, found["s"].static) == (True, False, True)
    assert found["c"].constant
    assert found["x"].size == 4


def test_block_statics_have_names_of_their_own():
    text = "int f(void) { static int n = 1; { static int n = 2; n++; } return n; }"
    found = [data.name for data in compile_c("data.c", LP64, source=text).data]
    assert len(set(found)) == 2
    assert all(name.startswith("n.") for name in found)


def test_runs_of_constants_are_lean():
    """Plain constants take neither a token nor a node each."""
    text = "unsigned char v[] = { " + ",".join(str(i % 256) for i in range(100_000)) + " };"
    tracemalloc.start()
    unit = compile_c("data.c", LP64, source="", preprocessed=text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    *runs, last = unit.data[0].items
    assert b"".join(item.data for item in runs) == bytes(i % 256 for i in range(1, 99_999))
    assert last == il.IntItem(99_999, 1, 99_999 % 256)
    assert peak < 100 * 100_000


def test_places_in_runs_of_constants():
    warnings = []
    text = "int v[18] = {\n" + "1, 2,\n" * 10 + "0x3 };"
    compile_c("data.c", LP64, source=text, warn=warnings.append)
    assert [str(warning) for warning in warnings] == [
        "data.c:11:1: warning: excess elements in initializer [-Wexcess-initializers]"
    ]
