"""At -Os loops end with their test: a copy of it where that takes no more room than a jump, else the test itself."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.rtl import Jump

SOURCE = r"""
int a[10] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3}, limit = 7;
struct list { struct list *next; int v; } last = {0, 8}, first = {&last, 9};
__attribute__((noinline)) int known(void) { int s = 0; for (int i = 0; i < 10; i++) s += a[i]; return s; }
__attribute__((noinline)) int given(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
__attribute__((noinline)) int loaded(int *a, int *n) { int s = 0; for (int i = 0; i < *n; i++) s += a[i], a[i] = 1; return s; }
__attribute__((noinline)) int text(char *p) { int n = 0; while (*p++) n++; return n; }
__attribute__((noinline)) int chain(struct list *p) { int s = 0; for (; p; p = p->next) s += p->v; return s; }
__attribute__((noinline)) int two(int *a, int n) { int i = 0; while (i < n && a[i] != 9) i++; return i; }
int main(void)
{
    return (known() == 39) | (given(a, 4) == 9) << 1 | (text("text") == 4) << 2 | (chain(&first) == 17) << 3
        | (two(a, 10) == 5) << 4 | (loaded(a, &limit) == 25) << 5 | (given(a, 0) + text("") + chain(0) == 0) << 6;
}
"""


@pytest.mark.parametrize("machine", ["riscv32", "m68020"])
def test_no_loop_ends_with_a_jump_to_its_test(machine, tmp_path):
    source = tmp_path / "a.c"
    source.write_text(SOURCE)
    program = Compiler(load(machine), Settings(level="s", check="invariants")).program([str(source)])
    for name in ("_known", "_given", "_loaded", "_text", "_chain"):
        function = program.functions[name]
        places = {block.label: place for place, block in enumerate(function.blocks)}
        jumps = [
            place - places[effect.label]
            for place, block in enumerate(function.blocks)
            for rtl in block.rtls
            for effect in rtl.effects
            if isinstance(effect, Jump)
        ]
        assert all(distance < 0 for distance in jumps), name
    assert interpret(program).exit_status == 127
