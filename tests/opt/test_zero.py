"""Where an instruction takes no constant, a register that always reads 0 stands for one (role `zero`)."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.rtl import Branch, Const, Set

DESCRIPTION = """\
machine: plain
extends: riscv32
toolchain: null
instructions:
  BEQ BNE BLT BGE BLTU BGEU BGT BLE BGTU BLEU: {rtl: "PC=r[src1]${op}r[src2],target;", src2: null}
  SB SH SW: {rtl: "${cell}[mem]=r[src];", src: null}
  MUL: {rtl: "r[dst]=r[src1]*r[src2];", asm: "mul $dst,$src1,$src2"}
"""

PROGRAM = """
int total, last;

int main(int count, char **words)
{
    for (; count > 0; count--)
        total += count;
    last = 0;
    return total != 0;
}
"""


@pytest.mark.parametrize("level", [1, 2])
def test_branches_and_stores_use_the_zero_register(tmp_path, level):
    (tmp_path / "plain.yaml").write_text(DESCRIPTION)
    (tmp_path / "zero.c").write_text(PROGRAM)
    machine = load(str(tmp_path / "plain.yaml"))
    unit = Compiler(machine, Settings(level=level, check="invariants")).unit(str(tmp_path / "zero.c"))
    (main,) = unit.functions
    (zero,) = machine.zero
    effects = [effect for rtl in main.rtls() for effect in rtl.effects]
    assert not [e for e in effects if isinstance(e, Set) and e.source is Const(0)]
    assert [e for e in effects if isinstance(e, Branch) and zero in e.uses]
    assert [e for e in effects if isinstance(e, Set) and e.source is zero]
