"""At -O2 a way that returns early saves no registers and makes no frame; below, all ways do."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

TEXT = "int g(int); int f(int n) { return n < 2 ? n : g(n - 1) + g(n - 2) * n; }"
TREE = "typedef struct N { struct N *l, *r; int v; } N; int f(N *n) { if (!n) return 0; return n->v + f(n->l) + f(n->r); }"
WALK = "typedef struct N { struct N *l, *r; } N; int c; void f(N *n) { while (n) { f(n->l); c++; n = n->r; } }"
BUFFER = "int f(int *a, int n) { int b[9]; if (n <= 0) return 0; for (int i = 0; i < n; i++) b[a[i] % 9] = i; return b[*a]; }"

MAYBE = "int g(int); int f(int *p, int n) { if (n & 4) return 0; int s = 9; if (p[1]) s = g(s); if (*p) s += g(s); return s; }"


def function(text, machine, level, tmp_path):
    path = tmp_path / "f.c"
    path.write_text(text)
    return Compiler(load(machine), Settings(level=level)).unit(str(path)).functions[-1]


def moves_of(function, machine):
    """Return the labels of the blocks that move the stack pointer."""
    sp = load(machine).stack_pointer
    return [block.label for block in function.blocks for rtl in block.rtls if sp in rtl.sets and rtl.call is None]


@pytest.mark.parametrize(("text", "level", "early"), [(TEXT, 1, False), (TEXT, 2, True), (TREE, 2, True), (MAYBE, 2, True)])
@pytest.mark.parametrize("machine", ["riscv32", "m88100", "arm", "x86_64"])
def test_early_returns_save_nothing(machine, text, level, early, tmp_path):
    """Nor do they where what needs the registers is not always reached behind them."""
    found = function(text, machine, level, tmp_path)
    assert any(rtl.cause == "save" for rtl in found.rtls())
    assert any(rtl.cause == "save" for rtl in found.blocks[0].rtls) is not early


@pytest.mark.parametrize("text", [TEXT, TREE, WALK, BUFFER])
@pytest.mark.parametrize("machine", ["riscv32", "arm"])
def test_early_returns_make_no_frame(machine, text, tmp_path):
    found = function(text, machine, 2, tmp_path)
    assert found.frame
    moves = moves_of(found, machine)
    assert moves
    assert found.blocks[0].label not in moves
    assert all(block.label not in moves for block in found.blocks if len(block.rtls) == 2 and "PC=" in repr(block.rtls[1]))


def test_frames_whose_addresses_are_known_stay_until_a_return(tmp_path):
    found = function(BUFFER, "riscv32", 2, tmp_path)
    places = [block.label for block in found.blocks]
    first, last = moves_of(found, "riscv32")
    assert places.index(first) < places.index(last)
    assert "RT" in repr(found.blocks[places.index(last)].rtls[-1])
