"""Structures are copied by words where accesses work at any address, however they are aligned."""

import pytest

from tests.kept_machines import load
from tests.opt.test_cookbook import instructions
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

CODE = """
struct t { char c[11]; };
void f1(struct t *p) { p[1] = p[0]; }
int main(void)
{
    struct t a[6];
    int sum = 0;
    for (int i = 0; i < 66; i++) ((char *)a)[i] = i;
    f1(a + 1);
    f1(a + 4);
    for (int i = 0; i < 66; i++) sum += ((char *)a)[i] == (i / 11 == 2 || i / 11 == 5 ? i - 11 : i);
    return sum;
}
"""


@pytest.mark.parametrize(("machine", "moves"), [("x86_64", 3), ("riscv32", 4), ("mips", 11)])
def test_copies_are_of_words(machine, moves, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    (tmp_path / "a.c").write_text(CODE)
    found = instructions(load(machine), 2, tmp_path / "a.c")["f1"]
    assert len([name for name in found if name != "NOP" and name[0] in "MLS"]) == 2 * moves
    program = Compiler(load(machine), Settings(level=2)).program([str(tmp_path / "a.c")])
    run = interpret(program, ["program"], capture=True)
    assert (run.fault, run.exit_status) == (None, 66)
