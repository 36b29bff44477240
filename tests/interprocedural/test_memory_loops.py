"""Loops that become calls of memset and memcpy, those that do not, and random ones, which do the same as before."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "frontend"))
from il_to_c import GCC_FLAGS, LP64, print_c
from test_programs import require, run
from units import P8, calls, function

from vpo import il
from vpo.frontend import compile_c
from vpo.il.uses import locals_used
from vpo.interprocedural import memory_loops
from vpo.interprocedural.memory_loops import replace_memory_loops

HEAD = """
int a[100], b[100], limit; double x[50], y[50]; char text[100]; short *heap; unsigned char *bytes; volatile int port;
struct { int n; short part[8]; } s; void g(int *);
"""


def made(body, kept=()):
    unit = compile_c("test.c", LP64, source=f"{HEAD} void f(int n, int k, short *q) {{ {body} }}")
    replace_memory_loops(unit, P8, LP64, kept)
    return unit


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("for (int i = 0; i < 100; i++) a[i] = 0;", "memset"),
        ("for (int i = 0; i <= n; i++) a[i] = -1;", "memset"),
        ("for (int i = 0; i < n; i++) x[i] = 0.0;", "memset"),
        ("for (int i = n; i >= 0; i--) text[i] = k;", "memset"),
        ("for (int i = 0; i < limit; i++) a[k * 10 + i] = b[i];", "memcpy"),
        ("for (int i = k; i < n; ++i) y[i] = x[i + 3];", "memcpy"),
        ("for (int i = 0; i < 8; i++) s.part[i] = 0;", "memset"),
        ("while (n-- > 0) *q++ = 0;", "memset"),
        ("for (short *p = q; p != q + k; p++) *p = 0x101;", "memset"),
        ("unsigned char *p = bytes; do *p++ = k; while (--n > 0);", "memset"),
        ("for (int i = 0; i < n; i++) { a[i] = 0; b[i] = 0; }", "memset"),
        ("short t[9]; t[k] = k; for (int i = 0; i < n; i++) q[i] = t[i];", "memcpy"),  # no pointer points to t
        ("int *p = a, *r = b + 1; for (int i = 0; i < n; i++) *p++ = *r++;", "memcpy"),  # in different objects
        ("int *p = a + 50, i = 9; while (i-- > 0) *--p = b[i];", "memcpy"),
    ],
)
def test_becomes_a_call(body, called):
    assert set(calls(made(body), "f")) == {called}


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) a[i] = 1;",  # bytes that differ
        "for (int i = 0; i < n; i++) x[i] = -0.0;",
        "for (int i = 0; i < n; i++) a[2 * i] = 0;",  # with gaps
        "for (int i = 0; i < n; i++) a[i + 1] = a[i];",  # what was just stored is read
        "for (int i = 0; i < n; i++) heap[i] = s.part[i];",  # perhaps the same object
        "int *p = a, *r = a + 1; for (int i = 0; i < n; i++) *p++ = *r++;",
        "int *p = a, *r = b; if (k) r = a; for (int i = 0; i < n; i++) *p++ = *r++;",
        "for (int i = 0; i < limit; i++) heap[i] = 0;",  # which may change the limit
        "for (int i = 0; i < n; i++) a[i] = port;",
        "int t[9]; g(t); for (int i = 0; i < n; i++) q[i] = t[i];",
        "short t[9]; q = t + k; for (int i = 0; i < n; i++) q[i] = t[i];",
        "for (int i = 0; i < n; i++) { a[i] = 0; if (i == k) break; }",
        "for (int i = 0; i < n; i++) { a[i] = 0; b[i] = -1; }",
        "for (int i = 0; i < n; i++) { a[i] = 0; g(b); }",
        "for (char i = 0; i != 10; i++) a[i] = 0;",  # may wrap
        "int i = 0; g(&i); for (; i < n; i++) a[i] = 0;",  # may be changed by a pointer
        "for (unsigned i = k; i != n; i++) a[i] = 0;",  # may wrap, and an address does not
        "for (unsigned i = k; i < n; i++) a[i + 3] = 0;",
        "for (int i = 0; i != n; i += 3) text[i] = 0;",
        "if (n) goto in; for (int i = 0; i < n; i++) { in: a[i] = 0; }",
    ],
)
def test_stays(body):
    assert not {"memset", "memcpy"} & {*calls(made(body), "f")}


def test_own_functions_and_kept_ones_stay():
    loop = "for (int i = 0; i < 100; i++) a[i] = 0;"
    assert calls(made(loop, kept=["memset"]), "f") == []
    text = f"{HEAD} void *memset(void *p, int c, unsigned long n) {{ char *q = p; while (n--) *q++ = c; return p; }}"
    unit = compile_c("test.c", LP64, source=text)
    replace_memory_loops(unit, P8, LP64)
    assert calls(unit, "memset") == []


def test_size_is_a_number_where_the_rounds_are():
    unit = made("for (int i = 10; i <= 19; i++) a[i] = 0;")
    (call,) = (s for s in function(unit, "f").body if isinstance(s, il.Call))
    assert [argument.value for argument in call.arguments[1:]] == [0, 40]


def a_loop(seed):
    """Return a function of three numbers and a pointer that fills or copies in some way, and returns what is left over."""
    pick = random.Random(seed)
    kind = pick.choice(["char", "short", "int", "long"])
    counter = pick.choice(["int", "unsigned", "long", "unsigned long"])
    up = pick.random() < 0.6
    first, last = ("k", "n") if up else ("n", "k")
    if pick.random() < 0.3:
        first, last = ("3", "20") if up else ("20", "3")
    relation = pick.choice(["<", "<=", "!="]) if up else pick.choice([">", "!="])
    if relation == "!=" and first in "kn":
        relation = "<" if up else ">"
    step = "++" if up else "--"
    to = f"({kind} *)to"
    value = pick.choice(
        ["0", "-1", "c" if kind == "char" else "0", f"(({kind} *)from)[i + 2]", f"(({kind} *)from)[i + c % 4]"]
    )
    target = pick.choice([f"({to})[i]", f"({to})[i + 1]", f"({to})[i + c % 4]", f"({to})[2 * i]"])
    body = f"{target} = {value};" + pick.choice(["", " j++;", " j += 4;", " p++;"])
    lines = {
        "for": f"for (i = {first}; i {relation} {last}; i{step}) {{ {body} }}",
        "do": f"i = {first}; do {{ {body} i{step}; }} while (i {relation} {last});",
        "post": f"i = {first}; while (i{step} {relation} {last}) {{ {body} }}",
        "pointer": f"i = 1; {kind} *q = {to} + k, *e = {to} + n; {pick.choice(['while', 'for (;'])}"
        f"(q {pick.choice(['<', '!='])} e{{}}) *q++ = {pick.choice(['0', 'c', '-1'])};",
    }
    text = lines[pick.choice([*lines])]
    text = text.format(";" if "for (;" in text else "") if "*q" in text else text
    text = text.replace("for (;(", "for (; ")
    return (
        f"long f{seed}(long n, long k, int c) {{ {counter} i; long j = c; char *p = 0;"
        f" {text} return (long)i * 3 + j + (long)p; }}"
    )


def test_random_loops_do_the_same(tmp_path):
    require("gcc")
    count = 150
    calls_of_all = "".join(
        f"for (n = 0; n < 24; n += 5) for (k = 0; k <= n; k += 4) {{ fill(); show({seed}, f{seed}(n, k + (n != k), 7)); }}\n"
        for seed in range(count)
    )
    source = f"""
    int printf(const char *, ...); void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
    char to[800], from[800];
    {"".join(map(a_loop, range(count)))}
    void fill(void) {{
        unsigned v = 1;
        for (int i = 0; i < 800; i++) {{ v = v * 69069 + 1; to[i] = v >> 8; from[i] = v >> 16; }}
    }}
    void show(int seed, long r) {{
        unsigned h = 0;
        for (int i = 0; i < 800; i++) h = h * 31 + to[i];
        printf("%d %ld %u\\n", seed, r, h);
    }}
    int main(void) {{ long n, k; {calls_of_all} return 0; }}
    """
    outputs = []
    replaced = 0
    for change in (False, True):
        unit = compile_c("test.c", LP64, source=source)
        if change:
            replace_memory_loops(unit, P8, LP64)
            replaced = sum(bool({"memset", "memcpy"} & {*calls(unit, f"f{seed}")}) for seed in range(count))
        text, binary = tmp_path / f"{change}.c", tmp_path / f"{change}"
        text.write_text(print_c(unit))
        subprocess.run(["gcc", *GCC_FLAGS, "-O0", text, "-o", binary], check=True)
        outputs.append(run(binary))
    assert outputs[0] == outputs[1]
    assert outputs[0][1]
    assert replaced > count // 3


@pytest.mark.parametrize(
    "body",
    [
        "int t = k; for (int i = 0; i < n; i++) { t = b[i]; a[i] = t; } g(a + t);",
        "int t = k; while (limit--) { g(a + t); for (int i = 0; i < n; i++) { t = b[i]; a[i] = t; } }",  # the next time around
    ],
)
def test_what_a_round_leaves_may_be_wanted_on_either_side(body):
    assert set(calls(made(body), "f")) == {"g"}
    nowhere = body.replace("int t = k", "int t").replace("a + t", "a")
    assert "memcpy" in set(calls(made(nowhere), "f"))


def test_statements_are_not_looked_at_again_for_each_loop(monkeypatch):
    loop = "{ int t; for (int i = 0; i < n; i++) { t = b[i]; a[i] = t + 1; } }"
    seen = []
    monkeypatch.setattr(memory_loops, "locals_used", lambda body: seen.extend(body) or locals_used(body))
    unit = made(loop * 30)
    assert 0 < len(seen) <= len(unit.functions[0].body)
