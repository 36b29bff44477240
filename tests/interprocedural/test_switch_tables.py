"""Switches that only choose constants read them from tables; others stay."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from units import function, optimized

from vpo import il
from vpo.il.traversal import expressions_of, walk


def tables(text):
    """Return what is in the tables that a function `f` reads, and whether it still has a switch."""
    unit = optimized(text)
    body = function(unit, "f").body
    found = [data for data in unit.data if ".chosen" in data.name]
    return [(data.size // len(data.items), data.items) for data in found], any(isinstance(s, il.Switch) for s in body)


def test_results_are_read_from_the_smallest_cells():
    text = "int f(int k) { switch (k) { case 3: return 1; case 4: return 2; case 5: return 4; case 7: return -1; } return 0; }"
    assert tables(text.replace("return 0", "return k")) == ([], True)  # nothing is known of 6
    text = text.replace("} return 0", "default: return 9; } return 0")
    assert tables(text) == ([(1, [il.IntItem(n, 1, value) for n, value in enumerate((1, 2, 4, 9, -1))])], False)


def test_each_local_has_a_table():
    arms = "".join(f"case {n}: a = {n * 100}; b = {4 - n}; break;" for n in range(4))
    text = f"int g(int, int); int f(int k) {{ int a, b; switch (k) {{ {arms} default: return 0; }} return g(a, b); }}"
    assert tables(text) == ([(2, [il.IntItem(2 * n, 2, 100 * n) for n in range(4)]),
                             (1, [il.IntItem(n, 1, 4 - n) for n in range(4)])], False)  # fmt: skip


def test_strings_and_floating_values():
    arms = "".join(f'case {n}: return "{n}";' for n in range(4))
    (found,), switches = tables(f"char *f(int k) {{ switch (k) {{ {arms} }} return 0; }}")
    assert not switches
    assert [type(item) for item in found[1]] == [il.AddressItem] * 4
    arms = "".join(f"case {n}: return {n}.5;" for n in range(4))
    (found,), switches = tables(f"double f(int k) {{ switch (k) {{ {arms} }} return 0; }}")
    assert found == (8, [il.FloatItem(8 * n, 8, n + 0.5) for n in range(4)])


@pytest.mark.parametrize(
    "arms",
    [
        "case 0: a = 1; break; case 1: a = 2; break; case 2: a = 3; break;",  # few
        "case 0: a = 1; break; case 1: a = 2; break; case 2: b = 3; break; case 3: a = 4; break;",  # not the same
        "case 0: a = 1; break; case 1: a = 2; break; case 2: a = k; break; case 3: a = 4; break;",  # no constant
        "case 0: a = 1; case 1: a = 2; break; case 2: a = 3; break; case 3: a = 4; break;",  # one runs into another
        "case 0: a = 1; break; case 1: a = 2; break; case 2: v = 3; break; case 3: a = 4; break;",  # volatile
        "case 0: a = 1; break; case 1: a = 2; break; case 2: a = 3; break; case 99: a = 4; break;",  # far apart
    ],
)
def test_others_stay(arms):
    text = f"int f(int k) {{ int a = 0, b = 0; volatile int v; switch (k) {{ {arms} default: a = 9; }} return a + b; }}"
    assert tables(text) == ([], True)


def test_masks_are_shifted():
    unit = optimized("unsigned f(unsigned x) { return (x & 0xf00) >> 8; } int g(int x) { return (x & 0xffff0000) >> 16; }")

    def operators(name):
        nodes = (node for s in function(unit, name).body for root in expressions_of(s) for node in walk(root))
        return [(node.operator, node.right.value) for node in nodes if isinstance(node, il.Binary)]

    assert operators("f") == [("and", 15), ("shr", 8)]
    assert operators("g") == [("shr", 16)]
