"""Steps of signed variables in loops, and sums of indices, are made with all bits of a register: they do not overflow in C."""

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.text import show_effects

SOURCE = """
int stepped(int *a, int n) { int s = 0; for (int i = 0; i <= n; i += 2) s ^= a[i]; return s; }
int beside(int *a, int n) { int s = 0; for (int i = n; i != 0; i -= 3) s ^= a[i + 1] ^ a[i - n]; return s; }
int product(int *a, int n, int k) { return a[n * k + 3]; }
int far(int *a, int n) { int s = 0; for (int i = 0; s <= n; i += 4096) s ^= a[i & 7]; return s; }
int once(int i) { i = i + 1; return i; }
int summed(int *a, int n) { int s = 0, t = 0; for (int *p = a; p < a + n; p++) { s = s + *p; t = t * 5 + 1; } return s ^ t; }
int unsign(int *a, unsigned n) { int s = 0; for (unsigned i = 0; i != n; i++) s ^= a[i + 1]; return s; }
"""
WIDE = {"stepped", "beside", "product"}


def test_only_small_steps_in_loops_and_indices_are_wide(tmp_path):
    source = tmp_path / "steps.c"
    source.write_text(SOURCE)
    functions = Compiler(load("riscv64"), Settings(1, phases=())).unit(str(source)).functions
    narrow = {f.name[1:] for f in functions if any("trL" in show_effects(rtl.effects) for rtl in f.rtls())}
    assert narrow == {f.name[1:] for f in functions} - WIDE
